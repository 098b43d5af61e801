{#- A node without a database has no such key, and dbt-databricks' snapshots read it all the same. -#}
{% macro databricks__get_or_create_relation(database, schema, identifier, type, needs_information=False) %}
  {%- do model.update({'database': none}) -%}
  {%- set found = adapter.get_relation(
    database=none, schema=schema, identifier=identifier, needs_information=needs_information
  ) -%}
  {%- set new = api.Relation.create(schema=schema, identifier=identifier, type=type) -%}
  {{ return([true, found] if found else [false, new]) }}
{% endmacro %}
