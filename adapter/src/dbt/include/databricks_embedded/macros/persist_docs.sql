{#- dbt-databricks wants a catalog in front of the schema here; tables of the engine have none. -#}
{% macro alter_table_change_column_comment_sql(column_path, escaped_comment) %}
  {%- set parts = column_path.split('.') -%}
  alter table {{ parts[:-1] | join('.') }} alter column {{ parts[-1] }} comment '{{ escaped_comment }}'
{% endmacro %}
