"""What is never rebuilt: the ledger and the events survive new releases and wrong commands."""

import pytest

from tests.lifecycle.record import record_run, write_run
from tests.lifecycle.world import DAY, START, Result, Run, rest_id

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GROUP = ("value_mismatch", "v")
CLEAN = Result("match", (), ())
BROKEN = Result("mismatch", (), ((GROUP, 3, "f" * 64),))


def run(number, result):
    return Run(f"r{number}", START + number * DAY, {"p": result})


def ledger(project, columns):
    return project.rows(
        f"select {columns} from {{schema}}.audit_ledger order by run_ts, record_type"
    )


def test_a_column_that_a_release_adds_is_null_before_and_filled_after(fresh_project):
    record_run(fresh_project, run(0, CLEAN), rest_id, is_first=True)
    schema = fresh_project.schema
    fresh_project.spark.sql(
        f"create table {schema}.older using delta partitioned by (run_date) as "
        f"select * except (depends_on_time) from {schema}.audit_ledger"
    )
    fresh_project.spark.sql(f"drop table {schema}.audit_ledger")
    fresh_project.spark.sql(f"alter table {schema}.older rename to {schema}.audit_ledger")
    record_run(fresh_project, run(1, BROKEN), rest_id, is_first=False)
    results = ledger(fresh_project, "run_id, record_type, depends_on_time")
    found = [tuple(row.values()) for row in results if row["record_type"] == "pair_result"]
    assert found == [("r0", "pair_result", None), ("r1", "pair_result", False)]
    assert fresh_project.counter() == 1


def test_a_full_refresh_keeps_ledger_and_events(fresh_project):
    record_run(fresh_project, run(0, BROKEN), rest_id, is_first=True)
    before = ledger(fresh_project, "*")
    write_run(fresh_project, run(1, CLEAN), rest_id)
    outcome = fresh_project.dbt(
        "run", "--full-refresh", "--select", "audit_ledger", "resolution_events"
    )
    assert outcome.success, outcome.failure
    after = ledger(fresh_project, "*")
    assert after[: len(before)] == before
    assert {row["run_id"] for row in after} == {"r0", "r1"}


@pytest.mark.parametrize("name", ["audit_ledger", "resolution_events"])
def test_a_view_in_the_place_of_the_record_is_not_replaced(fresh_project, name):
    write_run(fresh_project, run(0, BROKEN), rest_id)
    fresh_project.spark.sql(f"create view {fresh_project.schema}.{name} as select 1 as one")
    outcome = fresh_project.dbt("run", "--select", name)
    assert not outcome.success
    assert f"{fresh_project.schema}.{name}" in outcome.failure.replace("`", "")
    assert "is a view, but has to be the table that keeps the record" in outcome.failure
    assert fresh_project.rows(f"select * from {{schema}}.{name}") == [{"one": 1}]
