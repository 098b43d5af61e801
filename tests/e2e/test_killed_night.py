"""A night whose process is killed, then finished; each dbt command is a process of its own."""

import pytest

from tests.e2e.killed import NIGHT, PAIRS, RESUME, Installation, kill_and_finish

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


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
    problems, line, _ = kill_and_finish(place, place.runs(), lambda _, line: moment in line, finish)
    assert line is not None, "the night ended before it was killed"
    assert problems == []
