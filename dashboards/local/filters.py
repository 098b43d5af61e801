"""The filter widgets of the dashboard file in the page's words."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard

RELATIVE = re.compile(r"now(?:-(?P<days>\d+)d)?(?:/d)?")
ABSOLUTE = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)(?:T.*)?")


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
    """Return {on, choices: 'range', default}: two ISO dates, empty where open."""
    default = _default(spec, "range", where)
    ends = [
        _date(default.get(end, {}).get("value", ""), given.now, where) for end in ("min", "max")
    ]
    return {"kind": "filter", "choices": "range", "on": _on(spec, queries, where), "default": ends}


def _default(spec: dict[str, Any], form: str, where: str) -> dict[str, Any]:
    selected = spec.get("selection", {}).get("defaultSelection", {})
    if selected and form not in selected:
        raise UnknownInDashboard(where, f"a default selection by {', '.join(selected)}")
    return selected.get(form, {})


def _date(text: str, now: datetime, where: str) -> str:
    """Return the ISO date of a date, or of a relative one such as `now-30d/d`; days only."""
    if not text:
        return ""
    if found := RELATIVE.fullmatch(text):
        return f"{now - timedelta(days=int(found['days'] or 0)):%Y-%m-%d}"
    if found := ABSOLUTE.fullmatch(text):
        return found["date"]
    raise UnknownInDashboard(where, f"the date {text!r}")


def _on(spec: dict[str, Any], queries: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """Return [{dataset, column, keep}]: the columns that the filter holds to its value."""
    on = []
    for field in spec["encodings"]["fields"]:
        if "parameterName" in field:
            raise UnknownInDashboard(where, "a parameter: no engine runs while the page is read")
        query = queries[field["queryName"]]
        (used,) = [one for one in query["fields"] if one["name"] == field["fieldName"]]
        on.append({"dataset": query["dataset"], "column": used["column"], "keep": used["keep"]})
    return on
