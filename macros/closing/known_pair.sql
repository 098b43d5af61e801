{% macro known_pair(pair_id) %}
{# Returns what the last run knew of a pair, a row of pair_id, original_pair_id, compared_ts, is_enabled; stops with a sentence for an unknown one. #}
  {%- if pair_id is none -%}
    {%- do exceptions.raise_compiler_error("pair_id is missing. Nothing is written.") -%}
  {%- endif -%}
  {%- set rows = run_query("select labels.pair_id as pair_id, original_pair_id, base.run_ts as compared_ts,"
    ~ " enabled_run_ts = run_ts as is_enabled" ~ pair_state(pair_id)).rows -%}
  {%- if rows | length == 0 -%}
    {%- do exceptions.raise_compiler_error("pair_id: no run knows a pair " ~ pair_id ~ ". pair_status lists them. Nothing is written.") -%}
  {%- endif -%}
  {{ return(rows[0]) }}
{% endmacro %}
