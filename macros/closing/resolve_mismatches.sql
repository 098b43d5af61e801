{% macro resolve_mismatches(ids=none, pair_id=none, diff_type=none, column_name=none, wave=none, state=none, assignee=none, resolved_by=none, reason=none, ticket=none, dry_run=false, confirm=false) %}
{#
  Run-operation: claims that mismatches are fixed. They leave the counter at once and are verified by the
  next comparison that does not see them; one that sees them opens them again.
  Selected by ids (8 digits if unique) or by any of pair_id, diff_type, column_name, wave, state, assignee.
#}
  {%- set fields = event_fields('resolve', resolved_by, reason, ticket) -%}
  {%- do close_items('resolve', ['open', 'cleared', 'left_scope', 'ended_by_configuration'], {
    'ids': ids, 'pair_id': pair_id, 'diff_type': diff_type, 'column_name': column_name, 'wave': wave, 'state': state,
    'assignee': assignee}, fields, dry_run, confirm) -%}
{% endmacro %}
