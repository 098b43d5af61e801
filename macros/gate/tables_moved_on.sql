{% macro tables_moved_on() %}
{#
  Renders a query of the enabled pairs of which a pinned table has changed since it was compared last:
  original_pair_id, sentence. It asks each table for its history when the command is run, and only with
  var recon_gate_requires_current_tables; else the query has no rows. Commits that change no data
  (optimizing, vacuuming) do not count.
#}
{%- set found = [] -%}
{%- set ledger, pairs = ref('audit_ledger'), ref('stg_recon__pairs') -%}
{%- if execute and flags.WHICH in ('build', 'run') and var('recon_gate_requires_current_tables') -%}
  {%- set query -%}
    with last_comparisons as (
      select original_pair_id, max_by(struct(plan_hash, source_pin, target_pin), run_ts) as last
      from {{ ledger }}
      where record_type = 'pair_result' and status in ('match', 'mismatch')
      group by original_pair_id
    ),
    plans as (
      select plan_hash, any_value(plan) as plan
      from {{ ledger }}
      where record_type = 'pair_plan'
      group by plan_hash
    ),
    sides as (
      select
        original_pair_id,
        inline(array(
          struct('source' as side, last.source_pin as pin, get_json_object(plan, '$.source_identifier') as identifier),
          struct('target' as side, last.target_pin as pin, get_json_object(plan, '$.target_identifier') as identifier)
        ))
      from last_comparisons
      inner join plans on last_comparisons.last.plan_hash = plans.plan_hash
    )
    select sides.original_pair_id, sides.side, sides.pin.table_id, sides.pin.version, sides.identifier
    from sides
    inner join {{ pairs }} as configured on sides.original_pair_id = configured.original_pair_id
    where configured.is_enabled and sides.pin is not null
  {%- endset -%}
  {%- for row in run_query(query).rows -%}
    {%- set later = namespace(version=none) -%}
    {%- for commit in run_query("describe history " ~ row['identifier']).rows
        if commit['version'] > row['version'] and not commit['operation'].startswith(('OPTIMIZE', 'VACUUM')) -%}
      {%- set later.version = commit['version'] if later.version is none else later.version -%}
    {%- endfor -%}
    {%- set table_id = run_query("describe detail " ~ row['identifier']).rows[0]['id'] -%}
    {%- if table_id != row['table_id'] -%}
      {%- do found.append((row['original_pair_id'], 'the ' ~ row['side'] ~ ' table was dropped and created again since it was compared: run the night')) -%}
    {%- elif later.version is not none -%}
      {%- do found.append((row['original_pair_id'], 'the ' ~ row['side'] ~ ' table has changed since it was compared (version '
        ~ row['version'] ~ ', now ' ~ later.version ~ '): run the night')) -%}
    {%- endif -%}
  {%- endfor -%}
{%- endif -%}
select
    original_pair_id,
    array_join(sort_array(collect_list(sentence)), '; ') as sentence
from values
    (cast(null as string), cast(null as string))
    {%- for pair, sentence in found %},
    ({{ text_literal(pair) }}, {{ text_literal(sentence) }})
    {%- endfor %} as tables (original_pair_id, sentence)
where original_pair_id is not null
group by original_pair_id
{%- endmacro %}
