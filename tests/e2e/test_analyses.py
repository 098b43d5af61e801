"""The queries to paste, after one night of two small pairs: compiled by dbt, run as they are."""

import json

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SOURCE = """
    select * from values
        (1, 'ab  ', 1.00D, 'x@a', 'fee', timestamp'2024-01-01 00:00:00 UTC', 1),
        (2, 'cd', 2.00D, 'y@a', 'caf\u00e9', timestamp'2024-01-02 00:00:00 UTC', 1),
        (3, 'ef', 3.00D, null, 'fee', timestamp'2024-01-03 00:00:00 UTC', 1),
        (4, 'gh', 4.00D, 'z@a', 'fee', timestamp'2024-01-09 00:00:00 UTC', 1),
        (5, 'ij', 5.00D, 'z@a', 'fee', timestamp'2024-02-01 00:00:00 UTC', 1)
    as t(id, old_name, amount, mail, drink, loaded, only_here)
"""
TARGET = """
    select * from values
        (1, 'ab', 1.004D, 'x@a', 'fee', timestamp'2024-01-01 00:00:00 UTC'),
        (2, 'cd', 2.5D, 'other@a', 'cafe\u0301', timestamp'2024-01-02 00:00:00 UTC'),
        (4, 'gh', 4.00D, 'z@a', 'fee', timestamp'2024-01-01 00:00:00 UTC')
    as t(id, name, amount, mail, drink, loaded)
"""
RULES = [
    {"pair_id": "orders", "column_name": "name", "rule": "source_column", "argument": "old_name"},
    {"pair_id": "ord*", "column_name": "name", "rule": "trim", "argument": "right"},
    {"pair_id": "*", "column_name": "nowhere", "rule": "date_only"},
    {"pair_id": "orders", "column_name": "amount", "rule": "abs_tolerance", "argument": "0.01"},
    {"pair_id": "orders", "column_name": "mail", "rule": "mask"},
    {
        "pair_id": "orders",
        "column_name": "drink",
        "rule": "unicode_normalize",
        "argument": "NFC",
    },
]


@pytest.fixture(scope="module")
def night(project):
    """One night; afterwards the target of `orders` loses its rows."""
    orders = project.pair(
        "orders",
        SOURCE,
        TARGET,
        source_filter="loaded < date'${run_date}' and id <> 3",
        watermark_column="loaded",
        watermark_lag="24 hours",
        one_sided_columns="ignore_source_only",
    )
    lines = project.pair(
        "lines",
        "select 'kept' as v from range(3)",
        "select concat('row ', id) as v from range(4) union all select 'kept' from range(2)",
        key="",
        max_recorded_rows="2",
    )
    project.write_seeds([orders, lines], RULES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECON_MASK_KEY", "a key for tests")
        outcome = project.night()
    assert outcome.success, outcome.output
    project.spark.sql(f"delete from {orders['target_relation']}")
    return project


@pytest.fixture(scope="module")
def run(night):
    """Id and date of the night."""
    query = "select run_id, run_date from {schema}.audit_ledger where record_type = 'run'"
    return night.rows(query)[0]


def test_explain_pair_says_what_was_compared_and_how(night, run):
    lines = night.answer("explain_pair", pair_id="orders")
    assert [line["line"] for line in lines] == list(range(1, len(lines) + 1))
    facts = {
        (line["part"], line["item"]): (line["source"], line["target"], line["note"])
        for line in lines
    }
    schema = night.schema
    assert facts["run", "id"][0] == run["run_id"]
    assert facts["pair", "plan_hash"][2] == f"recorded by run {run['run_id']}"
    assert facts["rows", "relation"][:2] == (f"{schema}.orders_old", f"{schema}.orders_new")
    assert facts["rows", "Delta version"][:2] == ("0", "0")
    assert facts["rows", "filter"][:2] == (f"loaded < date'{run['run_date']}' and id <> 3", None)
    assert facts["rows", "watermark"][0] == "2024-01-31 00:00:00"
    counts = ("in the table", "left out by the filter", "left out by the watermark", "compared")
    assert [facts["rows", count][:2] for count in counts] == [
        ("5", "3"),
        ("1", "0"),
        ("1", "0"),
        ("3", "3"),
    ]
    assert facts["key", "columns"][0] == "id"
    assert facts["setting", "one_sided_columns"][0] == "ignore_source_only"
    assert facts["column", "name"] == ("old_name: string", "string", "text")
    assert "rtrim(`old_name`)" in facts["canonical value", "name"][0]
    assert facts["rules", "name"][2] == "source_column old_name, orders / name; " + (
        "trim right, ord* / name"
    )
    assert facts["column", "mail"][2] == "masked; text"
    assert facts["not compared", "only_here"] == (
        "only_here: int",
        None,
        "only in source; listed only",
    )
    assert facts["rule not applied", None][2] == "date_only, * / nowhere"
    assert facts["result", "note"][2] == "filter on the source side only"
    assert facts["result", "status"][0] == "mismatch"
    assert facts["result", "differences: value_mismatch"][0] == "3"
    assert facts["result", "cells within tolerance"][0] == "1"


def test_explain_pair_takes_a_run_and_a_pair_without_a_key(night, run):
    by_date = night.answer("explain_pair", pair_id="lines", run_date=str(run["run_date"]))
    by_run = night.answer("explain_pair", pair_id="lines", run_id=run["run_id"])
    assert by_date == by_run
    notes = [line["note"] for line in by_run if line["part"] == "key"]
    assert notes == ["no key: rows are compared as a bag"]
    assert night.answer("explain_pair", pair_id="lines", run_id="another") == []


def test_explain_row_reads_the_versions_of_the_run(night):
    rows = night.answer("explain_row", pair_id="orders", key="[2]")
    cells = {(row["column_name"], row["side"]): row for row in rows}

    def found(column):
        sides = cells[column, "source"], cells[column, "target"]
        return (*(side["canonical_value"] for side in sides), sides[0]["is_equal"])

    assert found("id") == ("2", "2", True)
    assert found("amount") == ("2", "2.5", False)
    assert "abs_tolerance 0.01" in cells["amount", "target"]["note"]
    assert found("mail") == ("(masked)", "(masked)", False)
    assert found("drink")[2] is None
    assert "without unicode_normalize" in cells["drink", "source"]["note"]
    assert found("loaded") == ("2024-01-02 00:00:00", "2024-01-02 00:00:00", True)
    text = json.dumps(rows, default=str)
    assert "y@a" not in text and "other@a" not in text


@pytest.mark.parametrize(
    ("key", "source_note"), [("[3]", "left out by source_filter"), ("[5]", "above the watermark")]
)
def test_explain_row_says_why_a_row_was_left_out(night, key, source_note):
    rows = night.answer("explain_row", pair_id="orders", key=key)
    notes = {row["side"]: row["note"] for row in rows if row["column_name"] == "id"}
    assert notes == {"source": source_note, "target": "no row of this key"}


def test_explain_row_has_the_watermark_of_its_run(project):
    """-1.24 lies between two values of the target's scale, and the second night moves it."""
    values = "select id, cast(at as decimal(9,{})) as at from values {} as t(id,at)"
    late = project.pair(
        "late",
        values.format(2, "(1, -9), (2, -1.3), (3, -1.2), (4, -1.25)"),
        values.format(1, "(1, -9), (2, -1.3), (3, -1.2), (4, -1.3)"),
        watermark_column="at",
        watermark_lag="0.04",
    )
    project.write_seeds([late])
    above = []
    for watermark in ("-1.24", "-0.04"):
        assert project.night().success
        run_id, value = project.rows(
            "select run_id, watermark_value from {schema}.audit_ledger "
            "where pair_id = 'late' and record_type = 'pair_result' order by run_ts desc"
        )[0].values()
        assert value == watermark
        above.append({
            (key, row["side"])
            for key in ("[1]", "[2]", "[3]", "[4]")
            for row in project.answer("explain_row", pair_id="late", key=key, run_id=run_id)
            if "above the watermark" in (row["note"] or "")
        })  # fmt: skip
        project.spark.sql(f"insert into {late['source_relation']} values (5, 0)")
    assert above == [{("[3]", "source"), ("[3]", "target")}, set()]


@pytest.mark.parametrize(
    ("run_vars", "sentence"),
    [
        ({"pair_id": "lines", "key": "[1]"}, "pair lines has no key_columns"),
        ({"pair_id": "unheard_of", "key": "[1]"}, "no comparison of a pair 'unheard_of'"),
        ({"pair_id": "orders", "key": [1]}, "key as text"),
    ],
)
def test_explain_row_refuses_in_a_sentence(night, run_vars, sentence):
    outcome = night.dbt("compile", "--select", "explain_row", **run_vars)
    assert not outcome.success
    assert sentence in outcome.output
    assert "Traceback" not in outcome.output


def test_pair_differences_lists_what_is_open(night, run):
    rows = night.answer("pair_differences", pair_id="lines", run_date=str(run["run_date"]))
    assert all(row["resolved"] is False and row["record_key"] is None for row in rows)
    assert [(r["diff_type"], r["not_recorded_diff_type"], r["occurrences"]) for r in rows] == [
        ("missing_in_source", None, 1),
        ("missing_in_source", None, 1),
        ("not_recorded", "missing_in_source", 2),
        ("missing_in_target", None, 1),
    ]
    assert rows[-1]["source_value"] == '{"v":"kept"}'


def test_run_cost_says_which_pairs_take_the_time(night, run):
    rows = night.answer("run_cost")
    spent = {name: result["seconds"] for name, result in night.results().items()}
    assert [row["run_id"] for row in rows] == [run["run_id"]] * 2
    assert [row["pair_id"] for row in rows] == sorted(spent, key=spent.get, reverse=True)
    for row in rows:
        assert row["seconds"] == pytest.approx(spent[row["pair_id"]], abs=0.05)
        assert row["pct_of_run"] == pytest.approx(
            100 * spent[row["pair_id"]] / sum(spent.values()), abs=0.05
        )
        assert row["seconds_more"] is None


def test_every_analysis_compiles_without_vars(night):
    outcome = night.dbt("compile", "--select", "path:analyses")
    assert outcome.success, outcome.output
