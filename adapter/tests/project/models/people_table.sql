{{ config(materialized='table', grants={'select': ['nobody']}) }}
select id, name from {{ ref('people_view') }}
