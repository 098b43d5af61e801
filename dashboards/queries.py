"""A dataset's query as an engine without dashboards runs it: a range parameter becomes two."""

from __future__ import annotations

import re
from datetime import date, timedelta

RELATIVE_DAY = re.compile(r"now(?:-(\d+)d)?/d")


def day(text: str, today: date) -> date:
    """The date that a parameter's value stands for: `now/d`, `now-30d/d` or `2026-01-31`."""
    relative = RELATIVE_DAY.fullmatch(text)
    if relative:
        return today - timedelta(days=int(relative[1] or 0))
    return date.fromisoformat(text)


def default_range(parameter: dict, today: date) -> tuple[date, date]:
    """First and last date of a parameter's default."""
    chosen = parameter["defaultSelection"]["range"]
    return day(chosen["min"]["value"], today), day(chosen["max"]["value"], today)


def default_ranges(dataset: dict, today: date) -> dict[str, tuple[date, date]]:
    """The default of each parameter of a dataset, by keyword; all are ranges of dates."""
    parameters = dataset.get("parameters", [])
    return {p["keyword"]: default_range(p, today) for p in parameters}


def spark_query(dataset: dict, ranges: dict[str, tuple[date, date]]) -> tuple[str, dict[str, date]]:
    """Query and arguments for `spark.sql(query, args=arguments)`, which knows no `:name.min`."""
    query, arguments = "".join(dataset["queryLines"]), {}
    for keyword, (first, last) in ranges.items():
        query = re.sub(rf":{keyword}\.(min|max)\b", rf":{keyword}_\1", query)
        arguments |= {f"{keyword}_min": first, f"{keyword}_max": last}
    return query, arguments
