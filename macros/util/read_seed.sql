{% macro read_seed(seed_relation, column_names, required) %}
{#
  Renders a query over a seed: every expected column as trimmed text, blank as NULL; a column that
  the file leaves out is NULL; lines of nothing but separators are left out. Another separator than the
  comma, a column that recon does not know and a missing one stop the run with a sentence.
  column_names: the columns of the file; required: those that it must have.
#}
  {%- set actual = [] -%}
  {%- if execute -%}
    {%- set file = "seeds/" ~ seed_relation.identifier ~ ".csv" -%}
    {%- for column in adapter.get_columns_in_relation(seed_relation) -%}
      {%- do actual.append(column.name | lower) -%}
    {%- endfor -%}
    {%- for name in actual if name not in column_names -%}
      {%- if separator_problem(name) -%}
        {%- do exceptions.raise_compiler_error(file ~ ", line 1: " ~ separator_problem(name)) -%}
      {%- endif -%}
      {#- dbt numbers a name that comes again, and gives a letter for none -#}
      {%- set twice, place = modules.re.fullmatch('(.+)_[0-9]+', name), actual.index(name) -%}
      {%- if twice and twice.group(1) in column_names -%}
        {%- do exceptions.raise_compiler_error(
          file ~ ", line 1: the column " ~ twice.group(1) ~ " stands twice. Remove one of them, with its field in each line.") -%}
      {%- elif name == 'abcdefghijklmnopqrstuvwxyz'[place:place + 1] -%}
        {%- do exceptions.raise_compiler_error(
          file ~ ", line 1: column " ~ (place + 1) ~ " has no name, or the name " ~ name ~ ", which recon does not know. Remove it, "
          ~ "mostly a comma too many, or give it one of the names: " ~ column_names | join(', ') ~ ".") -%}
      {%- endif -%}
      {%- do exceptions.raise_compiler_error(
        file ~ ", line 1: it has a column '" ~ name ~ "' that recon does not know"
        ~ nearest_word(name, column_names) ~ ". Rename or remove it; the columns are: " ~ column_names | join(', ') ~ ".") -%}
    {%- endfor -%}
    {#- without any column the seed was not loaded yet -#}
    {%- for name in required if actual and name not in actual -%}
      {%- do exceptions.raise_compiler_error(
        file ~ ", line 1: the column " ~ name ~ " is missing. Add it to the header.") -%}
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
