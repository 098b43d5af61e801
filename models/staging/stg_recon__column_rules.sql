{%- set names = ['pair_id', 'column_name', 'side', 'rule', 'argument', 'reason'] -%}

with seed as (

    {{ read_seed(ref('column_rules'), names, ['pair_id', 'column_name', 'rule']) }}

)

select
    lower(pair_id) as pair_id,
    column_name,
    lower(side) as side,
    lower(rule) as rule,
    argument,
    reason
from seed
