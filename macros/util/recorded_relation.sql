{% macro recorded_relation(model_name) %}
{#
  Returns the relation of a model of this project if its table or view exists, else none. It looks
  back at what an earlier run left, without making the calling model depend on it.
#}
  {%- if execute -%}
    {%- set node = graph.nodes['model.recon.' ~ model_name] -%}
    {{ return(adapter.get_relation(database=node.database, schema=node.schema, identifier=node.alias)) }}
  {%- endif -%}
  {{ return(none) }}
{% endmacro %}
