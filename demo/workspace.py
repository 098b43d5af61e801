"""Where the demo keeps its things."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.databricks_embedded.lock import StateLock

PROJECT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Workspace:
    """The folders of one demo; `state` is the state folder of the profile's target `demo`."""

    project: Path = PROJECT
    profiles: Path = PROJECT
    state: Path = PROJECT / ".recon" / "demo"

    @property
    def landing(self) -> Path:
        """Files on their way into the legacy tables."""
        return self.state / "landing"

    @property
    def logs(self) -> Path:
        """dbt's log of the seven nights and the gate."""
        return self.state / "logs"

    @property
    def target(self) -> Path:
        """dbt's artifacts, apart from those of the commands run by hand."""
        return self.state / "target"

    @property
    def report(self) -> Path:
        """The final report as text."""
        return self.state / "report.txt"

    @property
    def dashboard(self) -> Path:
        """Both pages of the dashboard as one HTML file."""
        return self.state / "dashboard.html"

    def start_afresh(self) -> None:
        """Empty the state folder; SessionError names the process that is using it."""
        self.state.mkdir(parents=True, exist_ok=True)
        lock = StateLock(self.state)
        try:
            for path in self.state.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                elif path.name != "lock":
                    path.unlink()
        finally:
            lock.release()
