"""Cases of rows.json and further.json, compared in one run of the embedded engine each.

`make test` takes every tenth case of rows.json; `make test-all` takes all cases of both files.
"""

import pytest

from tests.cases.case_file import read_cases
from tests.cases.runner import CASES, run_cases

pytestmark = pytest.mark.e2e

FURTHER = CASES.with_stem("further")


def verdicts_on(project, cases):
    """The verdict on each case by its id."""
    return {verdict.case_id: verdict for verdict in run_cases(project, cases)}


@pytest.fixture(scope="module")
def verdicts(project):
    """The verdicts on every tenth case of rows.json."""
    return verdicts_on(project, read_cases(CASES)[::10])


@pytest.fixture(scope="module")
def all_verdicts(project):
    """The verdicts on all cases of both files."""
    return verdicts_on(project, read_cases(CASES) + read_cases(FURTHER))


@pytest.mark.parametrize("case_id", [case.id for case in read_cases(CASES)[::10]])
def test_case_is_recorded_as_expected(verdicts, case_id):
    assert verdicts[case_id].problems == []


@pytest.mark.slow
@pytest.mark.parametrize("case_id", [c.id for f in (CASES, FURTHER) for c in read_cases(f)])
def test_every_case_is_recorded_as_expected(all_verdicts, case_id):
    assert all_verdicts[case_id].problems == []
