"""Row hashes and bucket digests of the comparison, on Spark and on plain rows."""

import pytest


def hashes(spark, comparisons, names, rows):
    """The row hashes of rows given as a SQL VALUES list."""
    values = f"select * from values {rows} as t({', '.join(names)})"
    return [
        r.h
        for r in spark.sql(f"select {comparisons.hash_sql(names)} as h from ({values})").collect()
    ]


def test_a_null_in_another_column_is_another_hash(comparisons, spark):
    rows = "('x', null), (null, 'x'), ('x', ''), (null, null)"
    assert len(set(hashes(spark, comparisons, ["c0", "c1"], rows))) == 4


def test_null_masks_cover_wide_rows(comparisons, spark):
    names = [f"c{i}" for i in range(200)]
    rows = [
        "(" + ", ".join("1" if i == at else "cast(null as int)" for i in range(200)) + ")"
        for at in (0, 61, 62, 199)
    ]
    assert len(set(hashes(spark, comparisons, names, ", ".join(rows)))) == 4


@pytest.mark.parametrize(
    ("algorithm", "row_hash"), [("xxhash64", "5L"), ("sha256", "sha2('5', 256)")]
)
def test_two_equal_rows_do_not_cancel_out(comparisons, spark, algorithm, row_hash):
    plan = {"settings": {"hash_algorithm": algorithm}}
    sums = ", ".join(f"sum({word})" for word in comparisons.hash_words(plan))
    query = f"select array({sums}) as sums from (select {row_hash} as row_hash from range({{}}))"
    one, two = (spark.sql(query.format(n)).collect()[0].sums for n in (1, 2))
    assert two == [2 * word for word in one]
    assert len(one) == {"xxhash64": 2, "sha256": 8}[algorithm]


def digest(row_count=1, sums=(1, 1), has_duplicates=False, has_null_keys=False):
    """One bucket's digest."""
    return {
        "row_count": row_count,
        "sums": list(sums),
        "has_duplicates": has_duplicates,
        "has_null_keys": has_null_keys,
    }


@pytest.mark.parametrize(
    ("source", "target", "is_open"),
    [
        (digest(), digest(), False),
        (digest(), None, True),
        (None, digest(), True),
        (digest(), digest(row_count=2), True),
        (digest(), digest(sums=(2, 1)), True),
        (digest(), digest(sums=(1, 2)), True),
        (digest(has_duplicates=True), digest(), True),
        (digest(has_null_keys=True), digest(has_null_keys=True), True),
    ],
)
def test_only_equal_buckets_without_duplicate_or_null_keys_are_closed(
    comparisons, source, target, is_open
):
    sides = {"source": source, "target": target}
    # bucket -1 counts the whole table and is no bucket
    digests = {side: {-1: digest(9)} | ({7: row} if row else {}) for side, row in sides.items()}
    assert comparisons.open_buckets(digests) == ([7] if is_open else [])


def test_ids_are_the_json_form_that_spark_writes(comparisons, spark):
    plan = {"original_pair_id": "p"}
    own = comparisons.mismatch_id(plan, "value_mismatch", None, "Ünit", '["a\\"b",1]')
    parts = r"""array('p', 'value_mismatch', null, 'ünit', '["a\\"b",1]', null)"""
    sparks = spark.sql(f"select sha2(to_json({parts}), 256) as id").collect()[0]["id"]
    assert own == sparks


def test_a_table_dropped_and_created_again_is_seen(comparisons, spark):
    """Its versions start at 0 again, so only its id tells."""
    spark.sql("create schema if not exists pins")
    spark.sql("create or replace table pins.t using delta as select 1 as id")
    table_id = spark.sql("describe detail pins.t").collect()[0].id
    plan = {
        "pair_id": "p",
        "source_relation": "pins.t",
        "source_identifier": "pins.t",
        "source_pin": {"table_id": table_id, "version": 0},
        "target_pin": None,
    }
    comparisons.check_pins(spark, plan)
    spark.sql("drop table pins.t")
    spark.sql("create table pins.t using delta as select 2 as id")
    with pytest.raises(comparisons.PairError) as raised:
        comparisons.check_pins(spark, plan)
    assert raised.value.error_class == "replaced_while_reading"


def test_only_stale_rows_of_scratch_are_removed(comparisons, spark):
    """Whatever characters an id holds: a row that stays would be counted twice."""
    rows = [
        ("r", "kept", "h1", "{}"),
        ("r", "it's \\ stale", "h2", "{}"),
        ("other", "kept", "h1", "{}"),
    ]
    frame = spark.createDataFrame(rows, comparisons.SCRATCH_SCHEMA)
    spark.sql("create schema if not exists pins")
    frame.write.format("delta").mode("overwrite").saveAsTable("pins.scratch")
    plans = [
        {"pair_id": "kept", "plan_hash": "h1"},
        {"pair_id": "it's \\ stale", "plan_hash": "h3"},
    ]
    kept = comparisons.kept_from_scratch(spark, "pins.scratch", {"run_id": "r"}, plans)
    assert kept == {"kept"}
    left = spark.table("pins.scratch").where("run_id = 'r'").collect()
    assert [row.pair_id for row in left] == ["kept"]
