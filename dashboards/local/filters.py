"""The filter widgets of the dashboard file in the page's words."""

from __future__ import annotations

from datetime import date
from typing import Any

from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard
from dashboards.queries import day


def single_select(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {on, choices: 'one', default}: `default` is a list of at most one value."""
    default = _default(spec, "values", where)
    chosen = [one["value"] for one in default.get("values", [])]
    return {"kind": "filter", "choices": "one", "on": _on(spec, queries, where), "default": chosen}


def multi_select(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {on, choices: 'many', default}: `default` is a list of values, empty for all."""
    default = _default(spec, "values", where)
    chosen = [one["value"] for one in default.get("values", [])]
    return {"kind": "filter", "choices": "many", "on": _on(spec, queries, where), "default": chosen}


def date_range(
    spec: dict[str, Any], queries: dict[str, Any], given: Given, where: str
) -> dict[str, Any]:
    """Return {on, choices: 'range', default, window}: two ISO dates each, empty where open.

    Outside `window` the page has no rows of the datasets that take the range as a parameter: they
    were read once, when the page was made.
    """
    on = _on(spec, queries, where)
    default = ends(_default(spec, "range", where), given.today, where)
    read_once = any(one["isParameter"] for one in on)
    if read_once:
        default = given.window or default
    window = default if read_once else ("", "")
    return {"kind": "filter", "choices": "range", "on": on, "default": default, "window": window}


def ends(selected: dict[str, Any], today: date, where: str) -> tuple[str, str]:
    """Return both ends of a range of dates as ISO dates, empty where it is open."""
    first, last = (
        _date(selected.get(e, {}).get("value", ""), today, where) for e in ("min", "max")
    )
    return first, last


def _date(text: str, today: date, where: str) -> str:
    try:
        return str(day(text, today)) if text else ""
    except ValueError:
        raise UnknownInDashboard(where, f"the date {text!r}") from None


def _default(spec: dict[str, Any], form: str, where: str) -> dict[str, Any]:
    selected = spec.get("selection", {}).get("defaultSelection", {})
    if selected and form not in selected:
        raise UnknownInDashboard(where, f"a default selection by {', '.join(selected)}")
    return selected.get(form, {})


def _on(spec: dict[str, Any], queries: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """Return [{dataset, column, keep, isParameter}]: the columns that the filter holds.

    A parameter holds the column that has its name, where the dataset has one.
    """
    on = []
    for field in spec["encodings"]["fields"]:
        query = queries[field["queryName"]]
        if "parameterName" in field:
            (used,) = query["parameters"]
            on.append({"column": used, "keep": None, "isParameter": True})
        else:
            (used,) = [one for one in query["fields"] if one["name"] == field["fieldName"]]
            on.append({"column": used["column"], "keep": used["keep"], "isParameter": False})
        on[-1]["dataset"] = query["dataset"]
    return on
