{#- dbt compile --select pair_differences --vars '{pair_id: flights, run_date: 2026-01-31}', then paste -#}
select
    run_ts,
    diff_type,
    side,
    record_key,
    source_column,
    target_column,
    source_value,
    target_value,
    occurrences,
    carried_from_run_ts
from {{ ref('audit_log') }}
where
    record_type = 'difference'
    and pair_id = '{{ var("pair_id", "flights") }}'
    and run_ts = (
        select max(runs.run_ts)
        from {{ ref('audit_ledger') }} as runs
        where runs.record_type = 'run'{% if var('run_date', none) %} and runs.run_date = date '{{ var("run_date") }}'{% endif %}
    )
order by diff_type, target_column, record_key
