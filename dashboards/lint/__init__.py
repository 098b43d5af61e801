"""Finds what a workspace would accept and then show blank, or wrong: `python -m dashboards.lint`.

No schema of dashboard files is published, and a deployment reads the file as one text, so this is
the only check before somebody opens the page. Rules that need the engine are in
tests/e2e/test_dashboard.py.
"""

from __future__ import annotations

import json

from dashboards.lint import datasets, fields, filters, layout, links, selections, shapes, types
from dashboards.lint.finding import Finding
from dashboards.lint.shape_rules import faults, widget_faults
from dashboards.lint.view import Dashboard, Widget

__all__ = ["Finding", "findings"]

RULES = (layout, datasets, fields, types, filters, selections, links)


def findings(text: str) -> list[Finding]:
    """What is wrong with the text of a dashboard file; nothing: an empty list."""
    repeats: list[Finding] = []

    def object_of(pairs: list[tuple[str, object]]) -> dict:
        keys = [key for key, _ in pairs]
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            repeats.append(Finding("file", f"key {key} is there twice in one object", "keep one"))
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=object_of)
    except RecursionError:
        return [Finding("file", "it is nested too deep to be read", "build it again")]
    except json.JSONDecodeError as error:
        said = f"line {error.lineno} is no JSON: {error.msg}"
        return [Finding("file", said, "repair it, or build it again")]
    dashboard, found = read(value)
    return [*repeats, *found, *(one for rule in RULES for one in rule.check(dashboard))]


def read(value: object) -> tuple[Dashboard, list[Finding]]:
    """The parts of a file whose keys are right, and what is wrong with the others."""
    dashboard, found = Dashboard(), faults("file", value, shapes.DASHBOARD)
    if found and not all(isinstance(part_of(value, key), list) for key in ("datasets", "pages")):
        return dashboard, found
    for place, dataset in enumerate(part_of(value, "datasets")):
        name = name_of(dataset, f"number {place + 1}")
        wrong = faults(f"dataset {name}", dataset, shapes.DATASET)
        if name in dashboard.datasets:
            wrong.append(Finding(f"dataset {name}", "its name is there twice", "rename one"))
        elif wrong:
            dashboard.left_out.add(name)
        else:
            dashboard.datasets[name] = dataset
        found += wrong
    for place, page in enumerate(part_of(value, "pages")):
        found += read_page(dashboard, page, name_of(page, f"page number {place + 1}"))
    return dashboard, found


def read_page(dashboard: Dashboard, page: object, name: str) -> list[Finding]:
    """Adds a page and its widgets to the dashboard; returns what is wrong with their keys."""
    found = faults(name, page, shapes.PAGE)
    if found:
        dashboard.left_out.add(name)
    else:
        dashboard.pages.append(page)
    layout_of = part_of(page, "layout")
    for place, item in enumerate(layout_of if isinstance(layout_of, list) else []):
        widget = part_of(item, "widget")
        if not isinstance(widget, dict):
            continue
        widget_name = name_of(widget, f"widget number {place + 1}")
        wrong = widget_faults(f"{name}/{widget_name}", widget)
        found += wrong
        if wrong or page not in dashboard.pages:
            dashboard.left_out.add(widget_name)
        elif "spec" in widget:
            dashboard.widgets.append(Widget(name, widget))
        else:
            found += text_lines(f"{name}/{widget_name}", widget)
    return found


def text_lines(place: str, widget: dict) -> list[Finding]:
    """The lines of a text box are joined as they are."""
    lines = widget["multilineTextboxSpec"]["lines"]
    return [
        Finding(place, f"lines[{i}] ends without a line break", r"end every line with \n")
        for i, line in enumerate(lines)
        if not line.endswith("\n")
    ]


def part_of(value: object, key: str) -> object:
    """The value of a key, or nothing where there is no such thing."""
    return value.get(key, []) if isinstance(value, dict) else []


def name_of(value: object, otherwise: str) -> str:
    """What to call a part in a message."""
    name = part_of(value, "name")
    return name if isinstance(name, str) and name else otherwise
