with configured as (

    select
        original_pair_id,
        max_mismatched_rows,
        max_mismatched_pct
    from {{ ref('stg_recon__pairs') }}
    where is_enabled

),

-- clean: all it found was accepted then, or lies inside the pair's threshold of now
comparisons as (

    select
        compared.original_pair_id,
        compared.run_ts,
        compared.clock_was_given,
        drift.judged_count = 0
        or coalesce(
            not (compared.is_empty or compared.has_schema_mismatch or compared.is_capped)
            and {{ is_inside_threshold(
                'compared.mismatched_row_count', 'greatest(compared.source_rows_compared, compared.target_rows_compared)'
            ) }},
            false
        ) as is_clean
    from {{ ref('audit_comparisons') }} as compared
    inner join {{ ref('audit_drift') }} as drift
        on compared.original_pair_id = drift.original_pair_id and compared.run_id = drift.run_id
    left join configured on compared.original_pair_id = configured.original_pair_id

),

broken as (

    select
        *,
        max(if(is_clean, null, run_ts)) over (partition by original_pair_id) as last_broken_ts
    from comparisons

)

select
    original_pair_id,
    min(if(last_broken_ts is null or run_ts > last_broken_ts, run_ts, null)) as clean_since_ts,
    count_if(last_broken_ts is null or run_ts > last_broken_ts) as consecutive_clean_runs,
    max_by(clock_was_given, run_ts) as clock_was_given
from broken
group by original_pair_id
