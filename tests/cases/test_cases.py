"""Every case of rows.json, and of further.json, compared in one run of the embedded engine each."""

import pytest

from tests.cases.case_file import read_cases
from tests.cases.runner import CASES, run_cases

pytestmark = pytest.mark.e2e

FURTHER = CASES.with_stem("further")


def verdicts_on(project, path):
    """The verdict on each case of a file by its id."""
    return {verdict.case_id: verdict for verdict in run_cases(project, read_cases(path))}


@pytest.fixture(scope="module")
def verdicts(project):
    """The verdicts on rows.json."""
    return verdicts_on(project, CASES)


@pytest.fixture(scope="module")
def further_verdicts(project):
    """The verdicts on further.json."""
    return verdicts_on(project, FURTHER)


@pytest.mark.parametrize("case_id", [case.id for case in read_cases(CASES)])
def test_case_is_recorded_as_expected(verdicts, case_id):
    assert verdicts[case_id].problems == []


@pytest.mark.slow
@pytest.mark.parametrize("case_id", [case.id for case in read_cases(FURTHER)])
def test_further_case_is_recorded_as_expected(further_verdicts, case_id):
    assert further_verdicts[case_id].problems == []
