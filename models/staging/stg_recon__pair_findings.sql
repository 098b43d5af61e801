{%- set fields = ['wave', 'owner', 'note', 'renamed_from', 'enabled'] + pair_settings() | map(attribute='name') | list -%}

with pairs as (

    select
        pairs.*,
        identities.identity_problem,
        count(*) over (partition by pairs.pair_id) as line_count,
        -- a quote that is not closed makes one field of the lines behind it: id, two relations ...
        get(filter(array(
            {%- for name in fields %}
            named_struct('field', '{{ name }}', 'value', pairs.{{ name }}){{ "," if not loop.last }}
            {%- endfor %}
        ), given -> given.value rlike '\n[a-z][a-z0-9_]*,[^,\n]*[.$][^,\n]*,[^,\n]*[.$]'), 0) as swallowing,
        collect_list(concat(coalesce(pairs.source_relation, '?'), ' -> ', coalesce(pairs.target_relation, '?')))
            over (partition by pairs.pair_id) as relations_of_id
    from {{ ref('stg_recon__table_pairs') }} as pairs
    left join {{ ref('stg_recon__pair_identities') }} as identities on pairs.pair_id = identities.pair_id

),

problems as (

    select
        pair_id,
        explode(array(
            named_struct('field', 'pair_id', 'value', pair_id, 'sentence', case
                when pair_id is null
                    then concat('a line with source_relation \'', coalesce(source_relation, ''), '\' has no pair_id; give it one')
                when pair_id not rlike '^[a-z][a-z0-9_]*$'
                    then concat('pair_id \'', pair_id, '\' is not an id; write lower-case letters, digits and _, a letter first')
                when line_count > 1
                    then concat(
                        'pair_id \'', pair_id, '\' stands on ', line_count, ' lines (', array_join(sort_array(relations_of_id), '; '),
                        '); give each pair an id of its own'
                    )
            end),
            named_struct('field', swallowing.field, 'value', left(swallowing.value, 100), 'sentence', concat(
                swallowing.field, ' holds other lines of the file: the double quote before them is not closed, so their pairs are not ',
                'there; close it'
            )),
            {%- for name in ['source_relation', 'target_relation'] %}
            named_struct('field', '{{ name }}', 'value', {{ name }}, 'sentence', case
                when {{ name }} is null then '{{ name }} is blank; write the table\'s name, such as catalog.schema.table'
                when contains({{ name }}, '${')
                    then concat(
                        '{{ name }} is \'', {{ name }}, '\': no var is given for ',
                        array_join(regexp_extract_all({{ name }}, '[$][{][^}]*[}]?', 0), ', '),
                        '; give it in dbt_project.yml or with --vars, or write the whole name'
                    )
                when lower(source_relation) = lower(target_relation)
                    then concat('source_relation and target_relation are both \'', {{ name }}, '\'; name two tables')
            end),
            {%- endfor %}
            {%- for name in ['source_filter', 'target_filter'] %}
            named_struct('field', '{{ name }}', 'value', {{ name }}, 'sentence', concat(
                '{{ name }} has ',
                nullif(array_join(regexp_extract_all({{ name }}, '[$][{](?!run_date[}])[^}]*[}]?', 0), ', '), ''),
                ': a filter takes no placeholder but $', '{run_date}; write the value'
            )),
            {%- endfor %}
            {%- for setting in pair_settings() %}
            named_struct('field', '{{ setting.name }}', 'value', {{ setting.name }}, 'sentence', {{ setting_problem(setting) }}),
            {%- endfor %}
            named_struct('field', 'watermark_lag', 'value', watermark_lag, 'sentence', if(
                watermark_column is null,
                concat('watermark_lag is \'', watermark_lag, '\' without a watermark_column; name the column or leave both blank'), null
            )),
            named_struct('field', 'enabled', 'value', enabled, 'sentence', if(
                enabled not in ('true', 'false'), concat('enabled is \'', enabled, '\'; write true or false'), null
            )),
            named_struct(
                'field', if(renamed_from is null, 'pair_id', 'renamed_from'), 'value', coalesce(renamed_from, pair_id), 'sentence',
                concat(identity_problem, '; only one pair can go on with a history: correct it')
            )
        )) as found
    from pairs

)

select
    'seeds/table_pairs.csv' as file_name,
    pair_id,
    found.field as field,
    found.value as value,
    found.sentence as sentence
from problems
where found.sentence is not null
