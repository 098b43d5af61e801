{% macro nearest_of(value, words) %}
{#
  Renders a SQL expression: the word with the fewest letters to change (Levenshtein); of several the first by alphabet.
  value: SQL of a text; words: SQL of an array of texts, not empty.
#}
array_min(transform({{ words }}, word -> struct(levenshtein(lower({{ value }}), lower(word)) as distance, word as word))).word
{%- endmacro %}
