{% macro reopen_mismatches(ids=none, pair_id=none, diff_type=none, column_name=none, wave=none, state=none, assignee=none, scope='listed', resolved_by=none, reason=none, ticket=none, dry_run=false, confirm=false) %}
{#
  Run-operation: takes back closings of mismatches, selected as for resolve_mismatches; scope standing:
  those of a pair_id, diff_type and column_name that were accepted together.
#}
  {%- set fields = event_fields('reopen', resolved_by, reason, ticket) -%}
  {%- do fields.update({'scope': text_literal(scope)}) -%}
  {%- if scope not in ('listed', 'standing') -%}
    {%- do exceptions.raise_compiler_error("scope is '" ~ scope ~ "'; write listed or standing.") -%}
  {%- elif scope == 'standing' -%}
    {%- do close_group('reopen', pair_id, diff_type, column_name, fields, dry_run) -%}
  {%- else -%}
    {%- do close_items('reopen', ['closed_unverified', 'closed_verified', 'accepted'], {
      'ids': ids, 'pair_id': pair_id, 'diff_type': diff_type, 'column_name': column_name, 'wave': wave, 'state': state,
      'assignee': assignee}, fields, dry_run, confirm) -%}
  {%- endif -%}
{% endmacro %}
