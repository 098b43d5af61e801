-- rows of resolution_events that change nothing, or not what they seem to, with the reason
with recorded as (

    select
        mismatch_id,
        min(run_ts) as first_seen_ts,
        first(diff_type) as diff_type,
        first(original_pair_id) as original_pair_id,
        collect_set(value_digest) as value_digests
    from {{ ref('audit_ledger') }}
    where record_type = 'difference'
    group by mismatch_id

),

pairs as (

    select distinct original_pair_id from {{ ref('audit_pair_runs') }}

),

groups as (

    select distinct
        original_pair_id,
        coalesce(not_recorded_diff_type, diff_type) as diff_type,
        lower(target_column) as target_column
    from {{ ref('audit_ledger') }}
    where record_type = 'difference'

),

judged as (

    select
        events.* except (problem),
        case
            when events.problem is not null then events.problem
            when events.mismatch_id is not null and recorded.mismatch_id is null
                then 'no difference with this mismatch_id was ever recorded'
            when events.action in ('resolve', 'accept') and recorded.diff_type = 'not_compared'
                then 'a pair that was not compared is closed by nobody: repair it and compare it'
            when
                recorded.diff_type = 'not_recorded'
                and (events.action = 'resolve' or (events.action = 'accept' and events.scope = 'listed'))
                then 'what is not recorded is closed by a standing acceptance only'
            when events.mismatch_id is not null and events.original_pair_id <> recorded.original_pair_id
                then 'original_pair_id is not that of the mismatch'
            when events.action in ('resolve', 'accept') and events.event_ts < recorded.first_seen_ts
                then 'event_ts is earlier than the first sighting of the mismatch'
            when events.action = 'accept' and events.scope = 'listed' and not array_contains(recorded.value_digests, events.value_digest)
                then 'value_digest is none that the mismatch ever had'
            when events.original_pair_id is not null and pairs.original_pair_id is null
                then 'no pair with this original_pair_id was ever compared'
            when events.action = 'retire_pair' and not coalesce(exists(retired.retirements, r -> r.event_ts = events.event_ts), false)
                then 'the pair was enabled in the last run: take it out first, and run the night'
            when events.scope = 'standing' and events.diff_type is not null and groups.diff_type is null
                then 'no difference of this pair, diff_type and column was ever recorded'
            when events.action = 'reopen' and not coalesce(exists(closings.closings, c -> c.cancelled_ts = events.event_ts), false)
                then 'nothing was closed that it could take back'
        end as problem
    from {{ ref('audit_events') }} as events
    left join recorded on events.mismatch_id = recorded.mismatch_id
    left join pairs on events.original_pair_id = pairs.original_pair_id
    left join groups
        on
            events.original_pair_id = groups.original_pair_id
            and events.diff_type = groups.diff_type
            and lower(events.target_column) <=> groups.target_column
    left join {{ ref('audit_retirements') }} as retired on events.original_pair_id = retired.original_pair_id
    left join {{ ref('audit_closings') }} as closings
        on
            events.original_pair_id = closings.original_pair_id
            and if(events.scope <=> 'standing', null, events.mismatch_id) <=> closings.mismatch_id
            and if(events.scope <=> 'standing', events.diff_type, null) <=> closings.diff_type
            and if(events.scope <=> 'standing', lower(events.target_column), null) <=> closings.target_column

)

select
    event_id,
    event_ts,
    action,
    mismatch_id,
    original_pair_id,
    resolved_by,
    executed_as,
    problem
from judged
where problem is not null
