"""A small dashboard of every kind of widget, and rows for it: what a test needs and no more."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from dashboards.local import lakeview, page
from dashboards.local.given import Given

NOW = datetime(2026, 3, 10, 6, 0, tzinfo=UTC)
GREEN, RED, NO_NUMBER = "#00805a", "#c22d12", "#6b6f76"
CELLS = {"0": "#bfe3d5", "1-9": "#fdd0a2", "10-99": "#fd8d3c", "error": "#252525"}
LAST_30_DAYS = {
    "range": {"dataType": "DATE", "min": {"value": "now-30d/d"}, "max": {"value": "now/d"}}
}


def query(dataset: str, *expressions: str, raw: bool = True, **further: Any) -> list[dict]:
    """The one query of a widget; a field is named like its expression without backticks."""
    fields = [{"name": e.replace("`", ""), "expression": e} for e in expressions]
    body = {"datasetName": dataset, "fields": fields, "disaggregated": raw, **further}
    return [{"name": "main_query", "query": body}]


def widget(
    name: str, kind: str, version: int, queries: list[dict], encodings: dict, **further: Any
) -> dict:
    spec = {"widgetType": kind, "version": version, "encodings": encodings, **further}
    frame = {"showTitle": True, "title": name.replace("_", " ").capitalize()}
    return {"name": name, "queries": queries, "spec": {**spec, "frame": frame}}


def filter_on(name: str, kind: str, bound: dict[str, str], **further: Any) -> dict:
    queries = [
        {**query(dataset, f"`{column}`", raw=False)[0], "name": dataset}
        for dataset, column in bound.items()
    ]
    fields = [{"fieldName": column, "queryName": name} for name, column in bound.items()]
    return widget(name, f"filter-{kind}", 2, queries, {"fields": fields}, **further)


def categories(name: str, **further: Any) -> dict:
    return {"fieldName": name, "scale": {"type": "categorical", **further}}


def rule(operator: str, value: str, **effect: str) -> dict:
    operand = {"type": "data-value", "value": value}
    return {"condition": {"operator": operator, "operand": operand}, **effect}


def counter() -> dict:
    rules = [rule("<=", "0", color=GREEN), rule(">", "0", color=RED)]
    value = {"fieldName": "counter", "style": {"color": NO_NUMBER, "rules": rules}}
    return widget("parity", "counter", 2, query("counter", "`counter`"), {"value": value})


def heat_map() -> dict:
    mappings = [{"value": value, "color": color} for value, color in CELLS.items()]
    return widget(
        "heat_map", "heatmap", 3,
        query("cells", "`night`", "`pair_id`", "`cell`", raw=False),
        {
            "x": categories("night", sort={"by": "natural-order"}),
            "y": categories("pair_id", sort={"by": "natural-order"}),
            "color": categories("cell", mappings=mappings),
            "label": {"show": True},
        },
    )  # fmt: skip


def differences(page_size: int) -> dict:
    columns = ["night", "pair_id", "diff_type", "record_key", "target_value", "occurrences"]
    shown = [{"fieldName": name, "displayName": name} for name in columns]
    shown[5]["style"] = {"type": "basic", "rules": [rule(">", "1", backgroundColor=RED)]}
    only = {"expression": "`row_kind` IN ('difference', 'it''s one')"}
    orders = [{"direction": "DESC", "expression": "`night`"}]
    orders += [
        {"direction": "ASC", "expression": f"`{name}`"} for name in ("pair_id", "record_key")
    ]
    asked = query("cells", *(f"`{c}`" for c in columns), filters=[only], orders=orders)
    return widget("differences", "table", 2, asked, {"columns": shown}, rowsPerPage=page_size)


def pairs() -> dict:
    link = {"displayAs": "link", "linkTextTemplate": "{{ @ }}"}
    columns = [
        {**link, "fieldName": "pair_id", "title": "Pair",
         "linkUrlTemplate": "?f_debugging~filter_pair={{ @ }}"},
        {**link, "fieldName": "ticket", "title": "Ticket", "linkUrlTemplate": "{{ @ }}"},
        {"fieldName": "open_count", "title": "Open", "displayAs": "number", "numberFormat": "0,0",
         "cellFormat": {"rules": [{"if": {"column": "open_count", "fn": ">", "literal": "0"},
                                   "value": {"foregroundColor": RED}}]}},
    ]  # fmt: skip
    asked = query("pairs", "`pair_id`", "`ticket`", "`open_count`")
    return widget("pairs", "table", 1, asked, {"columns": columns})


def charts() -> list[dict]:
    line = {
        "x": {"fieldName": "run_date", "scale": {"type": "temporal"}},
        "y": {
            "fields": [{"fieldName": f"SUM({c})", "displayName": c} for c in ("open", "accepted")],
            "scale": {"type": "quantitative"},
        },
    }
    bar = {
        "x": categories("diff_type"),
        "y": {"fieldName": "COUNT(*)", "scale": {"type": "quantitative"}},
        "color": categories("pair_id"),
    }
    over_time = query("history", "`run_date`", "SUM(`open`)", "SUM(`accepted`)", raw=False)
    by_type = query("cells", "`diff_type`", "`pair_id`", "COUNT(`*`)", raw=False)
    return [
        widget("over_time", "line", 3, over_time, line),
        widget("by_type", "bar", 3, by_type, bar, mark={"layout": "stack"}),
    ]


def filters() -> list[dict]:
    return [
        filter_on("filter_pair", "single-select", {"cells": "pair_id", "pairs": "pair_id"}),
        filter_on("filter_type", "multi-select", {"cells": "diff_type"}),
        filter_on(
            "filter_dates", "date-range-picker", {"cells": "run_date", "history": "run_date"}
        ),
    ]


def page_of(name: str, widgets: list[dict]) -> dict:
    layout = [
        {"position": {"x": 0, "y": 6 * place, "width": 12, "height": 6}, "widget": one}
        for place, one in enumerate(widgets)
    ]
    kind = {"pageType": "PAGE_TYPE_CANVAS", "layoutVersion": "GRID_V1"}
    return {"name": name, "displayName": name.capitalize(), "layout": layout, **kind}


def dashboard(page_size: int = 25) -> dict[str, Any]:
    """Two pages: a counter; filters, heat map, differences, pairs and charts."""
    text = {"name": "help", "multilineTextboxSpec": {"lines": ["**Click** a cell. <b>no</b>\n"]}}
    debugging = [*filters(), text, heat_map(), differences(page_size), pairs(), *charts()]
    names = ("counter", "cells", "pairs", "history")
    return {
        "datasets": [{"name": name, "queryLines": ["select 1\n"]} for name in names],
        "pages": [page_of("executive", [counter()]), page_of("debugging", debugging)],
    }


def cell(pair: str, days_ago: int, value: str, *differences: dict) -> list[dict]:
    """The rows of one cell: a row per difference, or one."""
    night = NOW.date() - timedelta(days=days_ago)
    of = {"pair_id": pair, "run_date": night, "night": str(night), "cell": value}
    if not differences:
        return [{**of, "row_kind": "cell"}]
    return [{**of, "row_kind": "difference", "occurrences": 1, **one} for one in differences]


def difference(
    key: str, value: str | None = "x", diff_type: str = "value_mismatch", **further: Any
):
    return {"record_key": key, "target_value": value, "diff_type": diff_type, **further}


TYPES = {
    "counter": {"counter": pa.int64()},
    "cells": {
        "pair_id": pa.string(), "run_date": pa.date32(), "night": pa.string(),
        "cell": pa.string(), "row_kind": pa.string(), "diff_type": pa.string(),
        "record_key": pa.string(), "target_value": pa.string(), "occurrences": pa.int64(),
    },
    "pairs": {"pair_id": pa.string(), "ticket": pa.string(), "open_count": pa.int64()},
    "history": {"run_date": pa.date32(), "open": pa.int64(), "accepted": pa.int64()},
}  # fmt: skip


def tables(**rows: list[dict]) -> dict[str, pa.Table]:
    """Rows by dataset as Spark would hand them over; what a row leaves out is NULL."""
    return {
        name: pa.Table.from_pylist(rows.get(name, []), pa.schema(list(columns.items())))
        for name, columns in TYPES.items()
    }


def default_rows() -> dict[str, list[dict]]:
    """Two pairs, three nights."""
    first, second = "orders", "customers"
    return {
        "counter": [{"counter": 3}],
        "cells": [
            *cell(first, 0, "1-9", difference("[1]"), difference("[2]", None, "missing_in_target")),
            *cell(first, 1, "1-9", difference("[1]")),
            *cell(first, 2, "0"),
            *cell(second, 0, "error"),
            *cell(second, 1, "10-99", *(difference(f"[{n}]") for n in range(100, 130))),
            *cell(second, 2, "1-9", difference("[7]", occurrences=2)),
        ],
        "pairs": [
            {"pair_id": first, "open_count": 1234},
            {"pair_id": second, "ticket": "https://tickets.example/7", "open_count": 0},
        ],
        "history": [
            {"run_date": date(2026, 3, day), "open": day, "accepted": 1} for day in (8, 9, 10)
        ],
    }


def write(file: Path, shown: dict[str, Any], **rows: list[dict]) -> Path:
    """Write the page of a dashboard over the rows."""
    read = lakeview.read(shown, Given(NOW.date()))
    file.write_text(page.html(read, tables(**rows), NOW, "a test"), encoding="utf-8")
    return file
