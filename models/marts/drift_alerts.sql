with runs as (

    select
        *,
        lag(is_alarm and not is_accepted, 1, false) over (partition by original_pair_id order by run_ts) as goes_on
    from {{ ref('baseline_drift') }}

),

numbered as (

    select
        *,
        count_if(is_alarm and not goes_on) over (
            partition by original_pair_id order by run_ts rows between unbounded preceding and current row
        ) as episode
    from runs

),

episodes as (

    select
        original_pair_id,
        episode,
        max_by(struct(pair_id, wave, owner), run_ts) as labels,
        min(if(is_alarm, run_ts, null)) as first_alarm_ts,
        min_by(struct(run_id, run_date, drift, tolerance_drift, baseline_runs, judged_count, sentence), run_ts) as first,
        max(if(is_alarm, run_ts, null)) as last_alarm_ts,
        max_by(struct(judged_count, sentence), if(is_alarm, run_ts, null)) as last,
        count_if(is_alarm) as runs_alarming,
        min(if(is_alarm, null, run_ts)) as back_ts,
        min(struct(accepted_ts, accepted_by)) filter (where is_accepted) as acceptance
    from numbered
    where episode > 0
    group by original_pair_id, episode

),

mutes as (

    select
        original_pair_id,
        max(expires_ts) as muted_until_ts
    from {{ ref('audit_events') }}
    where problem is null and action = 'mute_drift' and event_ts <= {{ utc_now() }} and expires_ts > {{ utc_now() }}
    group by original_pair_id

),

ended as (

    select
        episodes.*,
        coalesce(acceptance.accepted_ts < back_ts, acceptance is not null) as is_accepted
    from episodes

)

select
    ended.labels.pair_id as pair_id,
    ended.original_pair_id,
    ended.labels.wave as wave,
    ended.labels.owner as owner,
    ended.first.run_id as run_id,
    ended.first.run_date as run_date,
    ended.first.drift as drift,
    ended.first.tolerance_drift as tolerance_drift,
    ended.first_alarm_ts,
    ended.last_alarm_ts,
    ended.runs_alarming,
    if(ended.is_accepted, ended.acceptance.accepted_ts, ended.back_ts) as ended_ts,
    case
        when ended.is_accepted then concat('accepted by ', ended.acceptance.accepted_by)
        when ended.back_ts is not null then 'no longer alarming'
    end as ended_by,
    not ended.is_accepted and ended.back_ts is null as is_open,
    mutes.muted_until_ts is not null as is_muted,
    mutes.muted_until_ts,
    ended.first.baseline_runs as baseline_runs,
    ended.last.judged_count as judged_count,
    ended.last.sentence as sentence,
    row_number() over (
        order by
            ended.is_accepted or ended.back_ts is not null asc,
            case ended.first.drift when 'broke_from_clean' then 1 when 'above_band' then 2 when 'volume_shift' then 3 else 4 end asc,
            ended.first.baseline_runs desc,
            ended.last.judged_count desc,
            ended.original_pair_id asc,
            ended.first_alarm_ts asc
    ) as rank
from ended
left join mutes on ended.original_pair_id = mutes.original_pair_id
