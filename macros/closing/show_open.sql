{% macro show_open(pair_id=none, diff_type=none, column_name=none, wave=none, state='open', assignee=none) %}
{#
  Run-operation: lists mismatches, by default the open ones, oldest first, and pairs that are not
  compared. state: a state of mismatch_lifecycle, or all. Keys and values are in open_mismatches.
#}
  {%- set states = ['open', 'accepted', 'closed_unverified', 'closed_verified', 'cleared', 'left_scope', 'ended_by_configuration', 'retired'] -%}
  {%- if state != 'all' and state not in states -%}
    {%- do exceptions.raise_compiler_error("state is '" ~ state ~ "'; write all, or one of " ~ states | join(', ') ~ ".") -%}
  {%- endif -%}
  {%- if pair_id is not none -%}{%- do known_pair(pair_id) -%}{%- endif -%}
  {%- set conditions = ['true'] + selection_conditions({
    'pair_id': pair_id, 'diff_type': diff_type, 'column_name': column_name or none, 'wave': wave,
    'state': none if state == 'all' else state, 'assignee': assignee}) -%}
  {%- set items = run_query(
    "select * from (select mismatch_id, pair_id, wave, diff_type, target_column, state, first_seen_ts, assignee from " ~ ref('mismatch_lifecycle') ~ " where is_current"
    ~ " union all select mismatch_id, pair_id, wave, diff_type, target_column, 'open' as state, first_seen_ts, assignee from " ~ ref('open_mismatches')
    ~ " where episode is null) where " ~ conditions | join(" and ") ~ " order by first_seen_ts, mismatch_id").rows -%}
  {%- do print_items(items) -%}
  {%- do log("recon: " ~ items | length ~ " listed; counter " ~ run_query("select counter from " ~ ref('parity_counter')).rows[0][0], info=true) -%}
{% endmacro %}
