{{ gate_reasons(['no_pairs', 'never_compared', 'error', 'not_configured']) }}
{%- if var('recon_wave') %}

union all

-- a wave without a pair is not a wave that is ready
select *
from {{ ref('gate_findings') }}
where not exists (select 1 from {{ ref('gate_findings') }} as found where found.wave = {{ text_literal(var('recon_wave')) }})
{%- endif %}
