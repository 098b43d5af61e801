{% macro append_verdict(report) %}
{#
  Appends the verdict of a gate to gate_verdicts.
  report: dict of verdict, wave, pairs_ready, pairs_judged and reasons, as printed.
#}
  {%- do run_query(
    "insert into " ~ recorded_relation('gate_verdicts') ~ " by name select "
    ~ text_literal(invocation_id) ~ " as invocation_id, "
    ~ utc_now() ~ " as verdict_ts, "
    ~ text_literal(report.verdict) ~ " as verdict, "
    ~ (text_literal(report.wave) if report.wave else "cast(null as string)") ~ " as wave, "
    ~ report.pairs_ready ~ " as pairs_ready, "
    ~ report.pairs_judged ~ " as pairs_judged, "
    ~ "from_json(" ~ text_literal(tojson(report.reasons))
    ~ ", 'array<struct<pair_id: string, reason: string, severity: string, sentence: string>>') as reasons, "
    ~ "last_run.run_id, last_run.run_ts, "
    ~ text_literal(git_commit()) ~ " as git_commit, "
    ~ "current_user() as executed_as from (select max_by(run_id, run_ts) as run_id, max(run_ts) as run_ts from "
    ~ recorded_relation('audit_ledger') ~ " where record_type = 'run') as last_run") -%}
{% endmacro %}
