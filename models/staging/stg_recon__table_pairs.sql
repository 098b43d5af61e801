{%- set labels = ['wave', 'owner', 'enabled', 'note'] -%}
{%- set names = ['pair_id', 'source_relation', 'target_relation']
    + pair_settings() | map(attribute='name') | list + labels -%}

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
    {% for setting in pair_settings() %}
    {%- set default = var('recon_' ~ setting.name) | string | lower if setting.has_default else none %}
    {{ "coalesce(lower(" ~ setting.name ~ "), '" ~ default ~ "')" if setting.has_default else setting.name }} as {{ setting.name }}
    {{- "," if not loop.last }}
    {%- endfor %}
from seed
