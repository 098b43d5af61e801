"""One HTML file of everything: structure, style, scripts and rows; it asks nobody for anything."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import vl_convert
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dashboards.local import datasets

WEB = Path(__file__).parent / "web"
# In the order in which they use each other; together they are one script.
SCRIPTS = ("rows", "format", "links", "csv", "choices", "table", "counter", "filter", "chart",
           "heat_map", "main")  # fmt: skip
GRID_ROW = 48


def html(read: dict[str, Any], tables: dict[str, pa.Table], now: datetime, origin: str) -> str:
    """Return the page of a dashboard as `lakeview.read` gives it.

    `tables` holds the rows of every dataset, `now` (UTC) is the time at which the page is made,
    `origin` says in words where the rows are from.
    """
    packed = {name: datasets.pack(tables[name]) for name in read["datasets"]}
    style = (WEB / "style.css").read_text() + _places(read["pages"])
    library, script = chart_library(), _script()
    environment = Environment(
        loader=FileSystemLoader(WEB), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("page.html.j2").render(
        pages=read["pages"],
        style=style,
        library=library,
        script=script,
        policy=_policy([library, script], style),
        data=_data({"datasets": packed, "pages": read["pages"]}),
        made=f"{now:%Y-%m-%d %H:%M} UTC",
        origin=origin,
    )


@cache
def chart_library() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script (takes some seconds)."""
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


def _script() -> str:
    parts = ((WEB / f"{name}.js").read_text() for name in SCRIPTS)
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();\n"


def _places(pages: list[dict[str, Any]]) -> str:
    """Return the rules that put each widget into its place of the grid, on a wide screen."""
    rules = []
    for page in pages:
        for widget in page["widgets"]:
            at = widget["position"]
            rules.append(
                f"#{widget_id(page, widget)}{{"
                f"grid-column:{at['x'] + 1}/span {at['width']};"
                f"grid-row:{at['y'] + 1}/span {at['height']};"
                f"--room:{at['height'] * GRID_ROW}px}}"
            )
    return "@media (min-width:800px){" + "".join(rules) + "}\n"


def widget_id(page: dict[str, Any], widget: dict[str, Any]) -> str:
    """Return the id of a widget's element; names of both are unique and safe in an id."""
    return f"w-{page['name']}-{widget['name']}"


def _policy(scripts: list[str], style: str) -> str:
    """Return the content security policy: the page's own scripts and style, and nothing else."""
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _data(payload: dict[str, Any]) -> str:
    """Return the payload as base64 of gzip of JSON: letters and digits that end no element."""
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A lone surrogate in a value is no UTF-8; it becomes a question mark.
    return base64.b64encode(gzip.compress(text.encode(errors="replace"), mtime=0)).decode()
