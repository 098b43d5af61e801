{% macro counter_parts(is_open, resolution) %}
{#
  Renders the parts of the counter over rows of audit_items or what is made of them: how many are open, by
  kind, their exact total, what is accepted and what is closed as fixed.
  is_open: a SQL predicate, true for a row that counts; resolution: SQL of what closed a row, NULL where
  nothing did.
#}
    count_if({{ is_open }}) as open_mismatches,
    count_if({{ is_open }} and diff_type not in ('not_compared', 'not_recorded')) as open_differences,
    count_if({{ is_open }} and diff_type = 'not_compared') as open_not_compared,
    count_if({{ is_open }} and diff_type = 'not_recorded') as open_not_recorded,
    coalesce(sum(if({{ is_open }}, counted_differences, 0)), 0) as open_exact_total,
    coalesce(sum(if({{ resolution }} = 'accepted', counted_differences, 0)), 0) as accepted,
    count_if({{ resolution }} = 'fixed') as closed_unverified
{%- endmacro %}
