with pair_ids as (

    select distinct pair_id from {{ ref('stg_recon__table_pairs') }} where pair_id rlike '^[a-z][a-z0-9_]*$'

)

select
    pair_ids.pair_id,
    rules.pair_id as pattern,
    rules.column_name,
    rules.side,
    rules.rule,
    rules.argument,
    if(contains(rules.pair_id, '*'), 3, 1) + if(rules.column_name = '*', 1, 0) as level
from {{ ref('stg_recon__column_rules') }} as rules
left join pair_ids
    on
        rules.pair_id rlike '^[a-z0-9_*]+$'
        and pair_ids.pair_id rlike concat('^', replace(rules.pair_id, '*', '.*'), '$')
