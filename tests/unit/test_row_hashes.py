"""Row hashes and bucket digests of the comparison, on Spark and on plain rows."""

import importlib.util
from pathlib import Path

import pytest

MODEL = Path(__file__).resolve().parents[2] / "models/compare/int_recon__comparisons.py"


@pytest.fixture(scope="module")
def comparisons():
    """The comparison's functions, loaded by path as dbt ships the file."""
    spec = importlib.util.spec_from_file_location("int_recon__comparisons", MODEL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_null_in_another_column_is_another_hash(comparisons, spark):
    frame = spark.sql(
        "select * from values ('x', null), (null, 'x'), ('x', ''), (null, null) as t(c0, c1)"
    )
    hashes = frame.select(comparisons.hash_of(["c0", "c1"]).alias("h")).collect()
    assert len({row["h"] for row in hashes}) == 4


def test_null_masks_cover_wide_rows(comparisons, spark):
    names = [f"c{i}" for i in range(200)]
    row = ", ".join(f"cast(null as int) as {name}" for name in names)
    frames = [
        spark.sql(f"select {row}").withColumn(names[i], comparisons.F.lit(1)) for i in (0, 62, 199)
    ]
    hashes = [f.select(comparisons.hash_of(names).alias("h")).collect()[0]["h"] for f in frames]
    assert len(set(hashes)) == 3


def test_two_equal_rows_do_not_cancel_out(comparisons, spark):
    frame = spark.sql("select * from values (5L), (5L) as t(row_hash)")
    low, _ = comparisons.hash_sums()
    assert frame.select(low).collect()[0]["low"] == 10


def digest(row_count=1, low=1, high=1, has_duplicates=False, has_null_keys=False):
    """One bucket's digest."""
    return {
        "row_count": row_count,
        "low": low,
        "high": high,
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
        (digest(), digest(low=2), True),
        (digest(), digest(high=2), True),
        (digest(has_duplicates=True), digest(), True),
        (digest(has_null_keys=True), digest(has_null_keys=True), True),
    ],
)
def test_only_equal_buckets_without_duplicate_or_null_keys_are_closed(
    comparisons, source, target, is_open
):
    sides = {"source": source, "target": target}
    digests = {side: {7: row} if row else {} for side, row in sides.items()}
    assert comparisons.open_buckets(digests) == ([7] if is_open else [])


def test_ids_are_the_json_form_that_spark_writes(comparisons, spark):
    plan = {"original_pair_id": "p"}
    own = comparisons.mismatch_id(plan, "value_mismatch", None, "Ünit", '["a\\"b",1]')
    parts = r"""array('p', 'value_mismatch', null, 'ünit', '["a\\"b",1]', null)"""
    sparks = spark.sql(f"select sha2(to_json({parts}), 256) as id").collect()[0]["id"]
    assert own == sparks
