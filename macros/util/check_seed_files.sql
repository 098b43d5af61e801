{% macro check_seed_files() %}
{#
  Before anything runs: stops with a sentence when a seed file is empty (no header line), where dbt
  itself would only print StopIteration. dbt's checksum of the file tells; no file is read here.
#}
  {%- if execute -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'seed' and node.package_name == 'recon'
        and node.checksum.checksum == 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' -%}
      {%- do exceptions.raise_compiler_error(
        node.original_file_path ~ " is empty: not even a header line. Restore at least its header: "
        ~ node.columns.keys() | join(',')) -%}
    {%- endfor -%}
  {%- endif -%}
{% endmacro %}
