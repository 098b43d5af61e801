"""The dashboard file read and packed for the page; no browser and no Spark."""

from __future__ import annotations

import base64
import copy
import gzip
import hashlib
import json
import re
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
import vl_convert

from dashboards import render
from dashboards.local import datasets, expressions, filters, formats, lakeview, page
from dashboards.local.given import Given
from dashboards.local.unknown import UnknownInDashboard
from tests.dashboard import small


def read(dashboard: dict) -> dict:
    return lakeview.read(dashboard, Given(small.NOW.date()))


def widgets(dashboard: dict) -> dict[str, dict]:
    return {one["name"]: one for page in read(dashboard)["pages"] for one in page["widgets"]}


def changed(widget: str, **spec: object) -> dict:
    """The small dashboard with parts of one widget's spec replaced."""
    dashboard = small.dashboard()
    for page_of_file in dashboard["pages"]:
        for item in page_of_file["layout"]:
            if item["widget"]["name"] == widget:
                item["widget"]["spec"] |= copy.deepcopy(spec)
    return dashboard


# --- the file ------------------------------------------------------------------------------------


def test_the_projects_file_is_known_whole():
    pages = read(json.loads(render.FILE.read_text()))["pages"]
    assert [one["name"] for one in pages] == ["executive", "debugging"]
    kinds = {widget["kind"] for one in pages for widget in one["widgets"]}
    assert kinds == {"counter", "table", "heatmap", "chart", "filter", "text"}


@pytest.mark.parametrize(
    "dashboard, said",
    [
        (changed("parity", widgetType="pie"), "widget parity: .* type 'pie' of version 2"),
        (changed("parity", version=3), "the widget type 'counter' of version 3"),
        (changed("over_time", annotations=[{"type": "vertical-line"}]), "annotations"),
        (changed("by_type", mark={"layout": "spiral"}), "widget by_type: .* the layout 'spiral'"),
        (
            changed("pairs", encodings={"columns": [{"fieldName": "x", "allowHTML": True}]}),
            "widget pairs, column x: .* a column that allows HTML",
        ),
        (
            changed("pairs", encodings={"columns": [{"fieldName": "x", "displayAs": "image"}]}),
            "shown as 'image'",
        ),
        (
            changed("heat_map", encodings={**dict.fromkeys("xy", small.categories("a")), "color": {
                "fieldName": "n", "scale": {"type": "quantitative"}}}),
            "colours are not mapped",
        ),
    ],
)  # fmt: skip
def test_what_is_not_known_is_named(dashboard, said):
    with pytest.raises(UnknownInDashboard, match=said):
        read(dashboard)


@pytest.mark.parametrize(
    "part, value, said",
    [
        ("pageType", "PAGE_TYPE_GLOBAL_FILTERS", "no canvas of twelve columns"),
        ("layoutVersion", None, "no canvas of twelve columns"),
        ("name", "a{}b", "the name 'a{}b'"),
    ],
)
def test_page_that_is_not_known_is_named(part, value, said):
    dashboard = small.dashboard()
    dashboard["pages"][0][part] = value
    with pytest.raises(UnknownInDashboard, match=said):
        read(dashboard)


@pytest.mark.parametrize(
    "expression, column, aggregate, keep",
    [
        ("`a b`", "a b", None, None),
        ("`tick``ed`", "tick`ed", None, None),
        ("SUM(`n`)", "n", "sum", None),
        ("count(`n`)", "n", "count", None),
        ("COUNT(`*`)", None, "count", None),
        ("COUNT(DISTINCT `n`)", "n", "count_distinct", None),
        ('DATE_TRUNC("MONTH", `d`)', "d", None, 7),
    ],
)
def test_expressions(expression, column, aggregate, keep):
    known = {"column": column, "aggregate": aggregate, "keep": keep}
    assert expressions.parse(expression, "here") == known


@pytest.mark.parametrize("text", ["a", "SUM(`n`) + 1", "MEDIAN(`n`)", 'DATE_TRUNC("WEEK", `d`)'])
def test_other_expressions_are_refused(text):
    with pytest.raises(UnknownInDashboard, match=r"here: .* the expression"):
        expressions.parse(text, "here")


def test_filters_of_a_query():
    kept = expressions.kept("`a` IN ('x', 'it''s, (one)')", "here")
    assert kept == {"column": "a", "values": ["x", "it's, (one)"]}
    for text in ("`a` > 1", "`a` IN (1)", "`a` IN ('x') OR 1=1", "`a` IN ('x\\'')", "`a` IN ()"):
        with pytest.raises(UnknownInDashboard, match="the filter"):
            expressions.kept(text, "here")


@pytest.mark.parametrize(
    "text, day",
    [
        ("now/d", "2026-03-10"),
        ("now-30d/d", "2026-02-08"),
        ("2026-01-31", "2026-01-31"),
    ],
)
def test_dates_of_a_range(text, day):
    assert filters.ends({"min": {"value": text}}, small.NOW.date(), "here") == (day, "")


def test_other_relative_dates_are_refused():
    with pytest.raises(UnknownInDashboard, match="the date 'now-1w/w'"):
        filters.ends({"max": {"value": "now-1w/w"}}, small.NOW.date(), "here")


def test_range_parameter_reads_the_window_once():
    """The rows are those of the window; the filter opens with it, and goes no further."""
    dashboard = small.dashboard()
    dashboard["datasets"][1]["parameters"] = [
        {"keyword": "run_date", "dataType": "DATE", "complexType": "RANGE",
         "defaultSelection": small.LAST_30_DAYS}
    ]  # fmt: skip
    asked = {"datasetName": "cells", "parameters": [{"name": "run_date", "keyword": "run_date"}]}
    for item in dashboard["pages"][1]["layout"]:
        if item["widget"]["name"] == "filter_dates":
            item["widget"]["queries"].append({"name": "once", "query": asked})
            bound = {"parameterName": "run_date", "queryName": "once"}
            item["widget"]["spec"]["encodings"]["fields"].append(bound)
            item["widget"]["spec"]["selection"] = {"defaultSelection": small.LAST_30_DAYS}
    for window, days in [(None, ("2026-02-08", "2026-03-10")), (("2026-01-01",) * 2,) * 2]:
        made = lakeview.read(dashboard, Given(small.NOW.date(), window))
        read_once = made["datasets"]["cells"][1]
        assert [str(read_once[f"run_date_{end}"]) for end in ("min", "max")] == list(days)
        (dates,) = [w for w in made["pages"][1]["widgets"] if w["name"] == "filter_dates"]
        assert (dates["default"], dates["window"]) == (days, days)
        assert {
            "dataset": "cells",
            "column": "run_date",
            "keep": None,
            "isParameter": True,
        } in dates["on"]


def test_other_parameters_are_refused():
    dashboard = small.dashboard()
    dashboard["datasets"][0]["parameters"] = [{"keyword": "pair", "dataType": "STRING"}]
    with pytest.raises(UnknownInDashboard, match=r"dataset counter: .* the parameter pair"):
        read(dashboard)


# --- formats -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, options",
    [
        ("0", {"useGrouping": False, "minimumFractionDigits": 0, "maximumFractionDigits": 0}),
        ("0,0.00", {"useGrouping": True, "minimumFractionDigits": 2, "maximumFractionDigits": 2}),
        ("0.0[00]", {"useGrouping": False, "minimumFractionDigits": 1, "maximumFractionDigits": 3}),
    ],
)
def test_number_formats_of_the_older_table(text, options):
    assert formats.numeral_format(text, "here") == options


def test_unknown_formats_are_refused():
    with pytest.raises(UnknownInDashboard):
        formats.numeral_format("$0", "here")
    with pytest.raises(UnknownInDashboard):
        formats.number_format({"type": "number-currency"}, "here")


@pytest.mark.parametrize(
    "background, ink", [("#ffffff", "#000000"), ("#000000", "#ffffff"), ("#c22d12", "#ffffff"),
                        ("#fdd0a2", "#000000")]
)  # fmt: skip
def test_ink_stands_out(background, ink):
    assert formats.ink(background) == ink


@pytest.mark.parametrize("value", ["red", "#fff", "#1234567", "url(x)", {"themeColorType": "x"}, 7])
def test_what_is_no_colour_is_refused(value):
    with pytest.raises(UnknownInDashboard, match="the colour"):
        formats.color(value, [], "here")


def test_colours_of_the_palette():
    position = {"themeColorType": "visualizationColors", "position": 1}
    assert formats.color(position, ["#000000", "#00ff00"], "here") == "#00ff00"
    with pytest.raises(UnknownInDashboard):
        formats.color(position, ["#000000"], "here")


# --- charts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["over_time", "by_type", "heat_map"])
def test_charts_are_vega_lite(name):
    made = widgets(small.dashboard())[name]["vega"]
    vl_convert.vegalite_to_vega({**made, "data": {"values": []}, "width": 100, "height": 100})


def test_heat_map_has_the_files_colours_and_readable_text():
    made = widgets(small.dashboard())["heat_map"]
    scale = made["vega"]["layer"][0]["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True)) == small.CELLS
    assert made["inks"] == {v: formats.ink(color) for v, color in small.CELLS.items()}


# --- rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values, kind, shown",
    [
        (pa.array([1, 1, None, 2**53 + 1]), "number", [1, 1, None, "9007199254740993"]),
        (pa.array([0.1, float("nan"), float("inf")]), "number", [0.1, "nan", "inf"]),
        (pa.array([Decimal("1.50"), Decimal("0.1234567890123456789")]), "number",
         [1.5, "0.1234567890123456789"]),
        (pa.array([True, None]), "boolean", [True, None]),
        (pa.array([date(2026, 1, 31)]), "date", ["2026-01-31"]),
        (pa.array([datetime(2026, 1, 31, 1, 2, 3, 45, tzinfo=UTC)]), "timestamp",
         ["2026-01-31 01:02:03.000045"]),
        (pa.array([["a", None]]), "text", ['["a", null]']),
        (pa.array(["", "\U0001f9ee", None]), "text", ["", "\U0001f9ee", None]),
    ],
)  # fmt: skip
def test_rows_are_packed_whole(values, kind, shown):
    packed = datasets.pack(pa.table({"column": values}))
    column = packed["columns"]["column"]
    assert packed["rows"] == len(values)
    assert column["type"] == kind
    assert [column["values"][code] for code in column["codes"]] == shown
    assert len(column["values"]) == len({json.dumps(value) for value in shown})


# --- the page ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def text() -> str:
    rows = small.default_rows() | {
        "cells": small.cell("</script><b>", 0, "1-9", small.difference("[1]", "<!--\u2028"))
    }
    read_file = read(small.dashboard())
    return page.html(read_file, small.tables(**rows), small.NOW, "schema <b>")


def test_values_stand_in_the_page_as_letters_and_digits_only(text):
    (data,) = re.findall(r'<script type="application/octet-stream" id="data">(.*?)</script>', text)
    payload = json.loads(gzip.decompress(base64.b64decode(data, validate=True)))
    assert "</script><b>" in payload["datasets"]["cells"]["columns"]["pair_id"]["values"]
    assert "</script><b>" not in text
    assert "schema &lt;b&gt;" in text


def test_page_allows_its_own_scripts_and_style_and_nothing_else(text):
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', text)
    allowed = dict(one.split(" ", 1) for one in policy.replace("&#39;", "'").split("; "))
    assert allowed["default-src"] == "'none'"
    assert "unsafe" not in policy
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        hashes = [
            f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'"
            for one in re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        ]
        assert allowed[rule].split() == hashes


def test_page_loads_nothing(text):
    library = page.chart_library()
    assert re.findall(r'\s(?:src|href)="(.*?)"', text.replace(library, "")) == ["data:,"]
    assert [end for end in ("</script", "<!--") if end in library.lower()] == []


# --- the command ---------------------------------------------------------------------------------


def test_target_that_is_no_embedded_engine_is_refused(tmp_path, monkeypatch, capsys):
    profile = render.PROJECT / "profiles.yml.example"
    (tmp_path / "profiles.yml").write_text(profile.read_text())
    monkeypatch.setenv("DBT_PROFILES_DIR", str(tmp_path))
    monkeypatch.setenv("DATABRICKS_HOST", "adb.example")
    monkeypatch.setenv("DATABRICKS_HTTP_PATH", "/sql/1.0/warehouses/1")
    monkeypatch.setenv("DATABRICKS_TOKEN", "none")
    monkeypatch.setattr("sys.argv", ["render", "--target", "databricks"])
    assert render.main() == 1
    assert "Target databricks is no embedded engine" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["render", "--target", "misspelt"])
    assert render.main() == 1
    assert "misspelt" in capsys.readouterr().err


@pytest.mark.parametrize(
    "dates, sentence",
    [
        (["--first", "20260101", "--last", "2026-01-31"], "'20260101' is no date: write it as 2"),
        (["--first", "2026-W01-1", "--last", "2026-01-31"], "'2026-W01-1' is no date"),
        (["--first", "2026-01-01", "--last", "2026-02-30"], "'2026-02-30' is no date"),
        (["--first", "2026-01-01"], "give both dates, --first and --last"),
        (["--last", "2026-01-01"], "(make dashboard: FIRST and LAST)"),
        (["--first", "2026-02-01", "--last", "2026-01-31"], "2026-02-01, is after the last, 2026"),
    ],
)
def test_dates_that_are_none_are_refused(monkeypatch, capsys, dates, sentence):
    monkeypatch.setattr("sys.argv", ["render", *dates])
    with pytest.raises(SystemExit):
        render.main()
    assert sentence in capsys.readouterr().err
