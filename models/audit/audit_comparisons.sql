-- every comparison that ended match or mismatch, with the next one of its pair
select
    original_pair_id,
    labels.pair_id,
    labels.wave,
    labels.owner,
    base.run_id,
    base.run_ts,
    base.run_date,
    base.code_version,
    base.config_hash,
    base.plan_hash,
    base.compared_columns,
    base.depends_on_time,
    base.mismatch_count,
    base.mismatched_row_count,
    base.is_empty,
    base.has_schema_mismatch,
    size(base.capped) > 0 as is_capped,
    base.clock_was_given,
    base.within_tolerance_count,
    base.source_rows_compared,
    base.target_rows_compared,
    lead(struct(base.run_ts, base.config_hash, base.code_version, base.compared_columns, base.depends_on_time)) over (
        partition by original_pair_id order by run_ts
    ) as next_comparison
from {{ ref('audit_pair_runs') }}
where run_id = base.run_id
