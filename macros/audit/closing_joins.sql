{% macro closing_joins(items, diff_type, target_column) %}
{#
  Renders the joins of a relation of differences with the closings that may cover each: by_id, of the
  mismatch; by_group, standing acceptances; retired, of the pair. Closings count for their own pair only.
  items: name of the relation, with mismatch_id and original_pair_id; diff_type, target_column: SQL of
  the group that a row belongs to.
#}
left join {{ ref('audit_closings') }} as by_id
    on {{ items }}.mismatch_id = by_id.mismatch_id and {{ items }}.original_pair_id = by_id.original_pair_id
left join {{ ref('audit_closings') }} as by_group
    on
        {{ items }}.original_pair_id = by_group.original_pair_id
        and {{ diff_type }} = by_group.diff_type
        and {{ target_column }} <=> by_group.target_column
left join {{ ref('audit_retirements') }} as retired on {{ items }}.original_pair_id = retired.original_pair_id
{%- endmacro %}
