{% macro note_mismatches(ids=none, pair_id=none, diff_type=none, column_name=none, wave=none, state=none, assignee=none, note=none, ticket=none, resolved_by=none, dry_run=false, confirm=false) %}
{#
  Run-operation: puts an assignee, a note or a ticket on mismatches, selected as for resolve_mismatches
  but not by assignee, which is who is on it from now on. Their state stays.
#}
  {%- if assignee is none and note is none and ticket is none -%}
    {%- do exceptions.raise_compiler_error("Give assignee, note or ticket. Nothing is written.") -%}
  {%- endif -%}
  {%- set fields = event_fields('note', resolved_by, none, ticket, assignee, note) -%}
  {%- do close_items('note', none, {
    'ids': ids, 'pair_id': pair_id, 'diff_type': diff_type, 'column_name': column_name, 'wave': wave, 'state': state},
    fields, dry_run, confirm) -%}
{% endmacro %}
