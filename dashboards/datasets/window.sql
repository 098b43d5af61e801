-- one row: what the heat map shows of the chosen dates, and what it leaves out
with nights as (
    select datediff(max(run_date), min(run_date)) + 1 as nights
    from mismatch_heat_map
    where run_date between :run_date.min and :run_date.max
),
pairs as (
    select count(*) as pairs, count_if(open_count > 0 or is_stale) as due
    from pair_status
),
shown as (
    select *, least(pairs, floor(10000 / nights)) as shown
    from nights cross join pairs
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
