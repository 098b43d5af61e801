{% macro read_seed(seed_relation, column_names) %}
{#
  Renders a query over a seed: every expected column as trimmed text, blank as NULL; a column that
  the file leaves out is NULL; lines of nothing but separators are left out. A column that recon
  does not know stops the run with a sentence.
#}
  {%- set actual = [] -%}
  {%- if execute -%}
    {%- for column in adapter.get_columns_in_relation(seed_relation) -%}
      {%- do actual.append(column.name | lower) -%}
    {%- endfor -%}
    {%- for name in actual if name not in column_names -%}
      {%- do exceptions.raise_compiler_error(
        "seeds/" ~ seed_relation.identifier ~ ".csv has a column '" ~ name ~ "' that recon does not "
        ~ "know. Rename or remove it; the columns are: " ~ column_names | join(', ') ~ ".") -%}
    {%- endfor -%}
  {%- endif -%}
  select
  {%- for name in column_names %}
    {% if name in actual -%}
    nullif(btrim(`{{ name }}`, ' \t\r\n'), '') as {{ name }}
    {%- else -%}
    cast(null as string) as {{ name }}
    {%- endif -%}
    {{ "," if not loop.last }}
  {%- endfor %}
  from {{ seed_relation }}
  {%- if actual %}
  -- over the seed's own columns: Spark's optimizer takes minutes when it is over those above
  where btrim(concat_ws('', `{{ actual | join('`, `') }}`), ' \t\r\n') <> ''
  {%- endif %}
{% endmacro %}
