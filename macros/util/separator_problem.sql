{% macro separator_problem(header) %}
{#
  Returns a sentence when the text of a header shows that its file has another separator than the comma, else
  none.
#}
  {%- for separator, spelt in [(';', 'semicolons'), ('\t', 'tabs'), ('|', 'bars')] if separator in header -%}
    {{ return("the fields are separated by " ~ spelt ~ ". Save the file with commas between the fields.") }}
  {%- endfor -%}
  {{ return(none) }}
{% endmacro %}
