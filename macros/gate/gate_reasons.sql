{% macro gate_reasons(reasons) %}
{#
  Renders the query of a gate test: the findings with one of these reasons that turn the gate of var
  recon_wave, or of all pairs, red. A finding of no pair concerns every wave.
  reasons: list of reasons of gate_findings.
#}
select *
from {{ ref('gate_findings') }}
where
    severity = 'error'
    and reason in ('{{ reasons | join("', '") }}')
    {%- if var('recon_wave') %}
    and (wave = {{ text_literal(var('recon_wave')) }} or pair_id is null)
    {%- endif %}
{%- endmacro %}
