{#-
  Both sides of one key as one run compared them: a row per column and side, with its canonical value.

      dbt compile --select explain_row --vars '{pair_id: flights, key: "[2013,1,1,\"UA\",1545,\"EWR\"]"}'

  and paste target/compiled/recon/analyses/explain_row.sql. Vars: pair_id; key, the text of a
  record_key; run_id (default: the last run that compared the pair). The tables are read at the
  versions of that run, by the expressions of its plan. What is masked, or not stored by store_values,
  is not shown. The key stands in the compiled file and in dbt's log; dbt show would write the values
  there, too, so paste.
-#}
{%- set ledger = ref('audit_ledger') -%}
{%- set pair_id, key, run_id = var('pair_id', none), var('key', none), var('run_id', none) -%}
{%- if not execute or key is none -%}

select 'Give the vars pair_id and key, such as --vars \'{pair_id: orders, key: "[1]"}\'.' as note

{%- else -%}

{%- if pair_id is not string or key is not string -%}
  {%- do exceptions.raise_compiler_error("explain_row: give pair_id, and key as text, such as --vars '{pair_id: orders, key: \"[1]\"}'.") -%}
{%- elif recorded_relation('audit_ledger') is none -%}
  {%- do exceptions.raise_compiler_error("explain_row: there is no ledger yet. Run the night first.") -%}
{%- endif -%}

{#- --- the run and its plan --- -#}

{%- set which = "results.pair_id = " ~ text_literal(pair_id) ~ (" and results.run_id = " ~ text_literal(run_id) if run_id else "") -%}
{%- set query -%}
  select to_json(struct(results.run_id, results.run_date, results.source_pin, results.target_pin, results.source_after_watermark, results.target_after_watermark, plans.plan))
  from {{ ledger }} as results
  inner join {{ ledger }} as plans on plans.record_type = 'pair_plan' and results.plan_hash = plans.plan_hash
  where results.record_type = 'pair_result' and results.status in ('match', 'mismatch') and {{ which }}
  order by results.run_ts desc
  limit 1
{%- endset -%}
{%- set found = run_query(query).columns[0].values() | list -%}
{%- if not found -%}
  {%- do exceptions.raise_compiler_error(
    "explain_row: the ledger has no comparison of a pair '" ~ pair_id ~ "'" ~ (" in run " ~ run_id if run_id else "") ~ ".") -%}
{%- endif -%}
{%- set result = fromjson(found[0]) -%}
{%- set plan = fromjson(result['plan']) -%}
{%- if not plan['key_columns'] -%}
  {%- do exceptions.raise_compiler_error("explain_row: pair " ~ pair_id ~ " has no key_columns, so no key names a row of it.") -%}
{%- endif -%}

{%- set columns = plan['columns'] | rejectattr('skipped_reason') | list -%}
{%- set key_parts = [] -%}
{%- for column in columns if column['is_key'] -%}
  {%- if column['is_masked'] -%}
    {%- do exceptions.raise_compiler_error(
      "explain_row: key column " ~ column['target_column'] ~ " of pair " ~ pair_id ~ " is masked, so no row can be looked up by its key.") -%}
  {%- endif -%}
  {%- do key_parts.append("coalesce(" ~ column['json_expression'] | replace('$value', 'c' ~ loop.index0) ~ ", 'null')") -%}
{%- endfor -%}

{#- --- what each side is read from --- -#}

{%- set sides = {} -%}
{%- for side in ['source', 'target'] -%}
  {%- set pin = result.get(side ~ '_pin') -%}
  {%- set relation = plan[side ~ '_identifier'] -%}
  {%- if pin and run_query("describe detail " ~ relation).rows[0]['id'] != pin['table_id'] -%}
    {%- do exceptions.raise_compiler_error(
      "explain_row: " ~ plan[side ~ '_relation'] ~ " was dropped and created again after run " ~ result['run_id']
      ~ ", so what that run read is gone.") -%}
  {%- endif -%}
  {%- set predicate = (plan['settings'].get(side ~ '_filter') or 'true') | replace('${run_date}', result['run_date']) -%}
  {%- do sides.update({side: {
    'rows': relation ~ (" version as of " ~ pin['version'] if pin else "") ~ " as " ~ plan[side ~ '_alias'],
    'is_in_filter': "coalesce((\n" ~ predicate ~ "\n), false)",
    'is_after': result.get(side ~ '_after_watermark') or 'false',
    'notes': [] if pin else ["read as it is now: no version was named"],
  }}) -%}
{%- endfor -%}

{#- --- the query --- -#}

with
{%- for side, facts in sides.items() %}
{{ side }}_rows as (
    select *
    from (
        select
            {%- for column in columns %}
            {#- SQL alone has no such function: the notes say where it is missing #}
            {{ column[side ~ '_expression'] | replace('recon_unicode_normalize(', 'if(true, ') }} as c{{ loop.index0 }},
            {%- endfor %}
            {{ facts['is_in_filter'] }} as is_in_filter,
            {{ facts['is_after'] }} as is_after_watermark
        from {{ facts['rows'] }}
    )
    where concat('[', concat_ws(',', {{ key_parts | join(', ') }}), ']') = {{ text_literal(key) | replace('$', '\\u0024') }}
    limit 100
),
{%- endfor %}

rows_of_key as (
    select
        {%- for side in sides %}
        (select collect_list(struct(*)) from {{ side }}_rows) as {{ side }}s{{ "," if not loop.last }}
        {%- endfor %}
),

numbered as (
    select
        row_number,
        size(sources) as source_count,
        size(targets) as target_count,
        get(sources, row_number - 1) as source,
        get(targets, row_number - 1) as target
    from rows_of_key
    lateral view explode(sequence(1, greatest(1, size(sources), size(targets)))) as row_number
),

cells as (
    select
        row_number,
        inline(array(
            {%- for column in columns %}
            {%- set outer = loop %}
            {%- set name = 'c' ~ loop.index0 %}
            {%- set lacks_function = 'recon_unicode_normalize(' in column['source_expression'] ~ column['target_expression'] %}
            {%- set is_hidden = column['is_masked'] or (plan['settings']['store_values'] != 'full' and not column['is_key']) %}
            {%- set is_paired = 'source_count = 1 and target_count = 1' %}
            {%- set is_equal = 'source.' ~ name ~ ' <=> target.' ~ name %}
            {%- for side, facts in sides.items() %}
            {%- set text = column['text_expression'] | replace('$value', side ~ '.' ~ name) %}
            {%- set notes = facts['notes'] + (['without unicode_normalize, which SQL alone lacks'] if lacks_function else []) %}
            named_struct(
                'place', {{ outer.index }},
                'column_name', {{ text_literal(column['target_column']) }},
                'side', '{{ side }}',
                'canonical_value', if({{ side }} is null, null, {{ "'(masked)'" if is_hidden else text }}),
                'is_equal', if({{ is_paired }}, {{ "nullif(" ~ is_equal ~ ", false)" if lacks_function else is_equal }}, null),
                'note', nullif(concat_ws(
                    '; ',
                    if({{ side }} is null, 'no row of this key', null),
                    if({{ side }}_count > 1, 'one of several rows of this key', null),
                    if(not {{ side }}.is_in_filter, 'left out by {{ side }}_filter', null),
                    if({{ side }}.is_after_watermark, 'above the watermark', null)
                    {%- if column['within_expression'] %},
                    if({{ is_paired }} and not ({{ is_equal }}), {{ text_literal('the run judged it by: ' ~ column['rules'] | join('; ')) }}, null)
                    {%- endif %}
                    {%- for note in notes %},
                    if({{ side }} is null, null, '{{ note }}')
                    {%- endfor %}
                ), '')
            ){{ "," if not (outer.last and loop.last) }}
            {%- endfor %}
            {%- endfor %}
        ))
    from numbered
)

select
    column_name,
    side,
    row_number,
    canonical_value,
    is_equal,
    note
from cells
order by row_number, place, side
{%- endif %}
