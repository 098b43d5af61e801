"""Rules on the dates that parameters and filters begin with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, values_of

RELATIVE = re.compile(r"now(?:-(\d+)([hdwMy]))?(?:/[hdwMy])?")
# Enough to tell which of two is earlier.
DAYS = {"h": 1 / 24, "d": 1, "w": 7, "M": 30, "y": 365}


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every range of dates in datasets and filter widgets."""
    for name, dataset in dashboard.datasets.items():
        yield from ranges(f"dataset {name}", dataset.get("parameters", []))
    for widget in dashboard.filters():
        yield from ranges(widget.place, widget.spec.get("selection", {}))


def ranges(place: str, part: object) -> Iterator[Finding]:
    """Both ends of a range are dates there are, the first not after the last."""
    for path, chosen in values_of(part, "range"):
        ends = {end: moment(chosen[end]["value"]) for end in ("min", "max") if end in chosen}
        for end, value in ends.items():
            if value is None:
                said = f"{path}.{end} is {chosen[end]['value']}, a date there is not"
                yield Finding(place, said, "write one as 2026-01-31, or now-30d/d")
        first, last = ends.get("min"), ends.get("max")
        # A fixed and a moving date have no order that stays.
        if first and last and type(first) is type(last) and first > last:
            yield Finding(place, f"{path} ends before it begins", "swap min and max")


def moment(text: str) -> date | tuple[float] | None:
    """A fixed date, or what lies between a moving one and now; None where there is no such date."""
    if relative := RELATIVE.fullmatch(text):
        count, unit = relative.groups(default="0")
        return (-int(count) * DAYS.get(unit, 0),)
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
