with latest as (

    select
        mismatch_id,
        group_total,
        resolved,
        resolution,
        resolved_ts,
        resolved_by
    from {{ ref('audit_judged') }}
    where run_ts = (select max(standing.run_ts) from {{ ref('audit_standing') }} as standing)

),

pairs as (

    select
        original_pair_id,
        run_ts as last_run_ts,
        labels.pair_id,
        labels.wave
    from {{ ref('audit_pair_runs') }}
    where run_ts = (select max(standing.run_ts) from {{ ref('audit_standing') }} as standing)

),

notes as (

    select
        mismatch_id,
        max_by(assignee, if(assignee is null, null, event_ts)) as assignee,
        max_by(note, if(note is null, null, event_ts)) as note,
        max_by(ticket, if(ticket is null, null, event_ts)) as ticket
    from {{ ref('audit_events') }}
    where problem is null and mismatch_id is not null
    group by mismatch_id

),

states as (

    select
        episodes.*,
        pairs.pair_id,
        pairs.wave,
        pairs.last_run_ts,
        notes.assignee,
        notes.note,
        notes.ticket,
        latest.group_total,
        coalesce(latest.resolved_ts, episodes.fixed.event_ts, episodes.retired.event_ts) as resolved_ts,
        coalesce(latest.resolved_by, episodes.fixed.resolved_by, episodes.retired.resolved_by) as resolved_by,
        case
            when not episodes.is_current and episodes.fixed is null then 'retired'
            when episodes.fixed is not null and episodes.last.absent is not null then 'closed_verified'
            when not episodes.is_current then 'reopened'
            when latest.resolution = 'fixed' then 'closed_unverified'
            when latest.resolved then latest.resolution
            when episodes.last.absent is null then 'open'
            when episodes.is_cleared then 'cleared'
            when episodes.last.absent.depends_on_time then 'left_scope'
            else 'ended_by_configuration'
        end as state
    from {{ ref('audit_episodes') }} as episodes
    inner join pairs on episodes.last.original_pair_id = pairs.original_pair_id
    left join latest
        on episodes.mismatch_id = latest.mismatch_id and episodes.is_current and episodes.last.absent is null
    left join notes on episodes.mismatch_id = notes.mismatch_id

)

select
    mismatch_id,
    episode,
    pair_id,
    last.original_pair_id,
    wave,
    owner,
    last.diff_type,
    last.side,
    last.record_key,
    last.source_column,
    last.target_column,
    last.source_value,
    last.target_value,
    last.not_recorded_diff_type,
    last.value_digest,
    is_current,
    state,
    case
        when state <> 'open' then null
        when is_reopened then 'seen again after it was closed as fixed'
        when times_reopened_by_name > 0 or exists(last.group_closings, c -> c.cancelled_ts >= first_seen_ts)
            then 'reopened by name'
        when exists(last.closings, c -> c.event_ts >= first_seen_ts and c.value_digest <> last.value_digest)
            then 'its value is not the one that was accepted'
        when exists(
            last.group_closings, c -> c.cancelled_ts is null and c.expires_ts >= last_run_ts and c.max_count < group_total
        ) then 'there are more than the standing acceptance allows'
        when exists(concat(last.closings, last.group_closings), c -> c.expires_ts < last_run_ts)
            then 'its acceptance has expired'
    end as open_because,
    first_seen_ts,
    last_seen_ts,
    runs_seen,
    last.absent.run_ts as cleared_ts,
    resolved_ts,
    resolved_by,
    round((unix_micros(last.absent.run_ts) - unix_micros(first_seen_ts)) / 3600000000, 2) as time_to_clear,
    -- a standing acceptance may be older than what it covers
    round((unix_micros(if(resolved_ts < first_seen_ts, first_seen_ts, resolved_ts)) - unix_micros(first_seen_ts)) / 3600000000, 2)
        as time_to_close,
    if(is_reopened, 1, 0) + times_reopened_by_name as times_reopened,
    times_reappeared,
    assignee,
    note,
    ticket
from states
