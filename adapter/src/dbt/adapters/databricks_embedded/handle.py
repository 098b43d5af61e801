"""What dbt-databricks expects of a connection and a cursor, over a SparkSession."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from dbt.adapters.databricks.handle import DatabricksAdapterResponse, SqlUtils
from pyspark.sql import DataFrame, SparkSession

# Selects the statements of dbt-databricks that open-source Delta has too.
DBR_VERSION = (15, 4)


class SessionCursor:
    """One executed statement; its rows are read when somebody asks for them."""

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame
        self._rows: list[tuple] | None = None
        self.description = [
            (field.name, field.dataType.simpleString(), None, None, None, None, field.nullable)
            for field in frame.schema.fields
        ]

    def fetchall(self) -> list[tuple]:
        rows, self._rows = self._read(), []
        return rows

    def fetchmany(self, size: int) -> list[tuple]:
        rows = self._read()
        self._rows = rows[size:]
        return rows[:size]

    def fetchone(self) -> tuple | None:
        return next(iter(self.fetchmany(1)), None)

    def get_response(self) -> DatabricksAdapterResponse:
        return DatabricksAdapterResponse(_message="OK", query_id="N/A")

    def close(self) -> None:
        self._rows = []

    def _read(self) -> list[tuple]:
        if self._rows is None:
            self._rows = [tuple(map(_value, row)) for row in self._frame.collect()]
        return self._rows


class SessionHandle:
    """The shared session in the place of a connection: closing it leaves the session open."""

    session_id = "embedded"
    dbr_version = DBR_VERSION

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def execute(self, sql: str, bindings: Sequence[Any] | None = None) -> SessionCursor:
        """Run one statement; `?` in it are bound to `bindings` as text, None as NULL."""
        statement = SqlUtils.clean_sql(sql)
        if not bindings:
            return SessionCursor(self._spark.sql(statement))
        texts = [None if value is None else str(value) for value in bindings]
        return SessionCursor(self._spark.sql(statement, args=texts))

    def cancel(self) -> None:
        """Nothing of its own to stop: the connection manager stops all jobs at once."""

    def close(self) -> None:
        """Nothing to close: the session belongs to the process."""

    def rollback(self) -> None:
        """Spark has no transaction to roll back."""


def _value(value: Any) -> Any:
    """As the Databricks connector returns it: instants with their zone."""
    # PySpark hands instants over as naive local time, whatever the session's zone.
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return value
