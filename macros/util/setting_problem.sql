{% macro setting_problem(setting) %}
{#
  Renders a SQL expression: what is wrong with the value of one setting (a dict of
  pair_settings()) in a row of stg_recon__table_pairs, as a sentence; NULL when nothing is.
#}
{%- set name = setting.name -%}
{%- set leave = "leave it blank or write " ~ setting.choices | join(' or ') if setting.choices else "leave it blank" -%}
case
    when {{ name }} is null then null
    {%- if setting.kind == 'choice' %}
    when {{ name }} in ('{{ setting.choices | join("', '") }}') then null
    {%- endif %}
    {%- if setting.planned is sameas true %}
    else concat('{{ name }} is \'', {{ name }}, '\': {{ name }} is not available in this release; {{ leave }}')
    {%- elif setting.kind == 'choice' %}
    {%- if setting.planned %}
    when {{ name }} in ('{{ setting.planned | join("', '") }}')
        then concat('{{ name }} is \'', {{ name }}, '\': that is not available in this release; {{ leave }}')
    {%- endif %}
    else concat('{{ name }} is \'', {{ name }}, '\', which recon does not know; {{ leave }}')
    {%- elif setting.kind == 'boolean' %}
    when {{ name }} not in ('true', 'false') then concat('{{ name }} is \'', {{ name }}, '\'; write true or false')
    {%- elif setting.kind == 'integer' %}
    when coalesce(try_cast({{ name }} as int), 0) < 1
        then concat('{{ name }} is \'', {{ name }}, '\'; write a whole number of at least 1')
    {%- elif setting.kind == 'number' %}
    when coalesce(try_cast({{ name }} as decimal(18, 6)), 0) <= 0
        then concat('{{ name }} is \'', {{ name }}, '\'; write a number above 0')
    {%- elif setting.kind == 'lag' %}
    when {{ name }} not rlike '^([0-9]+ *(second|minute|hour|day)s?|[0-9]+[.]?[0-9]*|[.][0-9]+)$'
        then concat('{{ name }} is \'', {{ name }}, '\'; write a time such as 2 hours or 1 day, or a plain number')
    {%- endif %}
end
{% endmacro %}
