{%- from "utc_text.jinja" import utc_text -%}
-- episodes of drift, the one that matters most first
select
    rank,
    pair_id,
    coalesce(wave, 'no wave') as wave,
    owner,
    -- where only the cells within tolerance drifted
    if(drift in ('broke_from_clean', 'above_band', 'volume_shift'), drift, concat('tolerance ', tolerance_drift)) as drift,
    cast(run_date as string) as since,
    runs_alarming,
    judged_count,
    concat(
        if(is_open, 'open', concat('ended: ', ended_by)),
        if(is_muted, concat(', muted until ', {{ utc_text('muted_until_ts') }}), '')
    ) as state,
    sentence
from drift_alerts
order by rank
