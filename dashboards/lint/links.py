"""Rules on links in cells: where they lead, and what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, Widget, values_of

SAFE_START = re.compile(r"/|\?|https://|\{\{ ")
COLUMN = re.compile(r"\{\{\s*(.*?)\s*\}\}")
# f_<page>~<filter widget>=<value>
FILTER = re.compile(r"[?&]f_([^~&=]*)~([^~&=]*)=")


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
        remedy = "start it with /, ? or https://"
        yield Finding(widget.place, f"column {name}: link {url} can lead anywhere", remedy)
    filters = {(found.page, found.name) for found in dashboard.filters()}
    targets = FILTER.findall(url)
    if len(targets) < len(re.findall(r"[?&]f_", url)):
        remedy = "write f_<page>~<filter widget>=<value>"
        yield Finding(widget.place, f"column {name}: link {url} sets no filter", remedy)
    for target in targets:
        if target not in filters and not dashboard.left_out:
            said = f"column {name}: link sets {'~'.join(target)}, which is no filter widget"
            known = ", ".join(sorted("~".join(found) for found in filters))
            yield Finding(widget.place, said, f"write one of {known}")
