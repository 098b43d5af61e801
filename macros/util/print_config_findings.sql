{% macro print_config_findings(results) %}
{#
  After make check: prints what is wrong with the configuration, a line each.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- set built = results | selectattr('status', 'equalto', 'success') | map(attribute='node.name') | list -%}
  {%- if execute and var('recon_check') and 'config_findings' in built -%}
    {%- set query -%}
      select file_name, pair_id, problem, remedy
      from {{ recorded_relation('config_findings') }}
      order by file_name desc, pair_id, problem
    {%- endset -%}
    {%- set rows = run_query(query).rows -%}
    {%- for row in rows -%}
      {%- do log("recon: " ~ row['file_name'] ~ (", pair " ~ row['pair_id'] if row['pair_id'] else "") ~ ": "
        ~ row['problem'] ~ "; " ~ row['remedy'], info=true) -%}
    {%- endfor -%}
    {%- do log("recon: " ~ (rows | length ~ " problems in the configuration" if rows else "nothing is wrong with the configuration"), info=true) -%}
  {%- endif -%}
{% endmacro %}
