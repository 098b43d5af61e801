-- one row: what the heat map shows of the chosen dates, and what it leaves out
with runs as (
    select min(run_date) as first_date, max(run_date) as last_date
    from parity_counter_history
),
nights as (
    select datediff(least(last_date, :run_date.max), greatest(first_date, :run_date.min)) + 1 as nights
    from runs
    where last_date >= :run_date.min and first_date <= :run_date.max
),
pairs as (
    select count(*) as pairs, count_if(open_count > 0 or is_stale) as due
    from pair_status
),
shown as (
    select nights.nights, pairs.pairs, pairs.due, least(pairs.pairs, floor(10000 / nights.nights)) as shown
    from pairs left join nights on true
)
select case
    when nights is null then 'No run on these dates: choose others.'
    else concat(
        'Dates: ', nights, '. Pairs: ', shown, ' of ', pairs, '. Not clean or stale now: ', due, '.',
        if(shown = pairs, '', concat(
            ' Left out: ', pairs - shown, ' pairs, not clean or stale now: ', greatest(due - shown, 0),
            '. Choose fewer dates to see them.'
        ))
    )
end as says
from shown
