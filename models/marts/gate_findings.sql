{{ config(materialized='table') }}

with readiness as (

    select * from {{ ref('cutover_readiness') }}

),

reasons as (

    select
        *,
        explode(reasons) as found
    from readiness

)

select
    wave,
    pair_id,
    severity,
    found.reason,
    concat(pair_id, ': ', found.sentence) as sentence
from reasons

union all

select
    wave,
    pair_id,
    severity,
    cast(null as string) as reason,
    concat(pair_id, ': ready') as sentence
from readiness
where is_ready

union all

-- a problem of no pair in particular, such as a rule for a pair that does not exist
select
    cast(null as string) as wave,
    cast(null as string) as pair_id,
    'error' as severity,
    'configuration_invalid' as reason,
    concat(file_name, ': ', problem) as sentence
from {{ ref('config_findings') }}
where pair_id is null

union all

select
    cast(null as string) as wave,
    cast(null as string) as pair_id,
    'error' as severity,
    'record_rewritten' as reason,
    sentence
from ({{ record_rewritten() | indent(4) }})

union all

select
    cast(null as string) as wave,
    cast(null as string) as pair_id,
    'error' as severity,
    'no_pairs' as reason,
    'no pair is configured or was ever compared: add one to seeds/table_pairs.csv' as sentence
where not exists (select 1 from readiness)
