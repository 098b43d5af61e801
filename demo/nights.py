"""Drive dbt: the nights, each with its own date, what people do after them, and the gate.

All commands run in this process through dbt's own runner, so they share one Spark session.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from dbt.cli.main import dbtRunner, dbtRunnerResult
from dbt_common.events.base_types import EventMsg

from demo.incidents import Act
from demo.workspace import Workspace

Watch = Callable[[str], None]

# The release manager's selection: configuration anew, the verdict anew, and its tests.
GATE = (
    *("build", "--select", "path:seeds", "path:models/staging", "cutover_readiness"),
    *("gate_findings", "gate_verdicts", "tag:cutover_gate"),
    *("--warn-error-options", '{"error": ["NoNodesForSelectionCriteria"]}'),
)


def clock(now: datetime) -> str:
    """Return the variables by which a command takes place at that time."""
    return json.dumps({"recon_now": f"{now:%Y-%m-%d %H:%M:%S}"})


class DbtFailed(Exception):
    """A dbt command did not do its work; the message holds what dbt said."""


@dataclass(frozen=True)
class GateVerdict:
    """What the gate said: whether it is red, and the tests that made it so."""

    red: bool
    failed_tests: tuple[str, ...]


class Nights:
    """dbt on the demo's workspace; the project is read once, for it does not change."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._watch: Watch = lambda node: None
        self._heard: list[str] = []
        parsed = self._invoke(dbtRunner(), ["parse"])
        if not parsed.success:
            raise DbtFailed(self._said(parsed))
        self._runner = dbtRunner(manifest=parsed.result, callbacks=[self._on_event])

    def run(self, now: datetime, watch: Watch) -> None:
        """Run the night as a person does, with a date of its own."""
        self._watch = watch
        command = ["build", "--exclude", "tag:cutover_gate", "--vars", clock(now)]
        result = self._invoke(self._runner, command)
        if not result.success:
            raise DbtFailed(self._said(result))

    def act(self, act: Act, now: datetime) -> str:
        """Run what somebody does, at a time of its own; return recon's last line about it."""
        arguments = dict(act.arguments)
        if act.days is not None:
            arguments["expires"] = f"{now + timedelta(days=act.days):%Y-%m-%d}"
        command = ["run-operation", act.operation, "--args", json.dumps(arguments)]
        self._heard.clear()
        result = self._invoke(self._runner, [*command, "--vars", clock(now)])
        if not result.success:
            raise DbtFailed(self._said(result))
        return "; ".join(self._heard)

    def ask_gate(self, watch: Watch) -> GateVerdict:
        """Run the gate on the real clock: its tests fail when it is red, nothing else may."""
        self._watch = watch
        result = self._invoke(self._runner, list(GATE))
        results = getattr(result.result, "results", None)
        if result.exception or results is None or any(r.status == "error" for r in results):
            raise DbtFailed(self._said(result))
        failed = tuple(r.node.name for r in results if r.status == "fail")
        return GateVerdict(red=bool(failed), failed_tests=failed)

    def _on_event(self, event: EventMsg) -> None:
        if event.info.name == "NodeStart":
            self._watch(event.data.node_info.node_name)
        elif event.info.msg.startswith("recon: "):
            self._heard.append(event.info.msg.removeprefix("recon: "))

    def _invoke(self, runner: dbtRunner, command: list[str]) -> dbtRunnerResult:
        """Run one dbt command quietly; its log goes to the workspace."""
        folders = self._workspace
        return runner.invoke(
            [
                *command,
                *("--target", "demo", "--target-path", str(folders.target)),
                *("--project-dir", str(folders.project), "--profiles-dir", str(folders.profiles)),
                *("--log-path", str(folders.logs), "--log-level", "none"),
                *("--log-level-file", "info", "--no-use-colors", "--no-use-colors-file"),
                "--no-print",
            ]
        )

    def _said(self, result: dbtRunnerResult) -> str:
        """Return the messages of what failed, and where the whole log is."""
        nodes = getattr(result.result, "results", None) or []
        lines = [f"{r.node.name}: {r.message}" for r in nodes if r.status in ("error", "fail")]
        if result.exception:
            lines.append(str(result.exception))
        return "\n".join([*lines, f"The whole log: {self._workspace.logs / 'dbt.log'}"])
