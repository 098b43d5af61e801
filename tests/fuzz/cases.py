"""The cases of tests/cases/rows.json as examples: both sides read by Spark SQL, without dbt."""

from datetime import timedelta

from pyspark.sql import types as T

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
        Rule(*(line.get(name, "") for name in ("column_name", "rule", "argument", "side")))
        for line in case.rules
    )
    queries = (case.source_sql, case.target_sql)
    tables = (read_table(spark, query) for query in queries)
    return Example(*tables, settings=case.pair, rules=rules)


def as_ledger_rows(case, result):
    """A result of the oracle as the ledger would hold it."""
    own = {"pair_id": case.pair_id, "record_type": "pair_result", "mismatch_id": None}
    counts = {n: v for n, v in vars(result).items() if n not in ("records", "rows")}
    records = ({**vars(record), "pair_id": case.pair_id} for record in result.records)
    return [{**own, **counts, **result.rows}, *records]
