{{ config(materialized='table') }}

with log as (

    select
        run_id,
        run_ts,
        run_date,
        scope,
        record_type,
        diff_type,
        resolved,
        {{ counted_differences() }} as counted_differences
    from {{ ref('audit_log') }}
    where record_type in ('run', 'difference')

)

select
    run_id,
    run_ts,
    run_date,
    max(if(record_type = 'run', scope, null)) as scope,
    count_if(resolved = false) as open_mismatches,
    count_if(resolved = false and diff_type not in ('not_compared', 'not_recorded')) as open_differences,
    count_if(resolved = false and diff_type = 'not_compared') as open_not_compared,
    count_if(resolved = false and diff_type = 'not_recorded') as open_not_recorded,
    coalesce(sum(if(resolved = false, counted_differences, 0)), 0) as open_exact_total
from log
group by run_id, run_ts, run_date
