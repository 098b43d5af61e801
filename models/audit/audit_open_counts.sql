-- per pair with anything to count: what stands after the last run, by what people closed
select
    original_pair_id,
    {{ counter_parts('not resolved', 'resolution') | trim }},
    -- distinct keys with an open difference, which a threshold counts; the rest is never inside one
    count(distinct if(not resolved and diff_type not in ('schema_mismatch', 'not_compared', 'not_recorded'), row_key, null))
        as open_rows,
    count_if(not resolved and diff_type in ('schema_mismatch', 'not_recorded')) as open_not_rows
from {{ ref('audit_judged') }}
where run_ts = (select max(standing.run_ts) from {{ ref('audit_standing') }} as standing)
group by original_pair_id
