{% macro print_run_summary(results) %}
{#
  After a command that built parity_counter_history: prints the pairs of the last run that are not clean,
  newly broken first, after a run of a part what was open of each of its pairs before and is now, and the
  counter. results: dbt's results of the command, as on-run-end has them.
#}
  {%- set built = results | selectattr('status', 'equalto', 'success') | map(attribute='node.name') | list -%}
  {%- if execute and 'parity_counter_history' in built -%}
    {%- set run = run_query(
      "select run_id, run_ts, scope, open_mismatches, open_exact_total - open_not_compared as differences, open_not_compared from "
      ~ recorded_relation('parity_counter_history') ~ " order by run_ts desc limit 1").rows -%}
    {%- for row in run -%}
      {%- set most = 20 -%}
      {%- set broken = run_query(
        "select pair_id, state, sentence from " ~ recorded_relation('pair_status')
        ~ " where sort_order < 6 order by sort_order, pair_id limit " ~ (most + 1)).rows -%}
      {%- for pair in broken[:most] -%}
        {%- do log("recon: " ~ pair['pair_id'] ~ "  " ~ pair['sentence'], info=true) -%}
      {%- endfor -%}
      {%- if broken | length > most -%}
        {%- do log("recon: and more, see pair_status", info=true) -%}
      {%- endif -%}
      {%- if row['scope'] == 'partial' -%}
        {%- set changes -%}
          with open_items as (
            select original_pair_id, run_ts, count_if(not resolved) as open_count
            from {{ recorded_relation('audit_judged') }}
            where run_ts in (
              select run_ts from {{ recorded_relation('parity_counter_history') }} order by run_ts desc limit 2
            )
            group by original_pair_id, run_ts
          )
          select
            results.pair_id,
            coalesce(max(if(open_items.run_ts < results.run_ts, open_items.open_count, null)), 0) as before,
            coalesce(max(if(open_items.run_ts = results.run_ts, open_items.open_count, null)), 0) as now
          from {{ recorded_relation('audit_ledger') }} as results
          left join open_items on results.original_pair_id = open_items.original_pair_id
          where results.record_type = 'pair_result' and results.status <> 'not_run' and results.run_id = '{{ row["run_id"] }}'
          group by results.pair_id
          order by results.pair_id
        {%- endset -%}
        {%- for pair in run_query(changes).rows -%}
          {%- do log("recon: " ~ pair['pair_id'] ~ ": " ~ pair['before'] ~ " open before, " ~ pair['now'] ~ " now", info=true) -%}
        {%- endfor -%}
      {%- endif -%}
      {%- do log(
        "recon: " ~ row['open_mismatches'] ~ " open mismatches, which stand for " ~ row['differences']
        ~ " differences and " ~ row['open_not_compared'] ~ " pairs not compared", info=true) -%}
    {%- endfor -%}
  {%- endif -%}
{% endmacro %}
