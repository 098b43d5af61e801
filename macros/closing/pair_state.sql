{% macro pair_state(pair_id) %}
{# Renders FROM and WHERE of the row of audit_pair_runs that says what the last run knew of a pair. #}
 from {{ ref('audit_pair_runs') }} where labels.pair_id = {{ text_literal(pair_id) }}
 and run_ts = (select max(run_ts) from {{ ref('audit_standing') }})
{%- endmacro %}
