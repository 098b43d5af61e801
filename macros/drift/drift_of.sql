{% macro drift_of(value, baseline, runs) %}
{#
  Renders the drift of a count against its baseline, by the band median + max(recon_drift_k x 1.4826
  x MAD, recon_drift_floor_pct of the median, recon_drift_floor): broke_from_clean, above_band,
  within_band, improved or learning.
  value: the count; baseline: a struct of baseline_of; runs: how many nights the baseline has.
#}
case
    when {{ baseline }}.largest = 0 and {{ value }} > 0 and {{ runs }} >= least({{ var('recon_baseline_min_runs') }}, 3)
        then 'broke_from_clean'
    when {{ runs }} < {{ var('recon_baseline_min_runs') }} then 'learning'
    when {{ baseline }}.largest > 0 and {{ value }} > {{ baseline }}.median + {{ drift_band(baseline) }} then 'above_band'
    when {{ value }} < {{ baseline }}.median - {{ drift_band(baseline) }} or ({{ value }} = 0 and {{ baseline }}.median > 0)
        then 'improved'
    else 'within_band'
end
{%- endmacro %}
