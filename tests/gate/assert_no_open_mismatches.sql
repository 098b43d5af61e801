select * from {{ ref('gate_findings') }} where reason in ('open_items', 'closed_unverified')
