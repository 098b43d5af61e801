{% snapshot people_history %}
{{ config(target_schema='recon', unique_key='id', strategy='check', check_cols=['name']) }}
select id, name from {{ ref('people') }}
{% endsnapshot %}
