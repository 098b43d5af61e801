{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='append_new_columns',
    partition_by='run_date',
    post_hook="{{ append_later_runs('pair_run_rows') }}",
) }}
-- runs that are in it already stay as they are, for the ledger never changes
{{ pair_run_rows(this, is_incremental()) }}
