-- a table: Spark's optimizer takes seconds over the many checks each time they are read
{{ config(materialized='table') }}

with findings as (

    select
        file_name,
        pair_id,
        field,
        value,
        sentence
    from {{ ref('stg_recon__pair_findings') }}

    union all

    select
        file_name,
        pair_id,
        field,
        value,
        sentence
    from {{ ref('stg_recon__rule_findings') }}

    union all

    -- a quote that is not closed makes one field of the lines behind it
    select
        'seeds/column_rules.csv' as file_name,
        cast(null as string) as pair_id,
        'rule' as field,
        rule as value,
        concat(
            'rule \'', coalesce(rule, ''), '\' on column \'', coalesce(column_name, ''), '\' of pairs \'',
            coalesce(pair_id, ''), '\' holds other lines of the file: the double quote before them is not closed, so their ',
            'rules are not there; close it'
        ) as sentence
    from {{ ref('stg_recon__column_rules') }}
    where concat_ws(',', column_name, side, rule, argument, reason) rlike '\n[a-z0-9_*]+,[^,\n]*,[^,\n]*,[a-z_]+,'

)

-- a remedy stands behind the last semicolon: it quotes nothing of the file, so it has none itself
select
    file_name,
    pair_id,
    field,
    value,
    regexp_extract(sentence, '(?s)^(.*); (.*)$', 1) as problem,
    regexp_extract(sentence, '(?s)^(.*); (.*)$', 2) as remedy
from findings
