{% macro print_gate_verdict(results) %}
{#
  After a command that ran gate tests: prints the verdict and a sentence per reason, with var
  recon_gate_report also as one line of JSON, and appends it to gate_verdicts. red: a gate test failed;
  not judged: a gate test or what it reads could not be run, such as without a connection.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- set gate = [] -%}
  {%- for result in results if 'cutover_gate' in result.node.tags -%}
    {%- do gate.append(result.status | string) -%}
  {%- endfor -%}
  {%- if execute and gate -%}
    {%- set wave = var('recon_wave') -%}
    {%- set of_wave = " of wave " ~ wave if wave else "" -%}
    {%- if 'error' in gate or 'skipped' in gate -%}
      {%- do log("GATE NOT JUDGED" ~ of_wave ~ ": it could not be asked, see the errors above. This is not a verdict: "
        ~ "correct the cause and ask again.", info=true) -%}
    {%- else -%}
      {%- set query -%}
        select pair_id, reason, severity, sentence
        from {{ recorded_relation('gate_findings') }}
        {%- if wave %}
        where wave = {{ text_literal(wave) }} or pair_id is null
        {%- endif %}
        order by reason is null, severity, reason, pair_id
      {%- endset -%}
      {%- set rows = run_query(query).rows -%}
      {%- set reasons = rows | selectattr('reason') | list -%}
      {%- set report = {
        'verdict': 'red' if 'fail' in gate else 'green',
        'wave': wave,
        'pairs_ready': rows | rejectattr('reason') | map(attribute='pair_id') | unique | list | length,
        'pairs_excused': reasons | selectattr('severity', 'equalto', 'warn') | map(attribute='pair_id') | unique | list | length,
        'pairs_judged': rows | map(attribute='pair_id') | select | unique | list | length,
        'reasons': [],
      } -%}
      {%- do log("GATE " ~ report.verdict | upper ~ of_wave ~ ": " ~ report.pairs_ready ~ " of " ~ report.pairs_judged
        ~ " pairs ready" ~ (", " ~ report.pairs_excused ~ " of them by severity warn alone" if report.pairs_excused else ""),
        info=true) -%}
      {%- if wave and report.pairs_judged == 0 -%}
        {%- do log("  no pair is in wave " ~ wave ~ ": correct recon_wave, or the wave of the pairs", info=true) -%}
      {%- endif -%}
      {%- for row in reasons -%}
        {%- do log("  " ~ ("(warning) " if row['severity'] == 'warn' else "") ~ row['reason'] ~ "  " ~ row['sentence'], info=true) -%}
        {%- do report.reasons.append({
          'pair_id': row['pair_id'], 'reason': row['reason'], 'severity': row['severity'], 'sentence': row['sentence'],
        }) -%}
      {%- endfor -%}
      {%- if var('recon_gate_report') -%}
        {%- do log(tojson(report), info=true) -%}
      {%- endif -%}
      {%- do append_verdict(report) -%}
    {%- endif -%}
  {%- endif -%}
{% endmacro %}
