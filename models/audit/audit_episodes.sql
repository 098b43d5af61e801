-- each difference from its first sighting until it is closed, its sightings taken together;
-- a claimed fix and a retirement end an episode: what is seen after it begins the next
with sightings as (

    select
        sightings.*,
        coalesce(by_id.closings, array()) as closings,
        coalesce(by_group.closings, array()) as group_closings,
        coalesce(sightings.diff_type not in ('not_recorded', 'not_compared') and exists(
            by_id.closings,
            c -> c.resolution = 'fixed' and c.event_ts >= sightings.previous_seen_ts and c.event_ts < sightings.run_ts
            and (c.cancelled_ts is null or c.cancelled_ts >= sightings.run_ts)
        ), false) as is_reopened,
        coalesce(exists(
            retired.retirements, r -> r.event_ts >= sightings.previous_seen_ts and r.event_ts < sightings.run_ts
        ), false) as is_back,
        retired.retirements
    from {{ ref('audit_sightings') }} as sightings
    {{ closing_joins(
        'sightings', 'coalesce(sightings.not_recorded_diff_type, sightings.diff_type)', 'lower(sightings.target_column)'
    ) | indent(4) | trim }}

),

numbered as (

    select
        *,
        1 + count_if(is_reopened or is_back) over (
            partition by mismatch_id order by run_ts rows between unbounded preceding and current row
        ) as episode,
        was_absent and not (is_reopened or is_back) as is_reappearance
    from sightings

),

episodes as (

    select
        mismatch_id,
        episode,
        min(run_ts) as first_seen_ts,
        max(run_ts) as last_seen_ts,
        count(*) as runs_seen,
        count_if(is_reappearance) as times_reappeared,
        max(is_reopened) as is_reopened,
        min_by(owner_then, run_ts) as owner,
        max_by(struct(
            original_pair_id, diff_type, side, record_key, source_column, target_column, source_value,
            target_value, value_digest, occurrences, not_recorded_diff_type, next_seen_ts, seen_with, absent, closings,
            group_closings, retirements
        ), run_ts) as last
    from numbered
    group by mismatch_id, episode

)

select
    *,
    last.next_seen_ts is null as is_current,
    array_min(filter(
        last.closings,
        c -> c.resolution = 'fixed' and last.diff_type not in ('not_recorded', 'not_compared')
        and c.event_ts >= last_seen_ts
        and (last.next_seen_ts is null or c.event_ts < last.next_seen_ts)
        and (c.cancelled_ts is null or c.cancelled_ts >= last.next_seen_ts)
    )) as fixed,
    get(filter(
        last.retirements,
        r -> r.event_ts >= last_seen_ts and r.event_ts < last.next_seen_ts
    ), 0) as retired,
    -- several closings may be taken back at once
    size(array_distinct(transform(filter(
        last.closings,
        c -> c.cancelled_ts >= first_seen_ts and (last.next_seen_ts is null or c.cancelled_ts < last.next_seen_ts)
    ), c -> c.cancelled_ts))) as times_reopened_by_name,
    coalesce(
        last.absent.config_hash = last.seen_with.config_hash
        and last.absent.code_version <=> last.seen_with.code_version
        and not last.absent.depends_on_time
        and (
            last.diff_type <> 'value_mismatch'
            or array_contains(last.absent.compared_columns, lower(last.target_column))
        ), false
    ) as is_cleared
from episodes
