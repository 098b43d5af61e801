"""Canonical forms of the plan, evaluated by Spark on literal values."""

import importlib.util
from pathlib import Path

import pytest
from pyspark.sql import types as T

MODEL = Path(__file__).resolve().parents[2] / "models/compare/int_recon__pair_plans.py"


@pytest.fixture(scope="module")
def plans():
    """The plan's functions, loaded by path as dbt ships the file."""
    spec = importlib.util.spec_from_file_location("int_recon__pair_plans", MODEL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def evaluate(spark, *expressions):
    """The values of SQL expressions, in one query."""
    names = ", ".join(f"{expression} as v{i}" for i, expression in enumerate(expressions))
    return list(spark.sql(f"select {names}").collect()[0])


def equal_on_both_sides(plans, spark, source, target):
    """Whether two typed SQL literals get the same canonical value."""
    frame = spark.sql(f"select {source} as s, {target} as t")
    types = [frame.schema[name].dataType for name in ("s", "t")]
    family = plans.family_of(types[0])
    assert family == plans.family_of(types[1])
    sides, *_ = plans.canonical_forms(family, *types)
    expressions = [
        form.replace("$value", name) for form, name in zip(sides, ("s", "t"), strict=True)
    ]
    return frame.selectExpr(f"{expressions[0]} <=> {expressions[1]} as same").collect()[0]["same"]


NUMBERS = {
    "0": "0",
    "0.00": "0",
    "-0.0": "0",
    "45.70": "45.7",
    "-45.70": "-45.7",
    "100": "100",
    "1.0E10": "10000000000",
    "1.5E-7": "0.00000015",
    "1E-7": "0.0000001",
    "12.50E2": "1250",
    "1.7976931348623157E308": "17976931348623157E292",
    "4.9E-324": "49E-325",
    "NaN": "NaN",
    "-Infinity": "-Infinity",
}


def test_number_text_is_one_spelling_per_value(plans, spark):
    texts = evaluate(spark, *[plans.number_text(f"'{spelling}'") for spelling in NUMBERS])
    assert texts == list(NUMBERS.values())


@pytest.mark.parametrize(
    ("source", "target", "same"),
    [
        ("1", "1L", True),
        ("5", "5.00BD", True),
        ("cast(9007199254740993 as decimal(38, 0))", "9007199254740993L", True),
        ("cast(9007199254740993 as decimal(38, 0))", "cast(9007199254740992 as double)", False),
        ("cast('1.10' as decimal(38, 18))", "cast('1.1' as decimal(38, 2))", True),
        ("cast('0.000000000000000001' as decimal(38, 18))", "cast(0 as decimal(38, 0))", False),
        ("0.1D", "cast('0.1' as decimal(10, 2))", True),
        ("cast(0.1 as float)", "0.1D", False),
        ("cast('-0.0' as double)", "0.0D", True),
        ("cast('NaN' as double)", "cast('NaN' as float)", True),
        ("date'2024-01-31'", "timestamp_ntz'2024-01-31 00:00:00'", True),
        ("date'0001-01-01'", "timestamp'0001-01-01 00:00:00 UTC'", True),
        ("timestamp_ntz'1960-05-04 10:00:00.5'", "timestamp'1960-05-04 10:00:00.5 UTC'", True),
        ("timestamp'2024-01-31 10:00:00+03:00'", "timestamp_ntz'2024-01-31 10:00:00'", False),
        ("'a'", "'a '", False),
        ("X'00'", "X'0000'", False),
    ],
)
def test_equal_by_value_within_a_family(plans, spark, source, target, same):
    assert equal_on_both_sides(plans, spark, source, target) is same


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu"])
def test_times_do_not_depend_on_the_session_zone(plans, spark, zone):
    sides, text = plans.time_forms(T.TimestampType(), T.TimestampNTZType())
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        values = evaluate(
            spark,
            sides[0].replace("$value", "timestamp'2024-03-10 02:30:00.25 UTC'"),
            sides[1].replace("$value", "timestamp_ntz'2024-03-10 02:30:00.25'"),
            text.replace("$value", "1710037800250000L"),
            text.replace("$value", "-1L"),
        )
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert values[0] == values[1] == 1710037800250000
    assert values[2:] == ["2024-03-10 02:30:00.25", "1969-12-31 23:59:59.999999"]


@pytest.mark.parametrize(
    ("tolerance", "scale", "source", "target", "within"),
    [
        ("0.01", 2, "100.00BD", "100.01BD", True),
        ("0.01", 4, "100.0000BD", "100.0101BD", False),
        ("0.01", None, "100.0D", "100.01D", True),
        ("0.1", None, "0.3D", "0.1D + 0.2D", True),
        ("0.5", None, "cast('NaN' as double)", "1.0D", False),
        ("0.5", None, "cast('Infinity' as double)", "1.0D", False),
        ("1E300", None, "1E299D", "2E299D", True),
        ("5", 0, "null", "1L", False),
    ],
)
def test_tolerances_are_inclusive_and_decimal(
    plans, spark, tolerance, scale, source, target, within
):
    template = plans.within_number(tolerance, scale)
    expression = template.replace("$source", source).replace("$target", target)
    assert evaluate(spark, expression) == [within]


def test_trims_do_what_they_say(plans, spark):
    text = r"' a\t \n'"
    assert evaluate(
        spark, *[plans.apply_trim(text, rule) for rule in ("right", "both", "right_ws")]
    ) == [" a\t \n", "a\t \n", " a"]


def test_names_are_quoted_as_identifiers(plans):
    assert plans.quoted("a`b.c") == "`a``b.c`"
    assert plans.quoted_relation("main.`odd.name`.t") == "`main`.`odd.name`.`t`"
