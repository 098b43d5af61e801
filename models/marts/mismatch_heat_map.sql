with runs as (

    select
        min(run_date) as first_date,
        max(run_date) as last_date
    from {{ ref('audit_ledger') }}
    where record_type = 'run'

),

results as (

    select
        results.original_pair_id,
        results.run_date,
        max_by(struct(
            results.run_id,
            results.run_ts,
            results.status,
            results.mismatch_count,
            coalesce(drift.judged_count, results.mismatch_count) as shown_count
        ), results.run_ts) as last
    from {{ ref('audit_ledger') }} as results
    left join {{ ref('audit_drift') }} as drift
        on results.original_pair_id = drift.original_pair_id and results.run_id = drift.run_id
    where results.record_type = 'pair_result' and results.status <> 'not_run'
    group by results.original_pair_id, results.run_date

),

pairs as (

    select
        original_pair_id,
        max_by(struct(pair_id, wave, owner), run_ts) as latest
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'
    group by original_pair_id

),

dates as (

    select explode(sequence(first_date, last_date)) as run_date from runs where first_date is not null

),

items as (

    select
        original_pair_id,
        run_id,
        mismatch_id,
        counted_differences,
        {{ covering_closing('run_ts') }} as closing_then
    from {{ ref('audit_items') }}
    where run_id = seen_run_id and not is_derived

),

-- of what a run found: how much is open now, and whether all was accepted then or is closed by name now
found as (

    select
        items.original_pair_id,
        items.run_id,
        sum(if(lifecycle.state = 'open', items.counted_differences, 0)) as still_open_count,
        bool_and(
            items.closing_then.resolution <=> 'accepted'
            or lifecycle.state in ('accepted', 'closed_unverified', 'closed_verified', 'retired')
        ) as is_closed
    from items
    inner join {{ ref('mismatch_lifecycle') }} as lifecycle
        on items.mismatch_id = lifecycle.mismatch_id and lifecycle.is_current
    group by items.original_pair_id, items.run_id

),

cells as (

    select
        pairs.latest.pair_id as pair_id,
        pairs.original_pair_id,
        pairs.latest.wave as wave,
        pairs.latest.owner as owner,
        dates.run_date,
        results.last.run_id as run_id,
        results.last.run_ts as run_ts,
        coalesce(results.last.status, 'no_run') as status,
        results.last.mismatch_count as mismatch_count,
        results.last.shown_count as shown_count,
        case
            when results.last is null then 'no_run'
            when results.last.status = 'error' then 'error'
            when results.last.shown_count = 0 then '0'
            when results.last.shown_count < 10 then '1-9'
            when results.last.shown_count < 100 then '10-99'
            when results.last.shown_count < 1000 then '100-999'
            else '1000+'
        end as bin,
        found.is_closed,
        coalesce(found.still_open_count, 0) as still_open_count
    from pairs
    cross join dates
    left join results on pairs.original_pair_id = results.original_pair_id and dates.run_date = results.run_date
    left join found on pairs.original_pair_id = found.original_pair_id and results.last.run_id = found.run_id

)

select
    * except (is_closed, still_open_count),
    case
        when is_closed then 'closed'
        when bin = 'no_run' then 'no run'
        else bin
    end as cell,
    still_open_count
from cells
