"""The local dashboard in a browser, over rows made for the purpose."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from urllib.parse import quote

import pytest

from tests.dashboard import small
from tests.dashboard.reader import (
    after_drawing,
    cell_point,
    chips,
    color,
    counted,
    downloaded,
    pixel,
    pixels,
    read_csv,
    rows,
    widget,
)
from tests.dashboard.small import cell, difference

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TODAY, BEFORE = "2026-03-10", "2026-03-09"
DEBUGGING = "#page=debugging"


def night(days_ago: int) -> str:
    return str(small.NOW.date() - timedelta(days=days_ago))


BOTH_TYPES = ["value_mismatch", "missing_in_target"]
FROM, TO = "2026-03-01T00%3A00%3A00.000", "2026-03-10T00%3A00%3A00.000"
HOSTILE = [
    "<img src=x onerror=\"document.title='taken'\">",
    "</script><script>document.title='taken'</script>",
    "<!-- <script>",
    "{{ @ }} {{constructor.constructor('alert(1)')()}}",
    "\"quoted\" 'and' `so`, a comma",
    "line\nof\r\ntwo",
    "=HYPERLINK(\"http://x.example\")",
    "+1", "-1", "@sum", "\ttab", "\rreturn",
    "x;=1+1", 'x;"=1+1', "x\t@sum", "x\n-1", "x;\r\n +1", ";=1+1",
    "\u2028line\u2029paragraph",
    "\u202edesrever \u05e9\u05dc\u05d5\u05dd",
    "emoji \U0001f9ee\U0001f1e9\U0001f1ea",
    "javascript:document.title='taken'",
    " blank at both ends ",
    "",
    "w" * 3000,
]  # fmt: skip
# At the start of a field, whichever sign separates fields.
FORMULA = re.compile(r'^[=+\-@\t\r\n]|[;\t\r\n]["\s]*[=+\-@]')


# --- the counter ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given, text, shown",
    [
        ([{"counter": 0}], "0", small.GREEN),
        ([{"counter": 1}], "1", small.RED),
        ([{"counter": 1234567}], "1,234,567", small.RED),
    ],
)
def test_counter_is_green_at_zero_only(open_small, given, text, shown):
    value = widget(open_small({"counter": given}), "parity", "executive").locator(".value")
    assert value.text_content() == text
    assert color(value) == shown


@pytest.mark.parametrize("given", [[], [{"counter": None}]])
def test_counter_without_a_number_is_neither_green_nor_red(open_small, given):
    value = widget(open_small({"counter": given}), "parity", "executive").locator(".value")
    assert value.text_content() == "\N{EN DASH}"
    assert color(value) not in (small.GREEN, small.RED)


# --- the heat map and what hangs on it -----------------------------------------------------------


def test_heat_map_shows_every_cell_in_its_colour(open_small):
    page = open_small(address=DEBUGGING)
    for pair, night, value in [("orders", TODAY, "1-9"), ("customers", TODAY, "error")]:
        # Its first corner: the text stands in the middle.
        corner = cell_point(page, "heat_map", f"{pair}, {night}: {value}")
        assert pixel(page, "heat_map", corner) == small.CELLS[value]
    widget(page, "heat_map").get_by_role("button", name="Show as table").click()
    given = {(r["pair_id"], r["night"], r["cell"]) for r in small.default_rows()["cells"]}
    assert {tuple(row) for row in rows(page, "heat_map")} == given
    widget(page, "heat_map").get_by_role("button", name="Show as chart").click()
    widget(page, "heat_map").locator("canvas").wait_for()


def test_click_on_a_cell_leaves_its_rows(open_small):
    page = open_small(address=DEBUGGING)
    pairs = rows(page, "pairs")
    after_drawing(page, lambda: page.mouse.click(*cell_point(page, "heat_map", f"orders, {TODAY}")))
    assert chips(page) == [f"Pair orders, Night {TODAY}"]
    assert rows(page, "differences") == [
        [TODAY, "orders", "value_mismatch", "[1]", "x", "1"],
        [TODAY, "orders", "missing_in_target", "[2]", "null", "1"],
    ]
    assert rows(page, "pairs") == pairs, "another dataset"
    assert widget(page, "differences").evaluate(
        "one => one.getBoundingClientRect().top < innerHeight"
    )
    # The map stays whole: the next cell is chosen there.
    after_drawing(
        page, lambda: page.mouse.click(*cell_point(page, "heat_map", f"orders, {BEFORE}"))
    )
    assert [row[0] for row in rows(page, "differences")] == [BEFORE]
    after_drawing(page, lambda: page.get_by_role("button", name="Clear Pair orders").click())
    assert chips(page) == []
    assert counted(page, "differences") == "Rows 1 to 25 of 34"


def test_tap_on_a_cell_leaves_its_rows(open_small):
    page = open_small(address=DEBUGGING, width=390, touch=True)
    canvas = widget(page, "heat_map").locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    # No mouse moves, as finding a cell by its tooltip would: right, the newest night.
    tap = box["x"] + box["width"] - 10, box["y"] + 90
    after_drawing(page, lambda: page.touchscreen.tap(*tap))
    (chosen,) = chips(page)
    assert chosen.endswith(f"Night {TODAY}")
    assert {row[0] for row in rows(page, "differences")} <= {TODAY}


@pytest.mark.parametrize("width, days", [(1280, 3), (1280, 31), (1280, 90), (390, 7), (390, 90)])
def test_every_cell_shows_its_text(open_small, width, days):
    nights = [cell("orders", ago, "10-99") for ago in range(days)]
    rows_of = {"cells": [row for one in nights for row in one]}
    page = open_small(rows_of, address=DEBUGGING, width=width)
    at = [cell_point(page, "heat_map", f"orders, {night(ago)}: 10-99") for ago in range(3)]
    for ago in (0, 1):
        a_cell = at[ago][0] - at[ago + 1][0], 20
        drawn = pixels(page, "heat_map", at[ago], a_cell)
        dark = sum(sum(one) < 300 for one in drawn)
        assert dark > 5, f"letters, {ago} nights ago"


def test_a_filter_takes_no_date_away(open_small):
    page = open_small(address=DEBUGGING)
    page.evaluate("document.querySelector('#w-debugging-filter_type details').open = true")
    box = widget(page, "filter_type").get_by_role("checkbox", name="value_mismatch")
    after_drawing(page, box.check)
    apart = [cell_point(page, "heat_map", f"customers, {night(ago)}")[0] for ago in (2, 1)]
    cell_point(page, "heat_map", f"orders, {TODAY}: 1-9")
    widget(page, "heat_map").locator(".heat").focus()
    told = widget(page, "heat_map").locator(".told")
    assert told.text_content() == f"customers, {TODAY}: nothing", "a date without such a cell"
    assert apart[0] < apart[1]
    dates = widget(page, "filter_dates").locator("input")
    after_drawing(page, lambda: dates.last.fill(BEFORE))
    widget(page, "heat_map").locator(".heat").focus()
    assert told.text_content() == f"customers, {BEFORE}: 10-99", "a choice of dates does"


def test_cells_beside_a_chip_stay_within_reach(open_small):
    nights = [cell(f"pair_{n:02}", days, "0") for n in range(25) for days in range(3)]
    page = open_small({"cells": [row for one in nights for row in one]}, address=DEBUGGING)
    after_drawing(
        page, lambda: page.mouse.click(*cell_point(page, "heat_map", f"pair_03, {BEFORE}"))
    )
    canvas = widget(page, "heat_map").locator("canvas")
    canvas.evaluate("one => scrollBy(0, one.getBoundingClientRect().top + 200)")
    bar, chip = page.locator(".chips:visible").bounding_box(), page.locator(".chips li").first
    right = canvas.bounding_box()["x"] + canvas.bounding_box()["width"] - 20
    assert right > chip.bounding_box()["x"] + chip.bounding_box()["width"]
    after_drawing(page, lambda: page.mouse.click(right, bar["y"] + bar["height"] / 2))
    (chosen,) = chips(page)
    assert chosen.endswith(f"Night {TODAY}")
    after_drawing(page, chip.get_by_role("button").click)
    assert chips(page) == []


def test_click_on_a_clean_cell_leaves_no_row(open_small):
    page = open_small(address=DEBUGGING)
    at = cell_point(page, "heat_map", "orders, 2026-03-08: 0")
    after_drawing(page, lambda: page.mouse.click(*at))
    assert rows(page, "differences") == []
    assert counted(page, "differences") == "No rows"
    assert widget(page, "differences").locator(".download").is_disabled()


def test_heat_map_by_keyboard(open_small):
    page = open_small(address=DEBUGGING)
    heat_map = widget(page, "heat_map").locator(".heat")
    heat_map.focus()
    told = widget(page, "heat_map").locator(".told")
    assert told.text_content() == f"customers, {TODAY}: error"
    page.keyboard.press("ArrowLeft")
    assert told.text_content() == f"customers, {BEFORE}: 10-99"
    page.keyboard.press("ArrowDown")
    assert told.text_content() == f"orders, {BEFORE}: 1-9"
    after_drawing(page, lambda: page.keyboard.press("Enter"))
    assert rows(page, "differences") == [[BEFORE, "orders", "value_mismatch", "[1]", "x", "1"]]
    assert page.locator("#said").text_content() == "Differences: Rows 1 to 1 of 1"
    assert heat_map.evaluate("one => one === document.activeElement"), "the focus stays"
    after_drawing(page, lambda: page.keyboard.press("Escape"))
    assert chips(page) == []


def test_filter_may_take_away_the_cell_the_keyboard_is_on(open_small):
    page = open_small(address=DEBUGGING)
    widget(page, "heat_map").locator(".heat").focus()
    page.keyboard.press("ArrowDown")
    choose = widget(page, "filter_pair").get_by_role("combobox")
    after_drawing(page, lambda: choose.select_option("customers"))
    widget(page, "heat_map").locator(".heat").focus()
    assert widget(page, "heat_map").locator(".told").text_content() == f"customers, {TODAY}: error"


def test_heat_map_goes_on_beyond_what_fits(open_small):
    nights = [cell(f"pair_{n:02}", days, "0") for n in range(40) for days in range(90)]
    page = open_small(
        {"cells": [row for one in nights for row in one]}, address=DEBUGGING, width=390
    )
    bar = widget(page, "heat_map").locator(".pager")
    assert "Pair 1 to 25 of 40" in bar.text_content()
    widget(page, "heat_map").locator(".heat").focus()
    told = widget(page, "heat_map").locator(".told")
    assert told.text_content() == f"pair_00, {TODAY}: 0", "the newest night first"
    page.keyboard.press("PageDown")
    assert told.text_content() == f"pair_25, {TODAY}: 0"
    assert "Pair 2 to 26 of 40" in bar.text_content()
    page.keyboard.press("Home")
    assert told.text_content() == "pair_25, 2025-12-11: 0"
    assert "Night 1 to" in bar.text_content()
    bar.get_by_role("button", name="Later").click()
    cell_point(page, "heat_map", "pair_25, 2026-01")


# --- filters, links, addresses -------------------------------------------------------------------


def test_one_value(open_small):
    page = open_small(address=DEBUGGING)
    choose = widget(page, "filter_pair").get_by_role("combobox")
    assert choose.locator("option").all_text_contents() == ["All", "customers", "orders"]
    after_drawing(page, lambda: choose.select_option("orders"))
    assert {row[1] for row in rows(page, "differences")} == {"orders"}
    assert [row[0] for row in rows(page, "pairs")] == ["orders"]
    after_drawing(page, lambda: choose.select_option("All"))
    assert len(rows(page, "pairs")) == 2


def test_several_values_by_keyboard(open_small):
    page = open_small(address=DEBUGGING)
    control = widget(page, "filter_type")
    control.locator("summary").press("Enter")
    after_drawing(
        page, lambda: control.get_by_role("checkbox", name="missing_in_target").press("Space")
    )
    assert {row[2] for row in rows(page, "differences")} == {"missing_in_target"}
    assert control.get_by_role("checkbox", name="missing_in_target").evaluate(
        "one => one === document.activeElement"
    )
    after_drawing(
        page, lambda: control.get_by_role("checkbox", name="value_mismatch").press("Space")
    )
    assert {row[2] for row in rows(page, "differences")} == {"missing_in_target", "value_mismatch"}


def test_range_of_dates(open_small):
    page = open_small(address=DEBUGGING)
    first, last = widget(page, "filter_dates").locator("input").all()
    after_drawing(page, lambda: first.fill(BEFORE))
    assert {row[0] for row in rows(page, "differences")} == {TODAY, BEFORE}
    after_drawing(page, lambda: last.fill(BEFORE))
    assert {row[0] for row in rows(page, "differences")} == {BEFORE}


def test_dates_are_those_of_the_data_in_every_time_zone(open_small):
    lines = set()
    for zone in ("America/Los_Angeles", "Pacific/Kiritimati"):
        page = open_small(address=DEBUGGING, zone=zone)
        line = widget(page, "over_time").locator("canvas")
        lines.add(line.evaluate("canvas => canvas.toDataURL()"))
        cell_point(page, "heat_map", f"orders, {TODAY}: 1-9")
        widget(page, "over_time").get_by_role("button", name="Show as table").click()
        assert [row[0] for row in rows(page, "over_time")] == ["2026-03-08", BEFORE, TODAY]
    assert len(lines) == 1, "the same picture everywhere"


def test_link_of_a_pair_filters_the_page(open_small):
    page = open_small(address=f"{DEBUGGING}&f_debugging~filter_type=missing_in_target")
    link = widget(page, "pairs").get_by_role("link", name="orders")
    after_drawing(page, link.click)
    page.wait_for_function("document.getElementById('said').textContent")
    top = "one => one.getBoundingClientRect().top"
    assert 0 <= widget(page, "heat_map").evaluate(top) < 100, "what was chosen is in sight"
    assert page.locator("#said").text_content() == "Differences: Rows 1 to 3 of 3"
    assert {row[1] for row in rows(page, "differences")} == {"orders"}
    assert len(rows(page, "differences")) == 3, "the other filter is as the file has it"
    assert widget(page, "filter_pair").get_by_role("combobox").input_value() == "orders"
    after_drawing(page, page.go_back)
    assert {row[2] for row in rows(page, "differences")} == {"missing_in_target"}


def test_choices_are_in_the_address(open_small):
    page = open_small(address=DEBUGGING)
    page.evaluate("document.querySelector('#w-debugging-filter_type details').open = true")
    for name in ("missing_in_target", "value_mismatch"):
        after_drawing(page, widget(page, "filter_type").get_by_role("checkbox", name=name).check)
    after_drawing(page, lambda: widget(page, "filter_dates").locator("input").first.fill(TODAY))
    before = rows(page, "differences")
    assert 0 < len(before) < 25
    page.reload()
    page.wait_for_selector("body[data-drawn]")
    assert rows(page, "differences") == before


def test_chosen_cell_is_in_the_address(open_small):
    page = open_small(address=DEBUGGING)
    after_drawing(page, lambda: page.mouse.click(*cell_point(page, "heat_map", f"orders, {TODAY}")))
    before, chosen = rows(page, "differences"), chips(page)
    page.reload()
    page.wait_for_selector("body[data-drawn]")
    assert (rows(page, "differences"), chips(page)) == (before, chosen)
    after_drawing(page, page.get_by_role("button", name="Clear Pair orders").click)
    page.reload()
    page.wait_for_selector("body[data-drawn]")
    assert chips(page) == []


@pytest.mark.parametrize("value", ["", "x", "7", "null", "[]", "{}", '["gone"]', '[[1], {"a": 1}]'])
def test_address_may_hold_a_cell_that_is_none(open_small, value):
    address = f"{DEBUGGING}&cell_debugging~cells={quote(value)}&cell_debugging~pairs=[1,2]"
    page = open_small(address=f"{address}&cell_nowhere~cells=[1,2]")
    assert counted(page, "differences") in ("No rows", "Rows 1 to 25 of 34")


@pytest.mark.parametrize(
    "address",
    [
        "?f_debugging~filter_pair=orders",
        "#f_debugging~filter_pair=orders",
        "#f_debugging%7Efilter_pair=orders&f_debugging~unknown=1&f_nowhere~filter_pair=customers",
        f"#f_debugging~filter_pair=orders&f_debugging~filter_type={quote(json.dumps(BOTH_TYPES))}",
        f"#f_debugging~filter_pair=orders&f_debugging~filter_dates={FROM}~{TO}",
    ],
)
def test_address_of_a_filter_opens_its_page(open_small, address):
    page = open_small(address=address)
    assert {row[1] for row in rows(page, "differences")} == {"orders"}
    assert len(rows(page, "differences")) == 3


def test_own_address_takes_the_place_of_the_one_it_was_opened_with(open_small):
    page = open_small(address="?f_debugging~filter_pair=orders")
    choose = widget(page, "filter_pair").get_by_role("combobox")
    after_drawing(page, lambda: choose.select_option("All"))
    page.reload()
    page.wait_for_selector("body[data-drawn]")
    assert {row[1] for row in rows(page, "differences")} == {"orders", "customers"}


def test_address_may_name_a_value_that_no_row_has(open_small):
    page = open_small(address="#f_debugging~filter_pair=gone")
    assert rows(page, "differences") == []
    assert widget(page, "filter_pair").get_by_role("combobox").input_value() == "gone"


@pytest.mark.parametrize(
    "ticket, href",
    [
        ("https://tickets.example/7?a=1&b=2", "https://tickets.example/7?a=1&b=2"),
        ("HTTP://tickets.example", "http://tickets.example/"),
        ("javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        ("\x01javascript:alert(1)", None),
        ("data:text/html,<script>alert(1)</script>", None),
        ("file:///etc/passwd", None),
        ("//elsewhere.example/x", None),
        ("/jobs/7", None),
        ("https://", None),
        (None, None),
    ],
)
def test_only_safe_addresses_become_links(open_small, ticket, href):
    page = open_small(
        {"pairs": [{"pair_id": "a&b=c#d", "ticket": ticket, "open_count": 1}]}, address=DEBUGGING
    )
    links = widget(page, "pairs").locator("a")
    found = links.evaluate_all("all => all.map(one => [one.getAttribute('href'), one.rel])")
    inside = ["#page=debugging&f_debugging~filter_pair=a%26b%3Dc%23d", ""]
    assert found == [inside, *([[href, "noopener noreferrer"]] if href else [])]
    assert rows(page, "pairs")[0][1] == ("null" if ticket is None else ticket)


# --- tables --------------------------------------------------------------------------------------


def test_table_is_paged_and_sorted(open_small):
    page = open_small(page_size=10, address=DEBUGGING)
    table = widget(page, "differences")
    assert counted(page, "differences") == "Rows 1 to 10 of 34"
    table.get_by_role("button", name="Next").click()
    assert counted(page, "differences") == "Rows 11 to 20 of 34"
    assert table.get_by_role("button", name="Next").evaluate(
        "one => one === document.activeElement"
    )
    table.get_by_role("button", name="occurrences").click()
    assert table.locator("th[aria-sort=ascending]").text_content() == "occurrences"
    table.get_by_role("button", name="occurrences").click()
    assert rows(page, "differences")[0] == [
        "2026-03-08", "customers", "value_mismatch", "[7]", "x", "2",
    ]  # fmt: skip


def test_rules_colour_cells(open_small):
    page = open_small(address=DEBUGGING)
    table = widget(page, "differences")
    table.get_by_role("button", name="occurrences").click()
    table.get_by_role("button", name="occurrences").click()
    marked, plain = table.locator("tbody tr td:last-child").all()[:2]
    assert color(marked, "backgroundColor") == small.RED
    assert color(plain, "backgroundColor") != small.RED
    open_counts = widget(page, "pairs").locator("tbody td.number").all()
    assert [one.text_content() for one in open_counts] == ["1,234", "0"]
    assert [color(one) == small.RED for one in open_counts] == [True, False]


def test_download_has_exactly_the_rows_shown(open_small):
    page = open_small(page_size=10, address=f"{DEBUGGING}&f_debugging~filter_pair=customers")
    titles, *lines = downloaded(page, "differences")
    assert titles == ["night", "pair_id", "diff_type", "record_key", "target_value", "occurrences"]
    shown = rows(page, "differences")
    while (onward := widget(page, "differences").get_by_role("button", name="Next")).is_enabled():
        onward.click()
        shown += rows(page, "differences")
    assert lines == shown
    assert len(lines) == 31


# --- values from tables --------------------------------------------------------------------------


def test_hostile_values_are_texts(open_small):
    found = [difference(f"[{n:02}]", value) for n, value in enumerate(HOSTILE)]
    pair = HOSTILE[0]
    page = open_small(
        {
            "cells": cell(pair, 0, "10-99", *found),
            "pairs": [{"pair_id": value, "open_count": 0} for value in HOSTILE],
        },
        address=DEBUGGING,
    )
    assert [row[4] for row in rows(page, "differences")] == HOSTILE
    assert [row[0] for row in rows(page, "pairs")] == HOSTILE
    after_drawing(page, lambda: page.mouse.click(*cell_point(page, "heat_map", f"{pair}, {TODAY}")))
    assert chips(page) == [f"Pair {pair}, Night {TODAY}"]
    assert counted(page, "differences") == f"Rows 1 to {len(HOSTILE)} of {len(HOSTILE)}"
    assert page.title() == "recon"
    assert page.locator("main img, main script").count() == 0


def test_download_is_safe_in_a_spreadsheet(open_small):
    found = [difference(f"[{n:02}]", value) for n, value in enumerate(HOSTILE)]
    page = open_small({"cells": cell("orders", 0, "10-99", *found)}, address=DEBUGGING)
    values = [line[4] for line in downloaded(page, "differences")[1:]]
    assert [value.replace("'", "") for value in values] == [v.replace("'", "") for v in HOSTILE]
    assert {v for v in HOSTILE if v not in values} == {v for v in HOSTILE if FORMULA.search(v)}
    with page.expect_download() as waiting:
        widget(page, "differences").locator(".download").click()
    for separator in (",", ";", "\t"):
        fields = [one for line in read_csv(waiting.value.path(), separator) for one in line]
        assert [one for one in fields if one.strip()[:1] in ("=", "+", "-", "@")] == []
        assert [one for one in fields if one[:1] in ("\t", "\r")] == []


def test_null_and_empty_text_are_told_apart(open_small):
    found = [difference("[1]", None), difference("[2]", "")]
    page = open_small({"cells": cell("orders", 0, "1-9", *found)}, address=DEBUGGING)
    assert [row[4] for row in rows(page, "differences")] == ["null", ""]
    with page.expect_download() as waiting:
        widget(page, "differences").locator(".download").click()
    lines = waiting.value.path().read_bytes().decode("utf-8-sig").split("\r\n")
    assert [line.split(",")[4] for line in lines[1:3]] == ["", '""']


# --- the page ------------------------------------------------------------------------------------


def test_tabs_by_keyboard(open_small):
    page = open_small()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Executive"
    after_drawing(page, lambda: page.keyboard.press("ArrowRight"))
    assert page.get_by_role("tab", selected=True).text_content() == "Debugging"
    assert page.get_by_role("tabpanel").count() == 1
    assert page.evaluate("document.activeElement.textContent") == "Debugging"


def test_every_control_has_a_name(open_small):
    page = open_small(address=DEBUGGING)
    nameless = """() => [...document.querySelectorAll('main :is(button, select, input, summary)')]
        .filter(one => !(one.getAttribute('aria-label') || one.textContent.trim()
            || one.labels?.[0]?.textContent.trim()))
        .map(one => one.outerHTML)"""
    assert page.evaluate(nameless) == []


@pytest.mark.parametrize("address", ["#page=executive", DEBUGGING])
def test_phone_needs_no_scrolling_sideways(open_small, address):
    long = {"cells": cell("p" * 60, 0, "1-9", difference("[1]", "v" * 2000))}
    page = open_small(long, address=address, width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_light_and_dark(open_small):
    for theme, other in (("light", "dark"), ("dark", "light")):
        page = open_small(address=DEBUGGING, theme=theme)
        body = page.locator("body")
        asked = color(body, "backgroundColor"), color(body)
        after_drawing(page, page.get_by_role("button", name=other.capitalize(), exact=True).click)
        turned = color(body, "backgroundColor"), color(body)
        (dark, light) = (turned, asked) if theme == "light" else (asked, turned)
        assert dark[0] < dark[1], "light letters on dark"
        assert light[0] > light[1], "dark letters on light"


def test_text_box_is_markdown_without_markup(open_small):
    text = widget(open_small(address=DEBUGGING), "help")
    assert text.locator("strong").text_content() == "Click"
    assert text.text_content().strip() == "Click a cell. <b>no</b>"


def test_charts_show_their_numbers(open_small):
    page = open_small(address=DEBUGGING)
    for name in ("over_time", "by_type"):
        assert widget(page, name).locator("canvas").is_visible()
        widget(page, name).get_by_role("button", name="Show as table").click()
    assert rows(page, "over_time") == [
        ["2026-03-08", "8", "1"], ["2026-03-09", "9", "1"], ["2026-03-10", "10", "1"],
    ]  # fmt: skip
    assert ["value_mismatch", "customers", "31"] in rows(page, "by_type")


def test_ten_thousand_cells_and_a_hundred_thousand_rows(open_small):
    ten = [difference(f"[{n}]", str(n)) for n in range(10)]
    nights = [cell(f"pair_{n:03}", days, "10-99", *ten) for n in range(111) for days in range(90)]
    page = open_small({"cells": [row for one in nights for row in one]}, address=DEBUGGING)
    assert counted(page, "differences") == "Rows 1 to 25 of 99,900"
    at = cell_point(page, "heat_map", f"pair_003, {BEFORE}")
    after_drawing(page, lambda: page.mouse.click(*at))
    assert counted(page, "differences") == "Rows 1 to 10 of 10"
    assert {(row[0], row[1]) for row in rows(page, "differences")} == {(BEFORE, "pair_003")}
