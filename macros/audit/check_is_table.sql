{% macro check_is_table(relation) %}
{#
  Before a table that is never rebuilt is appended to: stops with a sentence when a view has its name,
  which dbt would replace.
  relation: the model's own.
#}
  {%- set existing = load_cached_relation(relation) -%}
  {%- if existing is not none and existing.is_view -%}
    {%- do exceptions.raise_compiler_error(
      relation ~ " is a view, but has to be the table that keeps the record. Rename or drop that view, or give "
      ~ "recon a schema of its own.") -%}
  {%- endif -%}
{% endmacro %}
