"""plan_hash changes exactly when something that can change the answer changes."""

import pytest

SETTINGS = {
    "key_columns": "id",
    "source_filter": None,
    "target_filter": None,
    "watermark_column": None,
    "watermark_lag": None,
    "duplicate_keys": "report",
    "null_keys": "report",
    "type_differences": "list",
    "one_sided_columns": "fail",
    "fail_on_empty": "false",
    "hash_algorithm": "xxhash64",
    "max_recorded_rows": "100",
    "store_values": "full",
    "severity": "error",
    "max_age_hours": "25",
    "timeout_minutes": "60",
}
TRIM = {"column_name": "v", "side": None, "rule": "trim", "argument": "right", "level": 1}
ANY_CASE = {"column_name": "v", "side": None, "rule": "case_insensitive", "argument": None}
RUN = {"run_id": "r", "code_version": "1", "max_value_chars": 2000, "run_date": "2026-01-31"}


def rule(**changed):
    """A rule of a pair, as stg_recon__pairs holds it."""
    return {**TRIM, "pattern": "p", **changed}


@pytest.fixture(scope="module")
def plan_hash(plans, spark):
    """A function: the plan_hash of a pair of two small tables, with what is given changed."""
    spark.sql("create schema if not exists plan_hash")
    columns = "1 as id, 'a' as v, 1 as n, named_struct('x', 1, 'y', 2) as s"
    spark.sql(f"create or replace table plan_hash.source using delta as select {columns}")

    def of(target_query=f"select {columns}", rules=(), run=None, change=(), **settings):
        spark.sql(f"create or replace table plan_hash.target using delta as {target_query}")
        for statement in change:
            spark.sql(statement)
        pair = {
            "pair_id": "p",
            "original_pair_id": "p",
            "findings": [],
            "source_relation": "plan_hash.source",
            "target_relation": "plan_hash.target",
            "settings": SETTINGS | settings,
            "rules": list(rules) or [rule()],
        }
        return plans.plan_pair(spark, pair, run or RUN)["plan_hash"]

    return of


@pytest.fixture(scope="module")
def unchanged(plan_hash):
    """The plan_hash of the pair as it is."""
    return plan_hash()


OTHER = {
    "filter": {"source_filter": "id > 0"},
    "key": {"key_columns": "id;v"},
    "duplicate keys": {"duplicate_keys": "multiset"},
    "hash algorithm": {"hash_algorithm": "sha256"},
    "recorded rows": {"max_recorded_rows": "10"},
    "stored values": {"store_values": "none"},
    "watermark": {"watermark_column": "id"},
    "rule's argument": {"rules": [rule(argument="both")]},
    "rule's side": {"rules": [rule(side="source")]},
    "one more rule": {"rules": [rule(), rule(**ANY_CASE)]},
    "column's type": {
        "target_query": "select 1 as id, 'a' as v, 1L as n, named_struct('x', 1, 'y', 2) as s"
    },
    "column's name": {
        "target_query": "select 1 as id, 'a' as v, 1 as m, named_struct('x', 1, 'y', 2) as s"
    },
    "code": {"run": RUN | {"code_version": "2"}},
    "cut of values": {"run": RUN | {"max_value_chars": 10}},
}
SAME = {
    "nothing": {},
    "rows": {"target_query": "select 7 as id, 'b' as v, 9 as n, named_struct('x', 1, 'y', 2) as s"},
    "order of columns and fields": {
        "target_query": "select named_struct('y', 2, 'x', 1) as s, 1 as n, 'a' as v, 1 as id"
    },
    "comment": {"change": ["alter table plan_hash.target alter column n comment 'a number'"]},
    "label": {"severity": "warn"},
    "age": {"max_age_hours": "12"},
    "date of the run": {"run": RUN | {"run_date": "2026-02-01"}},
    "where a rule comes from": {"rules": [rule(level=4, pattern="*", column_name="*")]},
    "rule that does not fit": {"rules": [rule(), rule(level=3, pattern="*", column_name="n")]},
}


@pytest.mark.parametrize("name", OTHER)
def test_another_answer_is_another_hash(plan_hash, unchanged, name):
    assert plan_hash(**OTHER[name]) != unchanged


@pytest.mark.parametrize("name", SAME)
def test_the_same_answer_is_the_same_hash(plan_hash, unchanged, name):
    assert plan_hash(**SAME[name]) == unchanged
