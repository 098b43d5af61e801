{% macro pair_states(pairs_relation) %}
{#
  Renders a query of the enabled pairs with what earlier runs left of them: pair_id, wave, is_new (never
  tried), is_error (its last attempt failed), is_open (it has an open mismatch), is_stale (no successful
  comparison within its age).
  pairs_relation: the relation of stg_recon__pairs.
#}
{%- set runs, open_counts = recorded_relation('audit_pair_runs'), recorded_relation('audit_open_counts') -%}
{%- if runs is none or open_counts is none -%}
select
    pair_id,
    wave,
    true as is_new,
    false as is_error,
    false as is_open,
    true as is_stale
from {{ pairs_relation }}
where is_enabled
{%- else -%}
select
    pairs.pair_id,
    pairs.wave,
    last.attempt is null as is_new,
    coalesce(last.attempt.status = 'error', false) as is_error,
    coalesce(open_counts.open_mismatches > 0, false) as is_open,
    coalesce(unix_micros({{ utc_now() }}) - unix_micros(last.base.run_ts) > pairs.max_age_hours * 3600000000, true) as is_stale
from {{ pairs_relation }} as pairs
left join {{ runs }} as last
    on pairs.original_pair_id = last.original_pair_id and last.run_ts = (select max(run_ts) from {{ runs }})
left join {{ open_counts }} as open_counts on pairs.original_pair_id = open_counts.original_pair_id
where pairs.is_enabled
{%- endif -%}
{% endmacro %}
