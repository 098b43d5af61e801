{% macro databricks_embedded__get_binding_char() %}
  {{ return('?') }}
{% endmacro %}
