"""A small dbt project on a real session, shared by all tests of the process."""

import logging
import shutil
from pathlib import Path

import pytest
from dbt.cli.main import dbtRunner, dbtRunnerResult

from dbt.adapters.databricks_embedded.session import close_session, open_session

PROJECT = Path(__file__).parent / "project"


class Project:
    """A copy of the test project that one process drives."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []
        shutil.copytree(PROJECT, folder, dirs_exist_ok=True)

    def dbt(self, *arguments: str) -> dbtRunnerResult:
        """Run one command in this process; `lines` holds what it told the console."""
        self.lines = []
        places = ["--project-dir", str(self.folder), "--profiles-dir", str(self.folder)]
        return dbtRunner(callbacks=[self._listen]).invoke([*arguments, *places])

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def _listen(self, event) -> None:
        if event.info.level != "debug":
            self.lines.append(event.info.msg)


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """Built once; `state` is the folder that its profile names."""
    folder = tmp_path_factory.mktemp("project")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    made = Project(folder)
    open_session("state")
    assert made.dbt("build").success, made.lines
    made.build_lines = list(made.lines)
    yield made
    close_session()
    logging.shutdown()
    patch.undo()


@pytest.fixture(scope="session")
def spark(project):
    """The session that dbt uses."""
    return open_session("state")


@pytest.fixture
def message(project):
    """Run one model that fails and return what dbt says about it."""

    def run(path: str, text: str) -> str:
        project.write(f"models/{path}", text)
        result = project.dbt("run", "--select", Path(path).stem)
        (project.folder / "models" / path).unlink()
        assert not result.success
        return result.result.results[0].message

    return run
