"""The commands people are told to type, and what a machine that lacks something answers."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from dbt.cli.main import cli

NOTHING_FOUND = "NoNodesForSelectionCriteria"


def documents(root: Path) -> list[Path]:
    found = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("**/*.md"))]
    return [path for path in found if path.is_file()]


def code_lines(path: Path) -> list[str]:
    """The lines of fenced blocks and the inline code of a page."""
    text = path.read_text().replace("\\\n", " ")
    fences = re.findall(r"^ *```[a-z]*\n(.*?)^ *```", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    inline = [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose)]
    lines = [line for fence in fences for line in fence.splitlines()]
    return [line.strip().removeprefix("$ ") for line in [*lines, *inline]]


def told_commands(root: Path, program: str) -> list[tuple[str, list[str]]]:
    """(page, words) of every command of that name in the documents."""
    pattern = re.compile(rf"^(?:\.venv/bin/)?{program}\s+(\S.*)$")
    return [
        (page.name, shlex.split(match[1], comments=True))
        for page in documents(root)
        for line in code_lines(page)
        if (match := pattern.match(line))
    ]


def make_targets(root: Path) -> dict[str, str]:
    """Target to the text after its ##."""
    text = (root / "Makefile").read_text()
    return dict(re.findall(r"^([a-z][a-z0-9-]*):[^=\n]*?(?:## (.*))?$", text, flags=re.MULTILINE))


def recipe(root: Path, target: str) -> str:
    text = (root / "Makefile").read_text()
    return re.search(rf"^{target}:[^\n]*\n((?:\t[^\n]*\n)+)", text, flags=re.MULTILINE)[1]


def option_values(words: list[str], *options: str) -> list[str]:
    """The words that follow one of the options, up to the next option."""
    values, taking = [], False
    for word in words:
        if word.startswith("-"):
            taking = word in options
        elif taking:
            values.append(word)
    return values


def test_make_targets_in_the_documents_exist(root):
    told = [(page, word) for page, words in told_commands(root, "make") for word in words]
    unknown = [(page, word) for page, word in told if re.fullmatch(r"[a-z][a-z0-9-]*", word)]
    assert [pair for pair in unknown if pair[1] not in make_targets(root)] == []


def test_every_make_target_says_what_it_does(root):
    phony = re.search(r"^\.PHONY:((?:.*\\\n)*.*)", (root / "Makefile").read_text(), re.MULTILINE)
    names = phony[1].replace("\\", " ").split()
    targets = make_targets(root)
    # A line that only sets a variable for a target has no text; the rule itself must.
    text = (root / "Makefile").read_text()
    assert set(names) == {name for name in targets if name != "profiles"}
    assert [n for n in names if not re.search(rf"^{n}:.*## \S", text, re.MULTILINE)] == []


def test_dbt_commands_in_the_documents_parse(root):
    for page, (name, *words) in told_commands(root, "dbt"):
        command = cli.get_command(None, name)
        assert command is not None, f"{page}: dbt {name}"
        words = [word for word in words if word != "..."]
        with cli.make_context("dbt", [name], resilient_parsing=True) as context:
            command.make_context(name, words, parent=context)


def test_selectors_in_the_documents_and_the_makefile_match(root, project):
    """A misspelt selector selects nothing, and dbt then exits 0."""
    names = {node["name"] for node in project.of_type("model", "seed", "test", "analysis")}
    tags = {tag for node in project.manifest["nodes"].values() for tag in node["tags"]}
    commands = told_commands(root, "dbt")
    for target in ("night", "gate", "resume"):
        words = recipe(root, target).replace("\\\n", " ").replace("$(DBT_ARGS)", "")
        commands.append(("Makefile", shlex.split(words.split("$(DBT) ", 1)[1])))
    missing = []
    for page, words in commands:
        for value in option_values(words, "--select", "-s", "--exclude"):
            method, _, rest = value.rpartition(":")
            rest = rest.strip("+@")
            known = {"tag": rest in tags, "path": (root / rest).exists(), "": rest in names}
            if not known.get(method, True):
                missing.append(f"{page}: {value}")
    assert missing == []


def test_gate_makes_an_empty_selection_an_error(root):
    assert NOTHING_FOUND in recipe(root, "gate")


# --- a machine that lacks something --------------------------------------------------------------


@pytest.fixture
def machine(tmp_path, root):
    """Runs the check with a PATH of its own; programs are small scripts."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "sed", "head", "env"):
        (folder / name).symlink_to(shutil.which(name))

    class Machine:
        def add(self, name: str, script: str) -> None:
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)

        def check(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
            command = ["sh", str(root / "scripts" / "check_machine.sh"), *arguments]
            environment = {"PATH": str(folder), **variables}
            return subprocess.run(command, env=environment, capture_output=True, text=True)

    machine = Machine()
    machine.add("python3.12", "exit 0")
    machine.add("java", "echo 'openjdk version \"17.0.1\" 2021' >&2")
    return machine


def test_check_names_the_python_to_use(machine):
    done = machine.check()
    assert (done.returncode, done.stdout, done.stderr) == (0, "python3.12\n", "")


def test_check_runs_a_python_before_it_is_taken(machine):
    """Version managers leave commands that only say that nothing stands behind them."""
    machine.add("python3.13", "echo 'command not found' >&2; exit 127")
    assert machine.check().stdout == "python3.12\n"


def test_check_says_how_to_get_python(machine):
    machine.add("python3.12", 'case "$*" in *python_version*) echo 3.9.2;; *) exit 1;; esac')
    machine.add("python3", 'case "$*" in *python_version*) echo 3.9.2;; *) exit 1;; esac')
    done = machine.check()
    assert (done.returncode, done.stdout) == (1, "")
    assert "Python 3.11, 3.12 or 3.13 is needed (python3 here: 3.9.2)" in done.stderr
    assert "apt-get install" in done.stderr and "brew install" in done.stderr


def test_check_says_when_the_named_python_does_not_fit(machine):
    done = machine.check(PYTHON="python2")
    assert done.returncode == 1
    assert "PYTHON=python2 is not a Python 3.11, 3.12 or 3.13" in done.stderr


def test_check_says_how_to_get_the_venv_module(machine):
    machine.add("python3.12", 'case "$*" in *ensurepip*) exit 1;; *print*) echo python3.12;; esac')
    done = machine.check()
    assert done.returncode == 1
    assert "apt-get install python3.12-venv" in done.stderr


@pytest.mark.parametrize(
    "script, sentence",
    [
        ("exit 127", "none runs on the PATH"),
        ("echo 'java version \"1.8.0_402\"' >&2", "the one on the PATH is 8."),
        ("echo 'openjdk version \"25\" 2025-09-16' >&2", "the one on the PATH is 25."),
        ("echo nonsense", "is of an unknown version"),
    ],
)
def test_check_says_how_to_get_java(machine, script, sentence):
    machine.add("java", script)
    done = machine.check()
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "openjdk-17-jre-headless" in done.stderr


def test_check_reads_java_home_as_spark_does(machine, tmp_path):
    done = machine.check(JAVA_HOME=str(tmp_path / "gone"))
    assert done.returncode == 1
    assert "none runs under JAVA_HOME" in done.stderr


def test_python_alone_can_be_checked(machine):
    machine.add("java", "exit 127")
    assert machine.check("python").returncode == 0


def test_ci_script_and_makefile_agree(root):
    """Every suite with recorded seconds is a make target, and .ci/run can be executed."""
    lines = (root / ".ci" / "timings").read_text().splitlines()
    suites = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert set(suites) - set(make_targets(root)) == set()
    assert os.access(root / ".ci" / "run", os.X_OK)
