{{ config(materialized='table') }}

with findings as (

    select
        wave,
        pair_id,
        severity,
        explode(concat(
            reasons, if(is_ready, array(named_struct('reason', cast(null as string), 'sentence', 'ready')), array())
        )) as found
    from {{ ref('cutover_readiness') }}

)

-- one row where there is no pair at all
select
    findings.wave,
    findings.pair_id,
    coalesce(findings.severity, 'error') as severity,
    if(findings.pair_id is null, 'no_pairs', findings.found.reason) as reason,
    coalesce(
        concat(findings.pair_id, ': ', findings.found.sentence),
        'no pair is configured or was ever compared: add one to seeds/table_pairs.csv'
    ) as sentence
from values (1) as at_least (one)
left join findings on true

union all

-- a problem of no pair in particular, such as a rule for a pair that does not exist
select
    cast(null as string) as wave,
    cast(null as string) as pair_id,
    'error' as severity,
    'configuration_invalid' as reason,
    concat(file_name, ': ', problem, '; ', remedy) as sentence
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
