{{ config(materialized='table') }}

-- note, owner, wave, enabled and renamed_from describe a pair; config_hash does not cover them
with lines as (

    select
        *,
        row_number() over (partition by pair_id order by source_relation, target_relation) as line_number
    from {{ ref('stg_recon__table_pairs') }}
    where pair_id is not null

),

rules as (

    select
        pair_id,
        sort_array(collect_list(struct(column_name, side, rule, argument, level, pattern))) as rules
    from {{ ref('stg_recon__pair_rules') }}
    group by pair_id

),

findings as (

    select
        pair_id,
        sort_array(collect_set(concat(file_name, ': ', problem, '; ', remedy))) as findings,
        collect_set(if(field = 'rule', coalesce(value, field), field)) as faulty
    from {{ ref('stg_recon__config_findings') }}
    where pair_id is not null
    group by pair_id

),

pairs as (

    select
        lines.pair_id,
        identities.original_pair_id,
        lines.source_relation,
        lines.target_relation,
        lines.wave,
        lines.owner,
        lines.severity,
        lines.enabled <> 'false' as is_enabled,
        cast(coalesce(try_cast(lines.max_age_hours as decimal(18, 6)), {{ var('recon_max_age_hours') }}) as double) as max_age_hours,
        try_cast(lines.max_mismatched_rows as bigint) as max_mismatched_rows,
        cast(try_cast(lines.max_mismatched_pct as decimal(18, 6)) as double) as max_mismatched_pct,
        map(
            {%- for setting in pair_settings() %}
            '{{ setting.name }}', lines.{{ setting.name }}{{ "," if not loop.last }}
            {%- endfor %}
        ) as settings,
        coalesce(rules.rules, array()) as rules,
        coalesce(findings.findings, array()) as findings,
        coalesce(findings.faulty, array()) as faulty
    from lines
    inner join {{ ref('stg_recon__pair_identities') }} as identities on lines.pair_id = identities.pair_id
    left join rules on lines.pair_id = rules.pair_id
    left join findings on lines.pair_id = findings.pair_id
    where lines.line_number = 1

)

-- without a rule's pattern, which a renamed pair may have to change
select
    *,
    sha2(
        to_json(struct(
            source_relation,
            target_relation,
            settings,
            transform(rules, r -> struct(r.column_name, r.side, r.rule, r.argument, r.level)) as rules
        )), 256
    ) as config_hash
from pairs
