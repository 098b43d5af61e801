{%- set ledger = recorded_relation('audit_ledger') -%}
{%- set events = recorded_relation('resolution_events') -%}

{% if ledger is none -%}

select
    cast(null as string) as pair_id,
    cast(null as string) as original_pair_id,
    cast(null as string) as run_id,
    cast(null as timestamp) as run_ts,
    cast(null as string) as status,
    cast(null as string) as error_class,
    cast(null as array<struct<pair_id: string, run_ts: timestamp>>) as names,
    cast(null as array<string>) as plan_hashes,
    cast(null as double) as seconds,
    cast(null as string) as run_digest
where false

{%- else -%}

with ledger as (

    select * from {{ ledger }}

),

last_run as (

    select
        run_id,
        run_ts
    from ledger
    where record_type = 'run'
    order by run_ts desc
    limit 1

),

event_digests as (

    {% if events is none -%}
    select cast(null as string) as digest where false
    {%- else -%}
    select sha2(to_json(struct(*), map('timeZone', 'UTC')), 256) as digest from {{ events }}
    {%- endif %}

),

row_digests as (

    select sha2(to_json(struct(ledger.*), map('timeZone', 'UTC')), 256) as digest
    from ledger
    inner join last_run on ledger.run_id = last_run.run_id

),

results_by_name as (

    select
        original_pair_id,
        pair_id,
        max(run_ts) as last_named_ts,
        max(if(status <> 'not_run', struct(run_ts, run_id, status, seconds, error_class), null)) as last,
        collect_set(if(record_type = 'pair_plan', plan_hash, null)) as plan_hashes
    from ledger
    where record_type in ('pair_result', 'pair_plan')
    group by original_pair_id, pair_id

),

last_results as (

    select
        original_pair_id,
        max(struct(last, pair_id)) as latest,
        sort_array(collect_list(struct(pair_id, last_named_ts as run_ts))) as names,
        array_distinct(flatten(collect_list(plan_hashes))) as plan_hashes
    from results_by_name
    group by original_pair_id

)

select
    results.latest.pair_id as pair_id,
    results.original_pair_id,
    results.latest.last.run_id as run_id,
    results.latest.last.run_ts as run_ts,
    results.latest.last.status as status,
    results.latest.last.error_class as error_class,
    results.names,
    results.plan_hashes,
    results.latest.last.seconds as seconds,
    cast(null as string) as run_digest
from last_results as results
where results.latest.last is not null

union all

select
    cast(null as string) as pair_id,
    cast(null as string) as original_pair_id,
    run_id,
    run_ts,
    cast(null as string) as status,
    cast(null as string) as error_class,
    cast(null as array<struct<pair_id: string, run_ts: timestamp>>) as names,
    cast(null as array<string>) as plan_hashes,
    cast(null as double) as seconds,
    (
        select sha2(array_join(sort_array(collect_list(digests.digest)), ''), 256)
        from (select digest from row_digests union all select digest from event_digests) as digests
    ) as run_digest
from last_run

{%- endif %}
