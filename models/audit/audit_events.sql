-- each event once, with what is wrong with it: an event with a problem changes nothing
select
    * except (place),
    case when place > 1 then 'event_id is there already' else {{ event_problem() }} end as problem
from (
    select
        *,
        row_number() over (partition by event_id order by recorded_ts, event_ts) as place
    from {{ ref('resolution_events') }}
)
