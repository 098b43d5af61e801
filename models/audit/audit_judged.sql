-- every difference that stands after a run, with the closing that covers it now
select
    * except (closings, reopened_ts, group_closings, retirements, last_enabled_run_ts, closing),
    closing is not null as resolved,
    closing.resolved_ts,
    closing.resolved_by,
    closing.resolution
from (
    select
        *,
        {{ covering_closing() }} as closing
    from {{ ref('audit_items') }}
    where mismatch_id is not null
)
-- a retired pair is not asked why it is not compared
where not (is_derived and coalesce(closing.resolution, '') = 'retired')
