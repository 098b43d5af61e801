{% macro event_problem() %}
{#
  Renders why a row of resolution_events changes nothing, as one SQL sentence; NULL for a valid one.
  What can be judged by the row alone: event_findings adds what needs the ledger.
#}
{%- set closings = "('resolve', 'accept', 'reopen', 'accept_baseline', 'mute_drift', 'retire_pair')" -%}
case
    when event_id is null or event_ts is null or recorded_ts is null
        then 'event_id, event_ts or recorded_ts is missing'
    when event_ts > recorded_ts + interval 5 minutes then 'event_ts lies in the future of recorded_ts'
    when event_ts > current_timestamp() + interval 5 minutes then 'event_ts lies in the future'
    when action is null or action not in {{ closings[:-1] }}, 'note')
        then concat('unknown action ', coalesce(action, 'NULL'))
    when not coalesce(resolved_by rlike '(?U)\\S', false) then 'resolved_by is missing: closings are by name'
    when action in {{ closings }} and not coalesce(reason rlike '(?U)\\S', false) then 'reason is missing'
    when action in {{ closings }} and original_pair_id is null then 'original_pair_id is missing'
    when action in ('accept', 'reopen') and scope = 'standing' and diff_type is null
        then 'a standing acceptance is of a pair, a diff_type and a column'
    when action = 'accept' and scope = 'standing' and diff_type in ('not_compared', 'not_recorded')
        then concat('a standing acceptance is not of ', diff_type, ': name the diff_type that it stands for')
    when action in ('resolve', 'note') and mismatch_id is null then 'mismatch_id is missing'
    when action in ('accept', 'reopen') and coalesce(scope, '') <> 'standing' and mismatch_id is null
        then 'mismatch_id is missing'
    when action = 'accept' and coalesce(scope, '') not in ('listed', 'standing')
        then 'scope is neither listed nor standing'
    when action = 'accept' and scope = 'listed' and value_digest is null then 'value_digest is missing'
    when action = 'accept' and scope = 'standing' and coalesce(max_count, -1) < 0 then 'max_count is missing'
    when action in ('accept', 'mute_drift') and expires_ts is null then 'expires_ts is missing'
    when action in ('accept', 'mute_drift') and expires_ts <= event_ts then 'expires_ts is not later than event_ts'
    when action = 'accept' and expires_ts > event_ts + make_interval(0, 0, 0, {{ var('recon_accept_max_days') | int }})
        then 'expires_ts is more than recon_accept_max_days ({{ var("recon_accept_max_days") | int }}) after event_ts'
    when action = 'note' and coalesce(assignee, note, ticket) is null then 'assignee, note and ticket are missing'
end
{%- endmacro %}
