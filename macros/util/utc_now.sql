{% macro utc_now() %}
{#
  Renders the one clock of recon as a SQL timestamp: var recon_now (UTC text), else the engine's
  time at which the query is read.
#}
  {%- set given = var('recon_now') -%}
  {%- if given is none -%}
    current_timestamp()
  {%- else -%}
    timestamp '{{ checked_utc_text(given) }} UTC'
  {%- endif -%}
{% endmacro %}
