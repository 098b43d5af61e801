{% macro nearest_word(word, words) %}
{#
  Returns the end of a sentence that names the nearest of some words, such as ", the nearest is orders";
  empty without any. word: what was written; words: list of texts.
#}
  {%- if not words -%}
    {{ return('') }}
  {%- endif -%}
  {%- set literals = [] -%}
  {%- for known in words -%}
    {%- do literals.append(text_literal(known)) -%}
  {%- endfor -%}
  {%- set row = run_query("select " ~ nearest_of(text_literal(word), "array(" ~ literals | join(', ') ~ ")") ~ " as word").rows[0] -%}
  {{ return(", the nearest is " ~ row['word']) }}
{% endmacro %}
