{#- Which pairs take the time, run by run: seconds of comparing, the share of the run, and the change since the
pair's comparison before. Latest run first, slowest pair first. -#}
with results as (

    select
        run_date,
        run_ts,
        run_id,
        original_pair_id,
        pair_id,
        status,
        seconds,
        source_rows_compared,
        target_rows_compared,
        100 * seconds / nullif(sum(seconds) over (partition by run_id), 0) as pct_of_run,
        seconds - lag(seconds) over (partition by original_pair_id order by run_ts) as seconds_more
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result' and status <> 'not_run'

)

select
    run_date,
    run_id,
    pair_id,
    status,
    round(seconds, 1) as seconds,
    round(pct_of_run, 1) as pct_of_run,
    round(seconds_more, 1) as seconds_more,
    source_rows_compared,
    target_rows_compared
from results
order by results.run_ts desc, results.seconds desc, results.pair_id asc
