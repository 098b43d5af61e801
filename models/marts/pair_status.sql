-- per pair, latest first: its results other than not_run
with results as (

    select
        original_pair_id,
        max_by(struct(pair_id, wave, owner), run_ts) as labels,
        array_sort(
            collect_list(if(status <> 'not_run', struct(
                run_ts, run_id, status, totals, error_message, source_rows_compared + target_rows_compared as row_count
            ), null)),
            (a, b) -> case when a.run_ts > b.run_ts then -1 when a.run_ts < b.run_ts then 1 else 0 end
        ) as attempts
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result'
    group by original_pair_id

),

comparisons as (

    select
        *,
        filter(attempts, a -> a.status <> 'error') as compared
    from results

),

pairs as (

    select
        original_pair_id,
        labels,
        get(attempts, 0) as latest_attempt,
        get(compared, 0) as latest,
        get(compared, 1) as previous,
        if(
            get(compared, 0).status = 'match',
            get(compared, coalesce(
                nullif(array_position(transform(compared, c -> c.status), 'mismatch'), 0) - 1, size(compared)
            ) - 1).run_ts,
            null
        ) as clean_since_ts
    from comparisons

),

-- each difference as the pair's last comparison, the one before and all earlier ones saw it
sightings as (

    select
        found.original_pair_id,
        found.mismatch_id,
        max(found.run_id = pairs.latest.run_id) as is_seen_now,
        max(found.run_id = pairs.previous.run_id) as was_seen_before,
        max(found.run_id <> pairs.latest.run_id) as was_ever_seen
    from {{ ref('audit_ledger') }} as found
    inner join pairs on found.original_pair_id = pairs.original_pair_id
    where found.record_type = 'difference' and found.diff_type <> 'not_recorded'
    group by found.original_pair_id, found.mismatch_id

),

-- what is open although it is not seen now lies behind a cap: it is not gone
judged as (

    select
        sightings.*,
        open_ids.mismatch_id is not null as is_open
    from sightings
    left join {{ ref('open_mismatches') }} as open_ids on sightings.mismatch_id = open_ids.mismatch_id

),

changes as (

    select
        original_pair_id,
        count_if(is_seen_now and not coalesce(was_seen_before, false) and not was_ever_seen) as new_count,
        count_if(is_seen_now and coalesce(was_seen_before, false)) as seen_again_count,
        count_if(not is_seen_now and coalesce(was_seen_before, false) and not is_open) as gone_count,
        count_if(is_seen_now and not coalesce(was_seen_before, false) and was_ever_seen) as reappeared_count
    from judged
    group by original_pair_id

),

open_items as (

    select
        original_pair_id,
        count(*) as open_count,
        sum(counted_differences) as open_exact_total
    from {{ ref('open_mismatches') }}
    group by original_pair_id

),

states as (

    select
        pairs.labels.pair_id as pair_id,
        pairs.original_pair_id,
        pairs.labels.wave as wave,
        pairs.labels.owner as owner,
        case
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
        coalesce(open_items.open_count, 0) as open_count,
        coalesce(open_items.open_exact_total, 0) as open_exact_total,
        coalesce(changes.new_count, 0) as new_count,
        coalesce(changes.seen_again_count, 0) as seen_again_count,
        coalesce(changes.gone_count, 0) as gone_count,
        coalesce(changes.reappeared_count, 0) as reappeared_count
    from pairs
    left join changes on pairs.original_pair_id = changes.original_pair_id
    left join open_items on pairs.original_pair_id = open_items.original_pair_id

)

select
    * except (is_empty, is_first),
    case state
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
        else 6
    end as sort_order
from states
