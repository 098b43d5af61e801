{% macro check_clock() %}
{#
  Stops with a sentence when the run's time is not later than the ledger's last run, or more than
  five minutes ahead of the engine's clock.
#}
  {%- set ledger = recorded_relation('audit_ledger') -%}
  {%- set query -%}
    select
      {{ utc_now() }} > current_timestamp() + interval 5 minutes as is_ahead,
      {% if ledger is none -%}
      false as is_late
      {%- else -%}
      (select max(run_ts) from {{ ledger }} where record_type = 'run') >= {{ utc_now() }} as is_late
      {%- endif %}
  {%- endset -%}
  {%- set row = run_query(query).rows[0] -%}
  {%- if row['is_ahead'] -%}
    {%- do exceptions.raise_compiler_error(
      "recon_now is " ~ var('recon_now') ~ ", more than five minutes ahead of the engine's clock. "
      ~ "Give a time that has come, or leave recon_now out.") -%}
  {%- elif row['is_late'] -%}
    {%- do exceptions.raise_compiler_error(
      "The run's time " ~ (var('recon_now') or "(the engine's clock)") ~ " is not later than the last "
      ~ "run in the ledger. Give a later recon_now, or leave it out.") -%}
  {%- endif -%}
{% endmacro %}
