{%- set labels = ['wave', 'owner', 'enabled', 'renamed_from', 'note'] -%}
{%- set names = ['pair_id', 'source_relation', 'target_relation']
    + pair_settings() | map(attribute='name') | list + labels -%}

{%- set relations = filled_placeholders(ref('table_pairs'), ['source_relation', 'target_relation']) -%}
{%- set settings = [] -%}
{%- for setting in pair_settings() -%}
{%- set name = setting.name -%}
{%- if setting.has_default -%}
{%- set default = var('recon_' ~ name) | string | lower -%}
{%- set default = text_literal(default) -%}
{%- if setting.default_unless -%}
{%- set default = "if(" ~ setting.default_unless ~ " is null, " ~ default ~ ", null)" -%}
{%- endif -%}
{%- do settings.append("coalesce(lower(" ~ name ~ "), " ~ default ~ ") as " ~ name) -%}
{%- else -%}
{%- do settings.append(name) -%}
{%- endif -%}
{%- endfor %}

with seed as (

    {{ read_seed(ref('table_pairs'), names, ['pair_id', 'source_relation', 'target_relation']) }}

)

select
    pair_id,
    {{ relations | join(',
    ') }},
    wave,
    owner,
    note,
    renamed_from,
    coalesce(lower(enabled), 'true') as enabled,
    {{ settings | join(',\n    ') }}
from seed
