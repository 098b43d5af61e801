{% macro accept_mismatches(ids=none, pair_id=none, diff_type=none, column_name=none, wave=none, state=none, assignee=none, scope='listed', max_count=none, expires=none, resolved_by=none, reason=none, ticket=none, dry_run=false, confirm=false) %}
{#
  Run-operation: accepts mismatches until a date.
  scope listed: those selected (see resolve_mismatches), while their values stay. scope standing: all
  of a pair_id, diff_type and column_name, later and unrecorded ones too, while there are at most max_count.
  expires: UTC date or time, at most recon_accept_max_days ahead.
#}
  {%- set fields = event_fields('accept', resolved_by, reason, ticket, expires=expires) -%}
  {%- do fields.update({'scope': text_literal(scope)}) -%}
  {%- if scope == 'listed' -%}
    {%- do close_items('accept', ['open'], {
      'ids': ids, 'pair_id': pair_id, 'diff_type': diff_type, 'column_name': column_name, 'wave': wave, 'state': state,
      'assignee': assignee}, fields, dry_run, confirm) -%}
  {%- elif scope == 'standing' -%}
    {%- if max_count is none or not modules.re.fullmatch('[0-9]+', max_count | string) -%}
      {%- do exceptions.raise_compiler_error("max_count is missing: how many such differences are acceptable. Nothing is written.") -%}
    {%- endif -%}
    {%- do fields.update({'max_count': max_count | string}) -%}
    {%- do close_group('accept', pair_id, diff_type, column_name, fields, dry_run) -%}
  {%- else -%}
    {%- do exceptions.raise_compiler_error("scope is '" ~ scope ~ "'; write listed or standing.") -%}
  {%- endif -%}
{% endmacro %}
