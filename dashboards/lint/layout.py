"""Rules on names, limits and places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dashboards.lint.finding import Finding
from dashboards.lint.view import Dashboard, repeated

COLUMNS = 12
MOST_PAGES, MOST_DATASETS, MOST_WIDGETS = 15, 100, 100


def check(dashboard: Dashboard) -> Iterator[Finding]:
    """Every page alone, then what is to be unique in the whole file."""
    if len(dashboard.pages) > MOST_PAGES:
        yield Finding("file", f"{len(dashboard.pages)} pages", f"keep {MOST_PAGES}")
    if len(dashboard.datasets) > MOST_DATASETS:
        yield Finding("file", f"{len(dashboard.datasets)} datasets", f"keep {MOST_DATASETS}")
    names = []
    for page in dashboard.pages:
        yield from places(page)
        names += [item["widget"].get("name") for item in page["layout"]]
    for what, found in (("page", [p["name"] for p in dashboard.pages]), ("widget", names)):
        for name in repeated([n for n in found if isinstance(n, str)]):
            remedy = "give each a name of its own: addresses hold it"
            yield Finding("file", f"{what} name {name} is there twice", remedy)
    for widget in dashboard.widgets:
        page = next(p for p in dashboard.pages if p["name"] == widget.page)
        if page["pageType"] == "PAGE_TYPE_GLOBAL_FILTERS" and not widget.is_filter:
            remedy = "move it to a canvas page"
            yield Finding(widget.place, f"a {widget.kind} on a page of global filters", remedy)


def places(page: dict) -> Iterator[Finding]:
    """Widgets are on the grid and do not overlap."""
    name, layout = page["name"], page["layout"]
    if len(layout) > MOST_WIDGETS:
        yield Finding(name, f"{len(layout)} widgets", f"keep {MOST_WIDGETS}")

    def named(item: dict) -> str:
        return f"{name}/{item['widget'].get('name')}"

    for item in layout:
        at = item["position"]
        is_inside = at["x"] >= 0 and at["y"] >= 0 and at["x"] + at["width"] <= COLUMNS
        if not is_inside or at["width"] < 1 or at["height"] < 1:
            remedy = f"place it within {COLUMNS} columns, at least 1 wide and 1 high"
            yield Finding(named(item), f"position {at} is off the grid", remedy)
    for one, other in combinations(layout, 2):
        if overlap(one["position"], other["position"]):
            said = f"position overlaps that of {other['widget'].get('name')}"
            yield Finding(named(one), said, "move one of them")


def overlap(one: dict, other: dict) -> bool:
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )
