{%- if execute and flags.WHICH in ('build', 'run') -%}
  {%- do check_wave() -%}
  {%- if recorded_relation('audit_ledger') is none -%}
    {%- do exceptions.raise_compiler_error(
      "Nothing has been compared yet: run the night first, dbt build --exclude tag:cutover_gate.") -%}
  {%- endif -%}
{%- endif -%}

with configured as (

    select
        pair_id,
        original_pair_id,
        wave,
        owner,
        source_relation,
        target_relation,
        config_hash,
        max_age_hours,
        findings
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

facts as (

    select
        coalesce(configured.pair_id, histories.labels.pair_id) as pair_id,
        coalesce(configured.original_pair_id, histories.original_pair_id) as original_pair_id,
        if(configured.pair_id is null, histories.labels.wave, configured.wave) as wave,
        if(configured.pair_id is null, histories.labels.owner, configured.owner) as owner,
        configured.pair_id is not null as is_configured,
        same_tables.pair_id as pair_of_same_tables,
        configured.config_hash,
        configured.findings,
        coalesce(configured.max_age_hours, histories.labels.max_age_hours) as max_age_hours,
        histories.last_attempt,
        histories.last_comparison,
        (unix_micros({{ utc_now() }}) - unix_micros(histories.last_comparison.run_ts)) / 3600000000 as age_hours,
        coalesce(open_items.open_mismatches, 0) as open_count,
        coalesce(open_items.open_exact_total, 0) as open_exact_total,
        coalesce(open_items.closed_unverified, 0) as unverified_count,
        drifting.drift_sentence,
        get(histories.clean_runs, size(histories.clean_runs) - 1).run_ts as clean_since_ts,
        if(histories.clean_runs is null, 0, size(histories.clean_runs)) as consecutive_clean_runs
    from configured
    full join histories on configured.original_pair_id = histories.original_pair_id
    left join {{ ref('audit_open_counts') }} as open_items
        on coalesce(configured.original_pair_id, histories.original_pair_id) = open_items.original_pair_id
    left join drifting on histories.original_pair_id = drifting.original_pair_id
    left join same_tables
        on
            configured.pair_id is null
            and histories.relations.source_relation = same_tables.source_relation
            and histories.relations.target_relation = same_tables.target_relation

),

judged as (

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
                    last_attempt.status = 'error', coalesce(last_attempt.error_message, 'its last comparison failed'), null
                )),
                named_struct('reason', 'configuration_invalid', 'sentence', if(
                    size(findings) > 0 and not coalesce(last_attempt.status = 'error', false),
                    array_join(findings, '; '), null
                )),
                named_struct('reason', 'configuration_changed', 'sentence', if(
                    last_attempt.config_hash <> config_hash,
                    'its configuration has changed since the last run: run the night again', null
                )),
                -- an error and a pair never compared have their own sentence above
                named_struct('reason', 'open_items', 'sentence', if(
                    open_count > if(last_comparison is null or last_attempt.status = 'error', 1, 0),
                    concat('open differences: ', open_exact_total), null
                )),
                named_struct('reason', 'closed_unverified', 'sentence', if(
                    unverified_count > 0,
                    concat('closed as fixed, not yet verified by a comparison: ', unverified_count, ': run the night'), null
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
                ))
            ),
            found -> found.sentence is not null
        ) as reasons
    from facts

)

select
    wave,
    pair_id,
    original_pair_id,
    owner,
    size(reasons) = 0 as is_ready,
    reasons,
    clean_since_ts,
    consecutive_clean_runs,
    last_comparison.run_ts as last_compared_ts
from judged
