-- since when each pair is not compared
with not_compared as (

    select
        original_pair_id,
        run_ts,
        labels,
        min(if(base is null or attempt.status = 'error', run_ts, null)) over (
            partition by original_pair_id, base.run_id
        ) as not_compared_since_ts
    from {{ ref('audit_pair_runs') }}

),

open_items as (

    select
        log.*,
        pairs.labels,
        lifecycle.episode,
        lifecycle.open_because,
        lifecycle.times_reappeared,
        lifecycle.assignee,
        lifecycle.note,
        lifecycle.ticket,
        coalesce(lifecycle.first_seen_ts, pairs.not_compared_since_ts) as first_seen_ts
    from {{ ref('audit_log') }} as log
    inner join not_compared as pairs on log.original_pair_id = pairs.original_pair_id and log.run_ts = pairs.run_ts
    -- a not_compared that stands for a result has that result's status, and no episode
    left join {{ ref('mismatch_lifecycle') }} as lifecycle
        on log.mismatch_id = lifecycle.mismatch_id and lifecycle.is_current and log.status is null
    where
        log.resolved = false
        and log.run_ts = (select max(standing.run_ts) from {{ ref('audit_standing') }} as standing)

)

select
    mismatch_id,
    episode,
    original_pair_id,
    labels.pair_id as pair_id,
    labels.wave as wave,
    labels.owner as owner,
    diff_type,
    side,
    record_key,
    source_column,
    target_column,
    source_value,
    target_value,
    value_digest,
    occurrences,
    not_recorded_diff_type,
    error_class,
    error_message,
    run_id,
    run_ts,
    carried_from_run_ts,
    counted_differences,
    first_seen_ts,
    floor((unix_micros({{ utc_now() }}) - unix_micros(first_seen_ts)) / 3600000000) as age_hours,
    times_reappeared,
    open_because,
    assignee,
    note,
    ticket,
    {{ closing_command() }} as closing_command,
    {{ closing_insert() }} as closing_insert
from open_items
