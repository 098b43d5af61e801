{% macro last_processed_date(relation) %}
{#
  Renders the date from which an incremental model of the record reads the ledger anew, as a SQL
  date: two days before the relation's last run, so that runs dated in another time zone are seen.
  The relation leaves out itself the runs it holds already.
#}
  {%- if execute -%}
    {%- set last = run_query("select max(run_date) as run_date from " ~ relation).rows[0]['run_date'] -%}
    date_sub(date'{{ last or '0001-01-03' }}', 2)
  {%- endif -%}
{% endmacro %}
