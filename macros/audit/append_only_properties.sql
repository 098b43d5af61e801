{% macro append_only_properties() %}
{# Returns the table properties of what is only ever appended to: nothing can be rewritten, and ten years are kept. #}
{{ return({
  'delta.appendOnly': 'true',
  'delta.logRetentionDuration': 'interval 3650 days',
  'delta.deletedFileRetentionDuration': 'interval 3650 days',
}) }}
{% endmacro %}
