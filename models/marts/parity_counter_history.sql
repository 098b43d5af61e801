{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='append_new_columns',
    partition_by='run_date',
) }}

-- what people did after a run does not change what it found: each run is counted once, with the events up to it
with items as (

    select
        run_id,
        run_ts,
        run_date,
        mismatch_id is not null as is_difference,
        diff_type,
        counted_differences,
        {{ covering_closing('run_ts') }} as closing
    from {{ ref('audit_items') }}
    {%- if is_incremental() %}
    where run_date >= {{ last_processed_date(this) }} and run_id not in (select run_id from {{ this }})
    {%- endif %}

)

select
    items.run_id,
    items.run_ts,
    items.run_date,
    first(runs.scope) as scope,
    count_if(items.is_difference and items.closing is null) as open_mismatches,
    count_if(items.is_difference and items.closing is null and items.diff_type not in ('not_compared', 'not_recorded')) as open_differences,
    count_if(items.is_difference and items.closing is null and items.diff_type = 'not_compared') as open_not_compared,
    count_if(items.is_difference and items.closing is null and items.diff_type = 'not_recorded') as open_not_recorded,
    coalesce(sum(if(items.is_difference and items.closing is null, items.counted_differences, 0)), 0) as open_exact_total,
    coalesce(sum(if(items.closing.resolution = 'accepted', items.counted_differences, 0)), 0) as accepted,
    count_if(items.closing.resolution = 'fixed') as closed_unverified
from items
inner join {{ ref('audit_ledger') }} as runs
    on items.run_date = runs.run_date and items.run_id = runs.run_id and runs.record_type = 'run'
group by items.run_id, items.run_ts, items.run_date
