{% macro append_later_runs(rows_of_run) %}
{#
  Post-hook of a table of the record: appends the runs that its model, which works on one, left.
  Usually there is none; many when the record is built anew from a ledger.
  rows_of_run: name of the macro that renders the rows of the next run.
#}
{%- if execute -%}
  {%- set later = run_query(
    "select count(*) as n from " ~ ref('audit_ledger') ~ " where record_type = 'run' and run_ts > coalesce((select max(run_ts) from "
    ~ this ~ "), timestamp'0001-01-01 00:00:00 UTC')").rows[0]['n'] -%}
  {%- for number in range(later) -%}
    {%- do run_query("insert into " ~ this ~ " by name " ~ context[rows_of_run](this, true)) -%}
  {%- endfor -%}
{%- endif -%}
{% endmacro %}
