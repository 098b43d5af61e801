with labels as (

    select
        *,
        lag(plan_hash) over (partition by original_pair_id order by run_ts) as previous_plan_hash
    from {{ ref('audit_comparisons') }}

),

comparisons as (

    select
        drift.*,
        labels.pair_id,
        labels.wave,
        labels.owner,
        labels.mismatch_count,
        labels.next_comparison.run_ts as next_run_ts,
        max(if(labels.plan_hash <> labels.previous_plan_hash, drift.run_date, null)) over (
            partition by drift.original_pair_id order by drift.run_ts
            rows between unbounded preceding and current row
        ) as compared_differently_since
    from {{ ref('audit_drift') }} as drift
    inner join labels on drift.original_pair_id = labels.original_pair_id and drift.run_id = labels.run_id

),

acceptances as (

    select
        original_pair_id,
        array_sort(collect_list(struct(event_ts, resolved_by))) as acceptances
    from {{ ref('audit_events') }}
    where problem is null and action = 'accept_baseline'
    group by original_pair_id

),

judged as (

    select
        comparisons.*,
        get(filter(acceptances.acceptances, a -> a.event_ts >= comparisons.run_ts and (
            comparisons.next_run_ts is null or a.event_ts < comparisons.next_run_ts
        )), 0) as acceptance
    from comparisons
    left join acceptances on comparisons.original_pair_id = acceptances.original_pair_id

),

named as (

    select
        *,
        case
            when count_drift in ('broke_from_clean', 'above_band') then count_drift
            when is_volume_shift then 'volume_shift'
            else count_drift
        end as drift
    from judged

)

select
    pair_id,
    original_pair_id,
    wave,
    owner,
    run_id,
    run_ts,
    run_date,
    mismatch_count,
    judged_count,
    within_tolerance_count,
    source_rows_compared,
    target_rows_compared,
    nights as baseline_runs,
    baseline.judged_count.median as baseline_median,
    band,
    judged_count - baseline.judged_count.median as change_abs,
    100 * (judged_count - baseline.judged_count.median) / nullif(baseline.judged_count.median, 0) as change_pct,
    drift,
    tolerance_drift,
    is_alarm,
    acceptance is not null as is_accepted,
    acceptance.event_ts as accepted_ts,
    acceptance.resolved_by as accepted_by,
    compared_differently_since,
    concat(
        case
            when nights = 0 then concat('Nothing to judge by yet: ', judged_count, ' differences')
            else concat(
                if(drift = 'learning', concat('Learning (', nights, ' of {{ var("recon_baseline_min_runs") }} nights): '), ''),
                'median ', {{ plain_number('baseline.judged_count.median') }}, ' over ', nights, ' nights, now ', judged_count
            )
        end,
        if(is_volume_shift, concat(
            '; rows compared ', source_rows_compared, ' / ', target_rows_compared, ', median ',
            {{ plain_number('baseline.source_rows_compared.median') }}, ' / ',
            {{ plain_number('baseline.target_rows_compared.median') }}
        ), ''),
        if(tolerance_drift in ('broke_from_clean', 'above_band'), concat(
            '; within tolerance ', within_tolerance_count, ', median ',
            {{ plain_number('baseline.within_tolerance_count.median') }}
        ), ''),
        if(compared_differently_since is null, '', concat('; compared differently since ', compared_differently_since)),
        if(acceptance is null, '', concat('; accepted as the new baseline by ', acceptance.resolved_by))
    ) as sentence
from named
