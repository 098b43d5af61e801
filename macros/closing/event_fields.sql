{% macro event_fields(action, resolved_by, reason=none, ticket=none, assignee=none, note=none, expires=none) %}
{#
  Returns the further columns of an event as SQL literals. Stops with a sentence when the name, the
  reason or the expiry is missing or cannot be, or the clock lies before the last run.
  resolved_by: who says so; expires: UTC date or time as text.
#}
  {%- if not (resolved_by | string | trim) or resolved_by is none -%}
    {%- do exceptions.raise_compiler_error("resolved_by is missing: give the name of who says so. Nothing is written.") -%}
  {%- elif action != 'note' and (reason is none or not (reason | string | trim)) -%}
    {%- do exceptions.raise_compiler_error("reason is missing: say why. Nothing is written.") -%}
  {%- elif action in ('accept', 'mute_drift') and expires is none -%}
    {%- do exceptions.raise_compiler_error("expires is missing: give a UTC date such as 2026-01-31. Nothing is written.") -%}
  {%- endif -%}
  {%- set fields = {} -%}
  {%- for name, value in {'resolved_by': resolved_by, 'reason': reason, 'ticket': ticket, 'assignee': assignee, 'note': note}.items() -%}
    {%- do fields.update({name: 'cast(null as string)' if value is none else text_literal(value | string | trim)}) -%}
  {%- endfor -%}
  {%- set clock = run_query(
    "select (select max(run_ts) from " ~ ref('audit_standing') ~ ") > " ~ utc_now() ~ " as is_late").rows[0] -%}
  {%- if clock['is_late'] -%}
    {%- do exceptions.raise_compiler_error("recon_now lies before the last run. Give a later one, or leave it out.") -%}
  {%- endif -%}
  {%- if expires is not none -%}
    {%- set expires_ts = "timestamp'" ~ checked_utc_text(expires, 'expires') ~ " UTC'" -%}
    {%- set judged = run_query("select " ~ expires_ts ~ " <= " ~ utc_now() ~ " as is_past, " ~ expires_ts ~ " > " ~ utc_now()
      ~ " + make_interval(0, 0, 0, " ~ var('recon_accept_max_days') ~ ") as is_far").rows[0] -%}
    {%- if judged['is_past'] -%}
      {%- do exceptions.raise_compiler_error("expires is " ~ expires ~ ", which is past. Give a later one. Nothing is written.") -%}
    {%- elif judged['is_far'] and action == 'accept' -%}
      {%- do exceptions.raise_compiler_error("expires is " ~ expires ~ ", more than recon_accept_max_days ("
        ~ var('recon_accept_max_days') ~ ") from now. Give an earlier one. Nothing is written.") -%}
    {%- endif -%}
    {%- do fields.update({'expires_ts': expires_ts}) -%}
  {%- endif -%}
  {{ return(fields) }}
{% endmacro %}
