{% macro closing_command() %}
{#
  Renders the run-operation that closes a row of open_mismatches, ready to paste but for name, reason
  and expiry; NULL for a pair that is not compared, which nobody closes.
#}
case diff_type
    when 'not_compared' then null
    when 'not_recorded' then concat(
        'dbt run-operation accept_mismatches --args \'{scope: standing, pair_id: ', labels.pair_id, ', diff_type: ',
        not_recorded_diff_type, if(target_column is null, '', concat(', column_name: "', target_column, '"')),
        ', max_count: N, expires: YYYY-MM-DD, resolved_by: NAME, reason: WHY}\''
    )
    else concat(
        'dbt run-operation resolve_mismatches --args \'{ids: ["', left(mismatch_id, 12), '"], resolved_by: NAME, reason: WHY}\''
    )
end
{%- endmacro %}
