{#- columns that a carried or derived row replaces; the others come from the ledger's row -#}
{%- set own = 'run_id, run_ts, run_date, record_type, mismatch_id, diff_type, occurrences' -%}

-- per pair, in order of time: its comparisons, and the groups of differences they could not list whole
with comparisons as (

    select
        original_pair_id,
        array_sort(collect_list(if(
            record_type = 'pair_result' and status in ('match', 'mismatch'), struct(run_ts, run_id), null
        ))) as compared,
        collect_list(if(
            diff_type = 'not_recorded', struct(run_ts, not_recorded_diff_type, lower(target_column) as target_column, recorded_up_to), null
        )) as capped
    from {{ ref('audit_ledger') }}
    where record_type = 'pair_result' or diff_type = 'not_recorded'
    group by original_pair_id

),

candidates as (

    select * from {{ ref('audit_ledger') }} where record_type in ('difference', 'pair_result')

),

-- a later comparison gives no verdict on a difference that lies behind its cap
later_comparisons as (

    select
        candidates.*,
        if(
            candidates.record_type = 'difference' and size(comparisons.capped) > 0,
            transform(
                filter(comparisons.compared, c -> c.run_ts > candidates.run_ts),
                c -> struct(c.run_id, not exists(
                    comparisons.capped,
                    g -> g.run_ts = c.run_ts and g.not_recorded_diff_type = candidates.diff_type
                    and g.target_column <=> lower(candidates.target_column)
                    and g.recorded_up_to < candidates.mismatch_id
                ) as gives_verdict)
            ),
            array()
        ) as later
    from candidates
    inner join comparisons on candidates.original_pair_id = comparisons.original_pair_id

),

-- the comparisons as of which a ledger row is what is known: its own, and later ones without a verdict
valid as (

    select
        * except (later),
        explode(concat(
            array(run_id),
            transform(
                slice(later, 1, coalesce(
                    nullif(array_position(transform(later, c -> c.gives_verdict), true), 0) - 1, size(later)
                )),
                c -> c.run_id
            )
        )) as valid_in_run_id
    from later_comparisons

),

-- rule 2 takes a pair's differences, rule 3 the result that says why it is not compared
wanted as (

    select
        original_pair_id,
        run_id,
        run_ts,
        run_date,
        explode(array(
            struct('difference' as record_type, base_run_id as valid_in_run_id),
            struct('pair_result' as record_type, if(is_not_compared, attempt_run_id, null) as valid_in_run_id)
        )) as source_row
    from {{ ref('audit_pair_runs') }}

),

all_rows as (

    -- rule 1
    select
        {{ own }},
        ledger.* except ({{ own }}),
        cast(null as boolean) as resolved,
        cast(null as timestamp) as carried_from_run_ts
    from {{ ref('audit_ledger') }} as ledger
    where record_type in ('run', 'pair_result', 'observation')

    union all

    select
        wanted.run_id,
        wanted.run_ts,
        wanted.run_date,
        'difference' as record_type,
        if(
            valid.record_type = 'difference',
            valid.mismatch_id,
            sha2(to_json(array(valid.original_pair_id, 'not_compared', null, null, null, null)), 256)
        ) as mismatch_id,
        if(valid.record_type = 'difference', valid.diff_type, 'not_compared') as diff_type,
        if(valid.record_type = 'difference', valid.occurrences, 1) as occurrences,
        valid.* except ({{ own }}, valid_in_run_id),
        false as resolved,
        if(valid.run_id = wanted.run_id, null, valid.run_ts) as carried_from_run_ts
    from wanted
    inner join valid
        on
            wanted.original_pair_id = valid.original_pair_id
            and wanted.source_row.record_type = valid.record_type
            and wanted.source_row.valid_in_run_id = valid.valid_in_run_id

)

select
    *,
    cast(null as timestamp) as resolved_ts,
    cast(null as string) as resolved_by,
    cast(null as string) as resolution
from all_rows
