"""What needs a process of its own."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from dbt.adapters.databricks_embedded.settings import DELTA

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parent / "project"
BIN = Path(sys.executable).parent


def _dbt(folder, *arguments, **environment):
    return subprocess.run(
        [str(BIN / "dbt"), *arguments],
        cwd=folder,
        env={**os.environ, "DBT_PROFILES_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_second_process_is_told_who_holds_the_folder(project):
    done = _dbt(project.folder, "show", "--inline", "select 1", "--target-path", "target_2")
    assert done.returncode == 2
    sentence = f"The folder {project.folder}/state is in use by process {os.getpid()}: wait until"
    assert sentence in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_missing_java_is_one_sentence(folder):
    done = _dbt(folder, "debug", PATH=str(folder), JAVA_HOME="")
    assert "no java is on the PATH" in done.stdout and "install Java 17" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_java_of_another_version_is_one_sentence(folder):
    java = folder / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    java.chmod(0o755)
    done = _dbt(folder, "debug", JAVA_HOME=str(folder / "jdk"))
    assert "Spark 4.0 runs on Java 17 to 21" in done.stdout and "is Java 11" in done.stdout


IVY = """
<ivysettings>
  <settings defaultResolver="mirror"/>
  <resolvers>
    <filesystem name="mirror" m2compatible="true">
      <artifact pattern="{mirror}/[artifact]-[revision].[ext]"/>
      <ivy pattern="{mirror}/[module]-[revision].pom"/>
    </filesystem>
  </resolvers>
</ivysettings>
"""
POM = """
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>
</project>
"""


# Two first starts at once leave the second as in "described": jars half written by the first.
@pytest.mark.parametrize("mirror_holds", ["nothing", "described"])
def test_missing_jars_are_one_sentence(folder, mirror_holds):
    (folder / "ivy.xml").write_text(IVY.format(mirror=folder))
    if mirror_holds == "described":
        group, name, version = DELTA.split(":")
        pom = POM.format(group=group, name=name, version=version)
        (folder / f"{name}-{version}.pom").write_text(pom)
    profiles = folder / "profiles.yml"
    settings = {"spark.jars.ivySettings": str(folder / "ivy.xml"), "spark.jars.ivy": str(folder)}
    profiles.write_text(
        profiles.read_text().replace(
            "state_dir: state", f"state_dir: state, spark_config: {json.dumps(settings)}", 1
        )
    )
    done = _dbt(folder, "debug")
    assert "could not be downloaded: the first start needs access to Maven Central" in done.stdout
    assert "start again" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "remote, sentence",
    [
        ("sc://127.0.0.1:{port}", "No Spark Connect server answers at 127.0.0.1:{port}: start one"),
        ("sc://localhost:port", "remote sc://localhost:port is no address of a Spark Connect"),
    ],
)
def test_a_server_that_is_not_there_is_one_sentence(folder, remote, sentence):
    # Bound, but nobody listens: no other process can take the port.
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        profiles = folder / "profiles.yml"
        given = profiles.read_text().replace('"local[2]"', f'"{remote.format(port=port)}"')
        profiles.write_text(given)
        done = _dbt(folder, "debug", "--target", "connect")
    assert sentence.format(port=port) in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_connect_builds_and_the_catalog_survives_the_process(folder):
    built = _dbt(folder, "build", "--target", "connect")
    assert built.returncode == 0, built.stdout
    assert "1 of 1 people" in built.stdout
    assert built.stderr == ""
    assert "WARN" not in built.stdout.replace("WARN=", "").replace("[WARNING]", "")
    # A later process, and the other kind of session, find what the first one left.
    query = "select count(*) as n from {{ ref('people_python') }}"
    profiles = folder / "profiles.yml"
    profiles.write_text(
        profiles.read_text().replace("state_dir: state", "state_dir: connect_state")
    )
    shown = _dbt(folder, "show", "--inline", query, "--output", "json")
    assert '"n": 2' in shown.stdout, shown.stdout


READ_TABLES = """
from dbt.adapters.databricks_embedded.session import open_session
spark = open_session("state", spark_config={"spark.databricks.delta.delta.log.cacheSize": "10"})
runtime = spark._jvm.java.lang.Runtime.getRuntime()
for i in range(60):
    spark.sql(f"create table t{i} using delta as select id from range(5)")
for i in range(60):
    spark.sql(f"select * from t{i} where id > 2").collect()
    if i in (29, 59):
        runtime.gc()
        print("bytes", runtime.totalMemory() - runtime.freeMemory())
"""


def test_what_is_kept_of_tables_that_were_read_is_bounded(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", READ_TABLES], cwd=tmp_path, capture_output=True, text=True
    )
    half, all_read = (int(line[6:]) for line in done.stdout.splitlines() if line[:6] == "bytes ")
    # Without the bound, Delta keeps 2 to 7 MB of each.
    assert all_read - half < 30 * 1_000_000
