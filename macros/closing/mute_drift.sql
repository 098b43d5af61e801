{% macro mute_drift(pair_id=none, expires=none, resolved_by=none, reason=none, ticket=none, dry_run=false) %}
{# Run-operation: silences a pair in drift_alerts until a UTC date or time; gate and marts stay as they are. #}
  {%- set fields = event_fields('mute_drift', resolved_by, reason, ticket, expires=expires) -%}
  {%- do known_pair(pair_id) -%}
  {%- do on_pair('mute_drift', pair_id, fields, 'base.run_id', dry_run) -%}
{% endmacro %}
