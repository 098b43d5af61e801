{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='append_new_columns',
    full_refresh=false,
    partition_by='run_date',
    tblproperties=append_only_properties(),
) }}
{%- set run, plans, comparisons = ref('int_recon__run'), ref('int_recon__pair_plans'), ref('int_recon__comparisons') -%}
{%- if execute and flags.WHICH in ('build', 'run') -%}
  {%- do check_is_table(this) -%}
  {%- do check_run_is_whole(run, plans, comparisons) -%}
{%- endif %}

select
    new_rows.run_id,
    new_rows.run_ts,
    new_rows.run_date,
    new_rows.record_type,
    new_rows.recorded_ts,
    inline(array(from_json(new_rows.record, '{{ ledger_record_schema() }}', map('mode', 'FAILFAST'))))
from {{ comparisons }} as new_rows
{%- if is_incremental() %}
left anti join {{ this }} as recorded on new_rows.run_id = recorded.run_id
{%- endif %}
