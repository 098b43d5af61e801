{%- set known = column_rules() -%}

with known_pairs as (

    select collect_set(pair_id) as pair_ids from {{ ref('stg_recon__table_pairs') }}

),

matched as (

    select
        pair_rules.*,
        known_pairs.pair_ids
    from {{ ref('stg_recon__pair_rules') }} as pair_rules
    cross join known_pairs

),

rules as (

    select
        *,
        array(
            {%- for rule in known %}
            '{{ rule.name }}'{{ "," if not loop.last }}
            {%- endfor %}
        ) as known_rules,
        collect_list(coalesce(side, 'both')) over (partition by pair_id, level, lower(column_name), rule) as sides_of_rule
    from matched

),

-- a rule's pair_id may be a pattern: its problem is a problem of each pair it matches
problems as (

    select distinct
        pair_id,
        rule as value,
        concat(
            'rule \'', coalesce(rule, ''), '\' on column \'', coalesce(column_name, ''), '\'',
            if(contains(pattern, '*'), concat(' of pairs \'', pattern, '\''), ''), ': ',
            case
                when pattern is null then 'it has no pair_id; write the pair\'s id'
                when pattern not rlike '^[a-z0-9_*]+$'
                    then concat('pair_id \'', pattern, '\' is no id and no pattern; write letters, digits and _, and * for any text')
                when pair_id is null
                    then concat(
                        'pair_id \'', pattern, '\' fits no pair of table_pairs.csv',
                        if(
                            contains(pattern, '*'), '',
                            coalesce(concat(', the nearest is ', {{ nearest_of('pattern', 'pair_ids') }}), '')
                        ),
                        '; correct it'
                    )
                when rule is null then concat('it names no rule; write one of ', array_join(known_rules, ', '))
                when not array_contains(known_rules, rule)
                    then concat(
                        'recon does not know this rule, the nearest is ',
                        {{ nearest_of('rule', 'known_rules') }},
                        '; write one of ', array_join(known_rules, ', ')
                    )
                when column_name is null then 'it names no column; write the target\'s name of the column, or * for every column'
                when column_name = '*' and rule in ('source_column', 'expression') then 'it is for one column; name the column'
                when side not in ('source', 'target') then concat('side is \'', side, '\'; write source, target or leave it blank')
                else coalesce(
                    case rule
                        {%- for rule in known %}
                        when '{{ rule.name }}' then {{ rule_problem(rule) }}
                        {%- endfor %}
                    end,
                    concat(
                        'it is given ',
                        nullif(size(filter(sides_of_rule, other -> other = 'both' or other = coalesce(side, other))), 1),
                        ' times for this column and side; keep one'
                    )
                )
            end
        ) as sentence
    from rules

)

select
    'seeds/column_rules.csv' as file_name,
    pair_id,
    'rule' as field,
    value,
    sentence
from problems
where sentence is not null
