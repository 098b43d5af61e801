{% macro print_run_summary(results) %}
{#
  After a command that built the ledger: prints the counter and its sentence.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- if execute and 'audit_ledger' in results | map(attribute='node.name') | list -%}
    {%- set counter = recorded_relation('parity_counter') -%}
    {%- if counter is not none -%}
      {%- set row = run_query("select open_mismatches, counter, sentence from " ~ counter).rows[0] -%}
      {%- do print_line("recon: " ~ row['open_mismatches'] ~ " open mismatches. " ~ row['sentence']) -%}
    {%- endif -%}
  {%- endif -%}
{% endmacro %}
