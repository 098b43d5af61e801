{%- set id = '^[a-z][a-z0-9_]*$' -%}

with pairs as (

    select
        pair_id,
        max(renamed_from) as renamed_from
    from {{ ref('stg_recon__table_pairs') }}
    where pair_id is not null
    group by pair_id

),

names as (

    select
        original_pair_id,
        pair_id as holder,
        explode(names) as name
    from {{ ref('stg_recon__last_results') }}
    where original_pair_id rlike '{{ id }}'

),

-- per id in the ledger: the identity it last had, and which id this identity has now
known as (

    select
        name.pair_id as name,
        max_by(struct(original_pair_id, holder), name.run_ts) as identity
    from names
    group by name.pair_id

),

facts as (

    select
        *,
        collect_set(pair_id) over () as all_ids,
        sort_array(collect_set(pair_id) over (partition by renamed_from)) as ids_of_renamed,
        (select map_from_entries(collect_list(struct(known.name, known.identity))) from known) as known
    from pairs

),

claims as (

    select
        *,
        coalesce(
            if(array_contains(all_ids, renamed_from), null, try_element_at(known, renamed_from)),
            try_element_at(known, pair_id),
            named_struct(
                'original_pair_id',
                if(renamed_from rlike '{{ id }}' and not array_contains(all_ids, renamed_from), renamed_from, pair_id),
                'holder', cast(null as string)
            )
        ) as claim
    from facts

),

-- an identity goes to the pair that has it in the ledger, else to the first that claims it
owned as (

    select
        *,
        first_value(pair_id) over (
            partition by claim.original_pair_id
            order by coalesce(pair_id = claim.holder, false) desc, pair_id
        ) as owner_id,
        collect_set(claim.original_pair_id) over () as all_claimed
    from claims

)

-- two pairs never share an identity, in error or not: the ids of their differences would be the same
select
    pair_id,
    case
        when pair_id = owner_id then claim.original_pair_id
        when array_contains(all_claimed, pair_id) then concat(pair_id, '#')
        else pair_id
    end as original_pair_id,
    case
        when renamed_from not rlike '{{ id }}' then concat('renamed_from is \'', renamed_from, '\', which is no id')
        when array_contains(all_ids, renamed_from)
            then concat('renamed_from is \'', renamed_from, '\', which is the id of a pair in table_pairs.csv')
        when renamed_from is not null and size(ids_of_renamed) > 1
            then concat('renamed_from is \'', renamed_from, '\' for each of ', array_join(ids_of_renamed, ', '))
        when pair_id <> owner_id
            then concat('pair_id \'', pair_id, '\' or its renamed_from is a former id of pair ', owner_id)
    end as identity_problem
from owned
