{% macro selection_conditions(selection) %}
{#
  Returns the SQL conditions over mismatch_lifecycle for the fields of a selection, a list; the same
  selectors for every run-operation on mismatches.
  selection: any of pair_id, diff_type, column_name, wave, state, assignee; one that is none selects all.
#}
  {%- set conditions = [] -%}
  {%- for field in ['pair_id', 'diff_type', 'column_name', 'wave', 'state', 'assignee'] if selection.get(field) is not none -%}
    {%- set wanted = selection[field] | string -%}
    {%- do conditions.append(
      "lower(target_column) = " ~ text_literal(wanted | lower) if field == 'column_name' else field ~ " = " ~ text_literal(wanted)) -%}
  {%- endfor -%}
  {{ return(conditions) }}
{% endmacro %}
