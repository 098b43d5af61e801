{% macro column_rule_names() %}
{#
  Returns two lists of rule names of seeds/column_rules.csv: available (this release applies them)
  and planned (documented, refused until they are built).
#}
{{ return({
  'available': ['ignore', 'source_column', 'trim', 'abs_tolerance'],
  'planned': [
    'exact', 'expression', 'strip_invisible', 'unicode_normalize', 'case_insensitive',
    'empty_as_null', 'json_canonical', 'value_map', 'compare_as', 'time_zone', 'date_only',
    'timestamp_precision', 'array_unordered', 'round', 'rel_tolerance', 'abs_tolerance_seconds',
    'mask',
  ],
}) }}
{% endmacro %}
