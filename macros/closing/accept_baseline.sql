{% macro accept_baseline(pair_id=none, resolved_by=none, reason=none, ticket=none, dry_run=false) %}
{# Run-operation: begins a new baseline of a pair with its last comparison, which then no longer alarms. #}
  {%- set fields = event_fields('accept_baseline', resolved_by, reason, ticket) -%}
  {%- if known_pair(pair_id)['compared_ts'] is none -%}
    {%- do exceptions.raise_compiler_error("Pair " ~ pair_id ~ " was never compared: there is nothing to accept. Nothing is written.") -%}
  {%- endif -%}
  {%- do on_pair('accept_baseline', pair_id, fields, 'base.run_id', dry_run) -%}
{% endmacro %}
