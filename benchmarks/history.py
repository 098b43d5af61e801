"""What a long record costs: the night's bookkeeping and every mart, after so many nights.

    python -m benchmarks.history [--pairs 400] [--nights 30,120,365]

Appends made-up runs to a ledger (no table is compared), lets dbt derive the last ones of them, adds
one night the ordinary way and reads every mart; then goes on to the next length. What dbt would
derive from the runs before those is written directly. Prints seconds, and beside them the ratio to
the floor: reading mismatch_id of all differences of that ledger once, in the same process.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from dbt.adapters.databricks_embedded.session import close_session, open_session
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tests.project_copy import Project, copy_project

FLOOR = (
    "select count(distinct mismatch_id) from {schema}.audit_ledger where record_type = 'difference'"
)
MARTS = (
    "parity_counter", "open_mismatches", "mismatch_heat_map", "pair_status", "mismatch_lifecycle",
    "baseline_drift", "drift_alerts",
)  # fmt: skip
COUNTER = """select count(*) from {schema}.audit_log
    where run_ts = (select max(run_ts) from {schema}.audit_log) and resolved = false"""
DERIVED = "audit_pair_runs audit_standing audit_drift parity_counter_history"
NIGHTLY = f"audit_ledger {DERIVED}"
VIEWS = "path:models/audit path:models/marts"
# Runs that dbt derives one by one before a measurement.
DERIVED_RUNS = 5
RUN = ("run_id", "run_ts", "run_date")
STANDING = """
    select run_id, run_ts, run_date, original_pair_id, mismatch_id, diff_type,
        diff_type as group_diff_type, lower(target_column) as group_column, value_digest,
        coalesce(record_key, mismatch_id) as row_key,
        run_id as seen_run_id, run_ts as seen_run_ts, run_date as seen_run_date,
        false as is_derived, false as is_behind_cap, 1L as counted_differences,
        run_id as base_run_id, run_ts as enabled_run_ts, count(*) over (
            partition by run_id, original_pair_id) as group_total
    from {schema}.audit_ledger
    where record_type = 'difference' and run_id in (select run_id from runs)
"""
EXCLUDED = "cutover_readiness gate_findings config_findings"
# Every tenth pair always differs in a handful of cells; the others once in a while.
RECORDS = """
    with runs as (
        select id as n,
            timestamp'2025-01-01 02:00:00 UTC' + make_dt_interval(cast(id as int)) as run_ts
        from range({first}, {last})),
    pairs as (select id as p, concat('pair', id) as pair_id from range({pairs})),
    results as (
        select *, if(p % 10 = 0, 5, if(pmod(hash(p, n), 30) = 0, 3, 0)) as found
        from runs cross join pairs),
    records as (
        select n, run_ts, 'run' as record_type, null as pair_id,
            to_json(named_struct('record_type', 'run', 'scope', 'full', 'code_version', 'x'))
                as record
        from runs
        union all
        select n, run_ts, 'pair_result', pair_id, to_json(named_struct(
            'record_type', 'pair_result', 'pair_id', pair_id, 'original_pair_id', pair_id,
            'status', if(found = 0, 'match', 'mismatch'), 'max_age_hours', 25.0,
            'mismatch_count', found,
            'within_tolerance_count', 0, 'source_rows_compared', 1000, 'target_rows_compared', 1000,
            'config_hash', 'c', 'plan_hash', 'p', 'compared_columns', array('v'),
            'depends_on_time', false,
            'totals', map('value_mismatch', found))) from results
        union all
        select n, run_ts, 'difference', pair_id, to_json(named_struct(
            'record_type', 'difference', 'pair_id', pair_id, 'original_pair_id', pair_id,
            'mismatch_id', sha2(concat_ws('/', pair_id, k), 256), 'diff_type', 'value_mismatch',
            'record_key', concat('[', k, ']'), 'source_column', 'v', 'target_column', 'v',
            'value_digest', sha2(cast(k as string), 256), 'occurrences', 1))
        from results lateral view explode(sequence(1, found)) as k where found > 0
    )
    select concat('run', n) as run_id, run_ts, cast(run_ts as date) as run_date,
        run_ts as recorded_ts, record_type, pair_id, record from records
"""


class Bench:
    def __init__(self, root, pairs):
        self.spark = open_session(str(root / "state"))
        self.project = Project(root, "long_record", self.spark)
        self.pairs, self.nights = pairs, 0

    def records(self, first, last):
        """Rows of int_recon__comparisons of the runs numbered from first up to last."""
        return self.spark.sql(RECORDS.format(first=first, last=last, pairs=self.pairs))

    def night(self, select):
        """Seconds for what a night does with the next run after comparing."""
        schema = self.project.schema
        self.spark.sql(f"create schema if not exists {schema}")
        rows = self.records(self.nights, self.nights + 1)
        self.nights += 1
        tables = {
            "int_recon__comparisons": rows,
            "int_recon__run": rows.where("record_type = 'run'").select(
                "run_id", "run_ts", "run_date"
            ),
            "int_recon__pair_plans": rows.where("pair_id is not null").select("pair_id").distinct(),
        }
        for name, table in tables.items():
            table.write.format("delta").mode("overwrite").saveAsTable(f"{schema}.{name}")
        return self.build(select)

    def append_to_ledger(self, nights):
        """Adds the runs up to that number of nights; returns their run_id, run_ts and run_date."""
        name = f"{self.project.schema}.audit_ledger"
        own = (*RUN, "record_type", "recorded_ts")
        fields = [f for f in self.spark.table(name).schema.fields if f.name not in own]
        record = F.from_json("record", T.StructType(fields)).alias("record")
        made = self.records(self.nights, nights)
        rows = made.select(*own, record).select(*own, "record.*")
        rows.repartition("run_date").write.format("delta").mode("append").saveAsTable(name)
        self.nights = nights
        return made.where("record_type = 'run'").select(*RUN)

    def fill_up(self, nights):
        """Adds the runs up to that number of nights to ledger and derived tables at once."""
        last = f"run{self.nights - 1}"
        runs = self.append_to_ledger(nights)
        runs.createOrReplaceTempView("runs")
        for name in DERIVED.split():
            table = self.spark.table(f"{self.project.schema}.{name}")
            of_last = table.where(F.col("run_id") == last)
            if name == "audit_standing":
                of_last = of_last.where("mismatch_id is null")
            moved = of_last.drop(*RUN).crossJoin(runs)
            for struct in {"base", "attempt"} & set(table.columns):
                of_run = F.col(struct)
                for field in RUN:
                    of_run = of_run.withField(field, F.col(field))
                moved = moved.withColumn(struct, of_run)
            moved = moved.select(table.columns)
            if name == "audit_standing":
                differences = self.spark.sql(STANDING.format(schema=self.project.schema))
                moved = moved.unionByName(differences)
            rows = moved.repartition("run_date")
            rows.write.format("delta").mode("append").saveAsTable(f"{self.project.schema}.{name}")

    def catch_up(self, nights):
        """Seconds to derive everything from runs that the ledger has already."""
        self.append_to_ledger(nights)
        return self.build(DERIVED)

    def build(self, select):
        started = time.monotonic()
        words = ["--select", *select.split(), "--exclude", *EXCLUDED.split()]
        outcome = self.project.dbt("--quiet", "run", *words)
        if not outcome.success:
            sys.exit(outcome.failure)
        return time.monotonic() - started

    def read(self, query):
        """Seconds to read every row of a query, the better of two."""
        seconds = []
        for _ in range(2):
            started = time.monotonic()
            frame = self.spark.sql(query.format(schema=self.project.schema))
            frame.write.format("noop").mode("overwrite").save()
            seconds.append(time.monotonic() - started)
        return min(seconds)

    def measure(self, nights):
        """{what: seconds} once the ledger holds so many nights, and its size in bytes."""
        if nights - 1 - DERIVED_RUNS > self.nights:
            self.fill_up(nights - 1 - DERIVED_RUNS)
        found = {f"catch up {nights - 1 - self.nights} runs": self.catch_up(nights - 1)}
        found["one night's tables"] = self.night(NIGHTLY)
        found["floor"] = self.read(FLOOR)
        found["counter, verbatim"] = self.read(COUNTER)
        for mart in MARTS:
            found[mart] = self.read(f"select * from {{schema}}.{mart}")
        detail = self.spark.sql(f"describe detail {self.project.schema}.audit_ledger").collect()[0]
        return found, detail["sizeInBytes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--nights", default="30,120,365")
    arguments = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="recon-bench-"))
    copy_project(root)
    try:
        bench = Bench(root, arguments.pairs)
        bench.night(VIEWS)
        for nights in map(int, arguments.nights.split(",")):
            found, size = bench.measure(nights)
            print(f"\n{arguments.pairs} pairs, {nights} nights, ledger {size / 1e6:.0f} MB")
            for what, seconds in found.items():
                ratio = seconds / found["floor"]
                print(f"  {what:22}{seconds:8.1f} s{ratio:8.1f} x floor", flush=True)
    finally:
        close_session()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
