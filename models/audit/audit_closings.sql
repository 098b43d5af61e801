-- per mismatch, or per group of standing acceptances: its closings, each with when it was reopened
with events as (

    select
        if(scope = 'standing', null, mismatch_id) as mismatch_id,
        original_pair_id,
        if(scope = 'standing', diff_type, null) as diff_type,
        if(scope = 'standing', lower(target_column), null) as target_column,
        event_ts,
        action,
        struct(
            event_ts,
            if(action = 'resolve', 'fixed', 'accepted') as resolution,
            value_digest,
            max_count,
            expires_ts,
            resolved_by
        ) as closing
    from {{ ref('audit_events') }}
    where problem is null and action in ('resolve', 'accept', 'reopen')

),

grouped as (

    select
        mismatch_id,
        original_pair_id,
        diff_type,
        target_column,
        array_sort(collect_list(if(action = 'reopen', null, closing))) as closings,
        array_sort(collect_list(if(action = 'reopen', event_ts, null))) as reopened_ts
    from events
    group by mismatch_id, original_pair_id, diff_type, target_column

)

select
    * except (closings),
    transform(closings, c -> struct(
        c.event_ts, c.resolution, c.value_digest, c.max_count, c.expires_ts, c.resolved_by,
        array_min(filter(reopened_ts, t -> t >= c.event_ts)) as cancelled_ts
    )) as closings
from grouped
