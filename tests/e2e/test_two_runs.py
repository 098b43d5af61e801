"""Two nights of one schema at the same moment, on one Spark Connect server: never a mix."""

import os
import re
import subprocess
import sys
import uuid

import pytest

from tests.e2e.killed import NIGHT, Installation, broken_runs

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Ends when its input does.
SERVER = """
import sys
from dbt.adapters.databricks_embedded import session
session.open_session({state!r}, remote="local[2]")
print(session._server_url(session._open.gateway), flush=True)
sys.stdin.read()
session.close_session()
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Two project folders of one installation, and the server that both talk to."""
    installation = Installation(tmp_path / "one")
    monkeypatch.setenv("SPARK_CONNECT_AUTHENTICATE_TOKEN", str(uuid.uuid4()))
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER.format(state=installation.state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    url = next(line.strip() for line in server.stdout if line.startswith("sc://"))
    installation.use(remote=url)
    yield installation
    server.stdin.close()
    server.wait()


def test_both_are_whole_or_one_is_refused_in_words(place):
    code, output = place.finished(*NIGHT)
    assert code == 0, output
    first = place.dbt(*NIGHT, "--target-path", "target_a", "--log-path", "logs_a")
    second = place.dbt(*NIGHT, "--target-path", "target_b", "--log-path", "logs_b")
    said = {first: first.communicate()[0], second: second.communicate()[0]}
    successes = [night for night in said if night.returncode == 0]
    assert successes, "\n".join(said.values())
    for night, output in said.items():
        if night.returncode:
            assert "another run" in output or "not later than the last run" in output, output
            assert re.search(r"run [0-9a-f-]{36} of 2|the last run", output), output
    # nothing is left that a third night trips over
    third, output = place.finished(*NIGHT)
    assert third == 0, output
    runs = place.runs()
    assert broken_runs(runs) == []
    assert len(runs) == len(successes) + 2
