"""The terminal: progress while the demo runs, and the report at its end."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from demo.figures import Rows
from demo.nights import GateVerdict
from demo.workspace import Workspace

WIDTH = 100
OPEN_ROWS = "SELECT pair_id, record_key FROM recon.open_mismatches"


def console(file: TextIO | None = None) -> Console:
    """Return a console of at most 100 columns: coloured on a terminal, plain elsewhere."""
    file = file or sys.stdout
    plain = Console(file=file)
    return Console(file=file, width=min(plain.width, WIDTH) if plain.is_terminal else WIDTH)


def night_line(rows: Rows, counter: int, seconds: float) -> Text:
    """Return one night's outcome: the pairs that differ or erred, and the counter."""
    found = []
    for row in rows:
        if row["status"] == "mismatch":
            found.append(f"{row['pair_id']} {row['mismatch_count']:,}")
        elif row["status"] != "match":
            found.append(f"{row['pair_id']} {row['status']}")
    text = Text(f"{seconds:5.1f} s   ")
    text.append(", ".join(found) or "no difference", style="red" if found else "green")
    return text.append(f"   counter {counter:,}", style="bold")


def final_report(
    counter: dict,
    heat_map: Rows,
    pairs: Rows,
    drift: Rows,
    closed: Rows,
    gate: Rows,
    verdict: GateVerdict,
) -> list[RenderableType]:
    """Return the parts of the report in their order."""
    return [
        *_section("The counter", _counter(counter)),
        *_section("Pairs x nights: differences found", _heat_map(heat_map)),
        *_section("Pair by pair", _sentences(pairs)),
        *_section("Each pair against its own past, alarms first", _drift(drift)),
        *_section("Closed by name, and what became of it", _closed(closed)),
        *_section("What the gate said", _gate(gate, verdict)),
        *_section("Three commands to try next", _commands()),
    ]


def write(parts: Iterable[RenderableType], on: Console, copy: Path) -> None:
    """Print the report, and keep it as text."""
    parts = list(parts)
    text = io.StringIO()
    for part in parts:
        for printer in (on, Console(file=text, width=WIDTH, color_system=None)):
            printer.print(part, soft_wrap=isinstance(part, Text))
    lines = (line.rstrip() for line in text.getvalue().splitlines())
    copy.write_text("\n".join(lines) + "\n", encoding="utf-8")


def dashboard_line(path: Path) -> Text:
    """Return where the dashboard is, on a line of its own: easily opened or copied."""
    return Text.assemble(
        "\nBoth pages of the dashboard, to open in a browser:\n  ", (str(path), "cyan")
    )


def _section(title: str, body: RenderableType) -> list[RenderableType]:
    """Return a headed part of the report; what must not be wrapped (Text) is not indented."""
    head = [Text(), Rule(title, align="left", style="dim"), Text()]
    return [*head, body if isinstance(body, Text) else Padding(body, (0, 0, 0, 2), expand=False)]


def _counter(counter: dict) -> RenderableType:
    """Return the one number: green only at zero."""
    style = "bold green" if counter["is_green"] else "bold red"
    number = Text(f"{counter['counter']:,}", style=style, justify="center")
    return Group(
        Panel(number, width=16, box=box.ROUNDED, border_style=style),
        Text(counter["sentence"]),
    )


def _heat_map(cells: Rows) -> Table:
    """Return pairs down, nights across."""
    dates = sorted({cell["run_date"] for cell in cells})
    by_pair: dict[str, dict] = {}
    for cell in cells:
        by_pair.setdefault(cell["pair_id"], {})[cell["run_date"]] = cell
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("pair")
    for date in dates:
        table.add_column(f"{date:%a}\n{date:%d %b}", justify="right")
    for pair, row in sorted(by_pair.items()):
        table.add_row(pair, *(_cell(row.get(date)) for date in dates))
    return table


def _cell(cell: dict | None) -> Text:
    """Return one cell: its count, or why there is none."""
    if cell is None or cell["status"] == "no_run":
        return Text("-", style="dim")
    if cell["status"] == "error":
        return Text("error", style="bold white on magenta")
    count = cell["mismatch_count"] or 0
    return Text(f"{count:,}", style=_heat(count))


def _heat(count: int) -> str:
    """Return the colour of a count: the more digits, the hotter."""
    if count == 0:
        return "green"
    if count < 100:
        return "black on yellow"
    if count < 10_000:
        return "black on dark_orange"
    return "bold white on red"


def _plain_table() -> Table:
    """Return a table without lines and heading."""
    return Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))


def _sentences(pairs: Rows) -> Table:
    """Return each pair's state in words, as the mart sorts them."""
    table = _plain_table()
    for pair in pairs:
        table.add_row(Text(pair["pair_id"], style="bold"), Text(pair["sentence"] or ""))
    return table


def _drift(verdicts: Rows) -> Table:
    """Return each pair's drift in its last comparison, as the alerts rank them."""
    table = _plain_table()
    for verdict in verdicts:
        word = Text(verdict["drift"].replace("_", " "), style="red" if verdict["since"] else "")
        since = f"Alarm since {verdict['since']:%d %b}: " if verdict["since"] else ""
        said = Text(since + verdict["sentence"])
        table.add_row(Text(verdict["pair_id"], style="bold"), word, said)
    return table


def _closed(closings: Rows) -> Table:
    """Return who closed what, why, and the state it has now."""
    table = _plain_table()
    for closing in closings:
        until = closing["expires_ts"]
        word = "fixed" if until is None else f"acceptable until {until:%d %b}"
        said = f"{closing['resolved_by']}: {closing['mismatches']} {word}, for {closing['reason']}"
        state = Text(closing["state"].replace("_", " "))
        table.add_row(Text(closing["pair_id"], style="bold"), Text(said), state)
    return table


def _gate(findings: Rows, verdict: GateVerdict) -> RenderableType:
    """Return the verdict, and a sentence per reason."""
    pairs = {(f["wave"], f["pair_id"]) for f in findings if f["pair_id"]}
    reasons = [f for f in findings if f["reason"] is not None]
    ready = len(pairs - {(f["wave"], f["pair_id"]) for f in reasons})
    word, style = ("RED", "bold red") if verdict.red else ("GREEN", "bold green")
    head = Text(f"GATE {word}", style=style)
    head.append(f": {ready} of {len(pairs)} pairs ready", style="default")
    head.append("".join(f"\nfailed: {test}" for test in verdict.failed_tests), style="default")
    table = _plain_table()
    for finding in reasons:
        wave = f"wave {finding['wave']}" if finding["wave"] else "no wave"
        table.add_row(Text(wave), Text(finding["sentence"]))
    return Group(head, table)


def _commands() -> Text:
    """Return the next three commands; on lines of their own they are easily copied."""
    dbt = _dbt_command()
    steps = (
        ("See what is open", f'{dbt} show --target demo --inline "{OPEN_ROWS}"'),
        ("Run one more night", f"{dbt} build --target demo --exclude tag:cutover_gate"),
        ("Ask the gate again", "make gate TARGET=demo"),
    )
    lines = Text()
    for number, (purpose, command) in enumerate(steps, start=1):
        lines.append(f"  {number}. {purpose}\n  ")
        lines.append(f"{command}\n", style="cyan")
    lines.right_crop(1)
    return lines


def _dbt_command() -> str:
    """Return how to call the dbt of this environment from the project's folder."""
    dbt = Path(sys.prefix) / "bin" / "dbt"
    project = Workspace().project
    return str(dbt.relative_to(project)) if dbt.is_relative_to(project) else str(dbt)
