"""Builds recon.lvdash.json from its parts: `python -m dashboards.build`.

The parts are the queries in datasets/ (SQL with two macros for time, rendered by Jinja) and the
pages in pages.py. The built file is what a deployment and the local dashboard read.
"""

from __future__ import annotations

import json
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dashboards.pages import DATASETS, pages

FOLDER = Path(__file__).resolve().parent
FILE = FOLDER / "recon.lvdash.json"

# Where the queries' bare table names are looked up, until a deployment sets its own.
PLACE = {"catalog": "main", "schema": "recon"}


def dataset(name: str, title: str, parameters: tuple[dict, ...], queries: Environment) -> dict:
    """A dataset with its query as lines, each with its line end: they are joined as they are."""
    sql = queries.get_template(f"{name}.sql").render()
    built = {"name": name, "displayName": title, "queryLines": sql.splitlines(keepends=True)}
    return built | PLACE | ({"parameters": list(parameters)} if parameters else {})


def build() -> str:
    """The text of recon.lvdash.json."""
    queries = Environment(
        loader=FileSystemLoader(FOLDER / "datasets"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    dashboard = {
        "datasets": [dataset(name, *rest, queries) for name, rest in DATASETS.items()],
        "pages": pages(),
        "uiSettings": {
            "theme": {"widgetHeaderAlignment": "ALIGNMENT_UNSPECIFIED"},
            "applyModeEnabled": False,
        },
    }
    return json.dumps(dashboard, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(build(), encoding="utf-8")
    print(f"Wrote {FILE.relative_to(Path.cwd()) if FILE.is_relative_to(Path.cwd()) else FILE}")
