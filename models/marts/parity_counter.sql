with runs as (

    select * from {{ ref('audit_ledger') }} where record_type = 'run'

),

open_items as (

    select
        count(*) as open_mismatches,
        count_if(diff_type not in ('not_compared', 'not_recorded')) as open_differences,
        count_if(diff_type = 'not_compared') as open_not_compared,
        count_if(diff_type = 'not_recorded') as open_not_recorded,
        coalesce(sum(counted_differences), 0) as open_exact_total,
        collect_set(original_pair_id) as open_pairs,
        collect_set(if(diff_type = 'not_compared', original_pair_id, null)) as not_compared_pairs
    from {{ ref('open_mismatches') }}

),

pairs as (

    select
        original_pair_id,
        max(if(status in ('match', 'mismatch'), run_ts, null)) as compared_ts,
        max_by(max_age_hours, run_ts) as max_age_hours,
        max_by(run_id, run_ts) as last_run_id
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'
    group by original_pair_id

),

last_run as (

    select
        max_by(run_id, run_ts) as run_id,
        max(run_ts) as run_ts
    from runs

),

pair_counts as (

    select
        count_if(
            not array_contains(open_items.not_compared_pairs, pairs.original_pair_id)
            and unix_micros({{ utc_now() }}) - unix_micros(pairs.compared_ts) > pairs.max_age_hours * 3600000000
        ) as stale_pairs,
        count_if(pairs.compared_ts is null) as never_compared_pairs,
        count_if(pairs.last_run_id = last_run.run_id) as enabled_pairs,
        count_if(pairs.compared_ts = last_run.run_ts) as compared_pairs,
        count_if(not array_contains(open_items.open_pairs, pairs.original_pair_id)) as clean_pairs
    from pairs
    cross join open_items
    cross join last_run

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
        pair_counts.never_compared_pairs,
        pair_counts.clean_pairs,
        pair_counts.compared_pairs,
        pair_counts.enabled_pairs,
        size(open_items.open_pairs) as open_pairs,
        last_run.run_ts as as_of_ts
    from open_items
    cross join pair_counts
    cross join last_run

)

select
    *,
    as_of_ts is not null and enabled_pairs > 0 and counter = 0 as is_green,
    case
        when as_of_ts is null then 'Nothing has been compared yet.'
        when enabled_pairs = 0 then 'No pair is enabled: the last run compared nothing.'
        when counter = 0 then concat('All ', clean_pairs, ' pairs are clean.')
        else concat(
            open_exact_total - open_not_compared, ' open differences, ', open_not_compared, ' pairs not compared, ',
            stale_pairs, ' pairs stale; ', clean_pairs, ' of ', clean_pairs + open_pairs, ' pairs have nothing open.'
        )
    end as sentence
from counted
