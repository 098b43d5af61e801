{%- from "utc_text.jinja" import utc_text -%}
-- how each pair stands: what is new, still there or gone since the comparison before, and who is on it
with people as (
    select
        original_pair_id,
        array_join(array_sort(collect_set(assignee)), ', ') as assignees,
        array_join(array_sort(collect_set(ticket)), ', ') as tickets
    from open_mismatches
    group by original_pair_id
),
last_nights as (
    select original_pair_id, cast(max(run_date) as string) as night
    from audit_log
    where record_type = 'pair_result' and status <> 'not_run'
    group by original_pair_id
)
select
    -- a stale pair may be broken by now
    if(status.is_stale, least(status.sort_order, 5), status.sort_order) as sort_order,
    status.pair_id,
    last_nights.night,
    coalesce(status.wave, 'no wave') as wave,
    status.owner,
    if(status.is_stale, concat(status.state, ', stale'), status.state) as state,
    status.open_count,
    status.new_count,
    status.seen_again_count + status.reappeared_count as still_count,
    status.gone_count,
    nullif(people.assignees, '') as assignees,
    nullif(people.tickets, '') as tickets,
    {{ utc_text('status.last_compared_ts') }} as last_compared,
    status.sentence
from pair_status as status
left join people on status.original_pair_id = people.original_pair_id
left join last_nights on status.original_pair_id = last_nights.original_pair_id
order by sort_order, status.pair_id
