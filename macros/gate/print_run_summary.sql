{% macro print_run_summary(results) %}
{#
  After a command that built parity_counter_history: prints the counter of the last run.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- set built = results | selectattr('status', 'equalto', 'success') | map(attribute='node.name') | list -%}
  {%- if execute and 'parity_counter_history' in built -%}
    {%- set query -%}
      select open_mismatches, open_exact_total - open_not_compared as differences, open_not_compared
      from {{ recorded_relation('parity_counter_history') }}
      order by run_ts desc
      limit 1
    {%- endset -%}
    {%- for row in run_query(query).rows -%}
      {%- do log(
        "recon: " ~ row['open_mismatches'] ~ " open mismatches, which stand for " ~ row['differences']
        ~ " differences and " ~ row['open_not_compared'] ~ " pairs not compared", info=true) -%}
    {%- endfor -%}
  {%- endif -%}
{% endmacro %}
