{% macro standing_rows(relation, holds_runs) %}
{#
  Renders the rows of audit_standing for the next run: the differences that it recorded, and those of
  the run before on which it gives no verdict.
  relation: audit_standing; holds_runs: whether it exists already.
#}
with run as (

    {{ next_run(relation, holds_runs) | indent(4) }}

),

pairs as (

    select
        original_pair_id,
        enabled_run_ts,
        base.run_id as base_run_id,
        base.capped,
        -- a pair never compared, or whose last attempt failed, has one not_compared, for which that result stands
        if((base is null or attempt.status = 'error') and not coalesce(base.is_empty, false), coalesce(attempt, first_result), null)
            as failure
    from {{ ref('audit_pair_runs') }}
    where run_date = (select run_date from run) and run_id = (select run_id from run)

),

standing as (

    select
        pairs.original_pair_id,
        ledger.mismatch_id,
        ledger.diff_type,
        coalesce(ledger.not_recorded_diff_type, ledger.diff_type) as group_diff_type,
        lower(ledger.target_column) as group_column,
        ledger.value_digest,
        -- the key or, of a pair without one, the row
        coalesce(ledger.record_key, ledger.mismatch_id) as row_key,
        ledger.run_id as seen_run_id,
        ledger.run_ts as seen_run_ts,
        ledger.run_date as seen_run_date,
        false as is_derived,
        false as is_behind_cap,
        if(ledger.diff_type = 'not_recorded', ledger.occurrences, 1) as counted_differences
    from {{ ref('audit_ledger') }} as ledger
    inner join pairs on ledger.original_pair_id = pairs.original_pair_id
    where
        ledger.record_type = 'difference'
        and ledger.run_date = (select run_date from run)
        and ledger.run_id = (select run_id from run)

    union all

    select
        original_pair_id,
        sha2(to_json(array(original_pair_id, 'not_compared', null, null, null, null)), 256) as mismatch_id,
        'not_compared' as diff_type,
        'not_compared' as group_diff_type,
        cast(null as string) as group_column,
        cast(null as string) as value_digest,
        cast(null as string) as row_key,
        failure.run_id as seen_run_id,
        failure.run_ts as seen_run_ts,
        failure.run_date as seen_run_date,
        true as is_derived,
        false as is_behind_cap,
        1 as counted_differences
    from pairs
    where failure is not null
    {%- if holds_runs %}

    union all

    -- of a pair compared in this run, what lies behind a cap: the row of the rest counts it
    select
        before.original_pair_id,
        before.mismatch_id,
        before.diff_type,
        before.group_diff_type,
        before.group_column,
        before.value_digest,
        before.row_key,
        before.seen_run_id,
        before.seen_run_ts,
        before.seen_run_date,
        false as is_derived,
        before.is_behind_cap or pairs.base_run_id = run.run_id as is_behind_cap,
        if(pairs.base_run_id = run.run_id, 0, before.counted_differences) as counted_differences
    from {{ relation }} as before
    inner join pairs on before.original_pair_id = pairs.original_pair_id
    cross join run
    where
        before.run_ts = (select max(run_ts) from {{ relation }})
        and not before.is_derived
        and (pairs.base_run_id <> run.run_id or exists(
            pairs.capped,
            g -> g.diff_type = before.diff_type
            and g.target_column <=> before.group_column
            and g.recorded_up_to < before.mismatch_id
        ))
    {%- endif %}

)

select
    run.*,
    standing.*,
    pairs.base_run_id,
    pairs.enabled_run_ts,
    sum(standing.counted_differences) over (
        partition by standing.original_pair_id, standing.group_diff_type, standing.group_column
    ) as group_total
from run
cross join standing
inner join pairs on standing.original_pair_id = pairs.original_pair_id

union all

-- and a row per run, to know which have been looked at
select
    *,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
from run
{%- endmacro %}
