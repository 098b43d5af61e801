{% macro print_conflict(results) %}
{#
  After a command of which a step failed because another command wrote the same table at the same moment:
  prints that in words, which run stands in int_recon__run, and what to do.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- set conflict = 'CONCURRENT|PROTOCOL_CHANGED|METADATA_CHANGED|Concurrent[A-Za-z]*Exception|TABLE_OR_VIEW_ALREADY_EXISTS|another run' -%}
  {%- set failed = [] -%}
  {%- for result in results if result.status == 'error' and modules.re.search(conflict, result.message or '') -%}
    {%- do failed.append(result.node.name) -%}
  {%- endfor -%}
  {%- if execute and failed -%}
    {%- set run, known = recorded_relation('int_recon__run'), namespace(other='') -%}
    {%- if run is not none -%}
      {%- for row in run_query("select run_id, unix_seconds(run_ts) as seconds from " ~ run).rows -%}
        {%- set at = modules.datetime.datetime.fromtimestamp(row['seconds'], modules.pytz.utc).strftime('%Y-%m-%d %H:%M:%S') -%}
        {%- set known.other = " (int_recon__run holds run " ~ row['run_id'] ~ " of " ~ at ~ " UTC)" -%}
      {%- endfor -%}
    {%- endif -%}
    {%- do log("recon: another run of this schema was writing " ~ failed | join(', ') ~ " at the same moment" ~ known.other
      ~ ". This one gave way; no run is in the ledger in part. Let the other end, then start a new night.", info=true) -%}
  {%- endif -%}
{% endmacro %}
