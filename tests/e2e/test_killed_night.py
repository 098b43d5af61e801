"""A night whose process is killed, then finished; each dbt command is a process of its own.

Nights are without dbt's tests here, and end with the ledger: the rest writes nothing into it, and
takes most of the time of so small a night. `python -m tests.e2e.killed` kills whole ones.
"""

import pytest

from tests.e2e.killed import PAIRS, RESUMED, Installation, kill_and_finish

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SHORT = ("build", "--exclude-resource-types", "test", "unit_test", "--select")
NIGHT = (*SHORT, "+audit_ledger")
RESUME = (*SHORT, *(f"{part},+audit_ledger" for part in RESUMED))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return Installation(tmp_path_factory.mktemp("killed"))


@pytest.mark.parametrize(
    ("moment", "finish"),
    [
        ("START python table model killed.int_recon__pair_plans", NIGHT),
        (f"[1/{len(PAIRS)}]", RESUME),
        ("OK created sql incremental model killed.audit_ledger", RESUME),
    ],
)
def test_a_killed_night_is_in_the_ledger_once_and_whole(place, moment, finish):
    problems, line = kill_and_finish(place, lambda _, line: moment in line, NIGHT, finish)
    assert line is not None, "the night ended before it was killed"
    assert problems == []
