{%- set pairs = ref('stg_recon__pairs') -%}
{%- if execute and flags.WHICH in ('build', 'run') -%}
  {%- do check_clock() -%}
  {%- do check_selectors(pairs) -%}
{%- endif -%}
{%- set requested_pairs = var('recon_pairs') -%}

with clock as (

    select {{ utc_now() }} as run_ts

)

select
    '{{ invocation_id }}' as run_id,
    run_ts,
    {{ local_date('run_ts') }} as run_date,
    '{{ "full" if requested_pairs is none else "partial" }}' as scope,
    cast({{ "null" if requested_pairs is none else text_literal(tojson(requested_pairs)) }} as string) as requested_pairs,
    cast(null as string) as requested_wave,
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
    '{{ env_var("RECON_GIT_COMMIT", "unknown") }}' as git_commit,
    '{{ dbt_version }}' as dbt_version,
    '{{ var("recon_dbt_databricks_version") }}' as adapter_version,
    version() as spark_version,
    '{{ target.name }}' as target_name,
    current_user() as executed_as,
    '{{ invocation_id }}' as invocation_id,
    {{ var('recon_max_value_chars') | int }} as max_value_chars,
    {{ var('recon_concurrency') | int }} as concurrency
from clock
