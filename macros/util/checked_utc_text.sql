{% macro checked_utc_text(value, name='recon_now') %}
{#
  Returns a UTC time given as text in the form that SQL reads; a date stands for its midnight. Stops with
  a sentence if it is none, or no day of the calendar. name: what it was given as.
#}
  {%- set text = value | string | trim -%}
  {%- set form = '([0-9]{4}-[0-9]{2}-[0-9]{2})([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?' -%}
  {%- set is_time = modules.re.fullmatch(form, text) -%}
  {%- if is_time and execute -%}
    {%- set is_time = run_query("select try_cast('" ~ text ~ "' as timestamp) is not null as is_time").rows[0]['is_time'] -%}
  {%- endif -%}
  {%- if not is_time -%}
    {%- do exceptions.raise_compiler_error(name ~ " is '" ~ text ~ "'; write a UTC date or time such as 2026-01-31 02:00:00.") -%}
  {%- endif -%}
  {{ return(text ~ ' 00:00:00' if text | length == 10 else text | replace('T', ' ')) }}
{% endmacro %}
