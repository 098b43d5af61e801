{#-
  What one run compared of a pair, how, and what came out: a line per fact, from the ledger alone.

      dbt compile --select explain_pair --vars '{pair_id: flights, run_date: 2026-01-31}'

  and paste target/compiled/recon/analyses/explain_pair.sql. Vars: pair_id; run_id, or run_date (that
  date's last run with a result other than not_run), or neither (the last such run).
-#}
{#- Spark itself would replace a placeholder in the text of a query -#}
{%- set run_date_placeholder = "concat('$', '{run_date}')" -%}
{%- set which = "status <> 'not_run'" -%}
{%- if var('run_id', none) -%}
  {%- set which = 'run_id = ' ~ text_literal(var('run_id')) -%}
{%- elif var('run_date', none) -%}
  {%- set which = which ~ ' and run_date = cast(' ~ text_literal(var('run_date')) ~ ' as date)' -%}
{%- endif %}

with results as (

    select
        *,
        cast(
            timestamp_ntz '1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, cast(unix_micros(run_ts) as decimal(20, 0)) / 1000000)
            as string
        ) as run_time
    from {{ ref('audit_ledger') }}
    where
        record_type = 'pair_result'
        and pair_id = {{ text_literal(var('pair_id', 'flights')) }}
        and {{ which }}
    order by run_ts desc
    limit 1

),

runs as (

    select
        run_id,
        array(
            array('run', 'scope', scope, null, if(clock_was_given, 'its time was given, not read from the clock', null)),
            array('run', 'code', concat('recon ', project_version), null, concat('commit ', git_commit)),
            array(
                'run', 'engine', concat('Spark ', spark_version), null,
                concat('dbt ', dbt_version, ', dbt-databricks ', adapter_version, ', target ', target_name)
            ),
            array('run', 'executed as', executed_as, null, null)
        ) as run_lines
    from {{ ref('audit_ledger') }}
    where record_type = 'run'

),

-- the plan was recorded by the first run that had it: its dates and its names of rules are from then
plans as (

    select
        plan_hash,
        from_json(plan, '
            run_id string, config_hash string, key_columns array<string>, settings map<string, string>,
            rules_not_applied array<string>, columns array<struct<
                target_column: string, source_column: string, is_key: boolean, is_masked: boolean,
                type_source: string, type_target: string, family: string, rules: array<string>,
                source_expression: string, target_expression: string, schema_finding: string, skipped_reason: string>>
        ') as plan
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_plan' and plan_hash = (select results.plan_hash from results)
    order by run_ts
    limit 1

),

explained as (

    select
        results.* except (plan),
        runs.run_lines,
        plans.plan,
        plans.plan.settings as settings,
        coalesce(plans.plan.columns, array()) as planned_columns
    from results
    inner join runs on results.run_id = runs.run_id
    left join plans on results.plan_hash = plans.plan_hash

),

lines as (

    select
        posexplode(concat(
            array(
                array('run', 'id', run_id, null, null),
                array('run', 'time', concat(run_time, ' UTC'), null, null),
                array('run', 'date', cast(run_date as string), null, null)
            ),
            run_lines,
            array(
                array('pair', 'id', pair_id, null, concat('oldest id: ', nullif(original_pair_id, pair_id))),
                array('pair', 'wave', wave, null, null),
                array('pair', 'owner', owner, null, null),
                array('pair', 'config_hash', config_hash, null, null),
                array(
                    'pair', 'plan_hash', plan_hash, null,
                    case
                        when plan_hash is null then 'the pair was not planned in this run'
                        when plan is null then 'the ledger holds no plan of this hash'
                        when plan.config_hash <> config_hash
                            then concat('recorded by run ', plan.run_id, ' under another config_hash: rules may have had other names then')
                        else concat('recorded by run ', plan.run_id)
                    end
                ),
                array('result', 'status', status, null, error_class),
                array('result', 'error', error_message, null, null),
                array('result', 'compared', compared_how, null, concat(seconds, ' seconds')),
                array('result', 'differences, recorded or not', cast(mismatch_count as string), null, null)
            ),
            transform(
                array_sort(map_entries(coalesce(totals, map()))),
                t -> array('result', concat('differences: ', t.key), cast(t.value as string), null, null)
            ),
            array(
                array('result', 'keys and surplus rows that differ', cast(mismatched_row_count as string), null, null),
                array('result', 'cells within tolerance', cast(within_tolerance_count as string), null, null)
            ),
            transform(coalesce(notes, array()), n -> array('result', 'note', null, null, n)),
            array(
                array('rows', 'relation', source_relation, target_relation, null),
                array('rows', 'Delta version', cast(source_pin.version as string), cast(target_pin.version as string), null),
                array('rows', 'Delta table id', source_pin.table_id, target_pin.table_id, null),
                array('rows', 'in the table', cast(source_rows as string), cast(target_rows as string), null),
                array(
                    'rows', 'filter',
                    replace(settings['source_filter'], {{ run_date_placeholder }}, cast(run_date as string)),
                    replace(settings['target_filter'], {{ run_date_placeholder }}, cast(run_date as string)),
                    null
                ),
                array('rows', 'left out by the filter', cast(source_rows_filtered as string), cast(target_rows_filtered as string), null),
                array(
                    'rows', 'watermark', watermark_value, watermark_value,
                    concat('largest ', settings['watermark_column'], ' of the source', coalesce(concat(' less ', settings['watermark_lag']), ''))
                ),
                array(
                    'rows', 'left out by the watermark', cast(source_rows_after_watermark as string),
                    cast(target_rows_after_watermark as string), null
                ),
                array('rows', 'compared', cast(source_rows_compared as string), cast(target_rows_compared as string), null),
                array('rows', 'row hashes added up', array_join(source_hash_sum, ' '), array_join(target_hash_sum, ' '), hash_algorithm),
                array(
                    'key', 'columns', array_join(plan.key_columns, '; '), null,
                    if(size(plan.key_columns) = 0, 'no key: rows are compared as a bag', null)
                )
            ),
            transform(
                array(
                    'duplicate_keys', 'null_keys', 'type_differences', 'one_sided_columns', 'fail_on_empty', 'hash_algorithm',
                    'store_values', 'max_recorded_rows'
                ),
                name -> array('setting', name, settings[name], null, null)
            ),
            array(array('setting', 'id of the key that hides values', mask_key_id, null, null)),
            flatten(transform(
                filter(planned_columns, c -> c.skipped_reason is null),
                c -> array(
                    array(
                        'column', c.target_column, concat_ws(': ', nullif(c.source_column, c.target_column), c.type_source), c.type_target,
                        concat_ws(
                            '; ', if(c.is_key, 'key', null), if(c.is_masked, 'masked', null), c.family,
                            case c.schema_finding
                                when 'difference' then 'its schema differs: a difference'
                                when 'observation' then 'its schema differs: listed only'
                            end
                        )
                    ),
                    array('canonical value', c.target_column, c.source_expression, c.target_expression, null),
                    array('rules', c.target_column, null, null, nullif(array_join(c.rules, '; '), ''))
                )
            )),
            transform(
                filter(planned_columns, c -> c.skipped_reason is not null),
                c -> array(
                    'not compared', coalesce(c.target_column, c.source_column), concat(c.source_column, ': ', c.type_source),
                    concat(c.target_column, ': ', c.type_target),
                    concat_ws(
                        '; ', c.skipped_reason,
                        case c.schema_finding when 'difference' then 'a difference' when 'observation' then 'listed only' end
                    )
                )
            ),
            transform(coalesce(plan.rules_not_applied, array()), r -> array('rule not applied', null, null, null, r))
        )) as (place, cells)
    from explained

)

select
    row_number() over (order by place) as line,
    cells[0] as part,
    cells[1] as item,
    cells[2] as source,
    cells[3] as target,
    cells[4] as note
from lines
where coalesce(cells[2], cells[3], cells[4]) is not null
order by line
