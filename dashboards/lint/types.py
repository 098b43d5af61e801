"""Rules on types: what widgets sum, place in time or choose dates of.

The types of the datasets' columns are in datasets/types.yml, which a test keeps equal to what the
engine says; a column that is not there has no type, and no finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import yaml

from dashboards.build import FOLDER
from dashboards.lint.fields import DERIVED, GROUPED, PLAIN
from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, Query, Widget

FILE = FOLDER / "datasets" / "types.yml"
NUMBERS, TIMES = ("bigint", "int", "double", "decimal"), ("date", "timestamp")
OF_NUMBERS = ("SUM", "AVG", "MEDIAN")


@cache
def known_types() -> dict[str, dict[str, str]]:
    """Column to its type, by dataset."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every field against what is done with it."""
    for widget in dashboard.widgets:
        for query in widget.queries:
            yield from summed(widget, query)
        yield from placed(widget)


def summed(widget: Widget, query: Query) -> Iterator[Finding]:
    """Only numbers add up."""
    for name, expression in query.fields.items():
        kind = column_type(query, expression)
        if expression.startswith(OF_NUMBERS) and kind and not kind.startswith(NUMBERS):
            said = f"field {name} is {expression}, which is {kind}"
            yield Finding(widget.place, said, "take a column of numbers, or COUNT")


def placed(widget: Widget) -> Iterator[Finding]:
    """A temporal axis and a choice of dates need times, a quantitative axis needs numbers."""
    types = {name: kind for query in widget.queries for name, kind in field_types(query).items()}
    wanted = []
    encodings = widget.spec["encodings"]
    for axis in ("x", "y"):
        encoded = encodings.get(axis, {})
        scale = encoded.get("scale", {}).get("type")
        fields = encoded.get("fields", [encoded] if encoded else [])
        need = {"temporal": TIMES, "quantitative": NUMBERS}.get(scale)
        wanted += [(f"encodings.{axis}", one["fieldName"], need) for one in fields if need]
    for column in encodings.get("columns", []):
        need = {"number": NUMBERS, "datetime": TIMES}.get(column.get("displayAs"))
        wanted += [("encodings.columns", column["fieldName"], need)] if need else []
    if widget.kind in ("filter-date-range-picker", "filter-date-picker"):
        bound = [one["fieldName"] for one in encodings["fields"] if "fieldName" in one]
        wanted += [("encodings.fields", name, TIMES) for name in bound]
    for path, name, need in wanted:
        kind = types.get(name)
        if kind and not kind.startswith(need):
            said = f"{path} has {name}, which is {kind}"
            yield Finding(widget.place, said, f"give it a column of type {' or '.join(need)}")


def field_types(query: Query) -> dict[str, str | None]:
    """Field to the type of its values."""
    return {name: field_type(query, text) for name, text in query.fields.items()}


def field_type(query: Query, expression: str) -> str | None:
    if DERIVED[0].fullmatch(expression):
        return "date"
    if expression.startswith(("SUM", "AVG", "MEDIAN", "COUNT")):
        return "bigint"
    return column_type(query, expression)


def column_type(query: Query, expression: str) -> str | None:
    """The type of the column that an expression reads."""
    forms = (form.fullmatch(expression) for form in (PLAIN, *GROUPED, *DERIVED))
    column = next((match[1] for match in forms if match), None)
    return known_types().get(query.dataset, {}).get(column)
