{% macro on_pair(action, pair_id, fields, occasion, dry_run) %}
{# Appends one event on a pair; occasion: a SQL expression over audit_pair_runs that tells one such event from the next. #}
  {%- if dry_run -%}
    {%- do log("recon: dry run: " ~ action ~ " of pair " ~ pair_id ~ ", nothing is written", info=true) -%}
  {%- else -%}
    {%- do append_events(action, pair_item(pair_id, occasion), fields) -%}
  {%- endif -%}
{% endmacro %}
