-- the counter as the last run of each date committed it; later closings do not change it
select
    run_date,
    max_by(open_mismatches, run_ts) as open_mismatches,
    max_by(accepted, run_ts) as accepted,
    max_by(closed_unverified, run_ts) as closed_unverified
from parity_counter_history
group by run_date
order by run_date
