{% macro check_wave() %}
{# Stops with a sentence when var recon_wave is given: waves cannot be selected in this release. #}
  {%- if var('recon_wave') -%}
    {%- do exceptions.raise_compiler_error(
      "recon_wave is not available in this release: leave it out. The night takes pair ids, "
      ~ "--vars '{recon_pairs: [id, ...]}'; the gate judges every pair.") -%}
  {%- endif -%}
{% endmacro %}
