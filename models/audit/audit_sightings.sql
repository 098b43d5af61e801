-- each recorded difference of each run, with the comparison in which it was first found absent afterwards
with known as (

    select
        mismatch_id,
        seen_run_id,
        max_by(base_run_id, run_ts) as until_run_id
    from {{ ref('audit_standing') }}
    where is_behind_cap
    group by mismatch_id, seen_run_id

),

sightings as (

    select
        found.*,
        coalesce(known.until_run_id, found.run_id) as known_until_run_id,
        lag(found.run_ts) over in_time as previous_seen_ts,
        lead(found.run_ts) over in_time as next_seen_ts
    from {{ ref('audit_ledger') }} as found
    left join known on found.mismatch_id = known.mismatch_id and found.run_id = known.seen_run_id
    where found.record_type = 'difference'
    window in_time as (
        partition by found.mismatch_id
        order by found.run_ts
    )

),

judged as (

    select
        sightings.* except (known_until_run_id, wave, owner),
        seen_in.owner as owner_then,
        struct(seen_in.config_hash, seen_in.code_version) as seen_with,
        if(known_until.next_comparison.run_ts >= sightings.next_seen_ts, null, known_until.next_comparison) as absent
    from sightings
    inner join {{ ref('audit_comparisons') }} as seen_in
        on sightings.run_id = seen_in.run_id and sightings.original_pair_id = seen_in.original_pair_id
    inner join {{ ref('audit_comparisons') }} as known_until
        on
            sightings.known_until_run_id = known_until.run_id
            and sightings.original_pair_id = known_until.original_pair_id

)

select
    *,
    lag(absent) over (partition by mismatch_id order by run_ts) is not null as was_absent
from judged
