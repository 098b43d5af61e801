{% macro plain_number(value) %}
{# Renders a median as people write it: 4 or 4.5. #}
if({{ value }} = floor({{ value }}), cast(cast({{ value }} as bigint) as string), cast({{ value }} as string))
{%- endmacro %}
