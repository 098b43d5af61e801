"""The heat map of the dashboard file as Vega-Lite: categories with hard colours, text in the cell.

A cell reaches the chart as {x, y, value, ink, cursor, picked}: what stands on the axes, its
category, the colour of its text, and whether it is where the keyboard is and what was chosen.
"""

from __future__ import annotations

from typing import Any

from dashboards.local import formats
from dashboards.local.charts import legend
from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard
from dashboards.local.widgets import only_query


def heat_map(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {query, x, y, value, inks, vega}; x and y are {field, title, order}."""
    x, y, color = (spec["encodings"][name] for name in ("x", "y", "color"))
    if color["scale"]["type"] != "categorical" or not color["scale"].get("mappings"):
        raise UnknownInDashboard(where, "a heat map whose colours are not mapped to categories")
    colors = {
        one["value"]: formats.color(one["color"], given.palette, where)
        for one in color["scale"]["mappings"]
    }
    return {
        "kind": "heatmap",
        "query": only_query(queries, where),
        "x": _axis(x, where),
        "y": _axis(y, where),
        "value": {"field": color["fieldName"], "title": color.get("displayName", "")},
        "inks": {value: formats.ink(one) for value, one in colors.items()},
        "hasLabels": bool(spec["encodings"].get("label", {}).get("show")),
        "vega": _vega(colors, color),
    }


def _axis(encoded: dict[str, Any], where: str) -> dict[str, Any]:
    sort = encoded["scale"].get("sort", {})
    if sort.get("by") not in (None, "natural-order", "natural-order-reversed", "custom-order"):
        raise UnknownInDashboard(where, f"the order {sort['by']!r}")
    return {
        "field": encoded["fieldName"],
        "title": encoded.get("displayName") or _spoken(encoded["fieldName"]),
        "order": sort.get("by"),
        "ordered": sort.get("orderedValues", []),
    }


def _spoken(column: str) -> str:
    """Return a column's name as a word: `pair_id` names a pair."""
    return column.removesuffix("_id").replace("_", " ").capitalize()


def _vega(colors: dict[str, str | None], color: dict[str, Any]) -> dict[str, Any]:
    """Return the specification: cells, their text, and frames around cursor and choice."""
    place = {
        # Null: the order of the rows, which the page has brought into the file's order.
        "x": {"field": "x", "type": "nominal", "sort": None, "axis": {"title": None}},
        "y": {"field": "y", "type": "nominal", "sort": None, "axis": {"title": None}},
    }
    place["x"]["axis"] |= {"orient": "top", "labelAngle": -90, "labelOverlap": True}
    scale = {"domain": list(colors), "range": list(colors.values())}
    shown = {"field": "value", "type": "nominal", "scale": scale}
    cell = {"type": "rect", "cursor": "pointer", "style": "cell"}
    text = {"type": "text", "cursor": "pointer"}
    return {
        "data": {"name": "cells"},
        "encoding": place,
        "layer": [
            {
                "mark": {**cell, "tooltip": {"content": "data"}},
                "encoding": {
                    "color": {**shown, "legend": legend(color.get("legend", {}), "")},
                    "tooltip": {"field": "tip", "type": "nominal"},
                },
            },
            {
                "mark": {**text, "tooltip": None},
                "encoding": {
                    "text": {"field": "label", "type": "nominal"},
                    "color": {"field": "ink", "type": "nominal", "scale": None},
                },
            },
            _frame("picked", 3),
            _frame("cursor", 2),
        ],
    }


def _frame(flag: str, width: int) -> dict[str, Any]:
    """Return the frame around the cell with that flag; the page gives its colour by theme."""
    mark = {"type": "rect", "fill": None, "strokeWidth": width, "style": flag, "tooltip": None}
    return {"transform": [{"filter": f"datum.{flag}"}], "mark": mark}
