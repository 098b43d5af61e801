{#- What a project asks of the adapter, in one run-operation. -#}
{% macro look_around() %}
  {% set table = adapter.get_relation(none, 'recon', 'people_table') %}
  {% do log('columns ' ~ adapter.get_columns_in_relation(table) | map(attribute='name') | join(','), info=true) %}
  {% do log('rows ' ~ run_query('select count(*) from ' ~ table).columns[0].values()[0], info=true) %}
  {% set other = api.Relation.create(schema='other', identifier='t', type='table') %}
  {% do adapter.create_schema(other) %}
  {% do run_query('create table other.t using delta as select 1 as a') %}
  {% do adapter.rename_relation(other, api.Relation.create(schema='other', identifier='u', type='table')) %}
  {% do log('renamed ' ~ run_query('select a from other.u').columns[0].values()[0], info=true) %}
  {% do adapter.drop_relation(api.Relation.create(schema='other', identifier='u', type='table')) %}
  {% do adapter.drop_schema(other) %}
  {% do log('schema ' ~ adapter.check_schema_exists(none, 'other'), info=true) %}
{% endmacro %}
