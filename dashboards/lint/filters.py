"""Rules on filter widgets: what they are bound to."""

from __future__ import annotations

from collections.abc import Iterator

from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, Widget

# The widget that published files have for each form of parameter.
WIDGETS = {
    ("STRING", None): "filter-single-select",
    ("INTEGER", None): "filter-single-select",
    ("DECIMAL", None): "filter-single-select",
    ("STRING", "MULTI"): "filter-multi-select",
    ("DATE", None): "filter-date-picker",
    ("DATETIME", None): "filter-date-picker",
    ("DATE", "RANGE"): "filter-date-range-picker",
    ("DATETIME", "RANGE"): "filter-date-range-picker",
}


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every filter's bindings; a parameter that no filter sets cannot be changed."""
    bound = set()
    for widget in dashboard.filters():
        yield from bindings(widget)
        yield from parameters(dashboard, widget)
        bound |= {(q.dataset, k) for q in widget.queries for k in q.parameters.values()}
    if dashboard.left_out:
        return
    for name, dataset in dashboard.datasets.items():
        for parameter in dataset.get("parameters", []):
            if (name, parameter["keyword"]) not in bound:
                said = f"no filter sets parameter {parameter['keyword']}"
                yield Finding(f"dataset {name}", said, "bind it in a filter widget")


def bindings(widget: Widget) -> Iterator[Finding]:
    """Each binding names a query of the widget and what that asks for; each query is bound."""
    queries = {query.name: query for query in widget.queries}
    bound = widget.spec["encodings"]["fields"]
    for place, binding in enumerate(bound):
        path, query = f"encodings.fields[{place}]", queries.get(binding["queryName"])
        if query is None:
            said = f"{path}.queryName is {binding['queryName']}, which is no query of the widget"
            yield Finding(widget.place, said, f"write one of {list(queries)}")
            continue
        asked = query.parameters if "parameterName" in binding else query.fields
        name = binding.get("parameterName", binding.get("fieldName"))
        if name not in asked:
            said = f"{path} is bound to {name}, which query {query.name} does not ask for"
            yield Finding(widget.place, said, f"write one of {list(asked)}")
    for name in sorted(set(queries) - {b["queryName"] for b in bound}):
        yield Finding(widget.place, f"query {name} is bound to nothing", "bind it or remove it")
    for query in widget.queries:
        if query.body["disaggregated"]:
            said = f"query {query.name} of a filter is not grouped"
            yield Finding(widget.place, said, 'write "disaggregated": false')


def parameters(dashboard: Dashboard, widget: Widget) -> Iterator[Finding]:
    """Each parameter exists in its dataset, and the widget is of the kind that sets its form."""
    for query in widget.queries:
        dataset = dashboard.datasets.get(query.dataset, {})
        known = {p["keyword"]: p for p in dataset.get("parameters", [])}
        for keyword in query.parameters.values() if dataset else ():
            if keyword not in known:
                said = f"query {query.name}: dataset {query.dataset} has no parameter {keyword}"
                yield Finding(widget.place, said, "correct the keyword")
                continue
            parameter = known[keyword]
            fitting = WIDGETS.get((parameter["dataType"], parameter.get("complexType")))
            if widget.kind != fitting:
                said = f"a {widget.kind} does not set parameter {keyword}"
                yield Finding(widget.place, said, f"use a {fitting}")
            chosen = widget.spec.get("selection", {}).get("defaultSelection")
            if chosen and chosen != parameter["defaultSelection"]:
                said = f"selection differs from the default of parameter {keyword}"
                yield Finding(widget.place, said, "write the same default twice")
