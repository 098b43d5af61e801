-- how long it took, where the time went, what came back
select
    coalesce(pair_id, 'all pairs') as pair_id,
    diff_type,
    target_column,
    count(*) as episodes,
    count(distinct mismatch_id) as mismatches,
    count_if(state = 'open') as still_open,
    count_if(state in ('closed_verified', 'closed_unverified')) as closed_as_fixed,
    count_if(state = 'accepted') as accepted,
    count_if(state = 'cleared') as cleared_unconfirmed,
    count_if(state in ('left_scope', 'ended_by_configuration', 'retired')) as ended_otherwise,
    round(percentile(time_to_clear, 0.5), 1) as median_hours_to_clear,
    round(max(time_to_clear), 1) as longest_hours_to_clear,
    round(percentile(time_to_close, 0.5), 1) as median_hours_to_close,
    round(max(time_to_close), 1) as longest_hours_to_close,
    round(sum(time_to_clear), 1) as total_hours_to_clear,
    sum(times_reopened) as reopened,
    sum(times_reappeared) as reappeared
from {{ ref('mismatch_lifecycle') }}
group by grouping sets ((), (pair_id, diff_type, target_column))
order by grouping_id() desc, total_hours_to_clear desc nulls last
