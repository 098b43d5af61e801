{% macro append_events(action, items_sql, fields) %}
{#
  Appends an event per row of a query to resolution_events, and prints the counter before and after.
  The same call on the same occasion, twice or at once, is in the log once.
  items_sql: a query of mismatch_id, original_pair_id, pair_id, diff_type, target_column, episode,
  value_digest and occasion (text: episode, or last run of a pair); fields: SQL literals of further
  columns of resolution_events.
#}
  {%- set events = ref('resolution_events') -%}
  {%- set counter_query = "select counter from " ~ ref('parity_counter') -%}
  {%- set before = run_query(counter_query).rows[0][0] -%}
  {%- set given = ['scope', 'max_count', 'reason', 'ticket', 'assignee', 'note', 'expires_ts', 'resolved_by'] -%}
  {%- set content = "to_json(struct(action, " ~ given | join(', ') ~ "), map('timeZone', 'UTC'))" -%}
  {%- set insert -%}
    insert into {{ events }} (
      event_id, event_ts, recorded_ts, action, pair_id, original_pair_id, mismatch_id, diff_type, target_column,
      episode, value_digest, executed_as, {{ given | join(', ') }}
    )
    with wanted as (
      select items.*, '{{ action }}' as action
        {%- for name in given %}, {{ fields.get(name) or 'null' }} as {{ name }}{% endfor %}
      from ({{ items_sql }}) as items
    ),
    identified as (
      select
        wanted.*,
        sha2(to_json(array(mismatch_id, original_pair_id, diff_type, target_column, occasion, {{ content }}, cast(
          size(filter(coalesce(earlier.contents, array()), c -> c <> {{ content }})) as string
        ))), 256) as event_id
      from wanted
      left join (
        select mismatch_id as on_mismatch, original_pair_id as on_pair, collect_list({{ content }}) as contents
        from {{ events }}
        group by mismatch_id, original_pair_id
      ) as earlier on wanted.mismatch_id <=> earlier.on_mismatch and wanted.original_pair_id <=> earlier.on_pair
    )
    select
      event_id, clock.event_ts, current_timestamp(), action, pair_id, original_pair_id, mismatch_id, diff_type,
      target_column, episode, value_digest, current_user(), {{ given | join(', ') }}
    from identified
    cross join (
      -- later than every event so far, whatever the clock's precision
      select greatest({{ utc_now() }}, max(if(event_ts <= {{ utc_now() }}, event_ts + interval 1 microsecond, null))) as event_ts
      from {{ events }}
    ) as clock
    where event_id not in (select recorded.event_id from {{ events }} as recorded where recorded.event_id is not null)
  {%- endset -%}
  {%- do run_query(insert) -%}
  {%- set after = run_query(counter_query).rows[0][0] -%}
  {%- do log("recon: counter " ~ before ~ " before, " ~ after ~ " after", info=true) -%}
{% endmacro %}
