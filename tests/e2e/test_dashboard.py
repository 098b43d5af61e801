"""The dashboard's queries on the embedded engine, over what real nights and closings left."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
import yaml

from dashboards.build import FILE
from dashboards.lint.datasets import READABLE
from dashboards.lint.types import known_types
from dashboards.queries import default_ranges, spark_query
from tests.lifecycle.record import append_events
from tests.lifecycle.world import DAY, MICROS, Event

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

DASHBOARD = json.loads(FILE.read_text())
DATASETS = {dataset["name"]: dataset for dataset in DASHBOARD["datasets"]}
WIDGETS = [item["widget"] for page in DASHBOARD["pages"] for item in page["layout"]]

NOW = datetime.now(UTC).replace(microsecond=0)
TODAY = NOW.date()
NIGHTS = [NOW - timedelta(hours=30), NOW]
ROWS = "select * from values {} as t(id, v)"


class Board:
    """The dashboard as deployed over the tables of one schema.

    A deployment's dataset_catalog and dataset_schema replace those of every dataset in the file.
    """

    def __init__(self, spark, schema):
        self.spark, self.schema = spark, schema
        place = {"catalog": "spark_catalog", "schema": schema}
        self.datasets = {name: dataset | place for name, dataset in DATASETS.items()}

    def query(self, name, **ranges):
        """A dataset's query with the dates given, or its default ones."""
        dataset = self.datasets[name]
        query, arguments = spark_query(dataset, default_ranges(dataset, TODAY) | ranges)
        self.spark.sql(f"use {dataset['catalog']}.{dataset['schema']}")
        return self.spark.sql(query, args=arguments)

    def rows(self, name, **ranges):
        return [row.asDict() for row in self.query(name, **ranges).collect()]

    def everything(self):
        return {name: self.rows(name) for name in DATASETS}

    def mart(self, query):
        """The rows of a query on the marts themselves."""
        self.spark.sql(f"use {self.schema}")
        return [row.asDict() for row in self.spark.sql(query).collect()]


def table(spark, name, query):
    """Creates or replaces a table in a schema of its own."""
    spark.sql(f"create schema if not exists {name.split('.')[0]}")
    spark.sql(f"create or replace table {name} using delta as {query}")


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
            ROWS.format("(1, 'x'), (2, 'it\\'s <b>\"2\"</b>'), (3, 'c')"),
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


@pytest.fixture(scope="module")
def shown(board):
    """What every query says after both nights."""
    return board.everything()


# --- the queries ---------------------------------------------------------------------------------


def columns_used():
    """Dataset to the columns that its widgets' fields, filters and orders name."""
    used = {name: set() for name in DATASETS}
    for widget in WIDGETS:
        for query in (q["query"] for q in widget.get("queries", [])):
            parts = [p for key in ("fields", "filters", "orders") for p in query.get(key, [])]
            for part in parts:
                used[query["datasetName"]] |= set(re.findall("`([^`]+)`", part["expression"]))
    return used


def test_every_query_has_the_columns_its_widgets_use(board):
    lacking = {
        name: names
        for name, used in columns_used().items()
        if (names := used - set(board.query(name).columns))
    }
    assert lacking == {}


def test_types_are_those_that_the_linter_knows(board):
    """dashboards/datasets/types.yml: written by hand, or from what this prints."""
    types = {name: dict(board.query(name).dtypes) for name in DATASETS}
    assert types == known_types(), yaml.safe_dump(types, sort_keys=False)


def test_queries_read_marts_and_the_audit_log_alone(spark):
    """By the names Spark's own parser finds: of a query, not of the views it reads."""
    parser = spark._jsparkSession.sessionState().sqlParser()
    for name, dataset in DATASETS.items():
        query, _ = spark_query(dataset, default_ranges(dataset, TODAY))
        plan = parser.parsePlan(query).treeString()
        named = set(re.findall(r"'UnresolvedRelation \[([^\]]+)\]", plan))
        defined = {
            part.strip()
            for names in re.findall(r"CTE \[([^\]]+)\]", plan)
            for part in names.split(",")
        }
        assert named, plan
        assert named - defined <= READABLE, f"{name} reads {sorted(named - defined)}"


def test_queries_run_on_a_night_without_a_difference(calm):
    (counter,) = calm["counter"]
    assert (counter["counter"], counter["is_shown"]) == (0, "yes")
    assert (counter["parts"], counter["most_in"]) == ("nothing", "nowhere")
    assert [(row["night"], row["cell"], row["row_kind"]) for row in calm["cells"]] == [
        (str(NIGHTS[0].date()), "0", "cell")
    ] * 2
    assert (calm["drift"], calm["closing_times"]) == ([], [])
    assert [row["state"] for row in calm["pairs"]] == ["clean", "clean"]


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["America/St_Johns", "Asia/Kolkata"])
def test_the_zone_of_the_session_changes_nothing(board, shown, zone):
    before = board.spark.conf.get("spark.sql.session.timeZone")
    board.spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        assert board.everything() == shown
    finally:
        board.spark.conf.set("spark.sql.session.timeZone", before)


# --- page 1 --------------------------------------------------------------------------------------


def test_the_executive_line_says_what_the_mart_says(board, shown):
    (line,) = shown["counter"]
    (mart,) = board.mart("select * from parity_counter")
    assert (line["counter"], line["is_shown"]) == (mart["counter"], "yes")
    assert line["counter"] > 0
    numbers = [int(part) for part in re.findall(r": (\d+)", line["parts"])]
    assert sum(numbers) == mart["counter"], line["parts"]
    # 2 of orders, and of capped 5 with 35 beyond
    assert line["parts"] == (
        "differences: 7 + beyond the cap: 1 (stands for 35)"
        " + pairs not compared: 1 + pairs stale: 1"
    )
    assert line["as_of"].startswith(f"{NIGHTS[1]:%Y-%m-%d %H:%M} UTC, closings until ")
    assert line["as_of"].endswith(" UTC")
    assert line["pairs_clean"] == "3 of 6 pairs clean"
    assert line["most_in"] == "capped: 6"
    assert (line["closed_unverified"], line["accepted"]) == (1, 1)


COUNTED = """
    select {counter} as counter, {is_green} as is_green, cast({as_of} as timestamp) as as_of_ts,
        cast(null as timestamp) as last_closing_ts, {enabled} as enabled_pairs, 0 as clean_pairs,
        0 as open_pairs, 0 as open_differences, 0 as open_not_recorded, 0 as open_exact_total,
        0 as open_not_compared, {counter} as stale_pairs, 0 as closed_unverified, 0 as accepted
"""


@pytest.mark.parametrize(
    "counted, is_shown, says",
    [
        (
            dict(counter=0, is_green="false", as_of="null", enabled=0),
            "no",
            "Nothing compared yet no pair was compared",
        ),
        (dict(counter=0, is_green="false", enabled=0), "no", "no pair is enabled"),
        (dict(counter=0, is_green="true", enabled=1), "yes", "0 of 0 pairs clean"),
        (dict(counter=3, is_green="false", enabled=1), "yes", "pairs stale: 3"),
    ],
    ids=["nothing compared", "no pair enabled", "zero", "stale"],
)
def test_a_zero_that_is_not_green_is_not_shown(spark, counted, is_shown, says):
    as_of = {"as_of": "timestamp'2026-01-31 02:00:00 UTC'"}
    table(spark, "counted.parity_counter", COUNTED.format(**as_of | counted))
    table(spark, "counted.pair_status", "select 'a' as pair_id, 0 as open_count")
    (row,) = Board(spark, "counted").rows("counter")
    assert row["is_shown"] == is_shown
    assert says in f"{row['as_of']} {row['pairs_clean']} {row['parts']}"


# --- page 2 --------------------------------------------------------------------------------------


def test_a_cell_holds_exactly_what_its_night_found(board, shown):
    recorded = board.mart(
        """select pair_id, cast(run_date as string) as night, mismatch_id from audit_ledger
        where record_type = 'difference'"""
    )
    expected = {(r["pair_id"], r["night"], r["mismatch_id"]) for r in recorded}
    listed = [
        (r["pair_id"], r["night"], r["mismatch_id"])
        for r in shown["cells"]
        if r["row_kind"] == "difference" and r["cell"] != "error"
    ]
    assert set(listed) == expected and len(listed) == len(expected) == 10
    (error,) = [r for r in shown["cells"] if r["cell"] == "error"]
    assert (error["pair_id"], error["diff_type"], error["state"]) == (
        "gone",
        "not_compared",
        "not compared",
    )
    assert "nowhere does not exist" in error["message"]
    assert [r["message"] for r in shown["cells"] if r["diff_type"] == "not_recorded"] == [
        "stands for 35 more value_mismatch"
    ]


def test_cells_are_those_of_the_mart_one_each(board, shown):
    mart = board.mart(
        "select pair_id, cast(run_date as string) as night, cell from mismatch_heat_map"
    )
    drawn = {(r["pair_id"], r["night"], r["cell"]) for r in shown["cells"]}
    assert drawn == {(r["pair_id"], r["night"], r["cell"]) for r in mart}
    assert len(drawn) == len(mart)
    tonight = {pair: cell for pair, night, cell in drawn if night == str(TODAY)}
    assert tonight == {
        "fine": "0",
        "orders": "1-9",
        "capped": "10-99",
        "known": "closed",
        "gone": "error",
        "late": "no run",
    }
    assert {r["pair_id"] for r in shown["cells"] if r["pair_now"] == "clean"} == {"fine", "known"}


def test_a_difference_says_values_state_and_who(shown):
    rows = {(r["pair_id"], r["record_key"]): r for r in shown["cells"] if r["record_key"]}
    assigned, closed = rows["orders", "[1]"], rows["orders", "[4]"]
    assert (assigned["source_value"], assigned["target_value"]) == ("a", "x")
    assert (assigned["column_name"], assigned["state"]) == ("v", "open")
    assert (assigned["assignee"], closed["assignee"]) == ("Cy", "nobody")
    assert (closed["diff_type"], closed["state"]) == ("missing_in_target", "closed_unverified")
    assert (closed["closed_by"], assigned["closed_by"]) == ("Bo", None)
    assert rows["known", "[1]"]["state"] == "accepted"


def test_dates_narrow_the_heat_map(board, shown):
    first = NIGHTS[0].date()
    rows = board.rows("cells", run_date=(first, first))
    assert {row["night"] for row in rows} == {str(first)}
    assert {row["pair_id"] for row in rows} == {row["pair_id"] for row in shown["cells"]}
    (window,) = board.rows("window", run_date=(date(2020, 1, 1), date(2020, 1, 2)))
    assert window["says"] == "No run on these dates: choose others."
    assert board.rows("cells", run_date=(date(2020, 1, 1), date(2020, 1, 2))) == []
    nights = (TODAY - first).days + 1
    assert shown["window"] == [
        {"says": f"Dates: {nights}. Pairs: 6 of 6. Not clean or stale now: 4."}
    ]


def test_pairs_say_what_is_new_and_who_is_on_it(board, shown):
    pairs = {row["pair_id"]: row for row in shown["pairs"]}
    orders = pairs["orders"]
    assert orders["night"] == str(NIGHTS[1].date()) > pairs["late"]["night"]
    assert (orders["new_count"], orders["still_count"], orders["gone_count"]) == (3, 0, 0)
    assert (orders["open_count"], orders["assignees"], orders["tickets"]) == (2, "Cy", None)
    assert orders["last_compared"] == f"{NIGHTS[1]:%Y-%m-%d %H:%M} UTC"
    assert pairs["late"]["state"] == "clean, stale"
    (mart,) = board.mart("select stale_pairs from parity_counter")
    assert [r["pair_id"] for r in board.mart("select pair_id from pair_status where is_stale")] == [
        "late"
    ]
    assert mart["stale_pairs"] == 1
    order = [row["sort_order"] for row in shown["pairs"]]
    assert order == sorted(order) and shown["pairs"][0]["state"] == "broken"


def test_time_is_counted_as_committed_and_until_closed(board, shown):
    history = {row["run_date"]: row["open_mismatches"] for row in shown["history"]}
    mart = board.mart("select run_date, open_mismatches from parity_counter_history")
    assert history == {row["run_date"]: row["open_mismatches"] for row in mart}
    times = {}
    for row in shown["closing_times"]:
        key = row["state"], row["closed_within"]
        times[key] = times.get(key, 0) + row["mismatches"]
    assert times == {
        ("open", "not closed"): 8,
        ("closed_unverified", "under a day"): 1,
        ("accepted", "under a day"): 1,
    }


def test_the_worst_drift_comes_first(spark):
    table(
        spark,
        "drifting.drift_alerts",
        """
        select * from values
            (2, 'b', 'w1', 'o', date'2026-01-30', 'within_band', 'above_band', 1, 4L, false,
                'accepted by Ana', false, cast(null as timestamp), 'why b'),
            (1, 'a', null, 'o', date'2026-01-31', 'broke_from_clean', 'learning', 1, 9L, true,
                cast(null as string), true, timestamp'2026-02-03 08:00:00 UTC', 'why a')
        as t(rank, pair_id, wave, owner, run_date, drift, tolerance_drift, runs_alarming,
            judged_count, is_open, ended_by, is_muted, muted_until_ts, sentence)
        """,
    )
    rows = Board(spark, "drifting").rows("drift")
    assert [(r["rank"], r["wave"], r["drift"], r["since"], r["state"]) for r in rows] == [
        (1, "no wave", "broke_from_clean", "2026-01-31", "open, muted until 2026-02-03 08:00 UTC"),
        (2, "w1", "tolerance above_band", "2026-01-30", "ended: accepted by Ana"),
    ]


# --- more than a chart shows ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def crowd(board):
    """400 pairs x 31 dates; every tenth pair is not clean, and sorts behind the clean ones."""
    spark = board.spark
    table(
        spark,
        "crowd.pair_status",
        """select
            concat('p', lpad(399 - id, 3, '0')) as pair_id,
            concat('p', lpad(399 - id, 3, '0')) as original_pair_id,
            if(id % 10 = 0, 3, 0) as open_count,
            false as is_stale,
            if(id % 10 = 0, 4, 6) as sort_order
        from range(400)""",
    )
    dates = f"select date_sub(date'{TODAY}', cast(id as int)) as run_date, id from range(31)"
    table(spark, "crowd.parity_counter_history", dates)
    table(
        spark,
        "crowd.mismatch_heat_map",
        f"""select pair_id, original_pair_id, 'w1' as wave, cast(id as string) as run_id,
            run_date, if(open_count > 0, '1-9', '0') as cell
        from crowd.pair_status cross join ({dates})""",
    )
    for name in ("audit_log", "mismatch_lifecycle"):
        table(spark, f"crowd.{name}", f"select * from {board.schema}.{name} where false")
    return Board(spark, "crowd")


def test_the_heat_map_keeps_whole_pairs_those_not_clean_first(crowd):
    rows = crowd.rows("cells")
    pairs = {row["pair_id"] for row in rows}
    # 10,000 cells hold 322 pairs of 31 dates
    assert len(rows) == 322 * 31 and len(pairs) == 322
    broken = {row["pair_id"] for row in rows if row["pair_now"] == "due"}
    assert len(broken) == 40
    assert [row["pair_now"] for row in rows[: 40 * 31]] == ["due"] * (40 * 31)


def test_the_page_says_what_the_heat_map_leaves_out(crowd):
    assert [row["says"] for row in crowd.rows("window")] == [
        "Dates: 31. Pairs: 322 of 400. Not clean or stale now: 40."
        " Left out: 78 pairs, not clean or stale now: 0. Choose fewer dates to see them."
    ]
    week = {"run_date": (TODAY - timedelta(days=6), TODAY)}
    assert len(crowd.rows("cells", **week)) == 400 * 7
    assert crowd.rows("window", **week)[0]["says"].startswith("Dates: 7. Pairs: 400 of 400.")
