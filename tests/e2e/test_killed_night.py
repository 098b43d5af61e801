"""A night whose process is killed, then finished; each dbt command is a process of its own.

Nights end with the ledger here: what is derived from it takes most of the time of so small a night.
`python -m tests.e2e.killed` kills whole ones.
"""

import pytest

from tests.e2e.killed import PAIRS, RESUMED, Installation, kill_and_finish

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

NIGHT = ("build", "--select", "+audit_ledger")
RESUME = ("build", "--select", *(f"{part},+audit_ledger" for part in RESUMED))


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
