"""The datasets of the dashboard: read from the local marts, and packed for the page."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.types as of_type
from dbt.adapters.databricks_embedded.errors import plain_message
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

if TYPE_CHECKING:
    from datetime import date

    from pyspark.sql import SparkSession

# The largest integer that JavaScript tells apart from its neighbours.
EXACT = 2**53


class DatasetFailed(Exception):
    """A dataset's query did not run; the message names the dataset and says why."""


def read(
    spark: SparkSession, schema: str, asked: dict[str, tuple[str, dict[str, date]]]
) -> dict[str, pa.Table]:
    """Return the rows of each (query, arguments); bare table names are those of `schema`."""
    before = spark.catalog.currentDatabase()
    spark.catalog.setCurrentDatabase(schema)
    try:
        return {name: _rows(spark, name, *one) for name, one in asked.items()}
    finally:
        spark.catalog.setCurrentDatabase(before)


def _rows(spark: SparkSession, name: str, query: str, arguments: dict[str, date]) -> pa.Table:
    try:
        return spark.sql(query, arguments).toArrow()
    except (PySparkException, Py4JJavaError) as failure:
        raise DatasetFailed(f"dataset {name} cannot be read: {plain_message(failure)}") from failure


def pack(table: pa.Table) -> dict[str, Any]:
    """Return {rows, columns: {name: {type, values, codes}}}: each distinct value once.

    `type` is number, boolean, date, timestamp or text. Numbers that JavaScript cannot hold exactly
    are texts of digits; times are ISO texts in UTC; nested values are JSON texts.
    """
    columns = {
        name: _pack_column(column)
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return {"rows": table.num_rows, "columns": columns}


def _pack_column(column: pa.ChunkedArray) -> dict[str, Any]:
    kind, values = _plain(column)
    place: dict[Any, int] = {}
    codes = [place.setdefault(value, len(place)) for value in values]
    return {"type": kind, "values": list(place), "codes": codes}


def _plain(column: pa.ChunkedArray) -> tuple[str, list[Any]]:
    """Return the page's type of a column and its values as JSON has them."""
    kind = column.type
    if of_type.is_boolean(kind):
        return "boolean", column.to_pylist()
    if of_type.is_integer(kind) or of_type.is_floating(kind) or of_type.is_decimal(kind):
        return "number", [_number(value) for value in column.to_pylist()]
    if of_type.is_date(kind):
        return "date", _each(column, lambda value: value.isoformat())
    if of_type.is_timestamp(kind):
        return "timestamp", _each(column, lambda value: f"{value:%Y-%m-%d %H:%M:%S.%f}"[:26])
    if of_type.is_nested(kind):
        return "text", _each(column, lambda value: json.dumps(value, default=str))
    return "text", _each(column, str)


def _each(column: pa.ChunkedArray, text) -> list[str | None]:
    return [None if value is None else text(value) for value in column.to_pylist()]


def _number(value: Any) -> Any:
    """Return a number as it is where JavaScript reads it exactly, else its digits as text."""
    if value is None or isinstance(value, float):
        # NaN and infinities are no JSON.
        return value if value is None or abs(value) < float("inf") else str(value)
    if isinstance(value, int):
        return value if abs(value) <= EXACT else str(value)
    # A decimal: exact as a float when the float's shortest digits are its own.
    return float(value) if Decimal(repr(float(value))) == value else f"{value:f}"
