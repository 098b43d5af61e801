with pairs as (

    select
        *,
        last_attempt as latest_attempt,
        last_comparison as latest,
        previous_comparison as previous,
        get(clean_runs, size(clean_runs) - 1).run_ts as clean_since_ts
    from {{ ref('audit_pair_histories') }}

),

-- what the last comparison saw against the one before; behind a cap nothing is gone
changes as (

    select
        found.original_pair_id,
        count_if(found.run_id = pairs.latest.run_id and found.previous_seen_ts is null) as new_count,
        count_if(found.run_id = pairs.latest.run_id and found.previous_seen_ts is not null and not found.was_absent) as seen_again_count,
        count_if(found.absent.run_ts = pairs.latest.run_ts) as gone_count,
        count_if(found.run_id = pairs.latest.run_id and found.was_absent) as reappeared_count
    from {{ ref('audit_sightings') }} as found
    inner join pairs on found.original_pair_id = pairs.original_pair_id
    where found.diff_type <> 'not_recorded'
    group by found.original_pair_id

),

states as (

    select
        pairs.labels.pair_id as pair_id,
        pairs.original_pair_id,
        pairs.labels.wave as wave,
        pairs.labels.owner as owner,
        case
            when pairs.is_retired then 'retired'
            when pairs.latest_attempt is null then 'never_compared'
            when pairs.latest_attempt.status = 'error' then 'error'
            when pairs.latest.status = 'mismatch' and coalesce(pairs.previous.status, 'match') = 'match' then 'broken'
            when pairs.latest.status = 'mismatch' then 'still_broken'
            when pairs.previous.status = 'mismatch' then 'repaired'
            else 'clean'
        end as state,
        pairs.latest_attempt.run_ts as last_result_ts,
        pairs.latest.run_ts as last_compared_ts,
        pairs.clean_since_ts,
        pairs.latest_attempt.totals as totals,
        pairs.latest_attempt.error_message as error_message,
        pairs.latest_attempt.row_count = 0 as is_empty,
        pairs.previous is null as is_first,
        not pairs.is_retired
        and coalesce(open_items.open_not_compared, 0) = 0
        and coalesce(
            unix_micros({{ utc_now() }}) - unix_micros(pairs.latest.run_ts) > pairs.labels.max_age_hours * 3600000000, false
        ) as is_stale,
        coalesce(open_items.open_mismatches, 0) as open_count,
        coalesce(open_items.open_exact_total, 0) as open_exact_total,
        coalesce(changes.new_count, 0) as new_count,
        coalesce(changes.seen_again_count, 0) as seen_again_count,
        coalesce(changes.gone_count, 0) as gone_count,
        coalesce(changes.reappeared_count, 0) as reappeared_count
    from pairs
    left join changes on pairs.original_pair_id = changes.original_pair_id
    left join {{ ref('audit_open_counts') }} as open_items on pairs.original_pair_id = open_items.original_pair_id

)

select
    * except (is_empty, is_first),
    case state
        when 'retired' then 'Retired.'
        when 'never_compared' then 'Never compared yet.'
        when 'error' then concat('Not compared: ', error_message)
        when 'clean' then if(is_empty, 'Nothing differs, but no row was left on either side.', 'Clean.')
        when 'repaired' then concat('Repaired: ', gone_count, ' recorded differences of the comparison before are gone.')
        else concat(
            case
                when is_first then 'Different at its first comparison: '
                when state = 'broken' then 'Broken since the comparison before: '
                else 'Still broken: '
            end,
            array_join(transform(array_sort(map_entries(totals)), t -> concat(t.value, ' ', t.key)), ', '),
            '; of the recorded ones ', new_count, ' new, ', seen_again_count, ' seen again, ', reappeared_count,
            ' reappeared, ', gone_count, ' gone.'
        )
    end as sentence,
    case state
        when 'broken' then 1
        when 'error' then 2
        when 'never_compared' then 3
        when 'still_broken' then 4
        when 'repaired' then 5
        when 'clean' then 6
        else 7
    end as sort_order
from states
