{% macro counts_given_clock() %}
{# Renders whether a run with a given clock (recon_now) counts for the gate: on the embedded engine only. #}
{{ 'true' if target.type == 'databricks_embedded' else 'false' }}
{%- endmacro %}
