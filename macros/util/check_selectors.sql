{% macro check_selectors(pairs_relation) %}
{#
  Stops with a sentence when var recon_pairs is empty, no list of ids, or names a pair that is not
  enabled in seeds/table_pairs.csv; and when var recon_wave is given, which is not built yet.
#}
  {%- do check_wave() -%}
  {%- set requested = var('recon_pairs') -%}
  {%- if requested is not none -%}
    {%- if requested is string or requested is not sequence or requested | length == 0 -%}
      {%- do exceptions.raise_compiler_error(
        "recon_pairs must be a list of pair ids with at least one in it, such as "
        ~ "--vars '{recon_pairs: [orders, customers]}'.") -%}
    {%- endif -%}
    {%- set known = run_query("select pair_id from " ~ pairs_relation ~ " where is_enabled order by 1").columns[0].values() -%}
    {%- for pair_id in requested if pair_id not in known -%}
      {%- do exceptions.raise_compiler_error(
        "recon_pairs names '" ~ pair_id ~ "', which is no enabled pair of seeds/table_pairs.csv"
        ~ (" (only pair ids can be selected in this release)" if '*' in pair_id or '@' in pair_id else "")
        ~ ". The enabled pairs are: " ~ known | join(', ') ~ ".") -%}
    {%- endfor -%}
  {%- endif -%}
{% endmacro %}
