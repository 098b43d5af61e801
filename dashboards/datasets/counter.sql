{%- from "utc_text.jinja" import utc_text -%}
-- the number of page 1 and the line under it: one row, read together
with most as (
    select max_by(pair_id, open_count) as pair_id, max(open_count) as open_count
    from pair_status
    where open_count > 0
)
select
    counter.counter,
    -- a zero that is not green is not shown: nothing was compared, or no pair is enabled
    if(counter.is_green or counter.counter > 0, 'yes', 'no') as is_shown,
    concat(
        coalesce({{ utc_text('counter.as_of_ts') }}, 'Nothing compared yet'),
        if(counter.last_closing_ts > counter.as_of_ts, concat(', closings until ', {{ utc_text('counter.last_closing_ts') }}), '')
    ) as as_of,
    case
        when counter.as_of_ts is null then 'no pair was compared'
        when counter.enabled_pairs = 0 then 'no pair is enabled: nothing was compared'
        else concat(counter.clean_pairs, ' of ', counter.clean_pairs + counter.open_pairs, ' pairs clean')
    end as pairs_clean,
    -- what is not recorded counts as one row for all of it
    coalesce(nullif(array_join(array(
        if(counter.open_differences > 0, concat('differences: ', counter.open_differences), null),
        if(counter.open_not_recorded > 0, concat(
            'beyond the cap: ', counter.open_not_recorded, ' (stands for ',
            counter.open_exact_total - counter.open_differences - counter.open_not_compared, ')'
        ), null),
        if(counter.open_not_compared > 0, concat('pairs not compared: ', counter.open_not_compared), null),
        if(counter.stale_pairs > 0, concat('pairs stale: ', counter.stale_pairs), null)
    ), ' + '), ''), 'nothing') as parts,
    coalesce(concat(most.pair_id, ': ', most.open_count), 'nowhere') as most_in,
    counter.closed_unverified,
    counter.accepted
from parity_counter as counter
cross join most
