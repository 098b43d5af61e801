"""Rules on links in cells: where they lead, and what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, Widget, values_of

# A place of the workspace, this page, or a host that the file names; none that a value names.
SAFE_START = re.compile(r"/(?![/\\{])|\?|https://[A-Za-z0-9.-]+(?:[/?#]|$)")
COLUMN = re.compile(r"\{\{\s*(.*?)\s*\}\}")
# f_<page>~<filter widget>=<value>
FILTER = re.compile(r"[?&]f_([^~&=]*)~([^~&=]*)=([^&]*)")


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every link of every table."""
    for widget in dashboard.widgets:
        if widget.kind == "table" and widget.spec["version"] == 1:
            for column in widget.spec["encodings"]["columns"]:
                yield from link(dashboard, widget, column)


def link(dashboard: Dashboard, widget: Widget, column: dict) -> Iterator[Finding]:
    """The link of one column: columns it holds, its start, the filters it sets."""
    name, url = column["fieldName"], column["linkUrlTemplate"]
    fields = {field for query in widget.queries for field in query.fields}
    for path, template in values_of(column, "linkUrlTemplate"):
        for other in set(COLUMN.findall(template)) - fields - {"@"}:
            said = f"column {name}: {path} holds {other}, which is no field of its query"
            yield Finding(widget.place, said, "ask for it in query.fields")
    if column["displayAs"] != "link":
        return
    if not SAFE_START.match(url):
        remedy = "start it with /, ? or https:// and a host: values of tables choose no host"
        yield Finding(widget.place, f"column {name}: link {url} can lead anywhere", remedy)
    filters = {(found.page, found.name): found for found in dashboard.filters()}
    targets = FILTER.findall(url)
    if len(targets) < len(re.findall(r"[?&]f_", url)):
        remedy = "write f_<page>~<filter widget>=<value>"
        yield Finding(widget.place, f"column {name}: link {url} sets no filter", remedy)
    for page, target, value in targets:
        found = filters.get((page, target))
        if found:
            yield from filter_value(widget, name, found, value)
        elif not dashboard.left_out:
            said = f"column {name}: link sets {page}~{target}, which is no filter widget"
            known = ", ".join(sorted("~".join(found) for found in filters))
            yield Finding(widget.place, said, f"write one of {known}")


def filter_value(widget: Widget, name: str, target: Widget, value: str) -> Iterator[Finding]:
    """A filter matches exactly: what a link gives it is a value of a column that it holds."""
    held = sorted({column for query in target.queries for column in query.fields})
    given = {name if column == "@" else column for column in COLUMN.findall(value)}
    for other in sorted(given - set(held)):
        said = f"column {name}: link gives {other} to {target.name}, which holds {', '.join(held)}"
        yield Finding(widget.place, said, "give it that column, as `{{ column }}`")
