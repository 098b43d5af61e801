"""The gate is red exactly when a pair of its wave is not ready, and says why."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.project_copy import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SAME = "select id, id as v from range(100)"
ONE_CLEAN_RUN = {"recon_required_clean_runs": 1}


def differing(rows):
    return f"select id, id + if(id < {rows}, 1, 0) as v from range(100)"


# pair: (its target, its settings, the reasons against it after one night)
PAIRS = {
    "clean": (SAME, {}, []),
    "broken": (differing(2), {}, ["open_items"]),
    "inside_rows": (differing(3), {"max_mismatched_rows": "3"}, []),
    "beyond_rows": (differing(4), {"max_mismatched_rows": "3"}, ["open_items"]),
    "inside_pct": (differing(2), {"max_mismatched_pct": "2"}, []),
    "beyond_pct": (differing(3), {"max_mismatched_pct": "2"}, ["open_items"]),
    # both given: both must hold
    "beyond_one": (
        differing(3),
        {"max_mismatched_pct": "50", "max_mismatched_rows": "2"},
        ["open_items"],
    ),
    "one_sided": (
        "select id, id as v, 1 as more from range(100)",
        {"max_mismatched_rows": "100"},
        ["open_items"],
    ),
    "capped": (
        differing(3),
        {"max_mismatched_rows": "100", "max_recorded_rows": "1"},
        ["open_items"],
    ),
    "empty": (
        "select id, id as v from range(0)",
        {
            "max_mismatched_rows": "100",
            "fail_on_empty": "true",
            "source_filter": "id < 0",
        },
        ["open_items"],
    ),
    "in_error": (SAME, {"target_filter": "w > 1", "max_mismatched_rows": "9"}, ["error"]),
    "warned": (differing(5), {"severity": "warn"}, ["open_items"]),
}
READY = {name for name, (_, _, reasons) in PAIRS.items() if not reasons} | {"warned"}


def lines(project, **changes):
    """The lines of table_pairs.csv: a wave for the ready pairs and one for the others."""
    return [
        {
            "pair_id": name,
            "source_relation": f"{project.schema}.{name}_old",
            "target_relation": f"{project.schema}.{name}_new",
            "key_columns": "id",
            "wave": "w1" if name in READY else "w2",
            **settings,
            **changes.get(name, {}),
        }
        for name, (_, settings, _) in PAIRS.items()
    ]


@pytest.fixture(scope="module")
def night(project):
    for name, (target, _, _) in PAIRS.items():
        project.table(f"{name}_old", SAME)
        project.table(f"{name}_new", target)
    project.write_seeds(lines(project))
    outcome = project.night()
    assert outcome.success, outcome.failure
    return outcome


def readiness(project):
    """{pair: (is ready, reasons)}, of the wave that it is in."""
    rows = project.rows("select pair_id, is_ready, reasons from {schema}.cutover_readiness")
    return {r["pair_id"]: (r["is_ready"], [f["reason"] for f in r["reasons"]]) for r in rows}


def held_up(project):
    """Ids of the pairs that the gate tests hold up, as their compiled queries say."""
    compiled = project.root / "target/compiled/recon/tests/gate"
    queries = [file.read_text() for file in compiled.glob("*.sql")]
    return {row.pair_id for query in queries for row in project.spark.sql(query).collect()}


def test_red_exactly_where_a_pair_is_not_ready(project, night):
    gate = project.gate(**ONE_CLEAN_RUN)
    assert not gate.success
    found = readiness(project)
    expected = {name: (name in READY, reasons) for name, (_, _, reasons) in PAIRS.items()}
    assert found == expected
    assert held_up(project) == PAIRS.keys() - READY
    assert f"GATE RED: {len(READY)} of {len(PAIRS)} pairs ready" in gate.output
    assert "in 4 rows, of which 3 are allowed" in gate.output
    assert "in 3 rows, of which 2 and 50.0 % are allowed" in gate.output


def test_a_wave_is_judged_alone(project, night):
    ready = project.gate(recon_wave="w1", recon_gate_report=True, **ONE_CLEAN_RUN)
    assert ready.success, ready.output
    ready_pairs = f"{len(READY)} of {len(READY)} pairs ready, 1 of them by severity warn alone"
    assert f"GATE GREEN of wave w1: {ready_pairs}" in ready.output
    assert "(warning) open_items  warned: open differences: 5" in ready.output
    report = json.loads(next(m for m in ready.messages if m.startswith("{")))
    assert (report["verdict"], report["wave"]) == ("green", "w1")
    assert [(r["pair_id"], r["severity"]) for r in report["reasons"]] == [("warned", "warn")]
    assert report["pairs_excused"] == 1
    assert not project.gate(recon_wave="w2", **ONE_CLEAN_RUN).success
    unknown = project.gate(recon_wave="w9", **ONE_CLEAN_RUN)
    assert not unknown.success
    assert "no pair is in wave w9" in unknown.output


def test_every_verdict_is_appended(project, night):
    rows = project.rows("select * from {schema}.gate_verdicts order by verdict_ts")
    assert [(row["verdict"], row["wave"]) for row in rows] == [
        ("red", None), ("green", "w1"), ("red", "w2"), ("red", "w9"),
    ]  # fmt: skip
    run = project.rows("select max(run_ts) as run_ts from {schema}.audit_ledger")[0]["run_ts"]
    assert {row["run_ts"] for row in rows} == {run}
    assert all(row["executed_as"] and row["git_commit"] for row in rows)
    assert {r["pair_id"] for r in rows[2]["reasons"]} == PAIRS.keys() - READY


def test_clean_once_is_not_clean_for_good(project, night):
    gate = project.gate(recon_wave="w1")
    assert not gate.success
    assert "clean: clean comparisons in a row: 1, it takes 3" in gate.output
    reasons = {name: found for name, (_, found) in readiness(project).items()}
    assert reasons["inside_rows"] == reasons["clean"] == ["too_few_clean_runs"]


def test_moving_a_pair_does_not_free_its_wave(project, night):
    project.write_seeds(lines(project, broken={"wave": "w1"}, inside_pct={"wave": "w3"}))
    former = project.gate(recon_wave="w2", **ONE_CLEAN_RUN)
    assert "broken: it was moved to wave w1 with open differences: 2" in former.output
    # inside its threshold it was ready
    assert "inside_pct: it was moved" not in project.gate(recon_wave="w1", **ONE_CLEAN_RUN).output
    project.write_seeds(lines(project))


def test_evidence_of_another_configuration_does_not_count(project, night):
    project.write_seeds(lines(project, clean={"source_filter": "id >= 0"}))
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert gate.status["assert_evidence_matches_configuration"] == "fail"
    assert "clean: its configuration has changed since the last run" in gate.output
    project.write_seeds(lines(project), [{"pair_id": "claen", "column_name": "v", "rule": "trim"}])
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert gate.status["assert_configuration_is_valid"] == "fail"
    assert "'claen' fits no pair" in gate.output
    project.write_seeds(lines(project, clean={"null_keys": "mtach"}))
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert gate.status["assert_configuration_is_valid"] == "fail"
    assert "configuration_invalid" in readiness(project)["clean"][1]
    assert "null_keys" in gate.output
    project.write_seeds(lines(project))


def test_tables_that_moved_on_are_seen_when_asked_for(project, night):
    project.spark.sql(f"optimize {project.schema}.clean_new")
    current = {"recon_gate_requires_current_tables": True, "recon_wave": "w1", **ONE_CLEAN_RUN}
    assert project.gate(**current).success
    project.spark.sql(f"update {project.schema}.clean_new set v = v where id = 1")
    assert project.gate(recon_wave="w1", **ONE_CLEAN_RUN).success
    gate = project.gate(**current)
    assert gate.status["assert_evidence_matches_configuration"] == "fail"
    assert "clean: the target table has changed since it was compared" in gate.output
    project.table("clean_new", SAME)
    assert "clean: the target table was dropped and created again" in project.gate(**current).output


def test_a_given_clock_counts_on_the_embedded_engine_only(project, night):
    again = project.night(recon_now="2200-01-01 00:00:00")
    assert not again.success and "five minutes ahead" in again.output
    project.spark.sql(f"create schema if not exists {project.schema}")
    now = project.rows("select current_timestamp() as now")[0]["now"]
    assert project.night(recon_now=f"{now:%Y-%m-%d %H:%M:%S}").success
    macro = project.root / "macros/gate/counts_given_clock.sql"
    try:
        macro.write_text("{% macro counts_given_clock() %}false{% endmacro %}")
        gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    finally:
        macro.write_text((ROOT / "macros/gate/counts_given_clock.sql").read_text())
    assert gate.status["assert_evidence_matches_configuration"] == "fail"
    assert "clean: the time of its last comparison was given" in gate.output
    assert project.gate(recon_wave="w1", **ONE_CLEAN_RUN).success


def test_a_stale_run_and_a_pair_never_compared(project, night):
    later = project.rows("select current_timestamp() + interval 2 days as now")[0]["now"]
    gate = project.gate(recon_wave="w1", recon_now=f"{later:%Y-%m-%d %H:%M:%S}", **ONE_CLEAN_RUN)
    assert gate.status["assert_audit_log_is_fresh"] == "fail"
    assert "clean: its last comparison is 4" in gate.output
    new = {**lines(project)[0], "pair_id": "unseen"}
    project.write_seeds([*lines(project), new])
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert gate.status["assert_every_pair_compared"] == "fail"
    assert "unseen: it was never compared: run the night" in gate.output
    project.write_seeds(lines(project))


def test_a_rewritten_record_is_seen(project, night):
    ledger = f"{project.schema}.audit_ledger"
    project.spark.sql(f"alter table {ledger} set tblproperties ('delta.appendOnly' = 'false')")
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert "audit_ledger may be rewritten" in gate.output
    project.spark.sql(f"delete from {ledger} where record_type = 'observation'")
    run = "select min(run_id) as run_id from {schema}.audit_ledger"
    project.spark.sql(f"delete from {ledger} where run_id = '{project.rows(run)[0]['run_id']}'")
    project.spark.sql(f"alter table {ledger} set tblproperties ('delta.appendOnly' = 'true')")
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert gate.status["assert_ledger_is_append_only"] == "fail"
    assert "audit_ledger was rewritten" in gate.output and "DELETE" in gate.output
    assert "audit_ledger has lost the run of" in gate.output


def reasons_of(project, pair):
    """The reasons against a pair, by the tests that the gate has failed with."""
    gate = project.gate(**ONE_CLEAN_RUN)
    failed = {name for name, status in gate.status.items() if status == "fail"}
    found = readiness(project)[pair]
    assert found[0] == gate.success == (not failed)
    return set(found[1]), failed


def act(project, name, **arguments):
    arguments |= {"resolved_by": "ana", "reason": "told to"}
    outcome = project.dbt("run-operation", name, "--args", json.dumps(arguments))
    assert outcome.success, outcome.output


def test_from_clean_to_broken_and_back(fresh_project):
    project = fresh_project
    project.write_seeds([project.pair("orders", SAME, SAME)])
    now = datetime.now(UTC)
    for days in (3, 2, 1):
        assert project.night(recon_now=f"{now - timedelta(days):%Y-%m-%d %H:%M:%S}").success
    assert reasons_of(project, "orders") == (set(), set())
    project.table("orders_new", differing(5))
    assert project.night().success
    items, drift = "assert_no_open_mismatches", "assert_no_baseline_drift"
    broken = {"open_items", "baseline_drift"}
    assert reasons_of(project, "orders") == (broken, {items, drift})
    act(project, "accept_baseline", pair_id="orders")
    assert reasons_of(project, "orders") == ({"open_items"}, {items})
    act(project, "resolve_mismatches", pair_id="orders")
    closed = {"closed_unverified", "too_few_clean_runs"}
    assert reasons_of(project, "orders") == (closed, {items})
    project.table("orders_new", SAME)
    assert project.night().success
    assert reasons_of(project, "orders") == (set(), set())
    project.write_seeds([])
    left = {"not_configured"}, {"assert_every_pair_compared"}
    assert reasons_of(project, "orders") == left


def test_what_could_not_be_asked_is_no_verdict(project, night):
    project.write_seeds(lines(project))
    verdicts = project.rows("select count(*) as n from {schema}.gate_verdicts")
    project.spark.sql(f"drop table {project.schema}.audit_drift")
    gate = project.gate(recon_wave="w1", **ONE_CLEAN_RUN)
    assert not gate.success
    assert "GATE NOT JUDGED of wave w1" in gate.output
    assert "GATE RED" not in gate.output and "GATE GREEN" not in gate.output
    assert project.rows("select count(*) as n from {schema}.gate_verdicts") == verdicts
