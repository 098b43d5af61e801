{%- from "utc_text.jinja" import utc -%}
-- episodes of mismatches by how long it took to close them by name
with episodes as (
    select
        pair_id,
        coalesce(wave, 'no wave') as wave,
        diff_type,
        coalesce(assignee, 'nobody') as assignee,
        state,
        cast({{ utc('first_seen_ts') }} as date) as first_seen_date,
        case
            when time_to_close is null then 'not closed'
            when time_to_close < 24 then 'under a day'
            when time_to_close < 72 then '1-3 days'
            when time_to_close < 168 then '3-7 days'
            when time_to_close < 672 then '1-4 weeks'
            else 'over 4 weeks'
        end as closed_within
    from mismatch_lifecycle
)
select
    pair_id,
    wave,
    diff_type,
    assignee,
    state,
    first_seen_date,
    closed_within,
    count(*) as mismatches
from episodes
group by pair_id, wave, diff_type, assignee, state, first_seen_date, closed_within
