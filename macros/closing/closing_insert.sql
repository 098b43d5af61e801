{% macro closing_insert() %}
{#
  Renders the INSERT that closes a row of open_mismatches as fixed, for whoever has a SQL editor
  only, ready to paste but for reason and name; NULL for what only a standing acceptance or a
  comparison closes.
#}
if(diff_type in ('not_compared', 'not_recorded'), null, concat(
    {{ text_literal("INSERT INTO " ~ ref('resolution_events') ~ " (event_id, event_ts, recorded_ts, action, mismatch_id, original_pair_id, reason, resolved_by, executed_as) SELECT uuid(), current_timestamp(), current_timestamp(), 'resolve', '") }},
    mismatch_id, "', '", original_pair_id, "', 'WHY', 'NAME', current_user()"
))
{%- endmacro %}
