{{ config(materialized='table') }}
{%- set rule_names = column_rule_names() -%}

with pairs as (

    select
        *,
        count(*) over (partition by pair_id) as line_count,
        collect_list(concat(coalesce(source_relation, '?'), ' -> ', coalesce(target_relation, '?')))
            over (partition by pair_id) as relations_of_id
    from {{ ref('stg_recon__table_pairs') }}

),

pair_problems as (

    select
        pair_id,
        explode(array(
            named_struct('field', 'pair_id', 'value', pair_id, 'problem', case
                when pair_id is null
                    then concat('a line with source_relation \'', coalesce(source_relation, ''), '\' has no pair_id; give it one')
                when pair_id not rlike '^[a-z][a-z0-9_]*$'
                    then concat('pair_id \'', pair_id, '\' is not an id: write lower-case letters, digits and _, a letter first')
                when line_count > 1
                    then concat(
                        'pair_id \'', pair_id, '\' stands on ', line_count, ' lines (', array_join(sort_array(relations_of_id), '; '),
                        '); give each pair an id of its own'
                    )
            end),
            {%- for name in ['source_relation', 'target_relation'] %}
            named_struct('field', '{{ name }}', 'value', {{ name }}, 'problem', case
                when {{ name }} is null then '{{ name }} is blank; write the table\'s name, such as catalog.schema.table'
                when contains({{ name }}, '${')
                    then concat(
                        '{{ name }} is \'', {{ name }},
                        '\': placeholders are not available in this release; write the whole name'
                    )
                when lower(source_relation) = lower(target_relation)
                    then concat('source_relation and target_relation are both \'', {{ name }}, '\'; name two tables')
            end),
            {%- endfor %}
            {%- for name in ['source_filter', 'target_filter'] %}
            named_struct('field', '{{ name }}', 'value', {{ name }}, 'problem', if(
                contains({{ name }}, '${'),
                '{{ name }} has a placeholder: placeholders are not available in this release; write the value', null
            )),
            {%- endfor %}
            named_struct('field', 'key_columns', 'value', key_columns, 'problem', if(
                key_columns is null,
                'key_columns is blank: pairs without a key are not available in this release; name the columns, with ; between',
                null
            )),
            {%- for setting in pair_settings() %}
            named_struct('field', '{{ setting.name }}', 'value', {{ setting.name }}, 'problem', {{ setting_problem(setting) }}),
            {%- endfor %}
            named_struct('field', 'enabled', 'value', enabled, 'problem', if(
                enabled not in ('true', 'false'), concat('enabled is \'', enabled, '\'; write true or false'), null
            ))
        )) as found
    from pairs

),

pair_ids as (

    select distinct pair_id from pairs where pair_id rlike '^[a-z][a-z0-9_]*$'

),

-- a rule's pair_id may be a pattern: its problem is a problem of each pair it matches
rules as (

    select
        rules.*,
        count(*) over (
            partition by rules.pair_id, matched.pair_id, lower(rules.column_name), rules.rule, rules.side
        ) as line_count,
        matched.pair_id as matched_pair_id
    from {{ ref('stg_recon__column_rules') }} as rules
    left join pair_ids as matched
        on
            rules.pair_id rlike '^[a-z0-9_*]+$'
            and matched.pair_id rlike concat('^', replace(rules.pair_id, '*', '.*'), '$')

),

rule_problems as (

    select distinct
        matched_pair_id as pair_id,
        'rule' as field,
        rule as value,
        concat(
            'rule \'', coalesce(rule, ''), '\' on column \'', coalesce(column_name, ''), '\': ',
            case
                when pair_id is null then 'it has no pair_id; write the pair\'s id'
                when matched_pair_id is null then concat('no pair in table_pairs.csv has the id \'', pair_id, '\'; correct pair_id')
                when contains(pair_id, '*')
                    then concat('pair_id \'', pair_id, '\' is a pattern, which is not available in this release; name one pair')
                when rule is null then 'it names no rule; write one of {{ rule_names.available | join(", ") }}'
                when rule in ('{{ rule_names.planned | join("', '") }}')
                    then 'this rule is not available in this release; available are {{ rule_names.available | join(", ") }}'
                when rule not in ('{{ rule_names.available | join("', '") }}')
                    then 'recon does not know this rule; available are {{ rule_names.available | join(", ") }}'
                when column_name is null then 'it names no column; write the target\'s name of the column'
                when column_name = '*' then 'column_name * is not available in this release; name one column'
                when side not in ('source', 'target') then concat('side is \'', side, '\'; write source, target or leave it blank')
                when rule <> 'trim' and side is not null then 'it takes no side; leave side blank'
                when rule = 'ignore' and argument is not null then 'it takes no argument; leave argument blank'
                when rule = 'source_column' and argument is null then 'argument is blank; write the source\'s name of the column'
                when rule = 'trim' and coalesce(argument, '') not in ('right', 'both', 'right_ws')
                    then concat('argument is \'', coalesce(argument, ''), '\'; write right, both or right_ws')
                when
                    rule = 'abs_tolerance'
                    and coalesce(argument, '') not rlike '^[0-9]*[.]?[0-9]+([eE][-+]?[0-9]{1,2})?$'
                    then concat('argument is \'', coalesce(argument, ''), '\'; write a number of at least 0, such as 0.01')
                when line_count > 1 then concat('it stands on ', line_count, ' lines; keep one')
            end
        ) as problem
    from rules

)

select
    'seeds/table_pairs.csv' as file_name,
    pair_id,
    found.field as field,
    found.value as value,
    found.problem as problem
from pair_problems
where found.problem is not null

union all

select
    'seeds/column_rules.csv' as file_name,
    pair_id,
    field,
    value,
    problem
from rule_problems
where problem is not null
