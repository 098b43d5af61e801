"""Counter and tables of the dashboard file in the page's words."""

from __future__ import annotations

from typing import Any

from dashboards.local import formats
from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard

PAGE_SIZE = 25


def only_query(queries: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the one query of a widget that is no filter."""
    if len(queries) != 1:
        raise UnknownInDashboard(where, f"a widget with {len(queries)} queries")
    return next(iter(queries.values()))


def counter(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {query, field, format, style, rules}: the first rule that holds gives the colour."""
    encodings = spec["encodings"]
    if further := set(encodings) - {"value"}:
        raise UnknownInDashboard(where, f"a counter with {', '.join(sorted(further))}")
    value = encodings["value"]
    style = value.get("style", {})
    rules = [
        {
            **formats.condition(
                value["fieldName"],
                rule["condition"]["operator"],
                rule["condition"]["operand"]["value"],
                where,
            ),
            "color": formats.color(rule.get("color"), given.palette, where),
        }
        for rule in style.get("rules", [])
    ]
    return {
        "kind": "counter",
        "query": only_query(queries, where),
        "field": value["fieldName"],
        "label": value.get("displayName", ""),
        "format": formats.number_format(value.get("format"), where),
        "color": formats.color(style.get("color"), given.palette, where),
        "rules": rules,
    }


def table_1(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {query, columns, pageSize} of a table of version 1."""
    shown = [c for c in spec["encodings"]["columns"] if c.get("visible", True)]
    columns = [_column_1(column, given, where) for column in shown]
    return {
        "kind": "table",
        "query": only_query(queries, where),
        "columns": columns,
        "pageSize": spec.get("itemsPerPage", PAGE_SIZE),
    }


def _column_1(column: dict[str, Any], given: Given, where: str) -> dict[str, Any]:
    where = f"{where}, column {column['fieldName']}"
    shown_as = column.get("displayAs", "string")
    if shown_as not in ("string", "number", "datetime", "boolean", "link"):
        raise UnknownInDashboard(where, f"a column shown as {shown_as!r}")
    if column.get("allowHTML"):
        raise UnknownInDashboard(where, "a column that allows HTML")
    cell = column.get("cellFormat") or {}
    rules = []
    for rule in cell.get("rules", []):
        test, shown = rule["if"], rule["value"]
        holds = formats.condition(test["column"], test["fn"], test["literal"], where)
        color = formats.color(shown.get("foregroundColor"), given.palette, where)
        rules.append({**holds, "color": color, "background": None})
    made = {
        "field": column["fieldName"],
        "title": column.get("title") or column["fieldName"],
        "format": formats.numeral_format(column.get("numberFormat"), where)
        if shown_as == "number"
        else None,
        "right": column.get("alignContent") == "right",
        "rules": rules,
    }
    if shown_as == "link":
        made["link"] = {
            "url": column["linkUrlTemplate"],
            "text": column["linkTextTemplate"],
            "hint": column.get("linkTitleTemplate", ""),
        }
    return made


def table_2(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {query, columns, pageSize} of a table of version 2."""
    columns = [_column_2(column, given, where) for column in spec["encodings"]["columns"]]
    return {
        "kind": "table",
        "query": only_query(queries, where),
        "columns": columns,
        "pageSize": spec.get("rowsPerPage", PAGE_SIZE),
    }


def _column_2(column: dict[str, Any], given: Given, where: str) -> dict[str, Any]:
    field = column["fieldName"]
    where = f"{where}, column {field}"
    style = column.get("style") or {"type": "basic"}
    if style.get("type") != "basic":
        raise UnknownInDashboard(where, f"a style of type {style.get('type')!r}")
    rules = []
    for rule in style.get("rules", []):
        test = rule["condition"]
        background = formats.color(rule.get("backgroundColor"), given.palette, where)
        foreground = formats.color(rule.get("foregroundColor"), given.palette, where)
        on = test.get("fieldName", field)
        holds = formats.condition(on, test["operator"], test["operand"]["value"], where)
        readable = formats.ink(background) if background else None
        rules.append({**holds, "color": foreground or readable, "background": background})
    return {
        "field": field,
        "title": column.get("displayName", field),
        "format": formats.number_format(column.get("format"), where),
        "right": False,
        "rules": rules,
    }
