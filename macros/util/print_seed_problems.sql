{% macro print_seed_problems(results) %}
{#
  After a command in which a seed file could not be loaded: prints which line and why, where dbt itself counts
  rows from 0 and without the header, or prints what the engine says of column names.
  results: dbt's results of the command, as on-run-end has them.
#}
  {%- for result in results if result.node.resource_type == 'seed' and result.status == 'error' -%}
    {%- set file, message = result.node.original_file_path, result.message or '' -%}
    {%- set ragged = modules.re.search('Row ([0-9]+) has ([0-9]+) values, but Table only has ([0-9]+) columns', message) -%}
    {%- set names = modules.re.search('Invalid column names: (.*)', message) -%}
    {%- if ragged -%}
      {%- do log(file ~ ", line " ~ (ragged.group(1) | int + 2) ~ ": it has " ~ ragged.group(2) ~ " fields, the header "
        ~ ragged.group(3) ~ ". Nothing was compared. Put double quotes around a field that has a comma inside.", info=true) -%}
    {%- elif names -%}
      {%- do log(file ~ ", line 1: " ~ (separator_problem(names.group(1)) or ("a column has a character in its name that no column of "
        ~ "recon has: " ~ names.group(1) ~ " The columns are: " ~ result.node.columns.keys() | join(', ') ~ "."))
        ~ " Nothing was compared.", info=true) -%}
    {%- endif -%}
  {%- endfor -%}
{% endmacro %}
