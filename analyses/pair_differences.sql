{#-
  What was open of one pair after one run: a row per difference, with both values.

      dbt compile --select pair_differences --vars '{pair_id: flights, run_date: 2026-01-31}'

  and paste target/compiled/recon/analyses/pair_differences.sql. Vars: pair_id; run_id, or run_date
  (that date's last run), or neither (the last run). A row with carried_from_run_ts was found by that
  earlier run: this one could not judge it. A not_recorded row stands for the differences beyond the
  cap of its diff type and column: occurrences says how many.
-#}
{%- set which = 'true' -%}
{%- if var('run_id', none) -%}
  {%- set which = 'run_id = ' ~ text_literal(var('run_id')) -%}
{%- elif var('run_date', none) -%}
  {%- set which = 'run_date = cast(' ~ text_literal(var('run_date')) ~ ' as date)' -%}
{%- endif -%}

with chosen_run as (

    select max(run_ts) as run_ts
    from {{ ref('audit_ledger') }}
    where record_type = 'run' and {{ which }}

)

select
    run_date,
    run_ts,
    diff_type,
    side,
    record_key,
    source_column,
    target_column,
    source_value,
    target_value,
    occurrences,
    not_recorded_diff_type,
    error_class,
    error_message,
    resolved,
    resolution,
    resolved_by,
    carried_from_run_ts,
    mismatch_id
from {{ ref('audit_log') }}
where
    record_type = 'difference'
    and pair_id = {{ text_literal(var('pair_id', 'flights')) }}
    and run_ts = (select chosen_run.run_ts from chosen_run)
order by
    coalesce(not_recorded_diff_type, diff_type),
    lower(coalesce(target_column, source_column)),
    diff_type = 'not_recorded',
    record_key,
    side,
    mismatch_id
