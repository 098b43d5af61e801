{#- what a row says of its own run, whatever run recorded it -#}
{%- set own = 'run_id, run_ts, run_date, record_type, mismatch_id, diff_type, occurrences' -%}

-- a run shows when all that is derived from it is there
with runs as (

    select
        run_id,
        run_date
    from {{ ref('audit_standing') }}
    where mismatch_id is null

)

select
    {{ own }},
    ledger.* except ({{ own }}),
    cast(null as bigint) as counted_differences,
    cast(null as boolean) as resolved,
    cast(null as timestamp) as resolved_ts,
    cast(null as string) as resolved_by,
    cast(null as string) as resolution,
    cast(null as timestamp) as carried_from_run_ts
from {{ ref('audit_ledger') }} as ledger
left semi join runs on ledger.run_date = runs.run_date and ledger.run_id = runs.run_id
where ledger.record_type in ('run', 'pair_result', 'observation')

union all

select
    judged.run_id,
    judged.run_ts,
    judged.run_date,
    'difference' as record_type,
    judged.mismatch_id,
    judged.diff_type,
    if(judged.is_derived, 1, ledger.occurrences) as occurrences,
    ledger.* except ({{ own }}),
    judged.counted_differences,
    judged.resolved,
    judged.resolved_ts,
    judged.resolved_by,
    judged.resolution,
    if(judged.seen_run_ts = judged.run_ts, null, judged.seen_run_ts) as carried_from_run_ts
from {{ ref('audit_judged') }} as judged
inner join {{ ref('audit_ledger') }} as ledger
    on
        judged.seen_run_date = ledger.run_date
        and judged.seen_run_id = ledger.run_id
        and judged.original_pair_id = ledger.original_pair_id
        and ledger.record_type = if(judged.is_derived, 'pair_result', 'difference')
        and (judged.is_derived or judged.mismatch_id = ledger.mismatch_id)
