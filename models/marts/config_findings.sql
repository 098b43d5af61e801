with plans as (

    select * from {{ ref('int_recon__pair_plans') }}

),

problems as (

    select
        pair_id,
        explode(problems) as found
    from plans
    where error_class is not null

),

-- a rule by pattern may fit some of its pairs only; judged once all of them could be planned
rules_applied_nowhere as (

    select
        rules.pattern,
        rules.column_name,
        rules.rule
    from {{ ref('stg_recon__pair_rules') }} as rules
    inner join plans on rules.pair_id = plans.pair_id
    group by rules.pattern, rules.column_name, rules.side, rules.rule, rules.argument
    having bool_and(coalesce(array_contains(plans.rules_not_applied, concat(
        concat_ws(' ', rules.rule, rules.argument), coalesce(concat(' (', rules.side, ')'), ''),
        ', ', rules.pattern, ' / ', rules.column_name
    )), false))

)

select
    file_name,
    pair_id,
    field,
    value,
    problem,
    remedy
from {{ ref('stg_recon__config_findings') }}

union all

-- what only the tables could tell when the pair was planned last
select
    if(found.field = 'rule', 'seeds/column_rules.csv', 'seeds/table_pairs.csv') as file_name,
    pair_id,
    found.field,
    found.value,
    found.problem,
    found.remedy
from problems

union all

select
    'seeds/column_rules.csv' as file_name,
    cast(null as string) as pair_id,
    'rule' as field,
    rule as value,
    concat(
        'rule \'', rule, '\' on column \'', column_name, '\' of pairs \'', pattern, '\': none of them has such a column, or one the ',
        'rule is for'
    ) as problem,
    'correct or remove it' as remedy
from rules_applied_nowhere
