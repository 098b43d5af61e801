{% macro close_items(action, states, selection, fields, dry_run, confirm) %}
{#
  What the run-operations on mismatches share: selects the items, lists them, and appends an event for
  each, unless it is a dry run or more than recon_bulk_limit without confirm.
  action: of resolution_events; states: those the operation is for; selection: see selected_items;
  fields: see event_fields.
#}
  {%- set items = selected_items(selection, states) -%}
  {%- do print_items(items) -%}
  {%- set limit = var('recon_bulk_limit') | int -%}
  {%- if dry_run -%}
    {%- do log("recon: dry run: " ~ items | length ~ " mismatches, nothing is written", info=true) -%}
  {%- elif items | length > limit and not confirm -%}
    {%- do exceptions.raise_compiler_error(
      items | length ~ " mismatches are selected, more than recon_bulk_limit (" ~ limit
      ~ "). Look at them with dry_run: true, then add confirm: true. Nothing is written.") -%}
  {%- else -%}
    {%- set ids = "'" ~ items | map(attribute='mismatch_id') | join("', '") ~ "'" -%}
    {%- do append_events(action, "select mismatch_id, original_pair_id, pair_id, diff_type, target_column, episode, value_digest,"
      ~ " cast(episode as string) as occasion from " ~ ref('mismatch_lifecycle')
      ~ " where is_current and mismatch_id in (" ~ ids ~ ")", fields) -%}
    {%- do log("recon: " ~ items | length ~ " mismatches, written by name", info=true) -%}
  {%- endif -%}
{% endmacro %}
