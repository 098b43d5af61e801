{% macro record_rewritten() %}
{#
  Renders a query with a sentence per commit to audit_ledger or resolution_events that did anything but
  append, for a table whose property delta.appendOnly is off, and per run that was derived from a ledger
  that does not hold it any more. It asks Delta for the tables' history when the command is run.
#}
{%- set found = [] -%}
{%- set relations = {'audit_ledger': ref('audit_ledger'), 'resolution_events': ref('resolution_events')} -%}
{%- if execute and flags.WHICH in ('build', 'run') -%}
  {#- what appends, or leaves the rows as they are -#}
  {%- set harmless = ['CREATE TABLE', 'CREATE TABLE AS SELECT', 'CREATE OR REPLACE TABLE AS SELECT', 'STREAMING UPDATE',
    'ADD COLUMNS', 'CHANGE COLUMN', 'SET TBLPROPERTIES', 'UPGRADE PROTOCOL', 'OPTIMIZE', 'VACUUM START', 'VACUUM END',
    'COMPUTE STATISTICS', 'CLUSTER BY', 'SET TABLE COMMENT', 'UPDATE COLUMN METADATA'] -%}
  {%- for name, relation in relations.items() -%}
    {%- for commit in run_query("describe history " ~ relation).rows -%}
      {%- set operation, parameters = commit['operation'], commit['operationParameters'] | string -%}
      {%- set is_append = operation == 'WRITE' and 'Append' in parameters -%}
      {%- if not is_append and (operation not in harmless or (operation.startswith('CREATE') and commit['version'] > 0)) -%}
        {%- do found.append(name ~ ' was rewritten: version ' ~ commit['version'] ~ ' is a ' ~ operation ~ ' by '
          ~ (commit['userName'] or 'an unnamed user') ~ ' at ' ~ commit['timestamp']) -%}
      {%- endif -%}
    {%- endfor -%}
    {%- if run_query("show tblproperties " ~ relation ~ " ('delta.appendOnly')").rows[0]['value'] != 'true' -%}
      {%- do found.append(name ~ ' may be rewritten: its table property delta.appendOnly is not true') -%}
    {%- endif -%}
  {%- endfor -%}
{%- endif -%}
select sentence
from values
    (cast(null as string))
    {%- for sentence in found %},
    ({{ text_literal(sentence) }})
    {%- endfor %} as commits (sentence)
where sentence is not null

union all

select concat('audit_ledger has lost the run of ', standing.run_date, ' (', standing.run_id, ')') as sentence
from {{ ref('audit_standing') }} as standing
left anti join {{ ref('audit_ledger') }} as ledger on standing.run_id = ledger.run_id and ledger.record_type = 'run'
where standing.mismatch_id is null
{%- endmacro %}
