with pairs as (

    select
        original_pair_id,
        max_by(struct(pair_id, wave, owner), run_ts) as latest
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'
    group by original_pair_id

),

dates as (

    select explode(sequence(min(run_date), max(run_date))) as run_date
    from {{ ref('audit_ledger') }}
    where record_type = 'run'

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

)

select
    pairs.latest.pair_id as pair_id,
    pairs.original_pair_id,
    pairs.latest.wave as wave,
    pairs.latest.owner as owner,
    dates.run_date,
    results.last_result.run_id as run_id,
    results.last_result.run_ts as run_ts,
    coalesce(results.last_result.status, 'no_run') as status,
    results.last_result.mismatch_count as mismatch_count,
    results.last_result.shown_count as shown_count,
    case
        when results.last_result is null then 'no_run'
        when results.last_result.status = 'error' then 'error'
        when results.last_result.shown_count = 0 then '0'
        when results.last_result.shown_count < 10 then '1-9'
        when results.last_result.shown_count < 100 then '10-99'
        when results.last_result.shown_count < 1000 then '100-999'
        else '1000+'
    end as bin,
    case when found.is_closed then 'closed' when bin = 'no_run' then 'no run' else bin end as cell,
    coalesce(found.still_open_count, 0) as still_open_count
from pairs
cross join dates
left join {{ ref('audit_date_results') }} as results
    on pairs.original_pair_id = results.original_pair_id and dates.run_date = results.run_date
left join found on pairs.original_pair_id = found.original_pair_id and results.last_result.run_id = found.run_id
