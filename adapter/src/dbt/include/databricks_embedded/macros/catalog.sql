{#- Spark's own catalog has schemas only: no relation carries a database. -#}
{% macro databricks_embedded__generate_database_name(custom_database_name=none, node=none) -%}
  {{ return(none) }}
{%- endmacro %}
