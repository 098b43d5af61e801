{% macro print_line(text) %}
{# Writes one line to dbt's console output and log. #}
  {%- do log(text, info=true) -%}
{% endmacro %}
