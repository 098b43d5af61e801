{% macro selected_items(selection, states) %}
{#
  Returns the current episodes of mismatch_lifecycle that a run-operation is about, oldest first.
  selection: ids (texts of at least 8 digits), or any of pair_id, diff_type, column_name, wave,
  state, assignee. states: the states the operation is for; null for all. Stops with a sentence for an
  unknown or ambiguous id, an item in another state, and when nothing is selected.
#}
  {%- set conditions = ['is_current'] + selection_conditions(selection) -%}
  {%- set ids = selection.get('ids') -%}
  {%- if ids is string -%}{%- set ids = [ids] -%}{%- endif -%}
  {%- if ids -%}
    {%- set prefixes = [] -%}
    {%- for id in ids -%}
      {%- if not modules.re.fullmatch('[0-9a-f]{8,64}', id | string) -%}
        {%- do exceptions.raise_compiler_error("ids: " ~ id ~ " is no mismatch_id. Give at least its first 8 digits, in quotes.") -%}
      {%- endif -%}
      {%- do prefixes.append("startswith(mismatch_id, '" ~ id | string ~ "')") -%}
    {%- endfor -%}
    {%- do conditions.append("(" ~ prefixes | join(" or ") ~ ")") -%}
  {%- elif conditions | length == 1 -%}
    {%- do exceptions.raise_compiler_error("Nothing is selected. Give ids, or some of pair_id, diff_type, column_name, wave, state.") -%}
  {%- elif states -%}
    {%- do conditions.append("diff_type not in ('not_recorded', 'not_compared')") -%}
    {%- if selection.get('state') is none -%}
      {%- do conditions.append("state in ('" ~ states | join("', '") ~ "')") -%}
    {%- endif -%}
  {%- endif -%}
  {%- set items = run_query(
    "select mismatch_id, episode, pair_id, diff_type, target_column, state, value_digest, assignee, first_seen_ts"
    ~ " from " ~ ref('mismatch_lifecycle') ~ " where " ~ conditions | join(" and ") ~ " order by first_seen_ts, mismatch_id").rows -%}
  {%- for id in ids or [] -%}
    {%- set found = [] -%}
    {%- for item in items if item['mismatch_id'].startswith(id | string) -%}{%- do found.append(item) -%}{%- endfor -%}
    {%- if found | length == 0 -%}
      {%- do exceptions.raise_compiler_error("ids: no recorded mismatch begins with " ~ id ~ ". show_open lists them.") -%}
    {%- elif found | length > 1 -%}
      {%- do exceptions.raise_compiler_error("ids: " ~ found | length ~ " mismatches begin with " ~ id ~ ". Give more digits.") -%}
    {%- endif -%}
  {%- endfor -%}
  {%- for item in items if ids and states and item['diff_type'] in ('not_recorded', 'not_compared') -%}
    {%- do exceptions.raise_compiler_error(
      "Mismatch " ~ item['mismatch_id'][:12] ~ " of pair " ~ item['pair_id'] ~ " is a " ~ item['diff_type']
      ~ ": it is closed by " ~ ("a standing acceptance" if item['diff_type'] == 'not_recorded' else "a comparison") ~ " only. Nothing is written.") -%}
  {%- endfor -%}
  {%- for item in items if states and item['state'] not in states -%}
    {%- do exceptions.raise_compiler_error(
      "Mismatch " ~ item['mismatch_id'][:12] ~ " of pair " ~ item['pair_id'] ~ " is " ~ item['state']
      ~ "; this is for " ~ states | join(", ") ~ ". Nothing is written.") -%}
  {%- endfor -%}
  {%- if items | length == 0 -%}
    {%- do exceptions.raise_compiler_error("No mismatch is selected. show_open lists what is open. Nothing is written.") -%}
  {%- endif -%}
  {{ return(items) }}
{% endmacro %}
