{{ config(alias='int_recon__run' ~ ('_check' if var('recon_check') else '')) }}
{%- set pairs = ref('stg_recon__pairs') -%}
{%- set selection = namespace(pairs=none) -%}
{%- if execute and flags.WHICH in ('build', 'run') -%}
  {%- do check_clock() -%}
  {%- set selection.pairs = selected_pairs(pairs) -%}
{%- endif -%}
{%- set requested_pairs, requested_wave = var('recon_pairs'), var('recon_wave') -%}

with clock as (

    select {{ utc_now() }} as run_ts

)

select
    '{{ invocation_id }}' as run_id,
    run_ts,
    {{ local_date('run_ts') }} as run_date,
    '{{ "full" if selection.pairs is none else "partial" }}' as scope,
    cast({{ "null" if requested_pairs is none else text_literal(tojson(requested_pairs)) }} as string) as requested_pairs,
    cast({{ "null" if requested_wave is none else text_literal(requested_wave) }} as string) as requested_wave,
    -- which pairs that were; NULL: all
    cast({{ "null" if selection.pairs is none else text_literal(tojson(selection.pairs)) }} as string) as selected_pairs,
    {{ "false" if var('recon_now') is none else "true" }} as clock_was_given,
    (
        select sha2(array_join(sort_array(collect_list(to_json(struct(*)))), ''), 256)
        from {{ ref('stg_recon__table_pairs') }}
    ) as seeds_config_hash,
    (
        select sha2(array_join(sort_array(collect_list(to_json(struct(*)))), ''), 256)
        from {{ ref('stg_recon__column_rules') }}
    ) as rules_config_hash,
    '{{ var("recon_project_version") }}' as project_version,
    '{{ code_version() }}' as code_version,
    {{ text_literal(git_commit()) }} as git_commit,
    '{{ dbt_version }}' as dbt_version,
    '{{ var("recon_dbt_databricks_version") }}' as adapter_version,
    version() as spark_version,
    '{{ target.name }}' as target_name,
    current_user() as executed_as,
    '{{ invocation_id }}' as invocation_id,
    {{ var('recon_max_value_chars') | int }} as max_value_chars,
    {{ var('recon_concurrency') | int }} as concurrency,
    cast({{ var('recon_run_deadline_minutes') or 'null' }} as double) as deadline_minutes
from clock
