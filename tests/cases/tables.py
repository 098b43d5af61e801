"""Both tables of every case, made from its two queries."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from dbt.adapters.databricks_embedded.errors import plain_message
from dbt.adapters.databricks_embedded.settings import SESSION_SETTINGS
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql.types import (
    ArrayType,
    CalendarIntervalType,
    DayTimeIntervalType,
    MapType,
    NullType,
    StringType,
    StructType,
    YearMonthIntervalType,
)

# A table waits for its commit and the catalog as long as it computes.
THREADS = 4
CASE_SENSITIVE = "spark.sql.caseSensitive"
INTERVALS = (CalendarIntervalType, DayTimeIntervalType, YearMonthIntervalType)
# Characters that Delta takes in a name under column mapping only.
ODD_CHARACTERS = re.compile(r"[ ,;{}()\n\t=]")
MAPPING = "tblproperties ('delta.columnMapping.mode' = 'name')"


@dataclass(frozen=True)
class Relation:
    """What is made of one query: its name, the case it belongs to, and the query."""

    name: str
    case_id: str
    side: str
    query: str


def schemas_of(project):
    """The schemas of both sides: beside recon's own."""
    return {side: f"{project.schema}_{side}" for side in ("source", "target")}


def relation_names(project, case):
    """The names of a case's two tables, by side."""
    return {side: f"{schema}.{case.pair_id}" for side, schema in schemas_of(project).items()}


def make_relations(project, cases, progress=lambda done, of: None):
    """Makes the tables of all cases; returns {case id: why one of its tables could not be made}.

    The session's settings play no part: every query is read in UTC and under ANSI rules.
    """
    relations = [
        Relation(name, case.id, side, getattr(case, f"{side}_sql"))
        for case in cases
        for side, name in relation_names(project, case).items()
    ]
    spark, failures, done = project.spark, {}, 0
    with settings(spark, SESSION_SETTINGS):
        for schema in schemas_of(project).values():
            spark.sql(f"create schema if not exists {schema}")
        with ThreadPoolExecutor(THREADS) as pool:
            outcomes = pool.map(lambda relation: make_relation(spark, relation), relations)
            for relation, failure in zip(relations, outcomes, strict=True):
                done += 1
                progress(done, len(relations))
                if failure:
                    failures[relation] = failure
        # One at a time, for the setting holds for the whole session.
        with settings(spark, {CASE_SENSITIVE: "true"}):
            for relation in list(failures):
                if not (failure := make_relation(spark, relation)):
                    del failures[relation]
    return {r.case_id: f"its {r.side} could not be made: {why}" for r, why in failures.items()}


@contextmanager
def settings(spark, values):
    """Gives the session these settings for a while."""
    before = {name: spark.conf.get(name, None) for name in values}
    try:
        for name, value in values.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.unset(name) if value is None else spark.conf.set(name, value)


def make_relation(spark, relation):
    """Makes one table, or the view that stands in for it; returns None, or why it failed."""
    try:
        schema = spark.sql(relation.query).schema
        spark.sql(f"{create_clause(relation.name, schema)} as {relation.query}")
    except (PySparkException, Py4JJavaError) as refused:
        return " ".join(plain_message(refused).split())
    return None


def create_clause(name, schema):
    """The statement that makes a relation of this schema, up to its query."""
    if delta_lacks(schema):
        return f"create view {name}"
    table = f"create table {name} using delta"
    has_odd_name = any(map(ODD_CHARACTERS.search, column_names(schema)))
    return f"{table} {MAPPING}" if has_odd_name else table


def delta_lacks(data_type):
    """Whether Delta cannot hold the type: interval, collation, VOID, names equal but for case."""
    if isinstance(data_type, StringType):
        return data_type.collation != "UTF8_BINARY"
    if isinstance(data_type, StructType):
        names = [name.lower() for name in data_type.names]
        return len(set(names)) < len(names) or any(map(delta_lacks, parts(data_type)))
    return isinstance(data_type, (NullType, *INTERVALS)) or any(map(delta_lacks, parts(data_type)))


def column_names(data_type):
    """All names in a type, those of nested fields too."""
    own = data_type.names if isinstance(data_type, StructType) else []
    return [*own, *(name for part in parts(data_type) for name in column_names(part))]


def parts(data_type):
    """The types a nested type consists of; of any other type none."""
    if isinstance(data_type, StructType):
        return [field.dataType for field in data_type.fields]
    if isinstance(data_type, MapType):
        return [data_type.keyType, data_type.valueType]
    return [data_type.elementType] if isinstance(data_type, ArrayType) else []
