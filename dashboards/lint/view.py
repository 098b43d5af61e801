"""A dashboard file as the rules read it: its datasets, pages and widgets whose keys are right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Query:
    """One query of a widget."""

    name: str
    body: dict

    @property
    def dataset(self) -> str:
        return self.body["datasetName"]

    @property
    def fields(self) -> dict[str, str]:
        """Field name to its expression."""
        return {f["name"]: f["expression"] for f in self.body.get("fields", [])}

    @property
    def parameters(self) -> dict[str, str]:
        """Parameter name to the dataset's keyword."""
        return {p["name"]: p["keyword"] for p in self.body.get("parameters", [])}


@dataclass(frozen=True)
class Widget:
    """A widget that is no text box."""

    page: str
    body: dict

    @property
    def name(self) -> str:
        return self.body["name"]

    @property
    def place(self) -> str:
        return f"{self.page}/{self.name}"

    @property
    def spec(self) -> dict:
        return self.body["spec"]

    @property
    def kind(self) -> str:
        return self.spec["widgetType"]

    @property
    def is_filter(self) -> bool:
        return self.kind.startswith("filter-")

    @property
    def queries(self) -> list[Query]:
        return [Query(q["name"], q["query"]) for q in self.body["queries"]]


@dataclass
class Dashboard:
    """What the rules on meaning read; parts with a wrong key are left out of it."""

    datasets: dict[str, dict] = field(default_factory=dict)
    pages: list[dict] = field(default_factory=list)
    widgets: list[Widget] = field(default_factory=list)
    # Names of parts left out: whoever refers to them is not at fault.
    left_out: set[str] = field(default_factory=set)

    def query_text(self, dataset: str) -> str:
        return "".join(self.datasets[dataset]["queryLines"])

    def filters(self) -> Iterator[Widget]:
        return (widget for widget in self.widgets if widget.is_filter)


def values_of(part: object, key: str, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, value) of a key wherever it is inside a part of the file."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == key:
                yield f"{path}{name}", value
            else:
                yield from values_of(value, key, f"{path}{name}.")
    elif isinstance(part, list):
        for place, value in enumerate(part):
            yield from values_of(value, key, f"{path.rstrip('.')}[{place}].")


def repeated(names: list[str]) -> list[str]:
    """The names that are there more than once."""
    return sorted({name for name in names if names.count(name) > 1})
