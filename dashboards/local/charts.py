"""Line and bar charts of the dashboard file as Vega-Lite; the page puts the rows in.

Every row reaches a chart as {at, value, series, atText, valueText}: in Vega-Lite a field name such
as `sum(n)` or `a.b` would be a path.
"""

from __future__ import annotations

from typing import Any

from dashboards.local import formats
from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard
from dashboards.local.widgets import only_query

# Colour-blind safe (Okabe and Ito), where the file names no colour.
CATEGORIES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f"]
# As many as stand side by side.
LEGEND_COLUMNS = {"expr": "max(2, floor(width / 140))"}
STACKS = {"stack": "zero", "percent-stack": "normalize", "layer": None, "group": None}


def line(spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str) -> dict[str, Any]:
    """Return {query, at, values, series, vega} of a line chart; `values` are drawn as lines."""
    mark = {"type": "line", "point": {"size": 36, "filled": True}, "strokeWidth": 2}
    return _chart(spec, queries, given, where, mark)


def bar(spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str) -> dict[str, Any]:
    """Return {query, at, values, series, vega} of a bar chart; lying where x is the number."""
    made = _chart(spec, queries, given, where, {"type": "bar"})
    layout = spec.get("mark", {}).get("layout", "stack")
    if layout not in STACKS:
        raise UnknownInDashboard(where, f"the layout {layout!r}")
    across, along = _channels(spec)
    encoding = made["vega"]["encoding"]
    encoding[along]["stack"] = STACKS[layout]
    if layout == "group":
        encoding[f"{across}Offset"] = {"field": "series", "sort": None}
    if encoding[across]["type"] == "temporal":
        # A bar needs a width: that of its day.
        encoding[across]["timeUnit"] = "utcyearmonthdate"
    return made


def _chart(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str, mark: dict[str, Any]
) -> dict[str, Any]:
    if spec.get("annotations"):
        raise UnknownInDashboard(where, "annotations")
    across, along = _channels(spec)
    at, value = spec["encodings"][across], spec["encodings"][along]
    color = spec["encodings"].get("color")
    values = value.get("fields", [value])
    encoding: dict[str, Any] = {
        across: _category_axis(at, where),
        along: {
            "field": "value",
            "type": "quantitative",
            "axis": {"title": _title(value), "tickMinStep": 1},
        },
        "tooltip": _tooltip(at, values, color),
    }
    if color or len(values) > 1:
        names = [_name(one) for one in values] if not color else []
        encoding["color"] = _color(color or {}, names, spec.get("mark", {}), given, where)
    else:
        colors = spec.get("mark", {}).get("colors") or CATEGORIES
        mark = {**mark, "color": formats.color(colors[0], given.palette, where)}
    return {
        "kind": "chart",
        "query": only_query(queries, where),
        "at": {"field": at["fieldName"], "title": _name(at)},
        "values": [_value(one, where) for one in values],
        "series": {"field": color["fieldName"], "title": _name(color)} if color else None,
        "vega": {"data": {"name": "rows"}, "mark": mark, "encoding": encoding},
    }


def _channels(spec: dict[str, Any]) -> tuple[str, str]:
    """Return the channel of the categories or times, and that of the numbers."""
    lying = spec["encodings"]["x"]["scale"]["type"] == "quantitative"
    return ("y", "x") if lying else ("x", "y")


def _name(encoded: dict[str, Any]) -> str:
    return encoded.get("displayName") or encoded.get("fieldName", "")


def _value(encoded: dict[str, Any], where: str) -> dict[str, Any]:
    shown = formats.number_format(encoded.get("format"), where)
    return {"field": encoded["fieldName"], "title": _name(encoded), "format": shown}


def _title(encoded: dict[str, Any]) -> str | None:
    axis = encoded.get("axis", {})
    return None if axis.get("hideTitle") else axis.get("title") or _name(encoded) or None


def _category_axis(encoded: dict[str, Any], where: str) -> dict[str, Any]:
    kind = encoded["scale"]["type"]
    axis: dict[str, Any] = {"title": _title(encoded)}
    if kind == "temporal":
        axis |= {"format": "%d %b", "labelOverlap": True}
        return {"field": "at", "type": "temporal", "scale": {"type": "utc"}, "axis": axis}
    if kind != "categorical":
        raise UnknownInDashboard(where, f"an axis of type {kind!r}")
    # Read without turning one's head.
    axis |= {"labelLimit": 160, "labelAngle": 0, "labelOverlap": True}
    return {"field": "at", "type": "nominal", "sort": _sort(encoded, where), "axis": axis}


def _sort(encoded: dict[str, Any], where: str) -> list[str] | str | None:
    """Return Vega-Lite's order of a category: as the rows come where the file says nothing."""
    sort = encoded["scale"].get("sort", {})
    orders = {None: None, "natural-order": "ascending", "y": "y", "y-reversed": "-y"}
    orders |= {"x": "x", "x-reversed": "-x", "custom-order": sort.get("orderedValues")}
    if sort.get("by") not in orders:
        raise UnknownInDashboard(where, f"the order {sort.get('by')!r}")
    return orders[sort.get("by")]


def _color(
    color: dict[str, Any], names: list[str], mark: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return the colour of a series: mapped by its value, or one of a list by its place."""
    scale: dict[str, Any] = {"range": CATEGORIES}
    if mappings := color.get("scale", {}).get("mappings"):
        colors = [formats.color(one["color"], given.palette, where) for one in mappings]
        scale = {"domain": [one["value"] for one in mappings], "range": colors}
    elif names:
        colors = [formats.color(one, given.palette, where) for one in mark.get("colors", [])]
        scale = {"domain": names, "range": colors or CATEGORIES}
    return {
        "field": "series",
        "type": "nominal",
        "sort": None,
        "scale": scale,
        "legend": legend(color.get("legend", {}), _name(color)),
    }


def legend(given: dict[str, Any], name: str) -> dict[str, Any] | None:
    """Return Vega-Lite's legend, None where the file hides it; below, as there is room."""
    if given.get("hide"):
        return None
    title = None if given.get("hideTitle") else given.get("title") or name or None
    return {
        "title": title,
        "orient": "bottom",
        "symbolLimit": 200,
        "symbolType": "square",
        "columns": LEGEND_COLUMNS,
        "labelLimit": 200,
    }


def _tooltip(
    at: dict[str, Any], values: list[dict[str, Any]], color: dict[str, Any] | None
) -> list[dict[str, Any]]:
    shown = [("atText", _name(at))]
    if color or len(values) > 1:
        shown.append(("series", _name(color) if color else "Of"))
    shown.append(("valueText", _name(values[0]) if len(values) == 1 else "Number"))
    return [{"field": field, "title": title, "type": "nominal"} for field, title in shown]
