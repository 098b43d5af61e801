{{ config(materialized='view') }}
select id, name, array(id) as ids from {{ ref('people') }}
