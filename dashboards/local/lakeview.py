"""The dashboard file, read into what the local page draws; what it does not know it refuses.

A widget becomes a plain dictionary: `name`, `title`, `description`, `position`, `kind`, and by kind
`query` ({dataset, fields, raw, orders}) and what `widgets.py` and `charts.py` add. The page gets
these as JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from markdown_it import MarkdownIt

from dashboards.local import charts, expressions, filters, widgets
from dashboards.local.given import Given
from dashboards.local.heat_map import heat_map
from dashboards.local.unknown import UnknownInDashboard

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


def read(dashboard: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Return {datasets: {name: SQL}, pages: [{name, title, widgets}]} of a dashboard file.

    `now`, in UTC, is what relative dates count from.
    Raises UnknownInDashboard when it holds what the page cannot draw.
    """
    theme = dashboard.get("uiSettings", {}).get("theme", {})
    given = Given(tuple(theme.get("visualizationColors", ())), now)
    return {
        "datasets": {one["name"]: _sql(one) for one in dashboard["datasets"]},
        "pages": [_page(one, given) for one in dashboard["pages"]],
    }


def _sql(dataset: dict[str, Any]) -> str:
    where = f"dataset {dataset['name']}"
    if "queryLines" not in dataset:
        raise UnknownInDashboard(where, "a dataset without queryLines")
    if dataset.get("parameters"):
        raise UnknownInDashboard(where, "parameters: no engine runs while the page is read")
    return "".join(dataset["queryLines"])


def _page(page: dict[str, Any], given: Given) -> dict[str, Any]:
    where = f"page {page['name']}"
    if page.get("pageType") != "PAGE_TYPE_CANVAS" or page.get("layoutVersion") != "GRID_V1":
        raise UnknownInDashboard(where, "a page that is no canvas of twelve columns")
    drawn = [_widget(item, where, given) for item in page["layout"]]
    # Read aloud, and stacked on a phone, from top to bottom and from left to right.
    drawn.sort(key=lambda one: (one["position"]["y"], one["position"]["x"]))
    return {"name": page["name"], "title": page["displayName"], "widgets": drawn}


def _widget(item: dict[str, Any], page: str, given: Given) -> dict[str, Any]:
    widget = item["widget"]
    where = f"{page}, widget {widget['name']}"
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
    """Return {dataset, fields, raw, orders}; a field is its name and its parsed expression."""
    for key in ("filters", "parameters", "parameterValues", "cubeGroupingSets"):
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
        "orders": [_order(one, fields, where) for one in query.get("orders", [])],
    }


def _order(order: dict[str, Any], fields: list[dict[str, Any]], where: str) -> dict[str, Any]:
    by = expressions.parse(order["expression"], where)
    for field in fields:
        if {key: field[key] for key in by} == by:
            return {"field": field["name"], "descending": order["direction"] == "DESC"}
    raise UnknownInDashboard(where, f"an order by {order['expression']!r}, which is no field of it")
