"""The scripted migration: legacy tables to their new form in schema `migrated`.

Each job is a mapping from a column of the new table to the expression that fills it. A job that
goes wrong is the same job with another expression (see incidents.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo import legacy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _job(table: str, renamed: dict[str, str] | None = None, **changed: str) -> dict[str, str]:
    """Return new column -> expression: all legacy columns, some renamed, changed or added."""
    renamed = renamed or {}
    job = {renamed.get(column, column): column for column in legacy.COLUMNS[table]}
    return job | changed


JOBS = {
    "airlines": _job("airlines"),
    # The new side speaks of airport codes, and refuses an airport whose time zone is unknown.
    "airports": _job("airports", renamed={"faa": "airport_code"}),
    # Models arrive as fixed-width text; a year without a noun says nothing to a newcomer.
    "planes": _job("planes", renamed={"year": "manufactured_year"}, model="RPAD(model, 20, ' ')"),
    # Wind in whole hundredths: the legacy numbers are knots times 1.15078, float noise included.
    "weather": _job("weather", wind_speed="ROUND(wind_speed, 2)", wind_gust="ROUND(wind_gust, 2)"),
    "flights": _job(
        "flights", distance="CAST(distance AS BIGINT)", loaded_at="CURRENT_TIMESTAMP()"
    ),
}
FILTERS = {"airports": "WHERE tzone IS NOT NULL"}
LAYOUT = {"flights": "PARTITIONED BY (month)"}


def rebuild(table: str, without: tuple[str, ...] = (), **changed: str) -> str:
    """Return the SQL that makes a table of the new side anew.

    `changed` replaces expressions of its job, `without` leaves columns out.
    """
    job = {k: v for k, v in (JOBS[table] | changed).items() if k not in without}
    return (
        f"CREATE OR REPLACE TABLE migrated.{table} USING DELTA {LAYOUT.get(table, '')} AS "
        + select(table, job)
    )


def select(table: str, job: dict[str, str] | None = None) -> str:
    """Return the query of a job over its legacy table."""
    columns = ", ".join(f"{value} AS {name}" for name, value in (job or JOBS[table]).items())
    return f"SELECT {columns} FROM legacy.{table} {FILTERS.get(table, '')}".rstrip()


def migrate(spark: SparkSession, table: str) -> int:
    """Run the job of one table and return how many rows the new table has."""
    spark.sql(rebuild(table))
    return spark.table(f"migrated.{table}").count()
