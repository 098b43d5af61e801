"""The dashboard file, read into what the local page draws; what it does not know it refuses.

A widget becomes a plain dictionary: `name`, `title`, `description`, `position`, `kind`, and by kind
`query` ({dataset, fields, raw, kept, orders ...}) and what `widgets.py`, `charts.py`, `heat_map.py`
and `filters.py` add. The page gets these as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from markdown_it import MarkdownIt

from dashboards.local import charts, expressions, filters, widgets
from dashboards.local.given import Given
from dashboards.local.heat_map import heat_map
from dashboards.local.unknown import UnknownInDashboard
from dashboards.queries import default_ranges, spark_query

# The widget types of the dashboard file that this page draws, each of one version.
KINDS: dict[tuple[str, int], Callable[..., dict[str, Any]]] = {
    ("counter", 2): widgets.counter,
    ("table", 1): widgets.table_1,
    ("table", 2): widgets.table_2,
    ("heatmap", 3): heat_map,
    ("line", 3): charts.line,
    ("bar", 3): charts.bar,
    ("filter-single-select", 2): filters.single_select,
    ("filter-multi-select", 2): filters.multi_select,
    ("filter-date-range-picker", 2): filters.date_range,
}
# No HTML of the author's, and no picture: the page loads nothing.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def read(dashboard: dict[str, Any], given: Given) -> dict[str, Any]:
    """Return {datasets: {name: (query, arguments)}, pages: [{name, title, widgets}]} of a file.

    Raises UnknownInDashboard when it holds what the page cannot draw.
    """
    theme = dashboard.get("uiSettings", {}).get("theme", {})
    given = replace(given, palette=tuple(theme.get("visualizationColors", ())))
    return {
        "datasets": {one["name"]: _dataset(one, given) for one in dashboard["datasets"]},
        "pages": [_page(one, given) for one in dashboard["pages"]],
    }


def _dataset(dataset: dict[str, Any], given: Given) -> tuple[str, dict[str, date]]:
    """Return a dataset's query and its arguments, as Spark takes them."""
    where = f"dataset {dataset['name']}"
    if "queryLines" not in dataset:
        raise UnknownInDashboard(where, "a dataset without queryLines")
    for one in dataset.get("parameters", []):
        if (one["dataType"], one.get("complexType")) != ("DATE", "RANGE"):
            raise UnknownInDashboard(where, f"the parameter {one['keyword']}, no range of dates")
    ranges = default_ranges(dataset, given.today)
    if given.window:
        first, last = map(date.fromisoformat, given.window)
        ranges = dict.fromkeys(ranges, (first, last))
    return spark_query(dataset, ranges)


def _name(named: dict[str, Any]) -> str:
    """Return the name of a page or a widget, which becomes part of an id and of an address."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", named["name"]):
        raise UnknownInDashboard("dashboard", f"the name {named['name']!r}")
    return named["name"]


def _page(page: dict[str, Any], given: Given) -> dict[str, Any]:
    where = f"page {_name(page)}"
    if page.get("pageType") != "PAGE_TYPE_CANVAS" or page.get("layoutVersion") != "GRID_V1":
        raise UnknownInDashboard(where, "a page that is no canvas of twelve columns")
    drawn = [_widget(item, where, given) for item in page["layout"]]
    # Read aloud, and stacked on a phone, from top to bottom and from left to right.
    drawn.sort(key=lambda one: (one["position"]["y"], one["position"]["x"]))
    return {"name": page["name"], "title": page["displayName"], "widgets": drawn}


def _widget(item: dict[str, Any], page: str, given: Given) -> dict[str, Any]:
    widget = item["widget"]
    where = f"{page}, widget {_name(widget)}"
    common = {"name": widget["name"], "position": item["position"]}
    if "multilineTextboxSpec" in widget:
        text = "".join(widget["multilineTextboxSpec"]["lines"])
        return {**common, "kind": "text", "html": MARKDOWN.render(text)}
    spec = widget.get("spec", {})
    kind = spec.get("widgetType"), spec.get("version")
    if kind not in KINDS:
        raise UnknownInDashboard(where, f"the widget type {kind[0]!r} of version {kind[1]!r}")
    queries = {one["name"]: _query(one["query"], where) for one in widget["queries"]}
    frame = spec.get("frame", {})
    return {
        **common,
        "title": frame.get("title", "") if frame.get("showTitle") else "",
        "description": frame.get("description", "") if frame.get("showDescription") else "",
        **KINDS[kind](spec, queries, given, where),
    }


def _query(query: dict[str, Any], where: str) -> dict[str, Any]:
    """Return {dataset, fields, raw, kept, parameters, orders}; a field is name and expression."""
    for key in ("parameterValues", "cubeGroupingSets"):
        if query.get(key):
            raise UnknownInDashboard(where, f"{key} of a query")
    fields = [
        {"name": one["name"], **expressions.parse(one["expression"], where)}
        for one in query.get("fields", [])
    ]
    return {
        "dataset": query["datasetName"],
        "fields": fields,
        "raw": bool(query.get("disaggregated")),
        "kept": [expressions.kept(one["expression"], where) for one in query.get("filters", [])],
        "parameters": [one["keyword"] for one in query.get("parameters", [])],
        "orders": [_order(one, fields, where) for one in query.get("orders", [])],
    }


def _order(order: dict[str, Any], fields: list[dict[str, Any]], where: str) -> dict[str, Any]:
    by = expressions.parse(order["expression"], where)
    for field in fields:
        if {key: field[key] for key in by} == by:
            return {"field": field["name"], "descending": order["direction"] == "DESC"}
    raise UnknownInDashboard(where, f"an order by {order['expression']!r}, which is no field of it")
