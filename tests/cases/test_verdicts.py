"""The runner itself: it sees every kind of wrong record, and says what is wrong with a file."""

import json

import pytest

from tests.cases.case_file import MalformedCases, read_cases
from tests.cases.runner import chosen, main
from tests.cases.verdicts import judge

NOTHING = {
    "missing_in_source": [], "missing_in_target": [], "value_mismatch": [], "duplicate_key": [],
    "null_key": [], "schema_mismatch": [], "within_tolerance": [],
}  # fmt: skip


def entry(case_id="K01", pair=None, **expected):
    """A case of a file; `expected` without the empty lists."""
    return {
        "id": case_id,
        "kind": "keys",
        "source_sql": "select 1 as id",
        "target_sql": "select 1 as id",
        "pair": {"key_columns": "id"} if pair is None else pair,
        "rules": [],
        "expected": {**NOTHING, "status": "match", **expected},
    }


@pytest.fixture
def read(tmp_path):
    """Reads entries, or a text, as a case file."""

    def read(content):
        path = tmp_path / "cases.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return read_cases(path)

    return read


def record(diff_type, key="[1]", column=None, record_type="difference", **fields):
    """A difference or observation of pair k01 as the ledger holds it."""
    return {
        "record_type": record_type,
        "pair_id": "k01",
        "mismatch_id": f"{diff_type} {key} {column} {fields}",
        "diff_type": diff_type,
        "side": None,
        "record_key": key,
        "source_column": column,
        "target_column": column and column.lower(),
        "occurrences": 1,
        **fields,
    }


def result(*records, **fields):
    """Those records after the pair_result that fits them."""
    types = [r["diff_type"] for r in records if r["record_type"] == "difference"]
    first = {
        "record_type": "pair_result",
        "pair_id": "k01",
        "status": "mismatch" if types else "match",
        "error_class": None,
        "error_message": None,
        "totals": {name: types.count(name) for name in types},
        "mismatch_count": len(types),
        "within_tolerance_count": sum(r["diff_type"] == "within_tolerance" for r in records),
        "source_rows_compared": 1,
        "target_rows_compared": 1,
        **fields,
    }
    return [first, *records]


def problems(read, case, rows):
    [verdict] = judge(read([case]), rows)
    return verdict.problems


CELL = record("value_mismatch", column="Amount")
RIGHT = {
    "nothing": (entry(), result()),
    "cell": (entry(status="mismatch", value_mismatch=[[[1], "Amount"]]), result(CELL)),
    "number": (
        entry(status="mismatch", missing_in_source=[[1.0, 9007199254740993]]),
        result(record("missing_in_source", "[1,9007199254740993]")),
    ),
    "counted": (
        entry(status="mismatch", duplicate_key=[["source", ["a", None], 3]]),
        result(record("duplicate_key", '["a",null]', side="source", occurrences=3)),
    ),
    "observed": (
        entry(schema_mismatch=["Amount"], within_tolerance=[[[1], "Amount"]]),
        result(
            record("schema_mismatch", None, "Amount", "observation"),
            record("within_tolerance", "[1]", "Amount", "observation"),
        ),
    ),
    "one-sided": (
        entry(status="mismatch", schema_mismatch=["extra"]),
        result(record("schema_mismatch", None, target_column="extra", side="target")),
    ),
    "bag": (
        entry(pair={}, status="mismatch", missing_in_target=[None]),
        result(record("missing_in_target", None)),
    ),
    "copies": (
        entry(pair={}, status="mismatch", missing_in_target=[None, None]),
        result(record("missing_in_target", None, occurrences=2)),
    ),
    "empty": (
        entry(pair={"key_columns": "id", "fail_on_empty": "true"}, status="mismatch"),
        result(record("not_compared", None)),
    ),
    "error": (entry(status="error"), result(status="error", totals=None, mismatch_count=None)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_records_are_right(read, name):
    assert problems(read, *RIGHT[name]) == []


@pytest.mark.parametrize(
    "case, rows, problem",
    [
        (entry(value_mismatch=[[[1], "a"]], status="mismatch"), result(), "value_mismatch: "),
        (entry(), result(CELL), 'value_mismatch: expected [], recorded [[[1], "Amount"]]'),
        (entry(status="mismatch", value_mismatch=[[["1"], "Amount"]]), result(CELL),
         'value_mismatch: expected [[["1"], "Amount"]], recorded [[[1], "Amount"]]'),
        (entry(status="mismatch", value_mismatch=[[[1], "amount"]]), result(CELL), "value_mism"),
        (entry(status="mismatch", null_key=[["source", [None], 2]]),
         result(record("null_key", "[null]", side="source", occurrences=3)),
         'null_key: expected [["source", [null], 2]], recorded [["source", [null], 3]]'),
        (entry(status="mismatch", missing_in_target=[[True]]),
         result(record("missing_in_target", "[1]")), "missing_in_target: "),
        (entry(status="mismatch", missing_in_target=[[1], [1]]),
         result(record("missing_in_target", occurrences=2)), "missing_in_target: "),
        (entry(within_tolerance=[[[1], "Amount"]]),
         result(record("within_tolerance", "[1]", "Amount")), "difference within_tolerance: "),
        (entry(), result(record("null_key", record_type="observation")), "observation null_key: "),
        (entry(), result(record("not_recorded", "[1]", "Amount")), "not_recorded: expected []"),
        (entry(), result(record("not_compared", None)), "not_compared: expected []"),
        (entry(), result(status="error", error_class="unreadable", error_message="No such table."),
         "status: expected match, recorded error (unreadable: No such table.)"),
        (entry(), result(status="mismatch"), "status mismatch without a difference"),
        (entry(), result(mismatch_count=1), "mismatch_count 1, but recorded are 0"),
        (entry(), result(totals={"null_key": 2}), "totals {'null_key': 2}, but recorded are {}"),
        (entry(), result(within_tolerance_count=1), "within_tolerance_count 1, but"),
        (entry(), [], "expected one result, recorded 0"),
        (entry(), result() + result(), "expected one result, recorded 2"),
    ],
)  # fmt: skip
def test_a_wrong_record_is_reported(read, case, rows, problem):
    assert [said for said in problems(read, case, rows) if said.startswith(problem)]


def test_mismatch_ids_are_unique_across_the_run(read):
    cases = read([entry("K01"), entry("K02")])
    rows = [*result(CELL), *({**row, "pair_id": "k02"} for row in result(CELL))]
    for verdict in judge(cases, rows):
        assert f"mismatch_id {CELL['mismatch_id']} more than once in the run" in verdict.problems


def test_a_case_without_tables_is_wrong(read):
    [verdict] = judge(read([entry(status="error")]), result(status="error"), {"K01": "no table"})
    assert str(verdict) == "wrong K01: no table"


def test_pair_ids_are_valid_and_unique(read):
    cases = read([entry("K01/a+b"), entry("k01 A_B"), entry("7"), entry("é")])
    assert [case.pair_id for case in cases] == ["k01_a_b", "k01_a_b_2", "case_7", "case_"]


def test_cases_are_chosen_by_id_or_kind(read):
    cases = read([entry("K01"), entry("K02/x"), {**entry("T1"), "kind": "time"}])
    assert [case.id for case in chosen(cases, ["K02*", "time"])] == ["K02/x", "T1"]
    with pytest.raises(MalformedCases, match="no case of the id or kind K3"):
        chosen(cases, ["K01", "K3"])


@pytest.mark.parametrize(
    "content, sentence",
    [
        ("[{]", "is not JSON"),
        ("[{\"id\": NaN}]", 'NaN is no JSON: write "NaN"'),
        ({}, "is not a list of cases"),
        ([], "is not a list of cases"),
        ([{"kind": "keys"}], "has no text `id` in case 1"),
        ([{"id": "K01"}], "lacks `source_sql` in case K01"),
        ([{**entry(), "target_sql": " "}], "has no query in `target_sql` in case K01"),
        ([entry(), entry()], "has two cases with the id K01"),
        ([entry(pair=["id"])], "has no object in `pair` in case K01"),
        ([entry(pair={"keys": "id"})], "has an unknown field `keys` in `pair` in case K01"),
        ([entry(pair={"note": []})], "has no text in `note` of `pair` in case K01"),
        ([{**entry(), "rules": [{"rules": "trim"}]}], "unknown field `rules` in `rules` in case"),
        ([{**entry(), "expected": {}}], "has no status match, mismatch, error in `expected`"),
        ([entry(missing=[])], "has an unknown list `missing` in `expected` in case K01"),
        ([entry(value_mismatch=[[1, "a"]])], "has an entry of another form in `value_mismatch`"),
    ],
)  # fmt: skip
def test_a_malformed_file_is_answered_in_a_sentence(read, content, sentence):
    with pytest.raises(MalformedCases) as failure:
        read(content)
    assert sentence in str(failure.value)


def test_the_command_stops_before_spark_when_the_file_is_malformed(tmp_path, capsys):
    assert main([str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read: No such file or directory." in capsys.readouterr().err
