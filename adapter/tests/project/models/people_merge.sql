{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id') }}
select id, name from {{ ref('people') }}
