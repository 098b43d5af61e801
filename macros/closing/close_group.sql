{% macro close_group(action, pair_id, diff_type, column_name, fields, dry_run) %}
{#
  Appends one event on all differences of a pair, diff type and column, to come as well. Stops with a
  sentence when the pair is unknown or the diff type is none that can be accepted.
#}
  {%- set types = ['missing_in_source', 'missing_in_target', 'value_mismatch', 'duplicate_key', 'null_key', 'schema_mismatch'] -%}
  {%- if diff_type not in types -%}
    {%- do exceptions.raise_compiler_error("diff_type is '" ~ diff_type ~ "'; write one of " ~ types | join(', ') ~ ". Nothing is written.") -%}
  {%- endif -%}
  {%- do known_pair(pair_id) -%}
  {%- set column = 'cast(null as string)' if column_name is none else text_literal(column_name | lower) -%}
  {%- if dry_run -%}
    {%- do log("recon: dry run: one standing event on " ~ pair_id ~ ", " ~ diff_type ~ ", " ~ (column_name or 'no column') ~ "; nothing is written", info=true) -%}
  {%- else -%}
    {%- do append_events(action, pair_item(pair_id, 'base.run_id', text_literal(diff_type), column), fields) -%}
  {%- endif -%}
{% endmacro %}
