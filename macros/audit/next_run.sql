{% macro next_run(relation, holds_runs, first_record_type='run') %}
{#
  Renders a query of the earliest run of the ledger that is not in a table of the record yet: run_id,
  run_ts and run_date in one row, or no row.
  relation: the table; holds_runs: whether it exists already; first_record_type: a record type that the
  run must have while the table is empty.
#}
select
    run_id,
    run_ts,
    run_date
from {{ ref('audit_ledger') }}
where
    {%- if holds_runs %}
    record_type = if((select max(run_ts) from {{ relation }}) is null, '{{ first_record_type }}', 'run')
    and run_ts > coalesce((select max(run_ts) from {{ relation }}), timestamp'0001-01-01 00:00:00 UTC')
    -- a run dated in another time zone may have an earlier date
    and run_date >= coalesce((select date_sub(max(run_date), 2) from {{ relation }}), date'0001-01-01')
    {%- else %}
    record_type = '{{ first_record_type }}'
    {%- endif %}
order by run_ts
limit 1
{%- endmacro %}
