-- per pair and date its last result other than not_run, with what it found less what was accepted then
select
    results.original_pair_id,
    results.run_date,
    max_by(struct(
        results.run_id,
        results.run_ts,
        results.status,
        results.mismatch_count,
        coalesce(drift.judged_count, results.mismatch_count) as shown_count
    ), results.run_ts) as last_result
from {{ ref('audit_ledger') }} as results
left join {{ ref('audit_drift') }} as drift
    on results.original_pair_id = drift.original_pair_id and results.run_id = drift.run_id
where results.record_type = 'pair_result' and results.status <> 'not_run'
group by results.original_pair_id, results.run_date
