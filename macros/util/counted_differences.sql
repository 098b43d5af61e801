{% macro counted_differences() %}
{#
  Renders how many differences an open row of audit_log stands for: a not_recorded row for as many
  as its occurrences say, a row carried from behind the cap of its group for none (the group's
  not_recorded row counts it already), any other for one.
#}
case
    when diff_type = 'not_recorded' then occurrences
    when mismatch_id > max(if(diff_type = 'not_recorded', recorded_up_to, null)) over (
        partition by run_id, original_pair_id, coalesce(not_recorded_diff_type, diff_type), lower(target_column)
    ) then 0
    else 1
end
{%- endmacro %}
