"""Nights without pairs and without differences, and a pair taken out of the seed."""

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
    gate = project.gate()
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


@pytest.mark.slow
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
