-- for every run since a pair's first: what was known of the pair then
with results as (

    select
        original_pair_id,
        run_id,
        run_ts,
        status,
        coalesce(totals['not_compared'], 0) > 0 as is_not_compared
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'

),

pairs as (

    select
        original_pair_id,
        min_by(run_id, run_ts) as first_run_id,
        min(run_ts) as first_run_ts
    from results
    group by original_pair_id

),

runs as (

    select
        run_id,
        run_ts,
        run_date
    from {{ ref('audit_ledger') }}
    where record_type = 'run'

),

attempts as (

    select
        pairs.original_pair_id,
        pairs.first_run_id,
        runs.run_id,
        runs.run_ts,
        runs.run_date,
        if(results.status in ('match', 'mismatch'), struct(results.run_id, results.is_not_compared), null) as comparison,
        if(results.status <> 'not_run', struct(results.run_id, results.status), null) as attempt
    from pairs
    inner join runs on pairs.first_run_ts <= runs.run_ts
    left join results on pairs.original_pair_id = results.original_pair_id and runs.run_id = results.run_id

),

known as (

    select
        *,
        last_value(comparison, true) over so_far as base,
        last_value(attempt, true) over so_far as last_attempt
    from attempts
    window so_far as (
        partition by original_pair_id
        order by run_ts
        rows between unbounded preceding and current row
    )

)

select
    original_pair_id,
    run_id,
    run_ts,
    run_date,
    base.run_id as base_run_id,
    coalesce(last_attempt.run_id, first_run_id) as attempt_run_id,
    (base is null or last_attempt.status = 'error') and not coalesce(base.is_not_compared, false) as is_not_compared
from known
