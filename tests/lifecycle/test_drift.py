"""Reported situations of drift: a pair is judged against its own past, and by nothing else."""

import pytest

from tests.lifecycle.record import record_later_runs, record_run
from tests.lifecycle.world import DAY, HOUR, START, Result, Run, rest_id

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Each pair: what its comparisons found, night by night; None: not compared.
COUNTS = {
    "spike_after_zeros": [0, 0, 0, 0, 4],
    "spike_on_the_second_night": [0, 4, 4, 4, 4],
    "constant_noise": [100, 100, 100, 100, 105],
    "above_its_noise": [100, 100, 100, 100, 125],
    "bad_night_is_no_baseline": [100, 100, 500, 100, 125],
    "first_night": [None, None, None, None, 3],
    "back_to_clean": [9, 9, 9, 9, 0],
    "errors_in_between": [0, 0, None, 0, 2],
}
ROWS = {
    "small_growth": [1_000_000, 1_000_010, 1_000_005, 1_000_008, 1_000_020],
    "empty_now": [500, 510, 505, 507, 0],
}


def result(count, rows=1000):
    group = ("value_mismatch", "v")
    rest = ((group, count, "f" * 64),) if count else ()
    return Result("mismatch" if count else "match", (), rest, rows=rows)


@pytest.fixture(scope="module")
def drift(project):
    """{pair: its last row of baseline_drift} after five nights, judged from the third night on."""
    runs = []
    for night in range(5):
        results = {
            pair: Result("error") if counts[night] is None else result(counts[night])
            for pair, counts in COUNTS.items()
            if counts[night] is not None or pair == "errors_in_between"
        }
        results |= {pair: result(0, rows[night]) for pair, rows in ROWS.items()}
        runs.append(Run(f"r{night}", START + night * DAY, results))
    # a repeated run of the same date is judged by the dates before it
    again = Run("again", START + 4 * DAY + HOUR, {"above_its_noise": result(124)})
    record_run(project, runs[0], rest_id, is_first=True, recon_baseline_min_runs=3)
    record_later_runs(project, [*runs[1:], again], rest_id, recon_baseline_min_runs=3)
    rows = project.rows("select * from {schema}.baseline_drift order by run_ts")
    return {row["pair_id"]: row for row in rows}


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("spike_after_zeros", "broke_from_clean"),
        ("constant_noise", "within_band"),
        ("above_its_noise", "above_band"),
        ("bad_night_is_no_baseline", "above_band"),
        ("first_night", "learning"),
        ("back_to_clean", "improved"),
        ("errors_in_between", "broke_from_clean"),
        ("small_growth", "within_band"),
        ("empty_now", "volume_shift"),
    ],
)
def test_a_pair_is_judged_by_its_own_past(drift, pair, expected):
    assert drift[pair]["drift"] == expected, drift[pair]["sentence"]


def test_the_numbers_behind_a_verdict(drift):
    spike, noise = drift["spike_after_zeros"], drift["above_its_noise"]
    assert (spike["change_abs"], spike["change_pct"]) == (4, None)
    assert (noise["baseline_median"], noise["baseline_runs"], noise["change_pct"]) == (100, 4, 24.0)
    assert "median 100 over 4 nights, now 124" in noise["sentence"]
    assert "Nothing to judge by yet: 3 differences" in drift["first_night"]["sentence"]


def test_what_broke_from_clean_outranks_noise(project, drift):
    rows = project.rows("select pair_id, drift, is_open from {schema}.drift_alerts order by rank")
    open_alerts = [row for row in rows if row["is_open"]]
    assert open_alerts[0]["drift"] == "broke_from_clean"
    assert {row["pair_id"] for row in open_alerts} >= {"above_its_noise", "empty_now"}
    names = [row["pair_id"] for row in rows]
    assert names.index("spike_after_zeros") < names.index("above_its_noise")
    assert "constant_noise" not in names


def test_two_runs_of_one_date_are_one_cell(project, drift):
    cells = project.rows(
        """select run_id, mismatch_count from {schema}.mismatch_heat_map
        where pair_id = 'above_its_noise' order by run_date desc limit 2"""
    )
    assert [(cell["run_id"], cell["mismatch_count"]) for cell in cells] == [
        ("again", 124),
        ("r3", 100),
    ]
