{% macro drift_band(baseline, floor_pct=none) %}
{#
  Renders how far from the baseline's median a value may be.
  baseline: a struct of baseline_of; floor_pct: least width in per cent of the median, by default
  var recon_drift_floor_pct.
#}
greatest(
    {{ var('recon_drift_k') }} * 1.4826D * {{ baseline }}.mad,
    {{ floor_pct or var('recon_drift_floor_pct') }} / 100D * {{ baseline }}.median,
    {{ var('recon_drift_floor') }}
)
{%- endmacro %}
