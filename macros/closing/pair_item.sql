{% macro pair_item(pair_id, occasion, diff_type='cast(null as string)', target_column='cast(null as string)') %}
{#
  Renders the query of append_events for one event on a pair, or on a group of its differences.
  occasion: a SQL expression over audit_pair_runs that tells one such event from the next; diff_type,
  target_column: SQL of the group's.
#}
select
  cast(null as string) as mismatch_id, original_pair_id, labels.pair_id as pair_id, {{ diff_type }} as diff_type,
  {{ target_column }} as target_column, cast(null as int) as episode, cast(null as string) as value_digest,
  {{ occasion }} as occasion
{{ pair_state(pair_id) }}
{%- endmacro %}
