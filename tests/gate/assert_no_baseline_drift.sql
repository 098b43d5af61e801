select * from {{ ref('gate_findings') }} where reason = 'baseline_drift'
