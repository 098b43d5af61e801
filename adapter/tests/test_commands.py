"""The commands around a build."""

import json

import pytest


@pytest.mark.slow
def test_docs_generate_lists_every_relation_and_column(project):
    assert project.dbt("docs", "generate").success
    catalog = json.loads((project.folder / "target" / "catalog.json").read_text())["nodes"]
    manifest = json.loads((project.folder / "target" / "manifest.json").read_text())["nodes"]
    built = {key for key in manifest if key.split(".")[0] in ("model", "seed", "snapshot")}
    assert set(catalog) == built
    columns = catalog["model.embedded_tests.people_view"]["columns"]
    assert {name: facts["type"] for name, facts in columns.items()} == {
        "id": "bigint",
        "name": "string",
        "ids": "array<bigint>",
    }


def test_show_inline_prints_rows(project):
    assert project.dbt("show", "--inline", "select 41 + 1 as answer").success
    assert any("42" in line for line in project.lines)


def test_instants_are_shown_in_utc(project):
    query = "select timestamp'2024-07-01 10:00:00' as t"
    assert project.dbt("show", "--inline", query, "--output", "json").success
    assert any("2024-07-01T10:00:00" in line for line in project.lines)


def test_debug_compile_and_test(project):
    assert project.dbt("debug").success
    assert project.dbt("compile").success
    assert project.dbt("test").success


def test_run_operation_finds_renames_and_drops(project):
    assert project.dbt("run-operation", "look_around").success, project.lines
    said = "\n".join(project.lines)
    assert "columns id,name" in said
    assert "rows 3" in said
    assert "renamed 1" in said
    assert "schema False" in said


@pytest.mark.slow
def test_retry_finishes_what_failed(project, spark):
    project.write("models/later.sql", "select * from recon.comes_later")
    assert not project.dbt("run", "--select", "later").success
    spark.sql("create table recon.comes_later using delta as select 1 as a")
    assert project.dbt("retry").success
    (project.folder / "models" / "later.sql").unlink()
