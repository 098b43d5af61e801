"""The project's dashboard file, drawn after real nights: what it shows is what the marts hold."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dashboards import render
from dashboards.local.datasets import DatasetFailed
from dashboards.pages import ABOVE, CELLS, ZERO
from tests.dashboard.reader import (
    after_drawing,
    cell_point,
    chips,
    color,
    downloaded,
    pixel,
    rows,
    widget,
)
from tests.project_copy import Project

pytestmark = [pytest.mark.browser, pytest.mark.e2e, pytest.mark.slow]

NOW = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=5)
FINE = "select id, 'a' as v from range(5)"
# A markup, a formula, a quote, an emoji; the key is text.
SOURCE = """select * from values ('<b>1</b>', 'a'), ('=2+2', 'b'), ('3', 'c') as t(id, v)"""
TARGET = """select * from values
    ('<b>1</b>', '<img src=x onerror=alert(1)>'), ('=2+2', '=cmd()'), ('3', 'it\\'s \U0001f9ee')
    as t(id, v)"""
HEAT_MAPS = ("heat_map", "heat_map_clean")


@dataclass
class Drawn:
    """The file drawn after one night, and what the marts held then."""

    file: Path
    counter: dict
    cells: set[tuple]
    differences: list[dict] = field(default_factory=list)


@pytest.fixture(scope="module")
def nights(project: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Drawn]:
    """Four nights: all clean, one pair stale, one not comparable, differences."""
    folder = tmp_path_factory.mktemp("drawn")
    fine, late = (project.pair(name, FINE, FINE, wave="w1") for name in ("fine", "late"))
    gone = {**late, "pair_id": "gone", "source_relation": f"{project.schema}.nowhere"}
    orders = project.pair("orders", SOURCE, TARGET, owner="<i>team</i>")
    drawn = {}

    def night(state: str, hours_ago: int, pairs: list[dict], **run_vars: object) -> None:
        project.write_seeds(pairs)
        now = NOW - timedelta(hours=hours_ago)
        # Data tests say nothing to this test, and take half of the time.
        outcome = project.night(
            "--exclude-resource-type", "test", recon_now=f"{now:%Y-%m-%d %H:%M:%S}", **run_vars
        )
        assert outcome.success, outcome.failure
        drawn[state] = look(project, folder / f"{state}.html")

    night("zero", 96, [fine, late])
    night("stale", 60, [fine, late], recon_pairs=["fine"])
    night("error", 30, [fine, late, gone])
    night("some", 0, [fine, late, gone, orders])
    return drawn


def look(project: Project, file: Path) -> Drawn:
    render.write(project.spark, project.schema, file)
    cells = project.rows("select pair_id, run_date, cell from {schema}.mismatch_heat_map")
    differences = project.rows(
        "select * from {schema}.audit_log where record_type = 'difference' "
        "and carried_from_run_ts is null and pair_id = 'orders' order by mismatch_id"
    )
    (counter,) = project.rows("select * from {schema}.parity_counter")
    assert counter["open_mismatches"] == project.counter()
    return Drawn(
        file, counter, {(c["pair_id"], str(c["run_date"]), c["cell"]) for c in cells}, differences
    )


@pytest.mark.parametrize(
    "state, number, parts",
    [
        ("zero", 0, {"open_mismatches": 0, "stale_pairs": 0}),
        ("stale", 1, {"open_mismatches": 0, "stale_pairs": 1}),
        ("error", 1, {"open_not_compared": 1, "open_differences": 0, "stale_pairs": 0}),
        ("some", 4, {"open_not_compared": 1, "open_differences": 3, "stale_pairs": 0}),
    ],
)
def test_counter_is_the_marts_and_green_at_zero_only(nights, open_file, state, number, parts):
    given = nights[state]
    assert {name: given.counter[name] for name in parts} == parts
    page = open_file(given.file)
    value = widget(page, "parity_counter", "executive").locator(".value")
    assert value.text_content() == str(number) == str(given.counter["counter"])
    assert color(value) == (ABOVE if number else ZERO).lower()
    (line,) = rows(page, "parity_line", "executive")
    assert f"{given.counter['as_of_ts']:%Y-%m-%d %H:%M} UTC" in line[0]
    clean, open_pairs = given.counter["clean_pairs"], given.counter["open_pairs"]
    assert line[1].startswith(f"{clean} of {clean + open_pairs} pairs clean")


@pytest.mark.parametrize("state", ["zero", "some"])
def test_cells_are_the_marts(nights, open_file, state):
    page = open_file(nights[state].file, address="#page=debugging")
    shown = set()
    for name in HEAT_MAPS:
        if widget(page, name).locator("canvas").count():
            widget(page, name).get_by_role("button", name="Show as table").click()
            shown |= {tuple(row) for row in downloaded(page, name)[1:]}
    assert shown == nights[state].cells
    assert shown


def test_colours_of_cells_are_the_files(nights, open_file):
    page = open_file(nights["some"].file, address="#page=debugging")
    today = str(NOW.date())
    for pair, value in (("orders", "1-9"), ("gone", "error")):
        corner = cell_point(page, "heat_map", f"{pair}, {today}: {value}")
        assert pixel(page, "heat_map", corner) == CELLS[value].lower()
    corner = cell_point(page, "heat_map_clean", f"fine, {today}: 0")
    assert pixel(page, "heat_map_clean", corner) == CELLS["0"].lower()


def test_from_a_red_cell_to_its_rows_is_one_click(nights, open_file):
    given = nights["some"]
    page = open_file(given.file, address="#page=debugging")
    at = cell_point(page, "heat_map", f"orders, {NOW.date()}: 1-9")
    after_drawing(page, lambda: page.mouse.click(*at))
    assert chips(page) == [f"Pair orders, Night {NOW.date()}"]
    titles, *lines = downloaded(page, "differences")
    shown = [dict(zip(titles, row, strict=True)) for row in rows(page, "differences")]
    assert [(r["Key"], r["Column"], r["Source"], r["Target"]) for r in shown] == [
        (d["record_key"], d["target_column"], d["source_value"], d["target_value"])
        for d in given.differences
    ]
    assert {r["Target"] for r in shown} == {
        "<img src=x onerror=alert(1)>", "=cmd()", "it's \U0001f9ee",
    }  # fmt: skip
    assert [line[titles.index("Target")] for line in lines] == [
        f"'{r['Target']}" if r["Target"].startswith("=") else r["Target"] for r in shown
    ]


def test_pair_table_leads_to_the_rows_of_a_pair_and_its_last_night(nights, open_file):
    page = open_file(nights["some"].file, address="#page=debugging")
    day = str(NOW.date())
    line = widget(page, "pairs").locator("tbody tr", has_text="orders")
    after_drawing(page, line.get_by_role("link", name=day).click)
    assert {(row[0], row[1]) for row in rows(page, "differences")} == {(day, "orders")}
    assert len(rows(page, "differences")) == len(nights["some"].differences)
    for name, value in (("filter_pair", "orders"), ("filter_night", day)):
        assert widget(page, name).get_by_role("combobox").input_value() == value
    cell_point(page, "heat_map", f"orders, {day}: 1-9")
    box = widget(page, "differences").locator("tbody tr").first.bounding_box()
    assert 0 < box["y"] < page.viewport_size["height"], "the rows are in sight"


def test_pair_table_leads_to_the_pair(nights, open_file):
    page = open_file(nights["some"].file, address="#page=debugging")
    link = widget(page, "pairs").get_by_role("link", name="orders")
    after_drawing(page, link.click)
    assert [row[0] for row in rows(page, "pairs")] == ["orders"]
    assert widget(page, "filter_pair").get_by_role("combobox").input_value() == "orders"
    assert "<i>team</i>" in rows(page, "pairs")[0]


def test_what_was_counted_over_all_dates_says_so(nights, open_file):
    page = open_file(nights["some"].file, address="#page=debugging")
    shown = widget(page, "heat_map_shows").locator(".label")
    assert shown.count() == 0
    first, last = widget(page, "filter_dates").locator("input").all()
    held = first.input_value(), last.input_value()
    after_drawing(page, lambda: first.fill(str(NOW.date())))
    assert shown.text_content() == f"Of {held[0]} to {held[1]}."
    nights_left = {row[0] for row in rows(page, "differences")}
    assert nights_left == {str(NOW.date())}


def test_phone(nights, open_file):
    for address in ("", "#page=debugging"):
        page = open_file(nights["some"].file, address=address, width=360, theme="dark")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_schema_without_a_night_is_said(fresh_project, tmp_path):
    with pytest.raises(render.CannotRender, match="No night is recorded in schema"):
        render.write(fresh_project.spark, fresh_project.schema, tmp_path / "none.html")
    assert not (tmp_path / "none.html").exists()


def test_window_is_cut_to_the_recorded_nights(nights, project, open_file, tmp_path):
    file = tmp_path / "all.html"
    render.write(project.spark, project.schema, file, window=("0001-01-01", "9999-12-31"))
    page = open_file(file, address="#page=debugging")
    held = [one.input_value() for one in widget(page, "filter_dates").locator("input").all()]
    assert held == [str((NOW - timedelta(hours=96)).date()), str(NOW.date())]


def test_window_without_a_night_leaves_the_file_as_it_is(nights, project, tmp_path):
    file = tmp_path / "good.html"
    file.write_text("good")
    with pytest.raises(render.CannotRender, match=f"are from .* to {NOW.date()}"):
        render.write(project.spark, project.schema, file, window=("2020-01-01", "2020-01-31"))
    assert file.read_text() == "good"


def test_dataset_that_fails_is_named(nights, project, tmp_path):
    dashboard = json.loads(render.FILE.read_text())
    (drift,) = [one for one in dashboard["datasets"] if one["name"] == "drift"]
    drift["queryLines"] = ["select * from nowhere\n"]
    with pytest.raises(DatasetFailed, match=r"dataset drift cannot be read: .*nowhere"):
        render.write(project.spark, project.schema, tmp_path / "none.html", dashboard)
    assert not (tmp_path / "none.html").exists()
