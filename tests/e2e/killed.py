"""Kill -9 a night at some moment, finish it, and look whether the ledger is whole.

python -m tests.e2e.killed [--times 30] [--seed 1]
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.project_copy import QUICK, Project, copy_project

PAIRS = ("a", "b", "c")
SETUP = """
from dbt.adapters.databricks_embedded.session import open_session
spark = open_session({state!r}, **{engine!r})
spark.sql("create schema if not exists killed")
for name in {pairs!r}:
    for side in ("old", "new"):
        rows = spark.range(5).selectExpr("id", "id as v")
        rows.write.format("delta").saveAsTable(f"killed.{{name}}_{{side}}")
"""
READ = """
import json
from dbt.adapters.databricks_embedded.session import open_session
spark = open_session({state!r}, **{engine!r})
rows = []
if spark.catalog.tableExists("killed.audit_ledger"):
    rows = spark.table("killed.audit_ledger").select("run_id", "record_type", "pair_id").collect()
print(json.dumps([list(row) for row in rows]))
"""
NIGHT = ("build", "--exclude", "tag:cutover_gate")
RESUMED = (
    "stg_recon__last_results", "int_recon__scratch", "resolution_events+", "gate_verdicts",
    "int_recon__pair_plans+",
)  # fmt: skip
RESUME = ("build", "--select", *RESUMED, "--exclude", "tag:cutover_gate")


class Installation:
    """A copy of the project with a state folder of its own and three small pairs."""

    def __init__(self, root):
        self.root, self.state = root, str(root / "state")
        root.mkdir(exist_ok=True)
        copy_project(root)
        self.project = Project(root, "killed", spark=None)
        lines = [
            {
                "pair_id": name,
                "source_relation": f"killed.{name}_old",
                "target_relation": f"killed.{name}_new",
                "key_columns": "id",
            }
            for name in PAIRS
        ]
        self.project.write_seeds(lines)
        self.use(spark_config=QUICK)
        self.python(SETUP.format(state=self.state, engine=self.project.engine, pairs=PAIRS))
        self.known_runs = {}

    def use(self, **engine):
        """What starts from now on is on this engine: fields of the profile such as `remote`."""
        self.project.engine = engine
        self.project.write_profile()

    def python(self, code):
        """The last line that a piece of Python prints, in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
        )
        return (done.stdout.splitlines() or [""])[-1]

    def dbt(self, *arguments):
        """A dbt command in a process group of its own, its output readable line by line."""
        return subprocess.Popen(
            [str(Path(sys.executable).with_name("dbt")), *arguments],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def killed_night(self, arguments, is_moment):
        """Starts the dbt command `arguments` and kills it at the first line of its output that
        is_moment(number, line) holds for; returns that line, or None when it ended before."""
        night = self.dbt(*arguments)
        for number, line in enumerate(night.stdout):
            if is_moment(number, line):
                os.killpg(night.pid, signal.SIGKILL)
                night.wait()
                return line.strip()
        night.wait()
        return None

    def finished(self, *arguments):
        """Runs a dbt command to its end; returns its exit code and output."""
        command = self.dbt(*arguments)
        output, _ = command.communicate()
        return command.returncode, output

    def runs(self):
        """{run_id: Counter of its (record type, pair)} as the ledger has them; kept as known."""
        runs = {}
        code = READ.format(state=self.state, engine=self.project.engine)
        for run_id, record_type, pair in json.loads(self.python(code)):
            runs.setdefault(run_id, Counter())[record_type, pair] += 1
        self.known_runs = runs
        return runs


WHOLE = {("run", None), *(("pair_result", name) for name in PAIRS)}


def broken_runs(runs):
    """Ids of runs that lack a record, or have one twice."""
    return [
        run_id for run_id, records in runs.items() if any(records[record] != 1 for record in WHOLE)
    ]


def kill_and_finish(place, is_moment, night=NIGHT, finish=RESUME):
    """The command `night` killed, then finished by the command `finish`, or anew if that cannot.

    Returns what is wrong with the ledger, and the line at which the night was killed.
    """
    before = place.known_runs
    line = place.killed_night(night, is_moment)
    after_kill = place.runs()
    code, output = place.finished(*finish)
    if code and finish != night:
        code, output = place.finished(*night)
    after = place.runs()
    problems = [f"the command exits {code}: {output[-2000:]}"] if code else []
    problems += [f"run {run_id} is not whole" for run_id in broken_runs(after)]
    problems += [f"run {run_id} was lost" for run_id in {*before, *after_kill} - after.keys()]
    if not after.keys() - before.keys():
        problems.append("the night is not in the ledger")
    return problems, line


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    root = Path(tempfile.mkdtemp(prefix="recon-killed-"))
    place, failed = Installation(root), 0
    _, output = place.finished(*NIGHT)
    lines = len(output.splitlines())
    place.runs()
    for time in range(arguments.times):
        at, finish = chance.randrange(lines), chance.choice([NIGHT, RESUME])
        problems, line = kill_and_finish(
            place, lambda number, _, at=at: number == at, finish=finish
        )
        name = "resume" if finish is RESUME else "new night"
        print(
            f"{time + 1}: killed at line {at} ({line}), then {name}: {problems or 'whole'}",
            flush=True,
        )
        failed += bool(problems)
    shutil.rmtree(root, ignore_errors=True)
    print(f"{arguments.times - failed} whole, {failed} not")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
