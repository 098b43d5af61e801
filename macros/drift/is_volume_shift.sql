{% macro is_volume_shift(rows, baseline, runs) %}
{#
  Renders whether the compared rows of a side left their baseline: outside the band with a floor of
  1 per cent, or none where there were some.
#}
({{ runs }} >= {{ var('recon_baseline_min_runs') }} and (
    abs({{ rows }} - {{ baseline }}.median) > {{ drift_band(baseline, 1) }} or ({{ rows }} = 0 and {{ baseline }}.median > 0)
))
{%- endmacro %}
