-- a table: Spark's optimizer takes seconds over the many checks each time they are read
{{ config(materialized='table') }}

select
    file_name,
    pair_id,
    field,
    value,
    problem
from {{ ref('stg_recon__pair_findings') }}

union all

select
    file_name,
    pair_id,
    field,
    value,
    problem
from {{ ref('stg_recon__rule_findings') }}
