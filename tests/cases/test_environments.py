"""The answers do not depend on hash, settings, zones, or where Spark runs: a process for each."""

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from tests.cases.case_file import read_cases
from tests.cases.runner import CASES
from tests.project_copy import QUICK, ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# What settings and zones touch most, and a third of everything.
KINDS = ("time", "numbers", "hash")
SOME_CASES = ",".join([*KINDS, *(case.id for case in read_cases(CASES)[::3])])
LONGEST_SECONDS = 1800


def run(folder, *options, **environment):
    """Runs the cases in a process of its own; returns its exit code and its last lines."""
    command = [sys.executable, "-m", "tests.cases.runner", "--only", SOME_CASES]
    done = subprocess.run(
        [*command, "--folder", str(folder / "cases"), *options],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST_SECONDS,
    )
    lines = done.stdout.splitlines()
    return done.returncode, [line for line in lines if line.startswith("wrong ")] or lines[-5:]


def assert_right(outcome):
    code, lines = outcome
    assert code == 0, "\n".join(lines)


def test_row_hash_by_sha256(tmp_path):
    assert_right(run(tmp_path, "--pair", "hash_algorithm=sha256"))


def test_ansi_off(tmp_path):
    assert_right(run(tmp_path, "--spark-config", "spark.sql.ansi.enabled=false"))


def test_odd_session_time_zone(tmp_path):
    assert_right(run(tmp_path, "--spark-config", "spark.sql.session.timeZone=Asia/Kathmandu"))


def test_odd_machine_time_zone(tmp_path):
    zone = "America/St_Johns"
    [(name, quick)] = QUICK.items()
    assert_right(run(tmp_path, "--spark-config", f"{name}={quick} -Duser.timezone={zone}", TZ=zone))


def test_spark_connect(tmp_path):
    assert_right(run(tmp_path, "--remote", "local[2]"))


def test_separate_executor_processes(tmp_path):
    # Workers leave their files below Spark's home: one that consists of links.
    home, installed = tmp_path / "spark", Path(pyspark.__file__).parent
    home.mkdir()
    for name in ("bin", "jars", "python"):
        (home / name).symlink_to(installed / name)
    assert_right(run(tmp_path, "--master", "local-cluster[2,1,1024]", SPARK_HOME=str(home)))
