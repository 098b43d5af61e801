"""Pairs that fail in every way while they are compared: each is its own error, no other is."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ROWS = "select id, id as v from range(3)"
# Hours of work; reading the schema takes no time.
ENDLESS = (
    "select a.id, max(hash(a.id, b.id)) as v from range(3) as a "
    "cross join range(1000000000000) as b group by a.id"
)
ONE_BY_ONE = {"recon_concurrency": 1}


def view(project, name, query):
    project.spark.sql(f"create schema if not exists {project.schema}")
    project.spark.sql(f"create or replace view {project.schema}.{name} as {query}")
    return f"{project.schema}.{name}"


def pair(project, name, target, **settings):
    return {
        "pair_id": name,
        "source_relation": project.table(f"{name}_old", ROWS),
        "target_relation": view(project, f"{name}_new", target),
        "key_columns": "id",
        **settings,
    }


def failures(project):
    """{pair: (error class, sentence)} of the last run."""
    rows = project.results().values()
    return {
        r["pair_id"]: (r["error_class"], r["error_message"]) for r in rows if r["status"] == "error"
    }


def test_a_pair_that_never_returns_costs_itself_only(fresh_project):
    project = fresh_project
    # results of some are to be recorded while the endless one holds every core
    quick = [pair(project, f"quick{number}", ROWS) for number in range(5)]
    project.write_seeds([pair(project, "endless", ENDLESS, timeout_minutes="0.2"), *quick])
    night = project.night(recon_concurrency=6)
    assert night.success, night.failure
    assert failures(project).keys() == {"endless"}
    error_class, sentence = failures(project)["endless"]
    assert error_class == "timeout"
    assert "not compared within its timeout_minutes (0.2)" in sentence
    assert [r["status"] for r in project.results().values()].count("match") == 5


def test_planning_that_never_returns_costs_itself_only(fresh_project):
    project = fresh_project
    endless = {
        "pair_id": "endless",
        "source_relation": view(project, "endless_old", ENDLESS),
        "target_relation": project.table("endless_new", ROWS),
        "key_columns": "id",
        "watermark_column": "v",
        "timeout_minutes": "0.1",
    }
    project.write_seeds([endless, pair(project, "quick", ROWS)])
    night = project.night()
    assert night.success, night.failure
    assert failures(project).keys() == {"endless"}
    error_class, sentence = failures(project)["endless"]
    assert error_class == "timeout"
    assert "watermark_column was not read within its timeout_minutes (0.1)" in sentence
    assert project.results()["quick"]["status"] == "match"


def test_a_run_out_of_time_records_what_it_has_and_begins_with_the_rest(fresh_project):
    project = fresh_project
    big = project.pair("big", "select id from range(1000)", "select id from range(1000)")
    endless = [pair(project, name, ENDLESS) for name in ("late", "later")]
    project.write_seeds([big, *endless])
    night = project.night(recon_run_deadline_minutes=1, **ONE_BY_ONE)
    assert night.success, night.failure
    assert project.results()["big"]["status"] == "match"
    assert {c for c, _ in failures(project).values()} == {"not_reached"}
    assert failures(project).keys() == {"late", "later"}
    assert "first in line" in failures(project)["later"][1]
    for name in ("late", "later"):
        view(project, f"{name}_new", ROWS)
    night = project.night(**ONE_BY_ONE)
    assert night.success, night.failure
    order = [line for line in night.output.splitlines() if line.strip().startswith("[3/3]")]
    assert "big" in order[0]
    assert failures(project) == {}


# What the data do to a comparison: an expression over id for v.
BREAKING = {
    "cast_under_ansi": "cast(concat('secret-', id) as int)",
    "raised_by_a_function": "cast(raise_error(concat('secret-', id)) as bigint)",
    "division": "id div (id - id)",
    "overflow": "id + 9223372036854775807",
}


def test_a_view_that_is_not_deterministic_is_noted(fresh_project):
    project = fresh_project
    steady = pair(project, "steady", "select id, id as v from range(3) -- not now()")
    moving = pair(project, "moving", "select id, id + unix_date(current_date()) as v from range(3)")
    project.write_seeds([steady, moving])
    assert project.night().success
    results = project.results()
    assert results["moving"]["status"] == "mismatch"
    note = f"the view {project.schema}.moving_new depends on time or chance: current_date"
    assert note in results["moving"]["notes"]
    assert results["moving"]["depends_on_time"] and not results["steady"]["depends_on_time"]
    assert not any("chance" in note for note in results["steady"]["notes"])


def test_whatever_fails_while_comparing_is_that_pairs_error(fresh_project):
    project = fresh_project
    lines = [
        pair(project, name, f"select id, {expression} as v from range(3)")
        for name, expression in BREAKING.items()
    ]
    dropped = project.pair("dropped", ROWS, ROWS)
    # more than the engine's memory in one value
    greedy = pair(
        project, "greedy", "select id, size(array_repeat(id, 2000000000)) as v from range(3)"
    )
    base = project.table("base", ROWS)
    broken = pair(project, "broken_view", f"select id, v from {base}")
    project.write_seeds([*lines, dropped, broken, greedy, pair(project, "quick", ROWS)])
    assert project.dbt("build", "--select", "+int_recon__pair_plans").success
    project.spark.sql(f"drop table {project.schema}.dropped_new")
    project.spark.sql(f"drop table {base}")
    night = project.resume()
    assert night.success, night.failure
    found = failures(project)
    assert found.keys() == BREAKING.keys() | {"dropped", "broken_view", "greedy"}
    assert project.results()["quick"]["status"] == "match"
    assert found["dropped"][0] == found["broken_view"][0] == "relation_not_found"
    assert found["greedy"][0] == "out_of_memory"
    assert {found[name][0] for name in BREAKING} == {"comparison_failed"}
    for name, (_, sentence) in found.items():
        assert f"pair {name}:" in sentence and "\n" not in sentence
        assert "secret-" not in sentence
    assert "secret-" not in night.output
