select
    file_name,
    pair_id,
    field,
    value,
    problem
from {{ ref('stg_recon__config_findings') }}
