{% macro local_date(timestamp_expression) %}
{#
  Renders the calendar date of a timestamp in var recon_time_zone. It goes through epoch
  microseconds and timestamps without zone, so the session's zone has no say in it.
#}
  cast(
    convert_timezone(
      'UTC', '{{ var("recon_time_zone") }}',
      timestamp_ntz '1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, cast(unix_micros({{ timestamp_expression }}) as decimal(20, 0)) / 1000000)
    ) as date
  )
{%- endmacro %}
