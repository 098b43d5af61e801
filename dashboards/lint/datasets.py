"""Rules on datasets: their lines, parameters, tables and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dashboards.build import FOLDER
from dashboards.lint import sql
from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, repeated

# What a dashboard may read: everything in these was decided when a night was committed.
READABLE = {path.stem for path in FOLDER.parent.glob("models/marts/*.sql")} | {"audit_log"}


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every dataset alone, whether all are of one place, and whether a widget reads it."""
    read = {query.dataset for widget in dashboard.widgets for query in widget.queries}
    first = next(iter(dashboard.datasets.values()), {})
    for name, dataset in dashboard.datasets.items():
        place = f"dataset {name}"
        query = dashboard.query_text(name)
        yield from lines(place, dataset["queryLines"])
        yield from parameters(place, dataset, query)
        yield from names(place, query)
        for key in ("catalog", "schema"):
            if dataset[key] != first[key]:
                said = f"{key} is {dataset[key]}, that of others {first[key]}"
                yield Finding(place, said, "write the same: a deployment sets one for all")
        if name not in read and not dashboard.left_out:
            yield Finding(place, "no widget reads it", "remove it")


def lines(place: str, query_lines: list[str]) -> Iterator[Finding]:
    """The lines are joined as they are."""
    for number, line in enumerate(query_lines, 1):
        if not line.endswith("\n"):
            swallows = ", so its comment swallows the next" if "--" in line else ""
            said = f"queryLines[{number - 1}] ends without a line break{swallows}"
            yield Finding(place, said, r"end every line with \n: lines are joined as they are")


def parameters(place: str, dataset: dict, query: str) -> Iterator[Finding]:
    """Each parameter is in the query in the way its form asks for, and the other way round."""
    declared = dataset.get("parameters", [])
    for keyword in repeated([p["keyword"] for p in declared]):
        yield Finding(place, f"parameter {keyword} is there twice", "keep one")
    used = sql.parameters(query)
    expected = set()
    for parameter in declared:
        keyword, form = parameter["keyword"], parameter.get("complexType")
        wanted = {f"{keyword}.min", f"{keyword}.max"} if form == "RANGE" else {keyword}
        expected |= wanted
        for missing in sorted(wanted - used):
            remedy = f"write :{missing} into the query, or remove the parameter"
            yield Finding(place, f"parameter {keyword} is not used as :{missing}", remedy)
        if form == "MULTI" and re.search(rf"(?i)\bin\s*\(\s*:{keyword}\s*\)", query):
            remedy = f"write (:{keyword} is null or array_contains(:{keyword}, ...))"
            yield Finding(place, f"parameter {keyword} is a list inside IN ()", remedy)
        kind = "range" if form == "RANGE" else "values"
        if kind not in parameter["defaultSelection"]:
            remedy = f"give defaultSelection.{kind}"
            yield Finding(place, f"the default of parameter {keyword} has another form", remedy)
    for name in sorted(used - expected):
        remedy = "declare it in parameters, or correct the name"
        yield Finding(place, f"the query has :{name}, which is no parameter", remedy)
    if "{{" in sql.tokens(query):
        yield Finding(place, "the query has {{...}}", "write :name, a dashboard knows no templates")


def names(place: str, query: str) -> Iterator[Finding]:
    """Tables are bare, so that catalog and schema of the deployment hold; columns have names."""
    for table in sql.tables(query):
        if "." in table:
            remedy = "write the bare name: a deployment sets catalog and schema"
            yield Finding(place, f"table {table} is qualified", remedy)
        elif sql.named(table).lower() not in READABLE:
            remedy = "read marts and audit_log: nothing is computed from tables at view time"
            yield Finding(place, f"table {table} is no mart", remedy)
    if ";" in sql.tokens(query):
        yield Finding(place, "the query has a semicolon", "write one statement, without its end")
    columns = sql.columns(query)
    if columns is None:
        yield Finding(place, "its last SELECT does not name its columns", "name them, without *")
    for column in repeated(columns or []):
        yield Finding(place, f"column {column} is there twice", "give each a name of its own")
