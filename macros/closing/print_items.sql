{% macro print_items(items) %}
{#
  Prints mismatches, a line each: id, pair, diff type, column, state, first seen, assignee. No key and no
  value: what is printed is in dbt's log too. open_mismatches has them.
#}
  {%- for item in items -%}
    {%- do log("  " ~ [
      item['mismatch_id'][:12], item['pair_id'], item['diff_type'], item['target_column'] or '-', item['state'],
      'since ' ~ item['first_seen_ts'], item['assignee'] or 'nobody on it'] | join('  '), info=true) -%}
  {%- endfor -%}
{% endmacro %}
