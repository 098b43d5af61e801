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
        config_hash,
        max_age_hours,
        findings
    from {{ ref('stg_recon__pairs') }}
    where is_enabled

),

-- per pair, latest first: its results other than not_run
results as (

    select
        original_pair_id,
        max_by(struct(pair_id, wave, owner, max_age_hours), run_ts) as labels,
        sort_array(
            collect_list(if(status <> 'not_run', struct(run_ts, status, config_hash, error_message), null)), false
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

histories as (

    select
        original_pair_id,
        labels,
        get(attempts, 0) as last_attempt,
        get(compared, 0) as last_comparison,
        slice(compared, 1, coalesce(
            nullif(array_position(transform(compared, c -> c.status), 'mismatch'), 0) - 1, size(compared)
        )) as clean_runs
    from comparisons

),

open_items as (

    select
        original_pair_id,
        count(*) as open_count,
        sum(counted_differences) as open_exact_total
    from {{ ref('open_mismatches') }}
    group by original_pair_id

),

facts as (

    select
        coalesce(configured.pair_id, histories.labels.pair_id) as pair_id,
        coalesce(configured.original_pair_id, histories.original_pair_id) as original_pair_id,
        if(configured.pair_id is null, histories.labels.wave, configured.wave) as wave,
        if(configured.pair_id is null, histories.labels.owner, configured.owner) as owner,
        configured.pair_id is not null as is_configured,
        configured.config_hash,
        configured.findings,
        coalesce(configured.max_age_hours, histories.labels.max_age_hours) as max_age_hours,
        histories.last_attempt,
        histories.last_comparison,
        (unix_micros({{ utc_now() }}) - unix_micros(histories.last_comparison.run_ts)) / 3600000000 as age_hours,
        coalesce(open_items.open_count, 0) as open_count,
        coalesce(open_items.open_exact_total, 0) as open_exact_total,
        get(histories.clean_runs, size(histories.clean_runs) - 1).run_ts as clean_since_ts,
        if(histories.clean_runs is null, 0, size(histories.clean_runs)) as consecutive_clean_runs
    from configured
    full join histories on configured.original_pair_id = histories.original_pair_id
    left join open_items
        on coalesce(configured.original_pair_id, histories.original_pair_id) = open_items.original_pair_id

),

judged as (

    select
        *,
        filter(
            array(
                named_struct('reason', 'not_configured', 'sentence', if(
                    is_configured, null, 'it is no longer configured: put it back into seeds/table_pairs.csv and enable it'
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
