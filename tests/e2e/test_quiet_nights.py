"""Nights without pairs and without differences, and a pair taken out of the seed."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlparse

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_the_gate_before_any_night_says_so(project):
    outcome = project.gate()
    assert not outcome.success
    assert "run the night first" in outcome.output


def test_no_pairs_is_a_message_and_a_red_gate(project):
    outcome = project.night()
    assert outcome.success, outcome.output
    assert "compares nothing" in outcome.output
    assert project.counter() == 0
    gate = project.gate()
    assert not gate.success
    assert "no_pairs" in gate.output


def test_an_empty_seed_file_names_the_remedy(project):
    path = project.root / "seeds/table_pairs.csv"
    header = path.read_text()
    path.write_text("")
    try:
        outcome = project.night()
    finally:
        path.write_text(header)
    assert not outcome.success
    assert "seeds/table_pairs.csv is empty" in outcome.output
    assert "Traceback" not in outcome.output


def test_a_clean_night_is_zero_at_its_own_time_and_the_gate_green(project):
    pair = project.pair(
        "clean", "select id, 'x' as v from range(9)", "select id, 'x' as v from range(9)"
    )
    project.write_seeds([pair])
    outcome = project.night()
    assert outcome.success, outcome.output
    assert "[1/1] clean  match  9 / 9 rows  0 differences" in outcome.output
    assert project.counter() == 0
    counter = project.rows("select * from {schema}.parity_counter")[0]
    run = project.rows("select max(run_ts) as ts from {schema}.audit_log")[0]
    assert counter["as_of_ts"] == run["ts"]
    assert counter["sentence"] == "All 1 pairs are clean."
    gate = project.gate(recon_required_clean_runs=1)
    assert gate.success, gate.output
    assert "GATE GREEN: 1 of 1 pairs ready" in gate.output


def test_an_edited_seed_turns_the_gate_red_until_the_next_night(project):
    pair = project.pair(
        "clean", "select id, 'x' as v from range(9)", "select id, 'x' as v from range(9)"
    )
    project.write_seeds([pair | {"target_filter": "id < 100"}])
    gate = project.gate()
    assert not gate.success
    assert "configuration_changed" in gate.output


def test_a_pair_that_left_the_seed_keeps_its_open_rows(project):
    leaving = project.pair("leaving", "select 1 as id, 'a' as v", "select 1 as id, 'b' as v")
    clean = project.pair(
        "clean", "select id, 'x' as v from range(9)", "select id, 'x' as v from range(9)"
    )
    project.write_seeds([clean, leaving])
    assert project.night().success
    assert project.counter() == 1
    project.write_seeds([clean])
    assert project.night().success
    assert project.counter() == 1
    row = project.rows(
        "select * from {schema}.audit_log where resolved = false"
        " and run_ts = (select max(run_ts) from {schema}.audit_log)"
    )[0]
    assert (row["pair_id"], row["target_column"]) == ("leaving", "v")
    assert row["carried_from_run_ts"] < row["run_ts"]
    assert "no longer configured" in project.gate().output


def test_a_renamed_pair_keeps_ids_history_and_closings(project):
    pair = project.pair(
        "orders", "select id, id as v from range(3)", "select id, id + 1 as v from range(3)"
    )
    project.write_seeds([pair])
    assert project.night().success
    before = {row["mismatch_id"] for row in project.recorded("orders")}
    counter = project.counter()
    arguments = {
        "pair_id": "orders",
        "resolved_by": "Ana",
        "reason": "known",
        "expires": f"{datetime.now(UTC) + timedelta(days=30):%Y-%m-%d}",
    }
    accepted = project.dbt("run-operation", "accept_mismatches", "--args", json.dumps(arguments))
    assert accepted.success, accepted.output
    assert project.counter() == counter - len(before)
    project.write_seeds([pair | {"pair_id": "orders_v2"}])
    assert "if orders_v2 is the same pair" in project.gate().output
    project.write_seeds([pair | {"pair_id": "orders_v2", "renamed_from": "orders"}])
    assert project.night().success
    assert {row["mismatch_id"] for row in project.recorded("orders_v2")} == before
    assert project.counter() == counter - len(before)
    lives = project.rows(
        "select pair_id, state, runs_seen from {schema}.mismatch_lifecycle "
        "where original_pair_id = 'orders'"
    )
    assert lives == [{"pair_id": "orders_v2", "state": "accepted", "runs_seen": 2}] * len(before)
    assert "orders is no longer configured" not in project.gate().output


def test_a_version_that_is_gone_is_named(project):
    """After planning and before comparing, as when a failed night is tried again late, tables are
    vacuumed and logs cleaned."""
    rows = "select id, id as v from range(9)"
    pairs = [project.pair(name, rows, rows) for name in ("kept", "vacuumed", "cleaned")]
    project.write_seeds(pairs)
    often = "alter table {} set tblproperties ('delta.checkpointInterval' = '1')"
    project.spark.sql(often.format(pairs[2]["target_relation"]))
    assert project.dbt("build", "--select", "+int_recon__pair_plans").success
    for pair in pairs:
        project.spark.sql(f"update {pair['target_relation']} set v = v + 1")
    unchecked = "spark.databricks.delta.retentionDurationCheck.enabled"
    project.spark.conf.set(unchecked, "false")
    project.spark.sql(f"vacuum {pairs[1]['target_relation']} retain 0 hours")
    project.spark.conf.unset(unchecked)
    detail = project.rows(f"describe detail {pairs[2]['target_relation']}")[0]
    for version in (0, 1):
        log = Path(urlparse(detail["location"]).path) / "_delta_log"
        for file in log.glob(f"{version:020d}.*"):
            file.unlink()
    planned = ["int_recon__run", "int_recon__pair_plans"]
    retried = project.dbt("build", "--exclude", *planned, "tag:cutover_gate")
    assert retried.success, retried.failure
    results = project.results()
    assert results["kept"]["status"] == "match"
    for name in ("vacuumed", "cleaned"):
        assert (results[name]["status"], results[name]["error_class"]) == ("error", "version_gone")
        assert results[name]["error_message"].startswith(
            f"pair {name}: planned with source version"
        )
    assert "its files were removed" in results["vacuumed"]["error_message"]
    assert "target version 1" in results["cleaned"]["error_message"]
    assert "versions 2 to 2 are kept" in results["cleaned"]["error_message"]
