-- per pair that was ever retired: by whom and when, and when it was enabled last
with events as (

    select
        event_id,
        original_pair_id,
        event_ts,
        resolved_by
    from {{ ref('audit_events') }}
    where problem is null and action = 'retire_pair'

),

runs as (

    select
        original_pair_id,
        run_ts,
        enabled_run_ts,
        max(enabled_run_ts) over (partition by original_pair_id) as last_enabled_run_ts
    from {{ ref('audit_pair_runs') }}

),

-- each event at the run before it
judged as (

    select
        events.original_pair_id,
        struct(events.event_ts, events.resolved_by) as retirement,
        max(runs.run_ts) as run_ts,
        max_by(runs.enabled_run_ts, runs.run_ts) as enabled_run_ts,
        max(runs.last_enabled_run_ts) as last_enabled_run_ts
    from events
    inner join runs on events.original_pair_id = runs.original_pair_id and events.event_ts >= runs.run_ts
    group by events.event_id, events.original_pair_id, events.event_ts, events.resolved_by

)

-- a pair that was enabled in that run does not leave
select
    original_pair_id,
    array_sort(collect_list(retirement)) as retirements,
    max(last_enabled_run_ts) as last_enabled_run_ts
from judged
where enabled_run_ts < run_ts
group by original_pair_id
