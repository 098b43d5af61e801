-- per pair with anything to count: what stands after the last run, by what people closed
select
    original_pair_id,
    {{ counter_parts('not resolved', 'resolution') | trim }}
from {{ ref('audit_judged') }}
where run_ts = (select max(standing.run_ts) from {{ ref('audit_standing') }} as standing)
group by original_pair_id
