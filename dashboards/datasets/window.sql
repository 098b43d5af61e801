-- one row: what the heat map shows of the chosen dates, and what it leaves out
with nights as (
    select datediff(max(run_date), min(run_date)) + 1 as nights
    from mismatch_heat_map
    where run_date between :run_date.min and :run_date.max
),
pairs as (
    select count(*) as pairs, count_if(open_count > 0 or is_stale) as not_clean
    from pair_status
),
shown as (
    select *, least(pairs, floor(10000 / nights)) as shown
    from nights cross join pairs
)
select case
    when nights is null then 'No run on these dates: choose others.'
    when shown = pairs then concat('All ', pairs, ' pairs on ', nights, ' dates; ', not_clean, ' of them are not clean now.')
    else concat(
        shown, ' of ', pairs, ' pairs on ', nights, ' dates. Left out: ', pairs - shown, ' pairs, of which ',
        greatest(not_clean - shown, 0), ' are not clean now. Choose fewer dates to see them.'
    )
end as says
from shown
