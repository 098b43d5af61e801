{% macro checked_utc_text(value) %}
{# Returns a UTC time given as text in the form that SQL reads; stops with a sentence if it is none. #}
  {%- set text = value | string | trim -%}
  {%- if not modules.re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?', text) -%}
    {%- do exceptions.raise_compiler_error(
      "recon_now is '" ~ text ~ "'; write a UTC time such as 2026-01-31 02:00:00.") -%}
  {%- endif -%}
  {{ return(text | replace('T', ' ')) }}
{% endmacro %}
