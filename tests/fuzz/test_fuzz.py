"""The oracle against the cases of tests/cases, and recon against the oracle on random pairs."""

import json
from pathlib import Path

import pytest

from tests.cases.case_file import read_cases
from tests.cases.verdicts import judge
from tests.fuzz.batch import Batch
from tests.fuzz.canonical import number_text
from tests.fuzz.cases import as_ledger_rows, read_case
from tests.fuzz.example import dump_example, load_example, read_example
from tests.fuzz.generator import drawn
from tests.fuzz.oracle import expected

FOLDER = Path(__file__).resolve().parent
CASES = read_cases(FOLDER.parent / "cases/rows.json")
KEPT = sorted((FOLDER / "examples").glob("*.json"))
SEED = 20240131


@pytest.fixture(scope="module")
def batch(project, tmp_path_factory):
    """What runs examples through dbt."""
    return Batch(project, tmp_path_factory.mktemp("tables"))


def told(faults):
    """Faults in words, with the examples: what a failing test prints."""
    return "\n".join(
        json.dumps({**dump_example(example), "faults": found}, ensure_ascii=False, default=str)
        for example, found in faults
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "0"),
        (5e-324, "5E-324"),
        (2e23, "200000000000000000000000"),
        (1e40, "1E40"),
        (0.1 + 0.2, "0.30000000000000004"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_a_double_is_its_shortest_decimal(value, text):
    assert number_text(value) == text


def test_a_seed_always_gives_the_same_examples_and_files_hold_all_of_them():
    examples = drawn("again", 30)
    forms = [json.dumps(dump_example(example)) for example in examples]
    assert forms == [json.dumps(dump_example(example)) for example in drawn("again", 30)]
    for example, form in zip(examples, forms, strict=True):
        assert expected(load_example(json.loads(form))) == expected(example)


def test_examples_are_equal_different_and_ruled_in_good_shares():
    examples = drawn("shares", 150)
    results = [expected(example) for example in examples]
    found = [{record.diff_type for record in result.records} for result in results]
    assert 0.2 < sum(result.status == "match" for result in results) / 150 < 0.6
    assert sum(bool(example.rules) for example in examples) > 50
    for diff_type in ("value_mismatch", "missing_in_source", "duplicate_key", "schema_mismatch"):
        assert sum(diff_type in types for types in found) > 10


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_the_oracle_gives_the_answers_of_the_cases(spark, case):
    rows = as_ledger_rows(case, expected(read_case(spark, case)))
    assert [str(verdict) for verdict in judge([case], rows)] == [f"right {case.id}"]


@pytest.mark.e2e
def test_recon_records_what_the_oracle_expects(batch):
    """Some random pairs, and every example that was once at fault."""
    faults = batch.faults([*map(read_example, KEPT), *drawn(SEED, 6)])
    assert not faults, told(faults)


@pytest.mark.e2e
@pytest.mark.slow
def test_recon_records_what_the_oracle_expects_of_many(batch):
    faults = batch.faults(drawn(SEED + 1, 150))
    assert not faults, told(faults)
