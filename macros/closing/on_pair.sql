{% macro on_pair(action, pair_id, fields, occasion, dry_run) %}
{# Appends one event on a pair; occasion: a SQL expression over audit_pair_runs that tells one such event from the next. #}
  {%- if dry_run -%}
    {%- do log("recon: dry run: " ~ action ~ " of pair " ~ pair_id ~ ", nothing is written", info=true) -%}
  {%- else -%}
    {%- do append_events(action, "select cast(null as string) as mismatch_id, original_pair_id, labels.pair_id as pair_id,"
      ~ " cast(null as string) as diff_type, cast(null as string) as target_column, cast(null as int) as episode,"
      ~ " cast(null as string) as value_digest, " ~ occasion ~ " as occasion" ~ pair_state(pair_id), fields) -%}
  {%- endif -%}
{% endmacro %}
