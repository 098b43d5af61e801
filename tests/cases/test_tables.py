"""Which cases get a table, and which a view, by the schema of the query alone."""

import pytest
from pyspark.sql.types import (
    ArrayType,
    CharType,
    DayTimeIntervalType,
    IntegerType,
    MapType,
    NullType,
    StringType,
    StructType,
    VariantType,
    YearMonthIntervalType,
)

from tests.cases.tables import create_clause

TEXT, NUMBER = StringType(), IntegerType()


def struct(**fields):
    made = StructType()
    for name, data_type in fields.items():
        made.add(name, data_type)
    return made


@pytest.mark.parametrize(
    "data_type",
    [
        YearMonthIntervalType(),
        NullType(),
        StringType("UTF8_LCASE"),
        ArrayType(DayTimeIntervalType()),
        MapType(TEXT, NullType()),
        MapType(StringType("UNICODE_CI"), TEXT),
        struct(a=ArrayType(struct(b=NullType()))),
        struct(a=NUMBER, A=NUMBER),
    ],
    ids=str,
)
def test_a_view_stands_in_for_what_delta_lacks(data_type):
    assert create_clause("s.t", struct(id=NUMBER, v=data_type)) == "create view s.t"


@pytest.mark.parametrize(
    "data_type",
    [TEXT, CharType(3), VariantType(), MapType(TEXT, ArrayType(struct(a=NUMBER)))],
    ids=str,
)
def test_a_table_holds_the_rest(data_type):
    assert create_clause("s.t", struct(id=NUMBER, v=data_type)) == "create table s.t using delta"


def test_columns_that_differ_by_case_only_need_a_view():
    assert create_clause("s.t", struct(id=NUMBER, ID=NUMBER)) == "create view s.t"


@pytest.mark.parametrize("name", ["a b", "a,b", "a=b", "a(b)", "a\tb"])
def test_odd_names_need_column_mapping(name):
    mapped = "create table s.t using delta tblproperties ('delta.columnMapping.mode' = 'name')"
    assert create_clause("s.t", struct(**{name: NUMBER})) == mapped
    assert create_clause("s.t", struct(v=ArrayType(struct(**{name: NUMBER})))) == mapped
    assert create_clause("s.t", struct(**{"é.-`": NUMBER})) == "create table s.t using delta"
