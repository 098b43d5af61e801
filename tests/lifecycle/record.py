"""Puts a run's records where int_recon__comparisons would, and lets dbt take it from there."""

import json
from datetime import UTC, datetime

from pyspark.sql import functions as F
from pyspark.sql import types as T

COMPARED = (
    "run_id string, run_ts timestamp, run_date date, recorded_ts timestamp, "
    "record_type string, pair_id string, record string"
)
# What a night builds of the record, once its views exist.
TABLES = "audit_ledger audit_pair_runs audit_standing audit_drift parity_counter_history"
VIEWS = "path:models/audit path:models/marts"
# Needs the seeds, which such a record has not.
NOT_OF_THE_RECORD = "pair_clean_runs cutover_readiness gate_findings config_findings"


def at(micros):
    return datetime.fromtimestamp(micros / 1_000_000, UTC)


def records_of(pair, result, rest_id):
    """The ledger records of one pair in one run."""
    totals = {}
    for found in result.found:
        totals[found.group[0]] = totals.get(found.group[0], 0) + 1
    for group, more, _ in result.rest:
        totals[group[0]] = totals.get(group[0], 0) + more
    yield "pair_result", {
        "status": result.status, "wave": "w1", "owner": "team", "max_age_hours": 25.0,
        "totals": totals,
        "mismatch_count": result.mismatch_count if result.is_compared else None,
        "within_tolerance_count": result.within_tolerance if result.is_compared else None,
        "source_rows_compared": result.rows, "target_rows_compared": result.rows,
        "config_hash": result.config_hash, "plan_hash": result.plan_hash,
        "compared_columns": list(result.compared_columns),
        "depends_on_time": result.depends_on_time,
    }  # fmt: skip
    for found in result.found:
        diff_type, column = found.group
        yield "difference", {
            "mismatch_id": found.mismatch_id, "diff_type": diff_type, "record_key": "[1]",
            "source_column": column, "target_column": column, "value_digest": found.value_digest,
            "occurrences": 1,
        }  # fmt: skip
    for group, more, largest in result.rest:
        yield "difference", {
            "mismatch_id": rest_id(pair, group), "diff_type": "not_recorded",
            "not_recorded_diff_type": group[0], "target_column": group[1], "occurrences": more,
            "recorded_up_to": largest,
        }  # fmt: skip


def compared(project, run, rest_id):
    """One run in the form of int_recon__comparisons, as a DataFrame."""
    stamp = at(run.run_ts)
    rows = [("run", None, {"scope": "full", "code_version": "x"})]
    for pair, result in run.results.items():
        facts = {"pair_id": result.pair_id or pair, "original_pair_id": pair}
        rows += [
            (kind, facts["pair_id"], facts | record)
            for kind, record in records_of(pair, result, rest_id)
        ]
    return project.spark.createDataFrame(
        [
            (run.run_id, stamp, stamp.date(), stamp, kind, pair, json.dumps(
                {"record_type": kind} | record))
            for kind, pair, record in rows
        ],
        COMPARED,
    )  # fmt: skip


def write_run(project, run, rest_id):
    """Writes the tables of the comparing step for one run."""
    project.spark.sql(f"create schema if not exists {project.schema}")
    frame = compared(project, run, rest_id)
    tables = {
        "int_recon__comparisons": frame,
        "int_recon__run": frame.where("record_type = 'run'").select("run_id", "run_ts", "run_date"),
        "int_recon__pair_plans": frame.where("record_type = 'pair_result'").select("pair_id"),
    }
    for name, table in tables.items():
        table.write.format("delta").mode("overwrite").saveAsTable(f"{project.schema}.{name}")


def record_run(project, run, rest_id, is_first, **run_vars):
    """Appends one run to the ledger and builds what a night builds of the record."""
    write_run(project, run, rest_id)
    select = VIEWS if is_first else TABLES
    words = ["--select", *select.split(), "--exclude", *NOT_OF_THE_RECORD.split()]
    # the views' clock is that of the first run: nothing is stale
    outcome = project.dbt(
        "run", *words, recon_now=f"{at(run.run_ts):%Y-%m-%d %H:%M:%S}", **run_vars
    )
    assert outcome.success, outcome.failure


def record_later_runs(project, runs, rest_id, **run_vars):
    """Appends runs to the ledger itself, then builds the rest at once: it catches up."""
    name = f"{project.schema}.audit_ledger"
    own = ("run_id", "run_ts", "run_date", "record_type", "recorded_ts")
    fields = [f for f in project.spark.table(name).schema.fields if f.name not in own]
    for run in runs:
        record = F.from_json("record", T.StructType(fields)).alias("record")
        rows = compared(project, run, rest_id).select(*own, record).select(*own, "record.*")
        rows.write.format("delta").mode("append").saveAsTable(name)
    words = ["--select", *TABLES.split(), "--exclude", "audit_ledger"]
    now = f"{at(runs[-1].run_ts):%Y-%m-%d %H:%M:%S}"
    outcome = project.dbt("run", *words, recon_now=now, **run_vars)
    assert outcome.success, outcome.failure


def replay(project, first_run):
    """Builds everything behind a ledger and events that are there already."""
    kept = "audit_ledger resolution_events"
    words = ["--select", *VIEWS.split(), "--exclude", *kept.split(), *NOT_OF_THE_RECORD.split()]
    now = f"{at(first_run.run_ts):%Y-%m-%d %H:%M:%S}"
    outcome = project.dbt("run", *words, recon_now=now)
    assert outcome.success, outcome.failure


def append_events(project, events):
    """Appends events as rows, as people with a SQL editor do."""
    if not events:
        return
    rows = [
        (
            e.event_id, at(e.event_ts), at(e.event_ts), e.action, e.pair, e.mismatch_id, e.group[0],
            e.group[1], e.scope, e.max_count, e.reason, e.assignee,
            e.expires_ts and at(e.expires_ts), e.value_digest, e.resolved_by,
        )
        for e in events
    ]  # fmt: skip
    schema = (
        "event_id string, event_ts timestamp, recorded_ts timestamp, action string, "
        "original_pair_id string, mismatch_id string, diff_type string, target_column string, "
        "scope string, max_count bigint, reason string, assignee string, expires_ts timestamp, "
        "value_digest string, resolved_by string"
    )
    frame = project.spark.createDataFrame(rows, schema)
    frame.write.format("delta").mode("append").saveAsTable(f"{project.schema}.resolution_events")
