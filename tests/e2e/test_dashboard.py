"""The dashboard's queries on the embedded engine, over what real nights and closings left."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dashboards.build import FILE
from dashboards.queries import default_ranges, spark_query
from tests.lifecycle.record import append_events
from tests.lifecycle.world import DAY, MICROS, Event

pytestmark = pytest.mark.e2e

DASHBOARD = json.loads(FILE.read_text())
DATASETS = {dataset["name"]: dataset for dataset in DASHBOARD["datasets"]}
WIDGETS = [item["widget"] for page in DASHBOARD["pages"] for item in page["layout"]]
MARTS = Path(__file__).resolve().parents[2] / "models/marts"
READABLE = {path.stem for path in MARTS.glob("*.sql")} | {"audit_log"}

NOW = datetime.now(UTC).replace(microsecond=0)
TODAY = NOW.date()
NIGHTS = [NOW - timedelta(hours=30), NOW]
ROWS = "select * from values {} as t(id, v)"


class Board:
    """The dashboard over the tables of one schema."""

    def __init__(self, spark, schema):
        self.spark, self.schema = spark, schema

    def query(self, name, **ranges):
        """A dataset's query with the dates given, or its default ones, as a deployment runs it."""
        dataset = DATASETS[name]
        query, arguments = spark_query(dataset, default_ranges(dataset, TODAY) | ranges)
        self.spark.sql(f"use {self.schema}")
        return self.spark.sql(query, args=arguments)

    def rows(self, name, **ranges):
        return [row.asDict() for row in self.query(name, **ranges).collect()]

    def everything(self):
        return {name: self.rows(name) for name in DATASETS}


def at(moment):
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def first_pairs(project):
    """Pairs without a difference; `late` is left out of the second night."""
    return [
        project.pair("fine", ROWS.format("(1, 'a')"), ROWS.format("(1, 'a')"), wave="w1"),
        project.pair("late", ROWS.format("(1, 'a')"), ROWS.format("(1, 'a')")),
    ]


def further_pairs(project):
    """Broken, capped, with one known difference, and not comparable."""
    return [
        project.pair(
            "orders",
            ROWS.format("(1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"),
            ROWS.format("(1, 'x'), (2, 'it''s <b>\"2\"</b>'), (3, 'c')"),
            wave="w1",
            owner="team",
        ),
        project.pair(
            "capped",
            "select id, 1 as v from range(40)",
            "select id, 2 as v from range(40)",
            wave="w2",
            max_recorded_rows="5",
        ),
        project.pair("known", ROWS.format("(1, 'a')"), ROWS.format("(1, 'b')"), wave="w2"),
        {
            "pair_id": "gone",
            "source_relation": f"{project.schema}.nowhere",
            "target_relation": f"{project.schema}.nowhere_too",
            "key_columns": "id",
        },
    ]


def people_act(project):
    """One difference is accepted, one claimed fixed, one assigned, as with a SQL editor."""
    found = {
        (row["pair_id"], row["record_key"]): row
        for row in project.rows("select * from {schema}.open_mismatches")
    }
    soon = int((NOW + timedelta(minutes=2)).timestamp()) * MICROS

    def event(number, action, pair, key, **more):
        row = found[pair, key]
        return Event(f"e{number}", soon, action, pair, row["mismatch_id"], **more)

    known = found["known", "[1]"]["value_digest"]
    accepted = {"scope": "listed", "expires_ts": soon + 9 * DAY, "value_digest": known}
    append_events(
        project,
        [
            event(1, "accept", "known", "[1]", **accepted),
            event(2, "resolve", "orders", "[4]", resolved_by="Bo"),
            event(3, "note", "orders", "[1]", assignee="Cy"),
        ],
    )


@pytest.fixture(scope="module")
def calm(project):
    """After a night without a difference: what every query said then."""
    project.write_seeds(first_pairs(project))
    outcome = project.night(recon_now=at(NIGHTS[0]))
    assert outcome.success, outcome.failure
    return Board(project.spark, project.schema).everything()


@pytest.fixture(scope="module")
def board(project, calm):
    """After a second night with differences and an error, without `late`, and closings."""
    project.write_seeds([*first_pairs(project), *further_pairs(project)])
    compared = ["fine", "orders", "capped", "known", "gone"]
    outcome = project.night(recon_now=at(NIGHTS[1]), recon_pairs=compared)
    assert outcome.success, outcome.failure
    people_act(project)
    return Board(project.spark, project.schema)
