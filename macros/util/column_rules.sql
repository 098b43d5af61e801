{% macro column_rules() %}
{#
  Returns the rules of seeds/column_rules.csv in the order in which they apply, one dict each: name;
  argument: its kind, as macro rule_problem checks it; choices: accepted arguments of kind choice;
  side: required, optional or none (it concerns both sides).
#}
{{ return([
  {'name': 'ignore', 'argument': 'none', 'side': 'none'},
  {'name': 'exact', 'argument': 'none', 'side': 'none'},
  {'name': 'source_column', 'argument': 'name', 'side': 'none'},
  {'name': 'expression', 'argument': 'expression', 'side': 'required'},
  {'name': 'strip_invisible', 'argument': 'none', 'side': 'optional'},
  {'name': 'trim', 'argument': 'choice', 'choices': ['right', 'both', 'right_ws'], 'side': 'optional'},
  {'name': 'unicode_normalize', 'argument': 'choice', 'choices': ['NFC', 'NFD', 'NFKC', 'NFKD'], 'side': 'optional'},
  {'name': 'case_insensitive', 'argument': 'none', 'side': 'optional'},
  {'name': 'empty_as_null', 'argument': 'none', 'side': 'optional'},
  {'name': 'json_canonical', 'argument': 'none', 'side': 'optional'},
  {'name': 'value_map', 'argument': 'json_object', 'side': 'optional'},
  {'name': 'compare_as', 'argument': 'type', 'side': 'optional'},
  {'name': 'time_zone', 'argument': 'zone', 'side': 'optional'},
  {'name': 'date_only', 'argument': 'none', 'side': 'optional'},
  {'name': 'timestamp_precision', 'argument': 'choice', 'choices': ['us', 'ms', 's', 'min'], 'side': 'optional'},
  {'name': 'array_unordered', 'argument': 'none', 'side': 'optional'},
  {'name': 'round', 'argument': 'integer', 'side': 'none'},
  {'name': 'abs_tolerance', 'argument': 'number', 'side': 'none'},
  {'name': 'rel_tolerance', 'argument': 'number', 'side': 'none'},
  {'name': 'abs_tolerance_seconds', 'argument': 'number', 'side': 'none'},
  {'name': 'mask', 'argument': 'none', 'side': 'none'},
]) }}
{% endmacro %}
