{{ config(
    materialized='incremental', incremental_strategy='append', partition_by='day',
    tblproperties={'delta.appendOnly': 'true'},
    on_schema_change='append_new_columns', full_refresh=false
) }}
select id, day{% if var('wider', false) %}, 1 as extra{% endif %} from {{ ref('people') }}
