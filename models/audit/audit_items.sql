-- beside each difference that stands after a run, the closings that may cover it
select
    standing.*,
    coalesce(by_id.closings, array()) as closings,
    coalesce(by_id.reopened_ts, array()) as reopened_ts,
    coalesce(by_group.closings, array()) as group_closings,
    coalesce(retired.retirements, array()) as retirements,
    retired.last_enabled_run_ts
from {{ ref('audit_standing') }} as standing
left join {{ ref('audit_closings') }} as by_id
    on standing.mismatch_id = by_id.mismatch_id and standing.original_pair_id = by_id.original_pair_id
left join {{ ref('audit_closings') }} as by_group
    on
        standing.original_pair_id = by_group.original_pair_id
        and standing.group_diff_type = by_group.diff_type
        and standing.group_column <=> by_group.target_column
left join {{ ref('audit_retirements') }} as retired on standing.original_pair_id = retired.original_pair_id
