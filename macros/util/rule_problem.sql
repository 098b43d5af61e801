{% macro rule_problem(rule) %}
{#
  Renders a SQL expression: what is wrong with side and argument of one rule (a dict of
  column_rules()) in a row of stg_recon__pair_rules, as the end of a sentence; NULL when nothing is.
  What only the tables can tell (does the name exist, does the expression compile) is left to
  int_recon__pair_plans.
#}
{%- set number = '^([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$' -%}
{%- set scalar_type = '^(target|boolean|tinyint|byte|smallint|short|int|integer|bigint|long|float|real|double'
    ~ '|(decimal|dec|numeric)( ?[(] ?[0-9]{1,2} ?(, ?[0-9]{1,2} ?)?[)])?'
    ~ '|date|timestamp|timestamp_ltz|timestamp_ntz|string|binary|interval [a-z]+( to [a-z]+)?)$' -%}
{#- an object without a colon is empty; the length is asked for because try_parse_json overlooks text behind it -#}
{%- set text_map -%}
argument like '%:%'
        and json_array_length(concat('[', argument, ']')) = 1
        and forall(
            map_values(try_variant_get(try_parse_json(argument), '$', 'map<string, variant>')),
            mapped -> schema_of_variant(mapped) in ('STRING', 'VOID')
        )
{%- endset -%}
{%- set checks = {
  'choice': ["argument in ('" ~ rule.choices | join("', '") ~ "')", rule.choices | join(' or ')],
  'number': ["argument rlike '" ~ number ~ "'", 'a number of at least 0, such as 0.01'],
  'integer': ["argument rlike '^-?[0-9]{1,2}$'", 'a whole number of digits from -99 to 99, such as 2'],
  'zone': [
    "argument rlike '^[A-Za-z]' and try_cast(concat('2024-01-01 00:00:00 ', argument) as timestamp) is not null",
    'the name of a time zone, such as America/New_York',
  ],
  'type': ["lower(argument) rlike '" ~ scalar_type ~ "'", 'target or a Spark type that is not nested, such as decimal(18,2)'],
  'json_object': [text_map, 'a JSON object from text to text or null, such as {"Y": "true", "-": null}'],
  'name': ['argument is not null', 'the source\\\'s name of the column'],
  'expression': ['argument is not null', 'one Spark SQL expression over the side\\\'s columns, such as upper(name)'],
} -%}
{%- set condition, example = checks.get(rule.argument, ['', '']) -%}
case
    {%- if rule.side == 'required' %}
    when side is null then 'side is blank; write source or target'
    {%- elif rule.side == 'none' %}
    when side is not null then 'it takes no side; leave side blank'
    {%- endif %}
    {%- if rule.argument == 'none' %}
    when argument is not null then 'it takes no argument; leave argument blank'
    {%- else %}
    when not coalesce({{ condition }}, false)
        then concat(if(argument is null, 'argument is blank', concat('argument is \'', argument, '\'')), '; write {{ example }}')
    {%- endif %}
end
{% endmacro %}
