{% macro databricks_embedded__apply_grants(relation, grant_config, should_revoke=True) %}
  {% if grant_config %}
    {{ exceptions.warn("grants on " ~ relation ~ " are not applied: the embedded engine has no users") }}
  {% endif %}
{% endmacro %}
