{% macro threshold_text() %}
{# Renders a pair's threshold in words; NULL where it is no row at all. #}
nullif(array_join(array_compact(array(
    if(max_mismatched_rows > 0 or max_mismatched_pct is not null, cast(max_mismatched_rows as string), null),
    concat(max_mismatched_pct, ' %')
)), ' and '), '')
{%- endmacro %}
