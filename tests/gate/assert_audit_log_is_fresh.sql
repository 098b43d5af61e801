select * from {{ ref('gate_findings') }} where reason = 'stale'
