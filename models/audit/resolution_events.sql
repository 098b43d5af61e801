{{ config(
    materialized='incremental',
    incremental_strategy='append',
    on_schema_change='append_new_columns',
    full_refresh=false,
    tblproperties=append_only_properties(),
) }}
{%- if execute and flags.WHICH in ('build', 'run') -%}
  {%- do check_is_table(this) -%}
{%- endif %}

-- no rows come from here: people append events; this model only makes the table exist
select
    cast(null as string) as event_id,
    cast(null as timestamp) as event_ts,
    cast(null as timestamp) as recorded_ts,
    cast(null as string) as action,
    cast(null as string) as pair_id,
    cast(null as string) as original_pair_id,
    cast(null as string) as mismatch_id,
    cast(null as string) as diff_type,
    cast(null as string) as target_column,
    cast(null as string) as scope,
    cast(null as bigint) as max_count,
    cast(null as int) as episode,
    cast(null as string) as reason,
    cast(null as string) as ticket,
    cast(null as string) as assignee,
    cast(null as string) as note,
    cast(null as timestamp) as expires_ts,
    cast(null as string) as value_digest,
    cast(null as string) as resolved_by,
    cast(null as string) as executed_as
where false
