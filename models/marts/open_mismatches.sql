-- since when each difference is known, and since when a pair is in error or never compared
with first_seen as (

    select
        mismatch_id,
        min(run_ts) as first_seen_ts
    from {{ ref('audit_ledger') }}
    where record_type = 'difference'
    group by mismatch_id

),

pairs as (

    select
        original_pair_id,
        max_by(struct(wave, owner), run_ts) as labels,
        max(if(status in ('match', 'mismatch'), run_ts, null)) as compared_ts,
        collect_list(if(status <> 'match' and status <> 'mismatch', run_ts, null)) as not_compared_ts
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'
    group by original_pair_id

),

open_items as (

    select
        log.*,
        pairs.labels,
        coalesce(
            first_seen.first_seen_ts,
            array_min(filter(pairs.not_compared_ts, t -> pairs.compared_ts is null or t > pairs.compared_ts)),
            log.run_ts
        ) as first_seen_ts
    from {{ ref('audit_log') }} as log
    left join first_seen on log.mismatch_id = first_seen.mismatch_id
    left join pairs on log.original_pair_id = pairs.original_pair_id
    where
        log.resolved = false
        and log.run_ts = (select max(runs.run_ts) from {{ ref('audit_ledger') }} as runs where runs.record_type = 'run')

)

select
    mismatch_id,
    original_pair_id,
    pair_id,
    labels.wave as wave,
    labels.owner as owner,
    diff_type,
    side,
    record_key,
    source_column,
    target_column,
    source_value,
    target_value,
    occurrences,
    not_recorded_diff_type,
    error_class,
    error_message,
    run_id,
    run_ts,
    carried_from_run_ts,
    {{ counted_differences() }} as counted_differences,
    first_seen_ts,
    floor((unix_micros({{ utc_now() }}) - unix_micros(first_seen_ts)) / 3600000000) as age_hours
from open_items
