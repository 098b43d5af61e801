"""The alerts as the bundle defines them: their queries on the embedded engine, state by state."""

import operator
from datetime import UTC, datetime

import pytest

from tests.bundle import load, resolved
from tests.lifecycle.record import (
    NOT_OF_THE_RECORD,
    VIEWS,
    append_events,
    record_later_runs,
    write_run,
)
from tests.lifecycle.world import DAY, HOUR, Event, Result, Run, rest_id

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ALERTS = load()["resources"]["alerts"]
COMPARES = {"GREATER_THAN": operator.gt}
CLEAN = Result("match")
BROKEN = Result("mismatch", rest=((("value_mismatch", "v"), 7, "f" * 64),))
# State: the number each alert asks for.
EXPECTED = {
    "no_run": {"open_mismatches": 0, "drift": 0, "staleness": 1},
    "stale": {"open_mismatches": 0, "drift": 0, "staleness": 1},
    "clean": {"open_mismatches": 0, "drift": 0, "staleness": 0},
    "open": {"open_mismatches": 1, "drift": 0, "staleness": 0},
    "drift": {"open_mismatches": 2, "drift": 1, "staleness": 0},
    "muted": {"open_mismatches": 2, "drift": 0, "staleness": 0},
    "no_pair": {"open_mismatches": 2, "drift": 0, "staleness": 1},
}


def evaluated(project, name):
    """(state, row) as an evaluation of the alert now would have it."""
    values = {"var.catalog": "spark_catalog", "var.schema": project.schema}
    alert = resolved(ALERTS[name], values)
    evaluation = alert["evaluation"]
    rows = [row.asDict() for row in project.spark.sql(alert["query_text"]).collect()]
    if not rows:
        return evaluation["empty_result_state"], None
    # without an aggregation the first row counts
    assert evaluation["source"].keys() == {"name"}
    value = rows[0][evaluation["source"]["name"]]
    threshold = evaluation["threshold"]["value"]["double_value"]
    compare = COMPARES[evaluation["comparison_operator"]]
    return "TRIGGERED" if compare(value, threshold) else "OK", rows[0]


def build_without_a_run(project):
    """Builds the record before its first run, by the real clock."""
    write_run(project, Run("none", 0, {}), rest_id)
    for table in ("int_recon__run", "int_recon__comparisons"):
        project.spark.sql(f"delete from {project.schema}.{table}")
    words = ["--select", *VIEWS.split(), "--exclude", *NOT_OF_THE_RECORD.split()]
    outcome = project.dbt("run", *words)
    assert outcome.success, outcome.failure


@pytest.fixture(scope="module")
def states(project):
    """{state: {alert: (state of the alert, row)}}, each state after what leads to it."""
    now = int(datetime.now(UTC).timestamp()) * 1_000_000
    seen = {}

    def nights(*times, **results):
        runs = [Run(f"r{ago}", now - ago, results) for ago in times]
        record_later_runs(project, runs, rest_id)

    def look(state):
        seen[state] = {name: evaluated(project, name) for name in ALERTS}

    build_without_a_run(project)
    look("no_run")
    nights(4 * DAY, 3 * DAY, 2 * DAY, orders=CLEAN)
    look("stale")
    nights(2 * HOUR, orders=CLEAN)
    look("clean")
    nights(HOUR, orders=CLEAN, lines=BROKEN)
    look("open")
    nights(HOUR // 2, orders=BROKEN, lines=BROKEN)
    look("drift")
    mute = Event("mute", now - HOUR // 4, "mute_drift", "orders", expires_ts=now + DAY)
    append_events(project, [mute])
    look("muted")
    nights(HOUR // 8)
    look("no_pair")
    return seen


@pytest.mark.parametrize("state", EXPECTED)
def test_each_alert_asks_for_the_number_of_its_mart(states, state):
    found = {}
    for name, (_, row) in states[state].items():
        found[name] = row[ALERTS[name]["evaluation"]["source"]["name"]]
    assert found == EXPECTED[state]


@pytest.mark.parametrize("state", EXPECTED)
def test_an_alert_is_triggered_above_zero(states, state):
    expected = {name: "TRIGGERED" if n else "OK" for name, n in EXPECTED[state].items()}
    assert {name: result for name, (result, _) in states[state].items()} == expected


def test_the_row_beside_the_number_says_why(states):
    assert states["drift"]["drift"][1]["first_alarm"].startswith("orders: median 0 over ")
    assert states["clean"]["drift"][1]["first_alarm"] is None
    assert "open differences" in states["open"]["open_mismatches"][1]["sentence"]
    assert states["no_run"]["staleness"][1]["sentence"] == "Nothing has been compared yet."


def test_no_alert_shows_a_value_of_a_row(states):
    columns = {column for alert in states["drift"].values() for column in alert[1]}
    assert columns == {"open_mismatches", "sentence", "open_alarms", "first_alarm", "stale"}
