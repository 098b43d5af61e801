{%- set ledger = recorded_relation('audit_ledger') -%}
{%- set events = recorded_relation('resolution_events') -%}

{% if ledger is none -%}

select
    cast(null as string) as pair_id,
    cast(null as string) as original_pair_id,
    cast(null as string) as run_id,
    cast(null as timestamp) as run_ts,
    cast(null as string) as status,
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

known_plans as (

    select
        pair_id,
        collect_set(plan_hash) as plan_hashes
    from ledger
    where record_type = 'pair_plan'
    group by pair_id

),

last_results as (

    select
        original_pair_id,
        max_by(struct(pair_id, run_id, run_ts, status, seconds), run_ts) as last
    from ledger
    where record_type = 'pair_result' and status <> 'not_run'
    group by original_pair_id

)

select
    results.last.pair_id as pair_id,
    results.original_pair_id,
    results.last.run_id as run_id,
    results.last.run_ts as run_ts,
    results.last.status as status,
    coalesce(plans.plan_hashes, array()) as plan_hashes,
    results.last.seconds as seconds,
    cast(null as string) as run_digest
from last_results as results
left join known_plans as plans on results.last.pair_id = plans.pair_id

union all

select
    cast(null as string) as pair_id,
    cast(null as string) as original_pair_id,
    run_id,
    run_ts,
    cast(null as string) as status,
    cast(null as array<string>) as plan_hashes,
    cast(null as double) as seconds,
    (
        select sha2(array_join(sort_array(collect_list(digests.digest)), ''), 256)
        from (select digest from row_digests union all select digest from event_digests) as digests
    ) as run_digest
from last_run

{%- endif %}
