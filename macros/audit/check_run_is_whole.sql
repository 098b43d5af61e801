{% macro check_run_is_whole(run_relation, plans_relation, comparisons_relation) %}
{#
  Before the ledger takes a run: stops with a sentence when the compared rows belong to another run
  than int_recon__run, or when a pair of the plan has no result in them.
#}
  {%- set query -%}
    select
      (select max(run_id) from {{ run_relation }}) as run_id,
      (select max(run_id) from {{ comparisons_relation }} where record_type = 'run') as compared_run_id,
      (
        select array_join(collect_list(plans.pair_id), ', ')
        from {{ plans_relation }} as plans
        left anti join {{ comparisons_relation }} as results
          on results.record_type = 'pair_result' and plans.pair_id = results.pair_id
      ) as pairs_without_result
  {%- endset -%}
  {%- set row = run_query(query).rows[0] -%}
  {%- if row['run_id'] != row['compared_run_id'] -%}
    {%- do exceptions.raise_compiler_error(
      "int_recon__comparisons holds run " ~ row['compared_run_id'] ~ ", int_recon__run holds run " ~ row['run_id']
      ~ ": nothing is appended. Finish the run with make resume, or start a new night.") -%}
  {%- elif row['pairs_without_result'] -%}
    {%- do exceptions.raise_compiler_error(
      "The run has no result for: " ~ row['pairs_without_result'] ~ ". Nothing is appended. Finish the run with make resume.") -%}
  {%- endif -%}
{% endmacro %}
