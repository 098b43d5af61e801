"""What the jobs of the bundle run, run here: the very commands, on the embedded engine."""

import shlex

import pytest

from tests.bundle import load, resolved

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def run(project, job, wave=None):
    """Runs the job's dbt command as a task does, its references replaced."""
    (command,) = load()["resources"]["jobs"][job]["tasks"][0]["dbt_task"]["commands"]
    command = resolved(command, {"bundle.git.commit": COMMIT})
    if wave is not None:
        command = command.replace("{{job.parameters.wave}}", wave)
    assert "${" not in command and "{{" not in command
    program, *words = shlex.split(command)
    assert program == "dbt"
    return project.dbt(*words)


@pytest.fixture(scope="module")
def night(project):
    same = "select id, 'x' as v from range(3)"
    project.write_seeds([project.pair("orders", same, same, wave="w1")])
    outcome = run(project, "recon_night")
    assert outcome.success, outcome.output
    return project


def test_the_night_records_the_commit_of_the_bundle(night):
    query = "select git_commit from {schema}.audit_ledger where record_type = 'run'"
    assert night.rows(query) == [{"git_commit": COMMIT}]


@pytest.mark.parametrize(
    ("wave", "sentence"),
    [("", "GATE RED: 0 of 1 pairs"), ("w1", "GATE RED of wave w1: 0 of 1 pairs")],
)
def test_the_gate_takes_a_wave_or_none(night, wave, sentence):
    """Red, for one clean night is not enough."""
    outcome = run(night, "recon_gate", wave)
    assert not outcome.success
    assert sentence in outcome.output
    query = "select wave, git_commit from {schema}.gate_verdicts order by verdict_ts desc limit 1"
    assert night.rows(query) == [{"wave": wave or None, "git_commit": COMMIT}]
