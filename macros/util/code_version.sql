{% macro code_version() %}
{#
  Returns which code gives the answer: the project's version and the beginnings of dbt's checksums of
  the two models that plan and compare.
#}
  {%- set parts = [var('recon_project_version')] -%}
  {%- if execute -%}
    {%- for name in ['int_recon__pair_plans', 'int_recon__comparisons'] -%}
      {%- do parts.append(graph.nodes['model.recon.' ~ name].checksum.checksum[:12]) -%}
    {%- endfor -%}
  {%- endif -%}
  {{ return(parts | join('+')) }}
{% endmacro %}
