-- per cell of the heat map a row for each difference its run found, or one row: the map groups, the table lists
with ranked as (
    select
        heat.*,
        status.open_count > 0 or status.is_stale as is_due,
        dense_rank() over (
            order by status.open_count > 0 or status.is_stale desc, status.sort_order, heat.pair_id
        ) as pair_rank,
        datediff(max(heat.run_date) over (), min(heat.run_date) over ()) + 1 as nights
    from mismatch_heat_map as heat
    inner join pair_status as status on heat.original_pair_id = status.original_pair_id
    where heat.run_date between :run_date.min and :run_date.max
),
-- a chart shows 10,000 rows: whole pairs, those with something open or stale first
cells as (
    select *
    from ranked
    where pair_rank * nights <= 10000
),
-- a row carried from an earlier night was not found in this one
differences as (
    select
        log.original_pair_id,
        log.run_id,
        log.diff_type,
        log.side,
        log.record_key,
        coalesce(log.target_column, log.source_column) as column_name,
        log.source_value,
        log.target_value,
        log.occurrences,
        coalesce(lifecycle.state, 'not compared') as state,
        coalesce(lifecycle.assignee, 'nobody') as assignee,
        lifecycle.resolved_by as closed_by,
        lifecycle.ticket,
        if(
            log.diff_type = 'not_recorded',
            concat('stands for ', log.occurrences, ' more ', log.not_recorded_diff_type), log.error_message
        ) as message,
        log.mismatch_id
    from audit_log as log
    left join mismatch_lifecycle as lifecycle
        on log.mismatch_id = lifecycle.mismatch_id
        and log.run_ts between lifecycle.first_seen_ts and lifecycle.last_seen_ts
    where log.record_type = 'difference'
        and log.carried_from_run_ts is null
        and log.run_date between :run_date.min and :run_date.max
)
select
    cells.pair_id,
    coalesce(cells.wave, 'no wave') as wave,
    cells.run_date,
    cast(cells.run_date as string) as night,
    cells.cell,
    if(cells.is_due, 'due', 'clean') as pair_now,
    if(differences.mismatch_id is null, 'cell', 'difference') as row_kind,
    differences.diff_type,
    differences.side,
    differences.record_key,
    differences.column_name,
    differences.source_value,
    differences.target_value,
    differences.occurrences,
    differences.state,
    differences.assignee,
    differences.closed_by,
    differences.ticket,
    differences.message,
    differences.mismatch_id
from cells
left join differences on cells.original_pair_id = differences.original_pair_id and cells.run_id = differences.run_id
order by cells.pair_rank, cells.run_date desc, differences.diff_type, differences.mismatch_id
