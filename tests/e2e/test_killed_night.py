"""A night whose process is killed, finished by resume; each dbt command is a process of its own."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SETUP = """
from dbt.adapters.databricks_embedded.session import open_session
spark = open_session({state!r})
spark.sql("create schema if not exists killed")
for name in ("a_old", "a_new", "b_old", "b_new"):
    spark.range(5).selectExpr("id", "id as v").write.format("delta").saveAsTable(f"killed.{{name}}")
"""

READ = """
import json
from dbt.adapters.databricks_embedded.session import open_session
spark = open_session({state!r})
records = spark.table("killed.audit_ledger").select("record_type", "pair_id").collect()
print(json.dumps([row.asDict() for row in records]))
"""

PROFILE = """
recon:
  target: test
  outputs:
    test: {{type: databricks_embedded, schema: killed, state_dir: {state}, threads: 2}}
"""


def run_python(code):
    """The standard output of a piece of Python in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module")
def killed_root(project_root, tmp_path_factory):
    """A copy of the project with a state folder of its own and two small pairs."""
    root = tmp_path_factory.mktemp("killed") / "project"
    shutil.copytree(project_root, root, ignore=shutil.ignore_patterns("state", "target", "logs"))
    state = str(root / "own_state")
    (root / "profiles.yml").write_text(PROFILE.format(state=state))
    (root / "seeds/table_pairs.csv").write_text(
        "pair_id,source_relation,target_relation,key_columns\n"
        "a,killed.a_old,killed.a_new,id\nb,killed.b_old,killed.b_new,id\n"
    )
    (root / "seeds/column_rules.csv").write_text("pair_id,column_name,side,rule,argument,reason\n")
    run_python(SETUP.format(state=state))
    return root


def dbt_process(root, *arguments):
    """A dbt command in a process group of its own, its output readable line by line."""
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("dbt")), *arguments],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def ledger(root):
    """Run and result records of the ledger."""
    output = run_python(READ.format(state=str(root / "own_state")))
    return json.loads(output.splitlines()[-1])


def test_a_killed_night_finished_by_resume_is_in_the_ledger_once(killed_root):
    night = dbt_process(killed_root, "build", "--exclude", "tag:cutover_gate")
    for line in night.stdout:
        if "[1/2]" in line:
            os.killpg(night.pid, signal.SIGKILL)
            break
    night.wait()
    assert night.returncode == -signal.SIGKILL
    resume = dbt_process(
        killed_root,
        "build",
        "--select",
        "stg_recon__last_results",
        "int_recon__scratch",
        "int_recon__pair_plans+",
        "--exclude",
        "tag:cutover_gate",
    )
    output, _ = resume.communicate()
    assert resume.returncode == 0, output
    records = ledger(killed_root)
    assert len([r for r in records if r["record_type"] == "run"]) == 1
    assert sorted(r["pair_id"] for r in records if r["record_type"] == "pair_result") == ["a", "b"]
