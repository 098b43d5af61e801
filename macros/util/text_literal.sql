{% macro text_literal(value) %}
{# Returns a text as a SQL literal, whatever characters it holds. #}
  {{ return("'" ~ value | string | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") }}
{% endmacro %}
