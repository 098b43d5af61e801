"""The field expressions of a widget's query: a column, one aggregate of it, or a date cut short."""

from __future__ import annotations

import re
from typing import Any

from dashboards.local.unknown import UnknownInDashboard

COLUMN = r"`(?P<column>(?:[^`]|``)+)`"
FORMS = (
    (None, re.compile(COLUMN)),
    ("count_distinct", re.compile(rf"COUNT\(\s*DISTINCT\s+{COLUMN}\s*\)", re.IGNORECASE)),
    *((name, re.compile(rf"{name}\(\s*{COLUMN}\s*\)", re.IGNORECASE))
      for name in ("sum", "count", "min", "max", "avg")),
)  # fmt: skip
TRUNCATED = re.compile(rf'DATE_TRUNC\(\s*"(?P<unit>\w+)"\s*,\s*{COLUMN}\s*\)', re.IGNORECASE)
KEPT = re.compile(rf"{COLUMN}\s+IN\s+\((?P<values>.*)\)", re.IGNORECASE | re.DOTALL)
QUOTED = r"'(?:[^'\\]|'')*'"
# How many characters of an ISO date or time the unit keeps.
UNITS = {"YEAR": 4, "MONTH": 7, "DAY": 10}


def kept(expression: str, where: str) -> dict[str, Any]:
    """Return {column, values} of a filter such as `` `state` IN ('open', 'closed') ``.

    Raises UnknownInDashboard for any other form.
    """
    found = KEPT.fullmatch(expression.strip())
    if found and re.fullmatch(rf"\s*{QUOTED}(\s*,\s*{QUOTED})*\s*", found["values"]):
        values = [text[1:-1].replace("''", "'") for text in re.findall(QUOTED, found["values"])]
        return {"column": found["column"].replace("``", "`"), "values": values}
    raise UnknownInDashboard(where, f"the filter {expression!r}")


def parse(expression: str, where: str) -> dict[str, Any]:
    """Return {column, aggregate, keep} of an expression.

    `column` is None for a count of rows, `aggregate` None for a plain column, `keep` the number of
    characters that a cut date has, else None. Raises UnknownInDashboard for any other form.
    """
    text = expression.strip()
    for aggregate, form in FORMS:
        if found := form.fullmatch(text):
            column = found["column"].replace("``", "`")
            rows = aggregate == "count" and column == "*"
            return {"column": None if rows else column, "aggregate": aggregate, "keep": None}
    found = TRUNCATED.fullmatch(text)
    if found and found["unit"].upper() in UNITS:
        column = found["column"].replace("``", "`")
        return {"column": column, "aggregate": None, "keep": UNITS[found["unit"].upper()]}
    raise UnknownInDashboard(where, f"the expression {expression!r}")
