"""The cases of tests/cases/rows.json as examples: both sides read by Spark SQL, without dbt."""

import json
from datetime import timedelta

from pyspark.sql import types as T

from tests.cases.case_file import ENTRIES
from tests.fuzz.datatypes import YEAR_MONTH, Type, array, decimal, map_of, struct
from tests.fuzz.example import Example, Rule, Table
from tests.fuzz.expressions import quoted


def type_of(spark_type):
    """The type of a Spark DataType."""
    if isinstance(spark_type, T.DecimalType):
        return decimal(spark_type.precision, spark_type.scale)
    if isinstance(spark_type, T.ArrayType):
        return array(type_of(spark_type.elementType))
    if isinstance(spark_type, T.MapType):
        return map_of(type_of(spark_type.keyType), type_of(spark_type.valueType))
    if isinstance(spark_type, T.StructType):
        return struct(*((f.name, type_of(f.dataType)) for f in spark_type.fields))
    return Type(spark_type.simpleString())


def readable(name, kind):
    """SQL that reads a column in a form that Python holds whatever the machine's zone is."""
    column = quoted(name)
    if kind.name in YEAR_MONTH:
        months = f"cast({column} as interval year to month)"
        return f"extract(year from {months}) * 12 + extract(month from {months})"
    if kind.name == "timestamp":
        return f"to_timestamp_ntz({column})"
    return f"to_json({column})" if kind.name == "variant" else column


def plain(value):
    """Spark's Python value in the form of datatypes."""
    if isinstance(value, T.Row | tuple):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return [(plain(k), plain(v)) for k, v in value.items()]
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    return list(map(plain, value)) if isinstance(value, list) else value


def read_table(spark, query):
    """The table of a query; the session's zone must be UTC."""
    frame = spark.sql(query)
    columns = tuple((f.name, type_of(f.dataType)) for f in frame.schema.fields)
    rows = frame.selectExpr(*(f"{readable(*c)} as c{i}" for i, c in enumerate(columns))).collect()
    return Table(columns, tuple(map(plain, rows)))


def read_case(spark, case):
    """A case as example."""
    rules = tuple(
        Rule(line["column_name"], line["rule"], line["argument"], line["side"])
        for line in case["rules"]
    )
    tables = (read_table(spark, case[f"{side}_sql"]) for side in ("source", "target"))
    return Example(*tables, settings=case["pair"], rules=rules)


def in_case_form(result):
    """A result in the form of a case's `expected`, each list sorted by its JSON."""
    found = {name: [] for name in ENTRIES}
    for record in result.records:
        column = record.source_column or record.target_column
        key = record.record_key and json.loads(record.record_key)
        if record.diff_type == "schema_mismatch":
            found["schema_mismatch"].append(column)
        elif record.diff_type in ("value_mismatch", "within_tolerance"):
            found[record.diff_type].append([key, column])
        elif record.diff_type in ("duplicate_key", "null_key"):
            found[record.diff_type].append([record.side, key, record.occurrences])
        elif record.diff_type.startswith("missing_"):
            found[record.diff_type].append(key)
    return {"status": result.status, **{name: ordered(items) for name, items in found.items()}}


def ordered(items):
    return sorted(items, key=json.dumps)
