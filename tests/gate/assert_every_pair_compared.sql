select *
from {{ ref('gate_findings') }}
where reason in ('no_pairs', 'never_compared', 'error', 'not_configured', 'configuration_changed', 'configuration_invalid')
