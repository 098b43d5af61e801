{% macro pair_run_rows(relation, holds_runs) %}
{#
  Renders the rows of audit_pair_runs for the next run: what was known of each pair before, and what the
  run says of it; none while no pair was ever enabled. relation: audit_pair_runs; holds_runs: whether it
  exists already.
#}
with run as (

    {{ next_run(relation, holds_runs, first_record_type='pair_result') | indent(4) }}

),

ledger as (

    select *
    from {{ ref('audit_ledger') }}
    where run_date = (select run_date from run) and run_id = (select run_id from run)

),

-- groups of differences that a comparison could not list whole
capped as (

    select
        original_pair_id,
        collect_list(struct(not_recorded_diff_type as diff_type, lower(target_column) as target_column, recorded_up_to))
            as groups
    from ledger
    where diff_type = 'not_recorded'
    group by original_pair_id

),

results as (

    select
        ledger.original_pair_id,
        ledger.run_ts,
        struct(ledger.run_id, ledger.run_ts, ledger.run_date, ledger.status) as result,
        struct(ledger.pair_id, ledger.wave, ledger.owner, ledger.max_age_hours) as labels,
        if(ledger.status in ('match', 'mismatch'), struct(
            ledger.run_id,
            ledger.run_ts,
            ledger.run_date,
            (select max(code_version) from ledger where record_type = 'run') as code_version,
            (select max(clock_was_given) from ledger where record_type = 'run') as clock_was_given,
            ledger.config_hash,
            ledger.plan_hash,
            transform(ledger.compared_columns, c -> lower(c)) as compared_columns,
            ledger.depends_on_time,
            ledger.mismatch_count,
            ledger.mismatched_row_count,
            ledger.within_tolerance_count,
            ledger.source_rows_compared,
            ledger.target_rows_compared,
            coalesce(ledger.totals['not_compared'], 0) > 0 as is_empty,
            coalesce(ledger.totals['schema_mismatch'], 0) > 0 as has_schema_mismatch,
            coalesce(capped.groups, array()) as capped
        ), null) as comparison
    from ledger
    left join capped on ledger.original_pair_id = capped.original_pair_id
    where ledger.record_type = 'pair_result'

),

before as (

    {% if holds_runs -%}
    select *
    from {{ relation }}
    where run_ts = (select max(run_ts) from {{ relation }})
    {%- else -%}
    select
        original_pair_id,
        run_ts as enabled_run_ts,
        labels,
        comparison as base,
        result as attempt,
        result as first_result
    from results
    where false
    {%- endif %}

)

select
    coalesce(results.original_pair_id, before.original_pair_id) as original_pair_id,
    run.run_id,
    run.run_ts,
    run.run_date,
    coalesce(results.run_ts, before.enabled_run_ts) as enabled_run_ts,
    coalesce(results.labels, before.labels) as labels,
    coalesce(results.comparison, before.base) as base,
    if(results.result.status <> 'not_run', results.result, before.attempt) as attempt,
    coalesce(before.first_result, results.result) as first_result
from results
full join before on results.original_pair_id = before.original_pair_id
cross join run
{%- endmacro %}
