{% macro retire_pair(pair_id=none, resolved_by=none, reason=none, ticket=none, dry_run=false) %}
{#
  Run-operation: takes a pair that is no longer configured out of counter and gate. Its rows stay; if it is
  enabled in a later run, it is back, with a new baseline.
#}
  {%- set fields = event_fields('retire_pair', resolved_by, reason, ticket) -%}
  {%- if known_pair(pair_id)['is_enabled'] -%}
    {%- do exceptions.raise_compiler_error("Pair " ~ pair_id ~ " was enabled in the last run. Take it out of seeds/table_pairs.csv "
      ~ "or disable it, run the night, then retire it. Nothing is written.") -%}
  {%- endif -%}
  {%- do on_pair('retire_pair', pair_id, fields, 'cast(unix_micros(enabled_run_ts) as string)', dry_run) -%}
{% endmacro %}
