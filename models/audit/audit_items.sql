-- beside each difference that stands after a run, the closings that may cover it
select
    standing.*,
    coalesce(by_id.closings, array()) as closings,
    coalesce(by_id.reopened_ts, array()) as reopened_ts,
    coalesce(by_group.closings, array()) as group_closings,
    coalesce(retired.retirements, array()) as retirements,
    retired.last_enabled_run_ts
from {{ ref('audit_standing') }} as standing
{{ closing_joins('standing', 'standing.group_diff_type', 'standing.group_column') | trim }}
