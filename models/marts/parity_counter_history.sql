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

),

counted as (

    select
        run_id,
        run_ts,
        run_date,
        {{ counter_parts('is_difference and closing is null', 'closing.resolution') | indent(4) | trim }}
    from items
    group by run_id, run_ts, run_date

)

select
    counted.run_id,
    counted.run_ts,
    counted.run_date,
    runs.scope,
    counted.* except (run_id, run_ts, run_date)
from counted
inner join {{ ref('audit_ledger') }} as runs
    on counted.run_date = runs.run_date and counted.run_id = runs.run_id and runs.record_type = 'run'
