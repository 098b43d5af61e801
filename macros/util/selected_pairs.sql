{% macro selected_pairs(pairs_relation) %}
{#
  Returns the ids of the enabled pairs that vars recon_pairs and recon_wave select, none where neither
  is given: a run of all pairs. recon_pairs takes ids, patterns with *, and @error, @open, @stale, @new.
  Stops with a sentence when one of them is empty or unknown, or nothing is selected.
  pairs_relation: the relation of stg_recon__pairs.
#}
  {%- set requested, wave = var('recon_pairs'), var('recon_wave') -%}
  {%- if requested is none and wave is none -%}
    {{ return(none) }}
  {%- endif -%}
  {%- if requested is not none and (requested is string or requested is not sequence or requested | length == 0) -%}
    {%- do exceptions.raise_compiler_error(
      "recon_pairs must be a list with at least one id, pattern or state in it, such as "
      ~ "--vars '{recon_pairs: [orders, \"ora_*\", \"@error\"]}'.") -%}
  {%- endif -%}
  {%- set states = {'@error': 'is_error', '@open': 'is_open', '@stale': 'is_stale', '@new': 'is_new'} -%}
  {%- set pairs = run_query(pair_states(pairs_relation)).rows -%}
  {%- set waves = pairs | map(attribute='wave') | select | unique | sort -%}
  {%- if wave is not none and wave not in waves -%}
    {%- do exceptions.raise_compiler_error(
      "recon_wave is '" ~ wave ~ "', which is the wave of no enabled pair" ~ nearest_word(wave, waves)
      ~ ". The waves are: " ~ waves | join(', ') ~ ".") -%}
  {%- endif -%}
  {%- set selected = [] -%}
  {%- for item in (['*'] if requested is none else requested) -%}
    {%- set fitting = [] -%}
    {%- for pair in pairs
        if (item in states and pair[states[item]]) or (item not in states and modules.re.fullmatch(item | string | replace('*', '.*'), pair['pair_id'])) -%}
      {%- do fitting.append(pair['pair_id']) -%}
      {%- if wave is none or pair['wave'] == wave -%}
        {%- do selected.append(pair['pair_id']) -%}
      {%- endif -%}
    {%- endfor -%}
    {%- if item not in states and not fitting -%}
      {%- do exceptions.raise_compiler_error(
        "recon_pairs names '" ~ item ~ "', which fits no enabled pair of seeds/table_pairs.csv"
        ~ nearest_word(item, (states | list) + (pairs | map(attribute='pair_id') | list)) ~ ". It takes pair ids, "
        ~ "patterns with *, and " ~ states | join(', ') ~ ". The enabled pairs are: "
        ~ pairs | map(attribute='pair_id') | sort | join(', ') ~ ".") -%}
    {%- endif -%}
  {%- endfor -%}
  {%- if not selected -%}
    {%- do exceptions.raise_compiler_error(
      "recon_pairs " ~ requested ~ (" of wave " ~ wave if wave else "") ~ " selects no pair now: nothing is compared.") -%}
  {%- endif -%}
  {{ return(selected | unique | sort) }}
{% endmacro %}
