"""Canonical forms of the plan, evaluated by Spark on literal values."""

import json

import pytest


def evaluate(spark, *expressions):
    """The values of SQL expressions, in one query."""
    names = ", ".join(f"{expression} as v{i}" for i, expression in enumerate(expressions))
    return list(spark.sql(f"select {names}").collect()[0])


def form_and_frame(plans, spark, source, target):
    """The Form of two typed SQL literals, and a frame with them as columns s and t."""
    frame = spark.sql(f"select {source} as s, {target} as t")
    types = [frame.schema[name].dataType for name in ("s", "t")]
    return plans.form_of(plans.Column({}, True), "", types), frame


def equal_on_both_sides(plans, spark, source, target):
    """Whether two typed SQL literals get the same canonical value."""
    form, frame = form_and_frame(plans, spark, source, target)
    return frame.selectExpr(f"{form.source('s')} <=> {form.target('t')} as same").collect()[0].same


NUMBERS = {
    "0": "0",
    "0.00": "0",
    "-0.0": "0",
    "45.70": "45.7",
    "-45.70": "-45.7",
    "100": "100",
    "007": "7",
    ".5": "0.5",
    "5.": "5",
    "1.0E10": "10000000000",
    "1E+3": "1000",
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


def test_a_double_is_its_shortest_decimal(plans, spark):
    values = [2e23, 8.41e21, 9.5e-61, 0.1, 0.1 + 0.2, 5e-324, 2.2250738585072014e-308, 1e22]
    values += [1.7976931348623157e308, -1e-310, 123456.0, 2.0**-1074 * 3, 1 / 3, 0.0, -0.0]
    frame = spark.createDataFrame([(value,) for value in values], "v double")
    texts = [row.t for row in frame.selectExpr(f"{plans.double_number('v')} as t").collect()]
    shortest = [repr(value).upper().replace("E+", "E") for value in values]
    assert texts == evaluate(spark, *[plans.number_text(f"'{text}'") for text in shortest])


@pytest.mark.parametrize(
    ("source", "target", "same"),
    [
        ("1", "1L", True),
        ("2E23D", "cast('200000000000000000000000' as decimal(38, 0))", True),
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
        ("interval '1' year", "interval '12' month", True),
        ("interval '-1 12' day to hour", "interval '-36' hour", True),
        ("array(1, null)", "array(1L, null)", True),
        ("array(1, null)", "array(1L)", False),
        ("array(array(1), array())", "array(array(), array(1))", False),
        ("named_struct('a', 1, 'B', 'x')", "named_struct('b', 'x', 'A', 1BD)", True),
        ("named_struct('a', null)", "named_struct('a', 'null')", False),
        ("map('a', 1, 'b', 2)", "map('b', 2, 'a', 1)", True),
        ("map('a', cast(null as int))", "map('b', cast(null as int))", False),
        ("map(1, 'x')", "map(1L, 'x')", True),
        ('parse_json(\'{"a": 1e3, "b": [1.0]}\')', 'parse_json(\'{"b":[1],"a":1000}\')', True),
        ("parse_json('\"1\"')", "parse_json('1')", False),
        ("parse_json('null')", "cast(null as variant)", False),
        ("null", "cast(null as struct<a: int>)", True),
    ],
)
def test_equal_by_value_within_a_family(plans, spark, source, target, same):
    assert equal_on_both_sides(plans, spark, source, target) is same


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("1", "'1'"),
        ("true", "1"),
        ("date'2024-01-01'", "'2024-01-01'"),
        ("array(1)", "array('1')"),
        ("array(1)", "1"),
        ("named_struct('a', 1)", "map('a', 1)"),
        ("interval '1' year", "interval '365' day"),
        ("X'61'", "'a'"),
    ],
)
def test_other_families_share_no_form(plans, spark, source, target):
    with pytest.raises(plans.OtherFamilies):
        form_and_frame(plans, spark, source, target)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("array(1.50D, null, cast('NaN' as double))", '[1.5,null,"NaN"]'),
        ("named_struct('b', X'FF', 'A', date'2024-01-31')", '{"A":"2024-01-31","b":"FF"}'),
        ("map(2, true, 1, false)", '{"1":false,"2":true}'),
        (r"named_struct('a', 'say \"é\"\n')", r'{"a":"say \"é\"\n"}'),
        ("array(timestamp'2024-01-31 10:00:00.5+01:00')", '["2024-01-31 09:00:00.5"]'),
    ],
)
def test_nested_values_are_canonical_json(plans, spark, value, text):
    form, frame = form_and_frame(plans, spark, value, value)
    found = frame.selectExpr(f"{form.source('s')} as json").collect()[0].json
    assert found == text
    json.loads(found)


JSON_TEXTS = {
    '{"b": 1.0, "a": [1, 2]}': '{"a":[1,2],"b":1}',
    '{"a":{"z":"1.0","y":1e2}}': '{"a":{"y":100,"z":"1.0"}}',
    '{"n":12345678901234567890123456789012345678901234567890}': (
        '{"n":1234567890123456789012345678901234567890123456789E1}'
    ),
    '{"a":1}x': '{"a":1}x',
    '{"a":1} {"b":2}': '{"a":1} {"b":2}',
    '{"a":1},{"b":2}': '{"a":1},{"b":2}',
    "[1,2": "[1,2",
    "plain text": "plain text",
    "": "",
    " 1.50 ": "1.5",
    '"n1"': '"n1"',
    '{"n5":"n5","s":"s"}': '{"n5":"n5","s":"s"}',
    r'{"q":"a\"1.0\"b","u":"\u0041"}': r'{"q":"a\"1.0\"b","u":"A"}',
}


def test_json_text_is_canonical_and_other_text_stays(plans, spark):
    frame = spark.createDataFrame([(text,) for text in JSON_TEXTS], "v string")
    form = frame.selectExpr(f"{plans.canonical_json('v')} as json")
    assert [row.json for row in form.collect()] == list(JSON_TEXTS.values())


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu"])
def test_times_do_not_depend_on_the_session_zone(plans, spark, zone):
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        values = evaluate(
            spark,
            plans.MICROS_OF["timestamp"]("timestamp'2024-03-10 02:30:00.25 UTC'"),
            plans.MICROS_OF["timestamp_ntz"]("timestamp_ntz'2024-03-10 02:30:00.25'"),
            plans.time_text("1710037800250000L"),
            plans.time_text("-1L"),
        )
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert values[0] == values[1] == 1710037800250000
    assert values[2:] == ["2024-03-10 02:30:00.25", "1969-12-31 23:59:59.999999"]


@pytest.mark.parametrize(
    ("rule", "text", "after"),
    [
        ("trim right", r"' a\t '", " a\t"),
        ("trim both", r"' a\t '", "a\t"),
        ("trim right_ws", r"' a \t\n\u00a0\u2003'", " a"),
        ("strip_invisible", r"'\ufeff\u00a0a\u200b\u00a0b\u2007'", "a b"),
        ("case_insensitive", "'ÄB'", "äb"),
        ("empty_as_null", "''", None),
        ("json_canonical", "null", None),
    ],
)
def test_text_rules_do_what_they_say(plans, spark, rule, text, after):
    assert evaluate(spark, plans.TEXT_RULES[rule](text)) == [after]


@pytest.mark.parametrize(
    ("data_type", "zone", "text", "read"),
    [
        ("int", None, "007", "7"),
        ("int", None, "1.5", None),
        ("decimal(10,2)", None, "1.005", None),
        ("decimal(10,2)", None, "+1.50", "1.50"),
        ("double", None, "1e3", "1000.0"),
        ("double", None, "0.10000000000000000001", None),
        ("double", None, "nan", "NaN"),
        ("date", None, "2024-1-6", "2024-01-06"),
        ("date", None, "2024-02-30", None),
        ("date", None, "2024-01-06 00:00:00", "2024-01-06"),
        ("date", None, "2024-01-06 10:00:00", None),
        ("date", None, "2024", None),
        ("timestamp", None, "10:30:00", None),
        ("timestamp", None, "2024-07-01 12:00:00", "2024-07-01 12:00:00"),
        ("timestamp", "America/New_York", "2024-07-01 12:00:00", "2024-07-01 16:00:00"),
        ("timestamp", "America/New_York", "2024-07-01T12:00:00Z", "2024-07-01 12:00:00"),
        ("timestamp", None, "2024-07-01 12:00:00.1234567", None),
        ("boolean", None, "T", "true"),
        ("boolean", None, "maybe", None),
    ],
)
def test_text_is_read_without_loss_or_not_at_all(plans, spark, data_type, zone, text, read):
    wanted = spark.sql(f"select cast(null as {data_type}) as v").schema["v"].dataType
    value = plans.reading(wanted, zone)(f"' {text} '")
    assert evaluate(spark, f"cast({value} as string)") == [read]


def test_names_are_quoted_as_identifiers(plans):
    assert plans.quoted("a`b.c") == "`a``b.c`"
    assert plans.quoted_relation("main.`odd.name`.t") == "`main`.`odd.name`.`t`"


def test_literals_keep_every_character(plans, spark):
    text = 'it\'s \\ a $value "x"\n{'
    assert evaluate(spark, plans.literal(text)) == [text]
    assert "$" not in plans.literal(text)
