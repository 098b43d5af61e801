"""`python -m dashboards.render`: the dashboard as one HTML file, from the marts on this machine."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.databricks_embedded.session import SessionError, close_session, open_session
from dbt.config.runtime import load_profile
from dbt.flags import set_from_args
from dbt_common.context import set_invocation_context
from dbt_common.exceptions import DbtBaseException

from dashboards.local import datasets, lakeview, page
from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard

if TYPE_CHECKING:
    from dbt.adapters.databricks_embedded.credentials import EmbeddedCredentials
    from pyspark.sql import SparkSession

PROJECT = Path(__file__).resolve().parents[1]
FILE = PROJECT / "dashboards" / "recon.lvdash.json"


class CannotRender(Exception):
    """There is nothing to draw; the message says what is missing and how to get it."""


def write(
    spark: SparkSession,
    schema: str,
    output: Path,
    dashboard: dict[str, Any] | None = None,
    window: tuple[str, str] | None = None,
) -> Path:
    """Write the dashboard over the marts of `schema` to `output`; returns its path.

    `dashboard` is by default the project's file, `window` (first and last date) what the file opens
    with, of the recorded nights. Raises CannotRender, DatasetFailed or UnknownInDashboard.
    """
    now = datetime.now(UTC)
    first_night, last_night = _recorded_nights(spark, schema)
    if window:
        first, last = max(window[0], str(first_night)), min(window[1], str(last_night))
        if first > last:
            raise CannotRender(
                f"No night is recorded from {window[0]} to {window[1]}: those of schema {schema} "
                f"are from {first_night} to {last_night}."
            )
        window = first, last
    # Where nights are dated by a zone ahead of UTC, the last one's date may be tomorrow's.
    given = Given(max(now.date(), last_night), window)
    read = lakeview.read(dashboard or json.loads(FILE.read_text(encoding="utf-8")), given)
    # Packing the chart library takes seconds in which Spark can work.
    with ThreadPoolExecutor(max_workers=1) as beside:
        library = beside.submit(page.chart_library)
        tables = datasets.read(spark, schema, read["datasets"])
        library.result()
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page.html(read, tables, now, f"schema {schema}"), encoding="utf-8")
    return output


def _recorded_nights(spark: SparkSession, schema: str) -> tuple[date, date]:
    """Return the dates of the first and the last recorded night."""
    ledger = f"`{schema}`.audit_ledger"
    if spark.catalog.tableExists(ledger):
        first, last = spark.table(ledger).selectExpr("min(run_date)", "max(run_date)").first()
        if first:
            return first, last
    raise CannotRender(
        f"No night is recorded in schema {schema}: run `make night` for the same target, "
        "or `make demo`, first."
    )


def credentials(target: str | None) -> EmbeddedCredentials:
    """Return the engine of a target of profiles.yml; CannotRender when it is no embedded one."""
    profiles = os.environ.get("DBT_PROFILES_DIR", PROJECT)
    flags = argparse.Namespace(PROFILES_DIR=str(profiles), PROJECT_DIR=str(PROJECT))
    set_from_args(flags, None)
    # What env_var() of the profile reads.
    set_invocation_context(os.environ)
    found = load_profile(str(PROJECT), {}, target_override=target)
    if found.credentials.type != "databricks_embedded":
        raise CannotRender(
            f"Target {found.target_name} is no embedded engine: look at the dashboard in the "
            "workspace, or name a local target, as in `make dashboard TARGET=demo`."
        )
    return found.credentials


def _day(text: str) -> date:
    try:
        # fromisoformat reads more forms than people write by intention.
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is no date: write it as 2026-01-31")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m dashboards.render", description=__doc__)
    parser.add_argument("--target", help="target of profiles.yml; default: the profile's own")
    parser.add_argument("--output", type=Path, help="file to write; default: in the state folder")
    parser.add_argument("--first", type=_day, help="first date, as 2026-01-31")
    parser.add_argument("--last", type=_day, help="last date")
    given = parser.parse_args()
    if (given.first is None) != (given.last is None):
        parser.error("give both dates, --first and --last (make dashboard: FIRST and LAST)")
    if given.first and given.first > given.last:
        parser.error(f"the first date, {given.first}, is after the last, {given.last}")
    return given


def main() -> int:
    """Write the file and print its path; 1, with a sentence, when it cannot be."""
    given = _arguments()
    window = (str(given.first), str(given.last)) if given.first else None
    try:
        engine = credentials(given.target)
        output = given.output or Path(engine.state_dir) / "dashboard.html"
        spark = open_session(engine.state_dir, engine.master, engine.remote, engine.spark_config)
        try:
            print(write(spark, engine.schema, output, window=window).absolute())
        finally:
            close_session()
    except (CannotRender, SessionError, DbtBaseException) as failure:
        print(f"No dashboard was written. {failure}", file=sys.stderr)
        return 1
    except (UnknownInDashboard, datasets.DatasetFailed) as failure:
        print(f"No dashboard was written. {FILE.name}, {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
