{%- set labels = ['wave', 'owner', 'enabled', 'note'] -%}
{%- set names = ['pair_id', 'source_relation', 'target_relation']
    + pair_settings() | map(attribute='name') | list + labels -%}

{%- set settings = [] -%}
{%- for setting in pair_settings() -%}
{%- set name = setting.name -%}
{%- if setting.has_default -%}
{%- set default = var('recon_' ~ name) | string | lower -%}
{%- do settings.append("coalesce(lower(" ~ name ~ "), '" ~ default ~ "') as " ~ name) -%}
{%- else -%}
{%- do settings.append(name) -%}
{%- endif -%}
{%- endfor %}

with seed as (

    {{ read_seed(ref('table_pairs'), names) }}

)

select
    pair_id,
    source_relation,
    target_relation,
    wave,
    owner,
    note,
    coalesce(lower(enabled), 'true') as enabled,
    {{ settings | join(',\n    ') }}
from seed
