{% macro setting_problem(setting) %}
{#
  Renders a SQL expression: what is wrong with the value of one setting (a dict of
  pair_settings()) in a row of stg_recon__table_pairs, as a sentence; NULL when nothing is.
#}
{%- set name = setting.name -%}
case
    when {{ name }} is null then null
    {%- if setting.kind == 'choice' %}
    {%- set words = "array('" ~ setting.choices | join("', '") ~ "')" %}
    when {{ name }} not in ('{{ setting.choices | join("', '") }}')
        then concat(
            '{{ name }} is \'', {{ name }}, '\', which recon does not know, the nearest is ', {{ nearest_of(name, words) }},
            '; leave it blank or write {{ setting.choices | join(" or ") }}'
        )
    {%- elif setting.kind == 'boolean' %}
    when {{ name }} not in ('true', 'false') then concat('{{ name }} is \'', {{ name }}, '\'; write true or false')
    {%- elif setting.kind == 'integer' %}
    when not coalesce(try_cast({{ name }} as int) >= {{ setting.least }}, false)
        then concat('{{ name }} is \'', {{ name }}, '\'; write a whole number of at least {{ setting.least }}')
    {%- elif setting.kind == 'number' %}
    when coalesce(try_cast({{ name }} as decimal(18, 6)), 0) <= 0
        then concat('{{ name }} is \'', {{ name }}, '\'; write a number above 0')
    {%- elif setting.kind == 'percent' %}
    when not coalesce(try_cast({{ name }} as decimal(18, 6)) between 0 and 100, false)
        then concat('{{ name }} is \'', {{ name }}, '\'; write a number from 0 to 100')
    {%- elif setting.kind == 'lag' %}
    when {{ name }} not rlike '^([0-9]+ *(second|minute|hour|day)s?|[0-9]+[.]?[0-9]*|[.][0-9]+)$'
        then concat('{{ name }} is \'', {{ name }}, '\'; write a time such as 2 hours or 1 day, or a plain number')
    {%- endif %}
end
{% endmacro %}
