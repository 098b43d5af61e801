"""Rules on what widgets that are no filter ask of their dataset, and show of it."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator

from dashboards.lint import sql
from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, Query, Widget, repeated, values_of

# The forms of a field that published files have; group 1 is the column.
PLAIN = re.compile(r"`([^`]+)`")
GROUPED = [
    re.compile(form)
    for form in (
        r"(?:SUM|AVG|MIN|MAX|MEDIAN|COUNT|MEASURE)\(`([^`]+)`\)",
        r"COUNT\(DISTINCT `([^`]+)`\)",
    )
]
DERIVED = [
    re.compile(form)
    for form in (r'DATE_TRUNC\("[A-Z]+", `([^`]+)`\)', r"BIN_FLOOR\(`([^`]+)`, [\d.]+\)")
]
ONLY = re.compile(r"`([^`]+)` IN \('[^'`]*'(?:, '[^'`]*')*\)")
COMPARE = {"<=": operator.le, ">": operator.gt, ">=": operator.ge}


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every widget's queries against the datasets, its encodings against its queries."""
    for widget in dashboard.widgets:
        for name in repeated([q.name for q in widget.queries]):
            yield Finding(widget.place, f"query {name} is there twice", "rename one")
        for query in widget.queries:
            yield from asked(dashboard, widget, query)
        if not widget.is_filter:
            yield from shown(widget)
            yield from rules(widget)


def asked(dashboard: Dashboard, widget: Widget, query: Query) -> Iterator[Finding]:
    """Dataset, fields, filters and order of one query."""
    place = widget.place
    if query.dataset not in dashboard.datasets:
        if query.dataset not in dashboard.left_out:
            said = f"query {query.name} reads dataset {query.dataset}, which is none"
            yield Finding(place, said, "correct datasetName")
        return
    known = sql.columns(dashboard.query_text(query.dataset))
    names = [f["name"] for f in query.body.get("fields", [])]
    for name in repeated(names):
        yield Finding(place, f"field {name} is there twice in query {query.name}", "keep one")
    for name, expression in query.fields.items():
        yield from field(place, query, name, expression, known)
    for key, form in (("filters", ONLY), ("orders", PLAIN)):
        for part in query.body.get(key, []):
            match = form.fullmatch(part["expression"])
            if not match:
                remedy = "write `column` IN ('value')" if key == "filters" else "write `column`"
                yield Finding(place, f"{key} has {part['expression']}", remedy)
            elif known is not None and match[1] not in known:
                said = f"{key} names column {match[1]}, which dataset {query.dataset} lacks"
                yield Finding(place, said, "correct the name, or select the column there")


def field(
    place: str, query: Query, name: str, expression: str, known: list[str] | None
) -> Iterator[Finding]:
    """One field of a query."""
    grouped = next((m for form in GROUPED if (m := form.fullmatch(expression))), None)
    others = (m for form in (PLAIN, *DERIVED) if (m := form.fullmatch(expression)))
    match = grouped or next(others, None)
    if match is None:
        remedy = (
            "write `column` or SUM(`column`); CAST, CASE and the like go into the dataset's SQL"
        )
        yield Finding(place, f"field {name} is {expression}", remedy)
        return
    if known is not None and match[1] not in (*known, "*"):
        said = f"field {name} reads column {match[1]}, which dataset {query.dataset} lacks"
        yield Finding(place, said, "correct the name, or select the column there")
    if grouped and query.body["disaggregated"]:
        remedy = 'write "disaggregated": false'
        yield Finding(place, f"field {name} aggregates rows that are not grouped", remedy)


def shown(widget: Widget) -> Iterator[Finding]:
    """What the encodings show is asked for; what is asked for and groups is shown."""
    place, fields = widget.place, {}
    for query in widget.queries:
        fields |= query.fields
        if "parameters" in query.body:
            said = f"query {query.name} has parameters, which blank the widget"
            yield Finding(place, said, "bind the parameter in a filter widget")
    used = [*values_of(widget.spec, "fieldName"), *values_of(widget.spec, "column")]
    hidden = widget.spec.get("invisibleColumns", [])
    used += [(f"invisibleColumns[{i}].name", c["name"]) for i, c in enumerate(hidden)]
    for path, name in used:
        if name not in fields:
            said = f"{path} is {name}, which is no field of its query"
            yield Finding(place, said, f"ask for it in query.fields, or show one of {list(fields)}")
    columns = widget.spec["encodings"].get("columns", [])
    for what, key in (("column", "fieldName"), ("order", "order")):
        given = [str(part[key]) for part in [*columns, *hidden] if key in part]
        for one in repeated(given):
            yield Finding(place, f"{what} {one} is there twice", "keep one")
    is_grouped = not any(query.body["disaggregated"] for query in widget.queries)
    if widget.kind == "heatmap" and not is_grouped:
        said = "rows of a heat map are not grouped: those of one cell lie on each other"
        yield Finding(place, said, 'write "disaggregated": false')
    for name in sorted(set(fields) - {name for _, name in used}) if is_grouped else ():
        yield Finding(place, f"field {name} splits the rows unseen", "show it or do not ask for it")


def rules(widget: Widget) -> Iterator[Finding]:
    """Colours by rule or value; which of two rules wins is nowhere written."""
    if widget.kind == "counter":
        found = widget.spec["encodings"]["value"].get("style", {}).get("rules", [])
        tests = [
            (rule["condition"]["operator"], float(rule["condition"]["operand"]["value"]))
            for rule in found
        ]
        edges = [value + step for _, value in tests for step in (-0.5, 0, 0.5)]
        if any(sum(COMPARE[sign](edge, value) for sign, value in tests) > 1 for edge in edges):
            said = "value.style.rules has two rules that fit one number"
            yield Finding(widget.place, said, "make them exclude each other")
    for path, mappings in values_of(widget.spec, "mappings"):
        for value in repeated([m["value"] for m in mappings]):
            yield Finding(widget.place, f"{path} colours {value} twice", "keep one")
