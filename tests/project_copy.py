"""A copy of the project that tests drive through its front door: dbt commands, in process."""

import csv
import json
import shutil
from pathlib import Path

from dbt.cli.main import dbtRunner

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("models", "macros", "seeds", "tests/gate", "analyses", "dbt_project.yml")
PAIR_COLUMNS = (ROOT / "seeds/table_pairs.csv").read_text().splitlines()[0].split(",")
RULE_COLUMNS = (ROOT / "seeds/column_rules.csv").read_text().splitlines()[0].split(",")
# Tests end before the JVM's second compiler pays off; it would take a quarter of their time.
QUICK = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1"}

# DESIGN 3.2: this query, verbatim, is always the truth.
COUNTER_QUERY = """SELECT COUNT(*) AS open_mismatches FROM {schema}.audit_log
WHERE run_ts = (SELECT MAX(run_ts) FROM {schema}.audit_log) AND resolved = false"""


def copy_project(root):
    """Copies what dbt reads of this project into the folder `root`."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, root / name)
        elif source.exists():
            shutil.copy(source, root / name)


class Outcome:
    """What a dbt command left: whether it succeeded, its messages, its results by node name."""

    def __init__(self, result, messages):
        self.success = result.success
        self.exception = result.exception
        self.messages = messages
        self.output = "\n".join(messages)
        # of a run-operation the results name no node
        nodes = [r for r in getattr(result.result, "results", None) or [] if hasattr(r, "node")]
        self.status = {node.node.name: str(node.status) for node in nodes}
        self.node_messages = {node.node.name: node.message for node in nodes}

    @property
    def failure(self):
        """What failed, and why; empty after a success."""
        failed = [name for name, status in self.status.items() if status in ("error", "fail")]
        lines = [f"{name}: {self.node_messages[name]}" for name in failed]
        return "\n".join([*lines, *([str(self.exception)] if self.exception else [])])


class Project:
    """A copy of the project whose seeds, schema and nights a test controls.

    `engine` holds fields of the profile such as `master`: those the session was opened with.
    """

    def __init__(self, root, schema, spark, **engine):
        self.root, self.schema, self.spark, self.engine = root, schema, spark, engine
        self.write_seeds([], [])

    def write_profile(self):
        """A profile that puts recon's own tables into this project's schema."""
        output = {
            "type": "databricks_embedded",
            "schema": self.schema,
            "state_dir": str(self.root / "state"),
            "threads": 2,
            **self.engine,
        }
        # JSON is YAML.
        profile = json.dumps({"recon": {"target": "test", "outputs": {"test": output}}})
        (self.root / "profiles.yml").write_text(profile)

    def write_seeds(self, pairs, rules=()):
        """Writes both seed files; a dict per line, fields left out are blank."""
        for name, columns, lines in (
            ("table_pairs", PAIR_COLUMNS, pairs),
            ("column_rules", RULE_COLUMNS, rules),
        ):
            with open(self.root / f"seeds/{name}.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(lines)

    def table(self, name, query):
        """Creates or replaces a Delta table of this test from a query; returns its name."""
        self.spark.sql(f"create schema if not exists {self.schema}")
        self.spark.sql(f"create or replace table {self.schema}.{name} using delta as {query}")
        return f"{self.schema}.{name}"

    def pair(self, pair_id, source_query, target_query, key="id", **settings):
        """Creates the two tables of a pair and returns its line for table_pairs.csv."""
        return {
            "pair_id": pair_id,
            "source_relation": self.table(f"{pair_id}_old", source_query),
            "target_relation": self.table(f"{pair_id}_new", target_query),
            "key_columns": key,
            **settings,
        }

    def dbt(self, *arguments, **run_vars):
        """Runs one dbt command in process."""
        # Projects of one process share the folder.
        self.write_profile()
        messages = []
        runner = dbtRunner(
            callbacks=[
                lambda event: (
                    messages.append(event.info.msg)
                    if str(event.info.level) in ("info", "warn", "error")
                    else None
                )
            ]
        )
        command = [*arguments, "--project-dir", str(self.root), "--profiles-dir", str(self.root)]
        command += [
            "--target-path",
            str(self.root / "target"),
            "--log-path",
            str(self.root / "logs"),
        ]
        if run_vars:
            command += ["--vars", json.dumps(run_vars)]
        return Outcome(runner.invoke(command), messages)

    def night(self, *arguments, **run_vars):
        """dbt build --exclude tag:cutover_gate."""
        return self.dbt("build", "--exclude", "tag:cutover_gate", *arguments, **run_vars)

    def resume(self, **run_vars):
        """What make resume runs."""
        tables = "stg_recon__last_results int_recon__scratch resolution_events+ gate_verdicts"
        select = [*tables.split(), "int_recon__pair_plans+"]
        return self.dbt("build", "--select", *select, "--exclude", "tag:cutover_gate", **run_vars)

    def gate(self, **run_vars):
        """What make gate runs."""
        models = "path:seeds path:models/staging cutover_readiness gate_findings gate_verdicts"
        return self.dbt("build", "--select", *models.split(), "tag:cutover_gate", **run_vars)

    def check(self, **run_vars):
        """What make check runs."""
        models = "path:seeds path:models/staging int_recon__run int_recon__pair_plans"
        select = [*models.split(), "config_findings"]
        return self.dbt("build", "--select", *select, recon_check=True, **run_vars)

    def answer(self, name, **run_vars):
        """The rows of an analysis, compiled and run as somebody would who pastes it."""
        outcome = self.dbt("compile", "--select", name, **run_vars)
        assert outcome.success, outcome.output
        path = self.root / f"target/compiled/recon/analyses/{name}.sql"
        return [row.asDict() for row in self.spark.sql(path.read_text()).collect()]

    def rows(self, query):
        """The rows of a query as dicts; {schema} stands for this test's schema."""
        return [
            r.asDict(recursive=True)
            for r in self.spark.sql(query.format(schema=self.schema)).collect()
        ]

    def counter(self):
        """The verbatim counter query, checked against parity_counter."""
        count = self.rows(COUNTER_QUERY)[0]["open_mismatches"]
        assert (
            count
            == self.rows("select open_mismatches from {schema}.parity_counter")[0][
                "open_mismatches"
            ]
        )
        return count

    def results(self):
        """pair_result records of the last run, by pair id."""
        query = """select * from {schema}.audit_ledger where record_type = 'pair_result'
            and run_ts = (select max(run_ts) from {schema}.audit_ledger)"""
        return {row["pair_id"]: row for row in self.rows(query)}

    def recorded(self, pair_id, record_type="difference"):
        """Differences or observations of one pair in the last run."""
        query = f"""select * from {{schema}}.audit_ledger where record_type = '{record_type}'
            and pair_id = '{pair_id}'
            and run_ts = (select max(run_ts) from {{schema}}.audit_ledger)"""
        return self.rows(query)
