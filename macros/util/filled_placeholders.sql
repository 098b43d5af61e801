{% macro filled_placeholders(seed_relation, column_names) %}
{#
  Returns columns of a seed for a select list, each placeholder in them, such as $ {catalog} without
  the blank, replaced by the var of that name. A name that no var has stays as it is.
#}
  {%- set placeholders = [] -%}
  {%- if execute and load_cached_relation(seed_relation) is not none -%}
    {%- set query -%}
      select distinct explode(regexp_extract_all(to_json(struct(*)), '[$][{]([A-Za-z_][A-Za-z0-9_]*)[}]'))
      from {{ seed_relation }}
      order by 1
    {%- endset -%}
    {%- for name in run_query(query).columns[0].values() if var(name, none) is not none -%}
      {#- in two parts: Spark itself replaces a placeholder in the text of a query -#}
      {%- do placeholders.append("concat('$', '{" ~ name ~ "}'), " ~ text_literal(var(name))) -%}
    {%- endfor -%}
  {%- endif -%}
  {%- set columns = [] -%}
  {%- for column_name in column_names -%}
    {%- set filled = namespace(sql=column_name) -%}
    {%- for placeholder in placeholders -%}
      {%- set filled.sql = "replace(" ~ filled.sql ~ ", " ~ placeholder ~ ")" -%}
    {%- endfor -%}
    {%- do columns.append(filled.sql ~ " as " ~ column_name) -%}
  {%- endfor -%}
  {{ return(columns) }}
{% endmacro %}
