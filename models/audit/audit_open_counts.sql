-- per pair with anything to count: what stands after the last run, by what people closed
select
    original_pair_id,
    count_if(not resolved) as open_mismatches,
    count_if(not resolved and diff_type not in ('not_compared', 'not_recorded')) as open_differences,
    count_if(not resolved and diff_type = 'not_compared') as open_not_compared,
    count_if(not resolved and diff_type = 'not_recorded') as open_not_recorded,
    sum(if(resolved, 0, counted_differences)) as open_exact_total,
    sum(if(resolution = 'accepted', counted_differences, 0)) as accepted,
    count_if(resolution = 'fixed') as closed_unverified
from {{ ref('audit_judged') }}
where run_ts = (select max(standing.run_ts) from {{ ref('audit_standing') }} as standing)
group by original_pair_id
