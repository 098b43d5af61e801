-- per pair, latest first: its results other than not_run
with results as (

    select
        original_pair_id,
        max_by(struct(pair_id, wave, owner, max_age_hours), run_ts) as labels,
        max(run_ts) as enabled_run_ts,
        max_by(struct(source_relation, target_relation), run_ts) as relations,
        array_sort(
            collect_list(if(status <> 'not_run', struct(
                run_ts, run_id, status, wave, config_hash, totals, error_message,
                source_rows_compared + target_rows_compared as row_count,
                greatest(source_rows_compared, target_rows_compared) as larger_row_count
            ), null)),
            (a, b) -> case when a.run_ts > b.run_ts then -1 when a.run_ts < b.run_ts then 1 else 0 end
        ) as attempts
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'
    group by original_pair_id

),

comparisons as (

    select
        results.*,
        coalesce(exists(retired.retirements, r -> r.event_ts > results.enabled_run_ts), false) as is_retired,
        filter(results.attempts, a -> a.status <> 'error') as compared
    from results
    left join {{ ref('audit_retirements') }} as retired on results.original_pair_id = retired.original_pair_id

)

select
    original_pair_id,
    labels,
    relations,
    is_retired,
    get(attempts, 0) as last_attempt,
    array_distinct(transform(
        slice(attempts, 1, coalesce(nullif(array_position(transform(attempts, a -> a.status), 'match'), 0) - 1, size(attempts))),
        a -> a.wave
    )) as waves_since_clean,
    get(compared, 0) as last_comparison,
    get(compared, 1) as previous_comparison,
    slice(compared, 1, coalesce(
        nullif(array_position(transform(compared, c -> c.status), 'mismatch'), 0) - 1, size(compared)
    )) as clean_runs
from comparisons
