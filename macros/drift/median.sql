{% macro median(values) %}
{# Renders the median of a SQL array of numbers; NULL of an empty one. #}
transform(array(array_sort({{ values }})), s -> if(size(s) = 0, null, (s[(size(s) - 1) div 2] + s[size(s) div 2]) / 2D))[0]
{%- endmacro %}
