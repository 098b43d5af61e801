{% macro is_inside_threshold(rows, larger_row_count) %}
{#
  Renders whether so many rows that differ are within max_mismatched_rows and max_mismatched_pct of
  the relation `configured`; NULL for a pair that is not configured. Of the two settings those that are
  given count, and the percentage is of the larger side's compared rows.
#}
(
    coalesce(configured.max_mismatched_rows, configured.max_mismatched_pct) is not null
    and {{ rows }} <= coalesce(configured.max_mismatched_rows, {{ rows }})
    and 100 * {{ rows }} <= coalesce(configured.max_mismatched_pct * {{ larger_row_count }}, 100 * {{ rows }})
)
{%- endmacro %}
