{%- if execute and flags.WHICH in ('build', 'run') -%}
  {%- if recorded_relation('audit_ledger') is none -%}
    {%- do exceptions.raise_compiler_error(
      "Nothing has been compared yet: run the night first, dbt build --exclude tag:cutover_gate.") -%}
  {%- endif -%}
{%- endif -%}
{%- set required_clean_runs = var('recon_required_clean_runs') | int -%}

with configured as (

    select *
    from {{ ref('stg_recon__pairs') }}
    where is_enabled

),

histories as (

    select * from {{ ref('audit_pair_histories') }} where not is_retired

),

same_tables as (

    select
        source_relation,
        target_relation,
        min(pair_id) as pair_id
    from configured
    group by source_relation, target_relation

),

drifting as (

    select
        original_pair_id,
        max_by(if(drift in ('broke_from_clean', 'above_band') and not is_accepted, sentence, null), run_ts) as drift_sentence
    from {{ ref('baseline_drift') }}
    group by original_pair_id

),

moved_tables as (

    {{ tables_moved_on() | indent(4) }}

),

facts as (

    select
        coalesce(configured.pair_id, histories.labels.pair_id) as pair_id,
        coalesce(configured.original_pair_id, histories.original_pair_id) as original_pair_id,
        if(configured.pair_id is null, histories.labels.wave, configured.wave) as wave,
        if(configured.pair_id is null, histories.labels.owner, configured.owner) as owner,
        coalesce(configured.severity, 'error') as severity,
        configured.pair_id is not null as is_configured,
        same_tables.pair_id as pair_of_same_tables,
        configured.max_mismatched_rows,
        configured.max_mismatched_pct,
        configured.config_hash,
        configured.findings,
        coalesce(configured.max_age_hours, histories.labels.max_age_hours) as max_age_hours,
        histories.last_attempt,
        histories.last_comparison,
        histories.waves_since_clean,
        (unix_micros({{ utc_now() }}) - unix_micros(histories.last_comparison.run_ts)) / 3600000000 as age_hours,
        coalesce(open_items.open_mismatches, 0) as open_count,
        coalesce(open_items.open_exact_total, 0) as open_exact_total,
        coalesce(open_items.open_rows, 0) as open_rows,
        coalesce(open_items.open_not_compared, 0) as open_not_compared,
        coalesce(open_items.open_not_rows, 0) = 0
        and {{ is_inside_threshold('coalesce(open_items.open_rows, 0)', 'histories.last_comparison.larger_row_count') }}
            as is_inside_threshold,
        coalesce(open_items.closed_unverified, 0) as unverified_count,
        drifting.drift_sentence,
        clean_runs.clean_since_ts,
        coalesce(clean_runs.consecutive_clean_runs, 0) as consecutive_clean_runs,
        coalesce(clean_runs.clock_was_given, false) as clock_was_given,
        moved_tables.sentence as moved_sentence
    from configured
    full join histories on configured.original_pair_id = histories.original_pair_id
    left join {{ ref('audit_open_counts') }} as open_items
        on coalesce(configured.original_pair_id, histories.original_pair_id) = open_items.original_pair_id
    left join {{ ref('pair_clean_runs') }} as clean_runs on histories.original_pair_id = clean_runs.original_pair_id
    left join drifting on histories.original_pair_id = drifting.original_pair_id
    left join same_tables
        on
            configured.pair_id is null
            and histories.relations.source_relation = same_tables.source_relation
            and histories.relations.target_relation = same_tables.target_relation
    left join moved_tables on histories.original_pair_id = moved_tables.original_pair_id

),

judged as (

    select
        *,
        -- an error and a pair never compared have their own sentence; what else was not compared is inside no threshold
        open_not_compared > if(last_comparison is null or last_attempt.status = 'error', 1, 0)
        or (open_count > open_not_compared and not coalesce(is_inside_threshold, false)) as has_open_items
    from facts

),

reasons as (

    select
        *,
        filter(
            array(
                named_struct('reason', 'not_configured', 'sentence', if(
                    is_configured, null, concat(
                        'it is no longer configured: put it back into seeds/table_pairs.csv, or enable it there, or retire_pair',
                        coalesce(concat(
                            '; if ', pair_of_same_tables, ' is the same pair, of the same tables, give that renamed_from ', pair_id
                        ), '')
                    )
                )),
                named_struct('reason', 'never_compared', 'sentence', if(
                    last_comparison is null and last_attempt is null, 'it was never compared: run the night', null
                )),
                named_struct('reason', 'error', 'sentence', if(
                    last_attempt.status = 'error',
                    coalesce(regexp_replace(last_attempt.error_message, concat('^pair ', pair_id, ': '), ''), 'its last comparison failed'),
                    null
                )),
                named_struct('reason', 'configuration_invalid', 'sentence', if(
                    size(findings) > 0 and not coalesce(last_attempt.status = 'error', false),
                    array_join(findings, '; '), null
                )),
                named_struct('reason', 'configuration_changed', 'sentence', if(
                    last_attempt.config_hash <> config_hash,
                    'its configuration has changed since the last run: run the night again', null
                )),
                named_struct('reason', 'open_items', 'sentence', if(
                    has_open_items,
                    concat(
                        'open differences: ', open_exact_total,
                        coalesce(concat(', in ', open_rows, ' rows, of which ', {{ threshold_text() }}, ' are allowed'), '')
                    ), null
                )),
                named_struct('reason', 'closed_unverified', 'sentence', if(
                    unverified_count > 0,
                    concat('closed as fixed, not yet verified by a comparison: ', unverified_count, ': run the night'), null
                )),
                named_struct('reason', 'too_few_clean_runs', 'sentence', if(
                    last_comparison is not null and not has_open_items and consecutive_clean_runs < {{ required_clean_runs }},
                    concat(
                        'clean comparisons in a row: ', consecutive_clean_runs, ', it takes {{ required_clean_runs }}: run more nights'
                    ), null
                )),
                named_struct('reason', 'baseline_drift', 'sentence', concat(
                    'it left its baseline: ', drift_sentence, '; repair it, or accept_baseline'
                )),
                named_struct('reason', 'stale', 'sentence', if(
                    age_hours > max_age_hours,
                    concat(
                        'its last comparison is ', floor(age_hours), ' hours old and may be ',
                        max_age_hours, ': run the night'
                    ), null
                )),
                named_struct('reason', 'clock_was_given', 'sentence', if(
                    clock_was_given and not {{ counts_given_clock() }},
                    'the time of its last comparison was given (recon_now), not the engine\'s: run the night without it', null
                )),
                named_struct('reason', 'tables_moved_on', 'sentence', moved_sentence)
            ),
            found -> found.sentence is not null
        ) as reasons,
        -- a wave does not get rid of a broken pair by moving it
        if(
            has_open_items or last_attempt.status = 'error',
            coalesce(filter(waves_since_clean, w -> w is not null and not w <=> wave), array()), array()
        ) as former_waves
    from judged

),

-- in one pass: Spark would work out a pair's facts once for each time they are read
verdicts as (

    select
        *,
        explode(concat(
            array(named_struct('wave', wave, 'reasons', reasons)),
            transform(former_waves, former -> named_struct('wave', former, 'reasons', array(named_struct(
                'reason', 'moved_to_another_wave', 'sentence', concat(
                    'it was moved to ', coalesce(concat('wave ', wave), 'no wave'), ' with open differences: ', open_exact_total,
                    '; close them, or move it back'
                )
            ))))
        )) as verdict
    from reasons

)

select
    verdict.wave,
    pair_id,
    original_pair_id,
    owner,
    severity,
    size(verdict.reasons) = 0 or severity = 'warn' as is_ready,
    verdict.reasons,
    clean_since_ts,
    consecutive_clean_runs,
    last_comparison.run_ts as last_compared_ts
from verdicts
