"""dbt-databricks' own materializations on the embedded session."""

import pytest
from pyspark.errors import PySparkException


def _rows(spark, sql):
    return [tuple(row) for row in spark.sql(sql).collect()]


def test_seed_keeps_values_types_and_nulls(project, spark):
    assert _rows(
        spark, "select id, name, amount, string(day), flag from recon.people order by id"
    ) == [
        (1, "a", 1.5, "2024-01-01", True),
        (2, None, 2.25, "2024-01-02", None),
        (3, "it's ?", None, "2024-01-03", False),
    ]


def test_seed_without_rows_is_an_empty_table(project, spark):
    assert project.dbt("seed", "--select", "no_rows").success
    assert spark.table("recon.no_rows").columns == ["pair_id", "column_name"]
    assert spark.table("recon.no_rows").count() == 0


def test_view_table_and_python_model_hold_the_rows(project, spark):
    assert _rows(spark, "select count(*) from recon.people_view") == [(3,)]
    assert _rows(spark, "select id from recon.people_table order by id") == [(1,), (2,), (3,)]
    assert _rows(spark, "select id from recon.people_python order by id") == [(2,), (3,)]


def test_print_in_a_python_model_is_a_line_of_dbt(project):
    start = next(i for i, line in enumerate(project.build_lines) if "START python" in line)
    end = next(i for i, line in enumerate(project.build_lines) if "OK created python" in line)
    assert start < project.build_lines.index("1 of 1 people") < end


def test_grants_are_said_to_be_left_out(project):
    assert any("grants on `recon`.`people_table` are not applied" in x for x in project.build_lines)


def test_comments_are_persisted(project, spark):
    described = {row[0]: row[2] for row in spark.sql("describe recon.people_table").collect()}
    assert described["id"] == "the person's number"
    detail = spark.sql("describe detail recon.people_table").collect()[0]
    assert detail["description"] == "it's a table"


def test_append_only_table_grows_widens_and_survives_full_refresh(project, spark):
    before = spark.table("recon.log_append").count()
    arguments = ["run", "--select", "log_append", "--full-refresh", "--vars", "{wider: true}"]
    assert project.dbt(*arguments).success, project.lines
    assert spark.table("recon.log_append").count() == before + 3
    assert spark.table("recon.log_append").where("extra is null").count() == before
    with pytest.raises(PySparkException, match="DELTA_CANNOT_MODIFY_APPEND_ONLY"):
        spark.sql("delete from recon.log_append")


@pytest.mark.slow
def test_merge_and_snapshot_run_twice(project, spark):
    assert project.dbt("build", "--select", "people_merge", "people_history").success
    assert spark.table("recon.people_merge").count() == 3
    assert spark.table("recon.people_history").count() == 3
