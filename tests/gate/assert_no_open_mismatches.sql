select * from {{ ref('gate_findings') }} where reason = 'open_items'
