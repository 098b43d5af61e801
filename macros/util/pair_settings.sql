{% macro pair_settings() %}
{#
  Returns the settings of seeds/table_pairs.csv beyond id, relations and labels, one dict each:
  name; kind (text, choice, boolean, integer, number, percent, lag); choices: accepted values; least:
  smallest integer; has_default: blank means var recon_<name>, unless the setting named by
  default_unless is given.
#}
{{ return([
  {'name': 'key_columns', 'kind': 'text'},
  {'name': 'source_filter', 'kind': 'text'},
  {'name': 'target_filter', 'kind': 'text'},
  {'name': 'watermark_column', 'kind': 'text'},
  {'name': 'watermark_lag', 'kind': 'lag'},
  {'name': 'duplicate_keys', 'kind': 'choice', 'choices': ['report', 'multiset'], 'has_default': true},
  {'name': 'null_keys', 'kind': 'choice', 'choices': ['report', 'match'], 'has_default': true},
  {'name': 'type_differences', 'kind': 'choice', 'choices': ['list', 'fail'], 'has_default': true},
  {'name': 'one_sided_columns', 'kind': 'choice', 'has_default': true,
   'choices': ['fail', 'ignore_source_only', 'ignore_target_only', 'ignore']},
  {'name': 'fail_on_empty', 'kind': 'boolean', 'has_default': true},
  {'name': 'hash_algorithm', 'kind': 'choice', 'choices': ['xxhash64', 'sha256'], 'has_default': true},
  {'name': 'max_mismatched_rows', 'kind': 'integer', 'least': 0, 'has_default': true,
   'default_unless': 'max_mismatched_pct'},
  {'name': 'max_mismatched_pct', 'kind': 'percent'},
  {'name': 'max_recorded_rows', 'kind': 'integer', 'least': 1, 'has_default': true},
  {'name': 'max_age_hours', 'kind': 'number', 'has_default': true},
  {'name': 'timeout_minutes', 'kind': 'number', 'has_default': true},
  {'name': 'store_values', 'kind': 'choice', 'choices': ['full', 'hashed', 'none'], 'has_default': true},
  {'name': 'severity', 'kind': 'choice', 'choices': ['error', 'warn'], 'has_default': true},
]) }}
{% endmacro %}
