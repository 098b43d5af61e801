{% macro print_gate_verdict(results) %}
{#
  After a command that ran a gate test: prints the verdict and a sentence per reason.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- if execute -%}
    {%- set gate = [] -%}
    {%- for result in results if 'cutover_gate' in result.node.tags -%}
      {%- do gate.append(result) -%}
    {%- endfor -%}
    {%- set findings = recorded_relation('gate_findings') -%}
    {%- if gate and findings is not none -%}
      {%- set rows = run_query("select pair_id, reason, sentence from " ~ findings ~ " order by reason is null, reason, pair_id").rows -%}
      {%- set reasons = rows | selectattr('reason') | list -%}
      {%- set pairs = rows | map(attribute='pair_id') | select | unique | list -%}
      {%- set ready = rows | rejectattr('reason') | list -%}
      {%- set is_red = reasons or gate | rejectattr('status', 'equalto', 'pass') | list -%}
      {%- do log("GATE " ~ ("RED" if is_red else "GREEN") ~ ": " ~ ready | length ~ " of " ~ pairs | length ~ " pairs ready", info=true) -%}
      {%- for row in reasons -%}
        {%- do log("  " ~ row['reason'] ~ "  " ~ row['sentence'], info=true) -%}
      {%- endfor -%}
    {%- endif -%}
  {%- endif -%}
{% endmacro %}
