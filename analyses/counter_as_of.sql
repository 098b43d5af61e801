{#- The counter as it was known at var moment (UTC text): the last run up to then, with the events up to then. -#}
{%- set moment = "timestamp'" ~ checked_utc_text(var('moment', '2026-01-31'), 'moment') ~ " UTC'" -%}

with items as (

    select
        run_id,
        run_ts,
        original_pair_id,
        diff_type,
        is_derived,
        counted_differences,
        {{ covering_closing(moment) }} as closing
    from {{ ref('audit_items') }}
    where
        mismatch_id is not null
        and run_ts = (
            select max(runs.run_ts) from {{ ref('audit_standing') }} as runs where runs.run_ts <= {{ moment }}
        )

)

select
    {{ moment }} as moment,
    max(run_ts) as as_of_ts,
    {{ counter_parts('closing is null', 'closing.resolution') | trim }},
    array_sort(collect_set(if(closing is null, original_pair_id, null))) as open_pairs
from items
