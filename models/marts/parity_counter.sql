with last_run as (

    select max(run_ts) as run_ts from {{ ref('audit_standing') }}

),

open_items as (

    select
        coalesce(sum(open_mismatches), 0) as open_mismatches,
        coalesce(sum(open_differences), 0) as open_differences,
        coalesce(sum(open_not_compared), 0) as open_not_compared,
        coalesce(sum(open_not_recorded), 0) as open_not_recorded,
        coalesce(sum(open_exact_total), 0) as open_exact_total,
        coalesce(sum(accepted), 0) as accepted,
        coalesce(sum(closed_unverified), 0) as closed_unverified,
        collect_set(if(open_mismatches > 0, original_pair_id, null)) as open_pairs,
        collect_set(if(open_not_compared > 0, original_pair_id, null)) as not_compared_pairs
    from {{ ref('audit_open_counts') }}

),

-- every pair that was ever enabled and has not left
pairs as (

    select pair_runs.*
    from {{ ref('audit_pair_runs') }} as pair_runs
    left join {{ ref('audit_retirements') }} as retired on pair_runs.original_pair_id = retired.original_pair_id
    where
        pair_runs.run_ts = (select last_run.run_ts from last_run)
        and not coalesce(exists(retired.retirements, r -> r.event_ts > pair_runs.enabled_run_ts), false)

),

pair_counts as (

    select
        count_if(
            not array_contains(open_items.not_compared_pairs, pairs.original_pair_id)
            and unix_micros({{ utc_now() }}) - unix_micros(pairs.base.run_ts) > pairs.labels.max_age_hours * 3600000000
        ) as stale_pairs,
        count_if(pairs.base is null) as never_compared_pairs,
        count_if(pairs.enabled_run_ts = pairs.run_ts) as enabled_pairs,
        count_if(pairs.base.run_ts = pairs.run_ts) as compared_pairs,
        count_if(not array_contains(open_items.open_pairs, pairs.original_pair_id)) as clean_pairs
    from pairs
    cross join open_items

),

closings as (

    select max(event_ts) as last_closing_ts
    from {{ ref('audit_events') }}
    where problem is null and action in ('resolve', 'accept', 'reopen', 'retire_pair')

),

counted as (

    select
        open_items.open_mismatches,
        pair_counts.stale_pairs,
        open_items.open_mismatches + pair_counts.stale_pairs as counter,
        open_items.open_differences,
        open_items.open_not_compared,
        open_items.open_not_recorded,
        open_items.open_exact_total,
        open_items.accepted,
        open_items.closed_unverified,
        pair_counts.never_compared_pairs,
        pair_counts.clean_pairs,
        pair_counts.compared_pairs,
        pair_counts.enabled_pairs,
        size(open_items.open_pairs) as open_pairs,
        last_run.run_ts as as_of_ts,
        closings.last_closing_ts
    from open_items
    cross join pair_counts
    cross join last_run
    cross join closings

)

select
    *,
    as_of_ts is not null and enabled_pairs > 0 and counter = 0 as is_green,
    case
        when as_of_ts is null then 'Nothing has been compared yet.'
        when enabled_pairs = 0 then 'No pair is enabled: the last run compared nothing.'
        when counter = 0 then concat('All ', clean_pairs, ' pairs are clean', if(accepted > 0, ' or accepted', ''), '.')
        else concat(
            open_exact_total - open_not_compared, ' open differences, ', open_not_compared, ' pairs not compared, ',
            stale_pairs, ' pairs stale; ', clean_pairs, ' of ', clean_pairs + open_pairs, ' pairs have nothing open.'
        )
    end
    || if(accepted > 0, concat(' Accepted: ', accepted, '.'), '')
    || if(closed_unverified > 0, concat(' Closed as fixed, not yet verified: ', closed_unverified, '.'), '') as sentence
from counted
