{% macro covering_closing(moment=none) %}
{#
  Renders the earliest closing that covers a row of audit_items, as a struct of resolved_ts,
  resolution and resolved_by; NULL where none does, so that the row is open.
  moment: a SQL timestamp as of which events are known; without it, all are.
#}
{%- set known = "c.event_ts <= " ~ moment ~ " and " if moment else "" -%}
{%- set not_cancelled = "(c.cancelled_ts is null" ~ (" or c.cancelled_ts > " ~ moment if moment else "") ~ ")" -%}
{%- set enabled_ts = "enabled_run_ts" if moment else "last_enabled_run_ts" -%}
array_min(concat(
    transform(
        filter(closings, c -> {{ known }}{{ not_cancelled }} and diff_type not in ('not_compared', 'not_recorded') and if(
            c.resolution = 'fixed', seen_run_ts <= c.event_ts, c.value_digest = value_digest and run_ts <= c.expires_ts
        )),
        c -> struct(c.event_ts as resolved_ts, c.resolution, c.resolved_by)
    ),
    transform(
        filter(group_closings, c -> {{ known }}{{ not_cancelled }} and diff_type <> 'not_compared'
            and group_total <= c.max_count and run_ts <= c.expires_ts
            and not exists(reopened_ts, t -> t >= c.event_ts {{ "and t <= " ~ moment if moment }})),
        c -> struct(c.event_ts as resolved_ts, c.resolution, c.resolved_by)
    ),
    transform(
        filter(retirements, c -> {{ known }}c.event_ts > {{ enabled_ts }}),
        c -> struct(c.event_ts as resolved_ts, 'retired' as resolution, c.resolved_by)
    )
))
{%- endmacro %}
