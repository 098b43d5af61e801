"""The two pages: which widgets stand where, and what they read."""

from __future__ import annotations

from dashboards import widgets as w

# Red and green of equal contrast; where no number can be shown, neither.
ZERO, ABOVE, NO_NUMBER = "#00805A", "#C22D12", "#6B6F76"

# Told apart with any colour vision, also by brightness: counts grow darker. A test holds that.
CELLS = {
    "0": "#7CC8A9",
    "1-9": "#FDD49E",
    "10-99": "#FD8D3C",
    "100-999": "#D94801",
    "1000+": "#7F2704",
    "closed": "#8C9BD9",
    "error": "#252525",
    "no run": "#EDEDED",
}

STATES = {
    "open": "#D94801",
    "accepted": "#8C9BD9",
    "closed_unverified": "#7FB3D5",
    "closed_verified": "#1B7F5C",
    "retired": "#BDBDBD",
    "reopened": "#7F2704",
    "cleared": "#7CC8A9",
    "left_scope": "#D9D9D9",
    "ended_by_configuration": "#969696",
}

CLOSED_WITHIN = (
    "under a day", "1-3 days", "3-7 days", "1-4 weeks", "over 4 weeks", "not closed",
)  # fmt: skip

# The dates that a dataset is asked for: page 2 opens with the last 30 days.
LAST_30_DAYS = {
    "range": {"dataType": "DATE", "min": {"value": "now-30d/d"}, "max": {"value": "now/d"}}
}
RUN_DATE = {
    "displayName": "Dates",
    "keyword": "run_date",
    "dataType": "DATE",
    "complexType": "RANGE",
    "defaultSelection": LAST_30_DAYS,
}

# Dataset to its name in the editor and its parameters; the query is datasets/<dataset>.sql.
DATASETS = {
    "counter": ("Counter", ()),
    "cells": ("Heat map cells and their differences", (RUN_DATE,)),
    "window": ("What the heat map shows", (RUN_DATE,)),
    "drift": ("Drift", ()),
    "pairs": ("Pairs", ()),
    "history": ("Counter by date", ()),
    "closing_times": ("Time to close", ()),
}

# To the page they stand on, filtered on a pair, or on a pair and a night: what follows the question
# mark is kept by the browser whatever the dashboard's id.
PAIR_LINK = "?f_debugging~filter_pair={{ @ }}"
NIGHT_LINK = "?f_debugging~filter_pair={{ pair_id }}&f_debugging~filter_night={{ @ }}"


def at(x: int, y: int, width: int, height: int, widget: dict) -> dict:
    """A widget's place on the grid of 12 columns."""
    return {"position": {"x": x, "y": y, "width": width, "height": height}, "widget": widget}


def raw(dataset: str, *names: str, **extra) -> dict:
    return w.query(dataset, [w.column(name) for name in names], is_raw=True, **extra)


def executive() -> list[dict]:
    """One number, one line."""
    line = {
        "as_of": "As of",
        "pairs_clean": "Pairs",
        "parts": "The number is",
        "most_in": "Most in",
        "closed_unverified": "Closed, not verified",
        "accepted": "Accepted",
    }
    number = raw("counter", "counter", **w.only("is_shown", "yes"))
    return [
        at(0, 0, 12, 6, w.counter(
            "parity_counter", number, "Open mismatches", "counter", (ZERO, ABOVE, NO_NUMBER)
        )),
        at(0, 6, 12, 3, w.table("parity_line", raw("counter", *line), w.frame(""), line)),
    ]  # fmt: skip


def filters() -> list[dict]:
    """The filters of page 2; each is bound to every dataset that has its column."""
    pair = {name: "pair_id" for name in ("cells", "pairs", "drift", "closing_times")}
    wave = dict.fromkeys(pair, "wave")
    return [
        at(0, 0, 3, 1, w.filter_on("filter_wave", "multi-select", "Wave", wave)),
        at(3, 0, 3, 1, w.filter_on("filter_pair", "single-select", "Pair", pair)),
        at(6, 0, 6, 1, w.filter_on(
            "filter_dates", "date-range-picker", "Dates",
            {"history": "run_date", "closing_times": "first_seen_date"},
            "run_date", ("cells", "window"), LAST_30_DAYS,
        )),
        at(0, 1, 3, 1, w.filter_on("filter_night", "single-select", "Night", {"cells": "night"})),
        at(3, 1, 3, 1, w.filter_on(
            "filter_diff_type", "multi-select", "Difference",
            {"cells": "diff_type", "closing_times": "diff_type"},
        )),
        at(6, 1, 6, 1, w.filter_on(
            "filter_assignee", "multi-select", "Assignee",
            {"cells": "assignee", "closing_times": "assignee"},
        )),
    ]  # fmt: skip


def heat_maps() -> list[dict]:
    """Pairs x dates, twice: a categorical axis is sorted by its text, so a map of their own puts
    the pairs that are not clean first."""
    fields = [w.column("night"), w.column("pair_id"), w.column("cell")]

    def map_of(name: str, pair_now: str, title: str) -> dict:
        of = w.query("cells", fields, is_raw=False, **w.only("pair_now", pair_now))
        return w.heat_map(name, of, w.frame(title), ("night", "pair_id"), "cell", CELLS)

    return [
        at(0, 2, 12, 2, w.text(
            "heat_map_help",
            "**Click a cell** to see that pair's differences of that night in the table below; in "
            "a workspace, right-click and *Drill to* do the same through the filters Pair and "
            "Night. A cell cannot hold a link in this format: in the list of pairs further down, a "
            "pair and its last night are links. A cell is `closed` when all its run found was "
            "accepted, or is closed by name now.",
        )),
        at(0, 4, 12, 2, w.table(
            "heat_map_shows", raw("window", "says"), w.frame(""),
            {"says": "Of the chosen dates, before other filters"},
        )),
        at(0, 6, 12, 8, map_of("heat_map", "due", "Pairs that are not clean, or stale, now")),
        at(0, 14, 12, 6, map_of("heat_map_clean", "clean", "Pairs that are clean now")),
    ]  # fmt: skip


def lists() -> list[dict]:
    """The difference rows, the drift and the pairs."""
    differences = {
        "night": "Night", "pair_id": "Pair", "diff_type": "Difference", "record_key": "Key",
        "column_name": "Column", "source_value": "Source", "target_value": "Target",
        "side": "Side", "occurrences": "Rows", "state": "State now", "assignee": "Assignee",
        "closed_by": "Closed by", "ticket": "Ticket", "message": "Says",
        "mismatch_id": "Mismatch id",
    }  # fmt: skip
    drift = {
        "rank": "#", "pair_id": "Pair", "drift": "Drift", "since": "Since", "state": "State",
        "judged_count": "Differences", "runs_alarming": "Nights", "owner": "Owner",
        "sentence": "Why",
    }  # fmt: skip
    pairs = {
        "pair_id": "Pair", "night": "Last night", "state": "State", "open_count": "Open",
        "new_count": "New",
        "still_count": "Still there", "gone_count": "Gone", "assignees": "Assignee",
        "tickets": "Ticket", "owner": "Owner", "last_compared": "Last compared", "sentence": "What",
    }  # fmt: skip
    pair_link = {"pair_id": PAIR_LINK}
    night_link = {"night": NIGHT_LINK}
    by_night = w.sorted_by(night="DESC", pair_id="ASC", diff_type="ASC", mismatch_id="ASC")
    return [
        at(0, 20, 12, 8, w.table(
            "differences",
            raw("cells", *differences, **w.only("row_kind", "difference"), **by_night),
            w.frame("Differences", "Of the cell you clicked, or of all nights shown."),
            differences,
        )),
        at(0, 28, 12, 6, w.linked_table(
            "drift", raw("drift", *drift, **w.sorted_by(rank="ASC")),
            w.frame("Drift", "Pairs that left their own past, the most severe first."),
            drift, pair_link, ("rank", "judged_count", "runs_alarming"),
        )),
        at(0, 34, 12, 8, w.linked_table(
            "pairs",
            raw("pairs", *pairs, "sort_order", **w.sorted_by(sort_order="ASC", pair_id="ASC")),
            w.frame("Pairs", "Broken tonight first; changes are against the comparison before."),
            pairs, pair_link | night_link,
            ("open_count", "new_count", "still_count", "gone_count"), ("sort_order",),
        )),
    ]  # fmt: skip


def charts() -> list[dict]:
    """Mismatches over time, and how long they take to close."""
    lines = {
        "open_mismatches": "Open",
        "accepted": "Accepted",
        "closed_unverified": "Closed, not verified",
    }
    dates = [w.column("run_date"), *map(w.total, lines)]
    times = [w.column("closed_within"), w.column("state"), w.total("mismatches")]
    return [
        at(0, 42, 6, 6, w.line(
            "mismatches_over_time", w.query("history", dates, is_raw=False),
            w.frame("Mismatches over time", "All pairs, as each date's last run left them."),
            "run_date", lines,
        )),
        at(6, 42, 6, 6, w.bar(
            "time_to_close", w.query("closing_times", times, is_raw=False),
            w.frame("Time to close", "Mismatches first seen on these dates (UTC), by state now."),
            ("closed_within", CLOSED_WITHIN), "sum(mismatches)", ("state", STATES),
        )),
    ]  # fmt: skip


def page(name: str, title: str, layout: list[dict]) -> dict:
    return {
        "name": name,
        "displayName": title,
        "pageType": "PAGE_TYPE_CANVAS",
        "layoutVersion": "GRID_V1",
        "layout": layout,
    }


def pages() -> list[dict]:
    """Both pages of the dashboard."""
    debugging = [*filters(), *heat_maps(), *lists(), *charts()]
    return [page("executive", "Parity", executive()), page("debugging", "Debugging", debugging)]
