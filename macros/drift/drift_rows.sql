{% macro drift_rows(relation, holds_runs) %}
{#
  Renders the rows of audit_drift for the next run: each comparison in it against the nights before.
  A night is the last comparison of a date; one that alarmed is none, unless it was accepted as the new
  baseline. After an acceptance the nights begin with the accepted one, after a retirement behind it.
  relation: audit_drift; holds_runs: whether it exists already.
#}
{%- set measures = ['judged_count', 'within_tolerance_count', 'source_rows_compared', 'target_rows_compared'] -%}
{%- set facts = 'struct<' ~ measures | join(': bigint, ') ~ ': bigint>' -%}
with run as (

    {{ next_run(relation, holds_runs) | indent(4) }}

),

accepted as (

    select
        original_pair_id,
        sum(counted_differences) as accepted_count
    from {{ ref('audit_items') }}
    where
        run_date = (select run_date from run)
        and run_id = (select run_id from run)
        and seen_run_ts = run_ts
        and (size(closings) > 0 or size(group_closings) > 0)
        and {{ covering_closing('run_ts') }}.resolution = 'accepted'
    group by original_pair_id

),

comparisons as (

    select
        pair_runs.original_pair_id,
        pair_runs.run_id,
        pair_runs.run_ts,
        pair_runs.run_date,
        pair_runs.base.mismatch_count - coalesce(accepted.accepted_count, 0) as judged_count,
        pair_runs.base.within_tolerance_count,
        pair_runs.base.source_rows_compared,
        pair_runs.base.target_rows_compared
    from {{ ref('audit_pair_runs') }} as pair_runs
    left join accepted on pair_runs.original_pair_id = accepted.original_pair_id
    where
        pair_runs.run_date = (select run_date from run)
        and pair_runs.run_id = (select run_id from run)
        and pair_runs.base.run_id = pair_runs.run_id

),

earlier as (

    {% if holds_runs -%}
    select
        original_pair_id,
        run_ts,
        run_date,
        is_alarm,
        struct({{ measures | join(', ') }}) as facts
    from {{ relation }}
    where original_pair_id is not null
    {%- else -%}
    select
        original_pair_id,
        run_ts,
        run_date,
        false as is_alarm,
        struct({{ measures | join(', ') }}) as facts
    from comparisons
    where false
    {%- endif %}

),

events as (

    select
        original_pair_id,
        event_ts,
        false as is_retirement
    from {{ ref('audit_events') }}
    where problem is null and action = 'accept_baseline'

    union all

    select
        original_pair_id,
        retired.event_ts,
        true as is_retirement
    from {{ ref('audit_retirements') }}
    lateral view explode(retirements) as retired

),

-- the last comparison before somebody accepted a baseline or retired the pair
starts as (

    select
        events.original_pair_id,
        max(earlier.run_ts) as run_ts,
        max(if(events.is_retirement, events.event_ts, null)) as retired_ts
    from events
    inner join earlier on events.original_pair_id = earlier.original_pair_id and earlier.run_ts <= events.event_ts
    where events.event_ts < (select run_ts from run)
    group by events.original_pair_id

),

-- of each earlier date the last comparison
dates as (

    select
        earlier.original_pair_id,
        earlier.run_date,
        max_by(struct(
            earlier.facts,
            earlier.is_alarm and not coalesce(earlier.run_ts = starts.run_ts, false) as is_alarm
        ), earlier.run_ts) as last
    from earlier
    left join starts on earlier.original_pair_id = starts.original_pair_id
    where
        earlier.run_date < (select run_date from run)
        and (
            starts.run_ts is null
            or earlier.run_ts > starts.run_ts
            or (earlier.run_ts = starts.run_ts and not coalesce(starts.retired_ts >= starts.run_ts, false))
        )
    group by earlier.original_pair_id, earlier.run_date

),

nights as (

    select
        original_pair_id,
        transform(
            slice(sort_array(collect_list(struct(run_date, last.facts)), false), 1, {{ var('recon_baseline_runs') }}),
            n -> n.facts
        ) as facts
    from dates
    where not last.is_alarm
    group by original_pair_id

),

baselines as (

    select
        comparisons.*,
        coalesce(size(nights.facts), 0) as nights,
        struct(
            {%- for measure in measures %}
            {{ baseline_of("coalesce(nights.facts, cast(array() as array<" ~ facts ~ ">))", measure) }} as {{ measure }}
            {{- ',' if not loop.last }}
            {%- endfor %}
        ) as baseline
    from comparisons
    left join nights on comparisons.original_pair_id = nights.original_pair_id

),

judged as (

    select
        * except (run_id, run_ts, run_date),
        {{ drift_of('judged_count', 'baseline.judged_count', 'nights') }} as count_drift,
        {{ drift_of('within_tolerance_count', 'baseline.within_tolerance_count', 'nights') }} as tolerance_drift,
        {{ is_volume_shift('source_rows_compared', 'baseline.source_rows_compared', 'nights') }}
        or {{ is_volume_shift('target_rows_compared', 'baseline.target_rows_compared', 'nights') }} as is_volume_shift,
        {{ drift_band('baseline.judged_count') }} as band
    from baselines

)

-- a run without a comparison has a row too: it has been looked at
select
    run.*,
    judged.*,
    judged.count_drift in ('broke_from_clean', 'above_band')
    or judged.tolerance_drift in ('broke_from_clean', 'above_band')
    or judged.is_volume_shift as is_alarm
from run
left join judged on true
{%- endmacro %}
