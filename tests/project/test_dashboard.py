"""The dashboard file without an engine: it is what its parts make, and its linter finds faults."""

import copy
import json
import math
import subprocess
import sys
from datetime import date
from itertools import combinations

import pytest

from dashboards import build, pages
from dashboards.lint import findings, shapes, sql
from dashboards.queries import default_ranges, spark_query

BUILT = json.loads(build.FILE.read_text())
# What the mart's column `cell` can say.
CELLS = ["0", "1-9", "10-99", "100-999", "1000+", "closed", "error", "no run"]


def widget(dashboard, name):
    found = [i for p in dashboard["pages"] for i in p["layout"] if i["widget"]["name"] == name]
    return found[0]["widget"]


def place(dashboard, name):
    items = [i for p in dashboard["pages"] for i in p["layout"]]
    return next(i["position"] for i in items if i["widget"]["name"] == name)


def dataset(dashboard, name):
    return next(d for d in dashboard["datasets"] if d["name"] == name)


def encodings(dashboard, name):
    return widget(dashboard, name)["spec"]["encodings"]


def query(dashboard, name, number=0):
    return widget(dashboard, name)["queries"][number]["query"]


# --- the file ------------------------------------------------------------------------------------


def test_the_file_is_what_its_parts_make():
    assert build.FILE.read_text() == build.build(), "run python -m dashboards.build"


def test_nothing_is_wrong_with_the_file():
    assert [str(one) for one in findings(build.FILE.read_text())] == []


def test_page_one_is_a_number_and_a_line():
    executive = BUILT["pages"][0]
    names = [item["widget"]["name"] for item in executive["layout"]]
    assert (executive["name"], names) == ("executive", ["parity_counter", "parity_line"])


def test_the_number_is_green_at_zero_and_red_above():
    value = encodings(BUILT, "parity_counter")["value"]
    rules = [
        (rule["condition"]["operator"], rule["condition"]["operand"]["value"], rule["color"])
        for rule in value["style"]["rules"]
    ]
    assert rules == [("<=", "0", pages.ZERO), (">", "0", pages.ABOVE)]
    # what is not green is no zero, but no row at all: a missing number fits no rule
    assert query(BUILT, "parity_counter")["filters"] == [{"expression": "`is_shown` IN ('yes')"}]


def test_one_dataset_feeds_heat_map_and_differences():
    """That is what a click needs; drilling through needs filters on the same two columns."""
    read = {
        query(BUILT, name)["datasetName"] for name in ("heat_map", "heat_map_clean", "differences")
    }
    assert read == {"cells"}
    for heat_map in ("heat_map", "heat_map_clean"):
        drawn = encodings(BUILT, heat_map)
        assert [drawn[axis]["fieldName"] for axis in "xy"] == ["night", "pair_id"]
    for name, column in (("filter_pair", "pair_id"), ("filter_night", "night")):
        assert widget(BUILT, name)["spec"]["widgetType"] == "filter-single-select"
        bound = [
            q["query"]["fields"][0]["name"]
            for q in widget(BUILT, name)["queries"]
            if q["query"]["datasetName"] == "cells"
        ]
        assert bound == [column]


def test_every_kind_of_cell_has_its_colour():
    for name in ("heat_map", "heat_map_clean"):
        drawn = encodings(BUILT, name)
        assert [m["value"] for m in drawn["color"]["scale"]["mappings"]] == CELLS
        assert drawn["label"] == {"show": True}


def linear(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


# How the three common deficiencies see linear RGB, fully developed (Machado and others, 2009).
SIGHT = {
    "full": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(colour, sight):
    """CIE L*a*b* (D65) of a colour as somebody sees it."""
    seen = [sum(m * c for m, c in zip(row, linear(colour), strict=True)) for row in SIGHT[sight]]
    red, green, blue = (min(max(part, 0), 1) for part in seen)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("sight", SIGHT)
def test_cells_are_told_apart_with_any_colour_vision(sight):
    seen = {name: lab(colour, sight) for name, colour in pages.CELLS.items()}
    too_close = {
        (one, other): round(math.dist(seen[one], seen[other]))
        for one, other in combinations(seen, 2)
        if math.dist(seen[one], seen[other]) < 16
    }
    assert too_close == {}


def test_counts_grow_darker():
    light = [lab(pages.CELLS[name], "full")[0] for name in ("1-9", "10-99", "100-999", "1000+")]
    assert light == sorted(light, reverse=True)


# --- parameters on an engine without dashboards ---------------------------------------------------


def test_a_range_becomes_two_parameters():
    cells = dataset(BUILT, "cells")
    ranges = default_ranges(cells, date(2026, 1, 31))
    assert ranges == {"run_date": (date(2026, 1, 1), date(2026, 1, 31))}
    text, arguments = spark_query(cells, ranges)
    assert arguments == {"run_date_min": date(2026, 1, 1), "run_date_max": date(2026, 1, 31)}
    assert ":run_date_min" in text and ":run_date." not in text


# --- the linter ----------------------------------------------------------------------------------


def remove(name, key):
    return lambda d: widget(d, name)["spec"].pop(key)


def put(part, value, *keys):
    """Sets the value at a path inside a part of the dashboard."""

    def change(d):
        inside = part(d)
        for key in keys[:-1]:
            inside = inside[key]
        inside[keys[-1]] = value

    return change


def of(name):
    return lambda d: widget(d, name)


def spec_of(name):
    return lambda d: widget(d, name)["spec"]


def query_of(name, number=0):
    return lambda d: query(d, name, number)


def lines_of(name):
    return lambda d: dataset(d, name)["queryLines"]


def column_of(name, number):
    return lambda d: encodings(d, name)["columns"][number]


def add_line(name, line):
    return lambda d: lines_of(name)(d).append(line)


def replace_sql(name, before, after):
    def change(d):
        text = "".join(lines_of(name)(d))
        assert before in text
        dataset(d, name)["queryLines"] = text.replace(before, after).splitlines(keepends=True)

    return change


def in_place_of_spec(key, value):
    def change(d):
        box = widget(d, "heat_map_help")
        del box["multilineTextboxSpec"]
        box[key] = value

    return change


STATES = {
    "displayName": "States",
    "keyword": "states",
    "dataType": "STRING",
    "complexType": "MULTI",
    "defaultSelection": {"values": {"dataType": "STRING", "values": []}},
}
VALUE = ("encodings", "value")
RULE = (*VALUE, "style", "rules", 0)

# What is done to the good file: how, and what the finding says (place, then words of it).
BROKEN = {
    # keys and values
    "version_missing": (remove("heat_map", "version"), "debugging/heat_map", "version"),
    "version_wrong": (put(spec_of("heat_map"), 2, "version"), "debugging/heat_map", "write 3"),
    "version_text": (put(spec_of("pairs"), "1", "version"), "debugging/pairs", "write 1 or 2"),
    "type_unknown": (
        put(spec_of("heat_map"), "heat-map", "widgetType"),
        "debugging/heat_map",
        "widgetType is 'heat-map'",
    ),
    "type_not_used": (put(spec_of("heat_map"), "pie", "widgetType"), "debugging/heat_map", "pie 3"),
    "type_missing": (remove("heat_map", "widgetType"), "debugging/heat_map", "widgetType is None"),
    "spec_empty": (put(of("heat_map"), {}, "spec"), "debugging/heat_map", "widgetType"),
    "encodings_missing": (remove("heat_map", "encodings"), "debugging/heat_map", "encodings"),
    "key_unknown": (
        put(spec_of("heat_map"), {"url": "/"}, "encodings", "color", "link"),
        "debugging/heat_map",
        "unknown key 'link' in encodings.color",
    ),
    "widget_key_unknown": (put(of("heat_map"), 1, "id"), "debugging/heat_map", "unknown key 'id'"),
    "top_key_unknown": (put(lambda d: d, [], "widgets"), "file", "unknown key 'widgets'"),
    "pages_missing": (lambda d: d.pop("pages"), "file", "key 'pages' is missing"),
    "counter_color": (
        put(spec_of("parity_counter"), {"default": "#000000"}, *VALUE, "color"),
        "executive/parity_counter",
        "inside value.style",
    ),
    "rule_number": (
        put(spec_of("parity_counter"), 0, *RULE, "condition", "operand", "value"),
        "executive/parity_counter",
        "rules[0].condition.operand.value",
    ),
    "rule_no_number": (
        put(spec_of("parity_counter"), "zero", *RULE, "condition", "operand", "value"),
        "executive/parity_counter",
        "is 'zero'",
    ),
    "rule_operator": (
        put(spec_of("parity_counter"), "==", *RULE, "condition", "operator"),
        "executive/parity_counter",
        "operator is '=='",
    ),
    "rules_overlap": (
        put(spec_of("parity_counter"), ">=", *RULE, "condition", "operator"),
        "executive/parity_counter",
        "two rules that fit one number",
    ),
    "rule_colour": (
        put(spec_of("parity_counter"), "red", *RULE, "color"),
        "executive/parity_counter",
        "hex colour",
    ),
    "mapping_colour": (
        put(spec_of("heat_map"), "green", "encodings", "color", "scale", "mappings", 0, "color"),
        "debugging/heat_map",
        "hex colour",
    ),
    "mapping_twice": (
        put(spec_of("heat_map"), "0", "encodings", "color", "scale", "mappings", 1, "value"),
        "debugging/heat_map",
        "colours 0 twice",
    ),
    "column_incomplete": (
        lambda d: column_of("pairs", 0)(d).pop("imageWidth"),
        "debugging/pairs",
        "key 'imageWidth' is missing in encodings.columns[0]",
    ),
    "html_allowed": (
        put(column_of("pairs", 1), True, "allowHTML"),
        "debugging/pairs",
        "allowHTML",
    ),
    "old_text_box": (
        in_place_of_spec("textbox_spec", "# Help"),
        "debugging/heat_map_help",
        "multilineTextboxSpec.lines",
    ),
    "text_line": (
        put(of("heat_map_help"), ["a", "b\n"], "multilineTextboxSpec", "lines"),
        "debugging/heat_map_help",
        "lines[0] ends without a line break",
    ),
    # datasets
    "dataset_query": (
        lambda d: dataset(d, "drift").update(query="select 1", queryLines=[]),
        "dataset drift",
        "queryLines",
    ),
    "lines_text": (
        put(lambda d: dataset(d, "drift"), "select 1", "queryLines"),
        "dataset drift",
        "queryLines, a list of texts",
    ),
    "line_break": (
        lambda d: lines_of("drift")(d).__setitem__(0, lines_of("drift")(d)[0].rstrip("\n")),
        "dataset drift",
        "its comment swallows the next",
    ),
    "last_line": (add_line("history", "limit 9"), "dataset history", "ends without a line break"),
    "no_catalog": (
        lambda d: dataset(d, "drift").pop("catalog"),
        "dataset drift",
        "key 'catalog' is missing",
    ),
    "qualified": (
        replace_sql("history", "from parity", "from main.recon.parity"),
        "dataset history",
        "main.recon.parity_counter_history is qualified",
    ),
    "star": (
        replace_sql("history", "    run_date,\n", "    *,\n"),
        "dataset history",
        "does not name its columns",
    ),
    "column_twice": (
        replace_sql("history", "as accepted", "as open_mismatches"),
        "dataset history",
        "column open_mismatches is there twice",
    ),
    "template": (
        replace_sql("history", "group by", "where {{ x }} group by"),
        "dataset history",
        "{{...}}",
    ),
    "parameter_unused": (
        replace_sql("window", ":run_date.max", "current_date()"),
        "dataset window",
        "not used as :run_date.max",
    ),
    "parameter_unknown": (
        replace_sql("history", "group by", "where run_date > :since group by"),
        "dataset history",
        ":since, which is no parameter",
    ),
    "parameter_form": (
        put(
            lambda d: dataset(d, "cells")["parameters"][0],
            {"values": {"dataType": "DATE", "values": [{"value": "now/d"}]}},
            "defaultSelection",
        ),
        "dataset cells",
        "has another form",
    ),
    "parameter_type": (
        put(lambda d: dataset(d, "cells")["parameters"][0], "DATES", "dataType"),
        "dataset cells",
        "dataType is 'DATES'",
    ),
    "parameter_moment": (
        put(
            lambda d: dataset(d, "cells")["parameters"][0],
            "30 days ago",
            *("defaultSelection", "range", "min", "value"),
        ),
        "dataset cells",
        "'30 days ago'",
    ),
    "parameter_twice": (
        lambda d: dataset(d, "cells")["parameters"].append(dataset(d, "cells")["parameters"][0]),
        "dataset cells",
        "parameter run_date is there twice",
    ),
    "parameter_list": (
        lambda d: dataset(d, "history").update(
            parameters=[STATES],
            queryLines=["select run_date from history where state in (:states)\n"],
        ),
        "dataset history",
        "is a list inside IN ()",
    ),
    "many_datasets": (
        lambda d: d["datasets"].extend(
            dataset(d, "drift") | {"name": f"d{i}"} for i in range(100 - len(d["datasets"]) + 1)
        ),
        "file",
        "101 datasets",
    ),
    "dataset_unused": (
        lambda d: d["datasets"].append(dataset(d, "drift") | {"name": "spare"}),
        "dataset spare",
        "no widget reads it",
    ),
    "dataset_twice": (
        lambda d: d["datasets"].append(copy.deepcopy(dataset(d, "drift"))),
        "dataset drift",
        "there twice",
    ),
    "dataset_elsewhere": (
        put(lambda d: dataset(d, "drift"), "other", "schema"),
        "dataset drift",
        "schema is other, that of others recon",
    ),
    "no_mart": (
        replace_sql("history", "from parity", "from audit_items join parity"),
        "dataset history",
        "table audit_items is no mart",
    ),
    "two_statements": (
        replace_sql("history", "order by run_date", "order by run_date; drop table audit_log"),
        "dataset history",
        "semicolon",
    ),
    "date_there_is_not": (
        put(
            lambda d: dataset(d, "cells")["parameters"][0],
            "2026-02-30",
            *("defaultSelection", "range", "max", "value"),
        ),
        "dataset cells",
        "max is 2026-02-30, a date there is not",
    ),
    "dates_reversed": (
        put(
            spec_of("filter_dates"),
            "now-60d/d",
            *("selection", "defaultSelection", "range", "max", "value"),
        ),
        "debugging/filter_dates",
        "ends before it begins",
    ),
    "fixed_dates_reversed": (
        put(
            lambda d: dataset(d, "cells")["parameters"][0]["defaultSelection"],
            {"dataType": "DATE", "min": {"value": "2026-02-01"}, "max": {"value": "2026-01-31"}},
            "range",
        ),
        "dataset cells",
        "ends before it begins",
    ),
    # types
    "text_summed": (
        put(query_of("time_to_close"), "SUM(`state`)", "fields", 2, "expression"),
        "debugging/time_to_close",
        "SUM(`state`), which is string",
    ),
    "text_in_time": (
        put(spec_of("time_to_close"), {"type": "temporal"}, "encodings", "x", "scale"),
        "debugging/time_to_close",
        "encodings.x has closed_within, which is string",
    ),
    "text_as_number": (
        put(spec_of("time_to_close"), {"type": "quantitative"}, "encodings", "x", "scale"),
        "debugging/time_to_close",
        "encodings.x has closed_within, which is string",
    ),
    "number_column_of_text": (
        put(column_of("drift", 1), "number", "displayAs"),
        "debugging/drift",
        "encodings.columns has pair_id, which is string",
    ),
    "dates_of_text": (
        put(query_of("filter_dates", 3), "`pair_id`", "fields", 0, "expression"),
        "debugging/filter_dates",
        "which is string; give it a column of type date or timestamp",
    ),
    # what widgets ask for
    "dataset_unknown": (
        put(query_of("heat_map"), "cell", "datasetName"),
        "debugging/heat_map",
        "dataset cell, which is none",
    ),
    "field_not_asked": (
        put(spec_of("heat_map"), "pair", "encodings", "y", "fieldName"),
        "debugging/heat_map",
        "encodings.y.fieldName is pair",
    ),
    "field_twice": (
        lambda d: query(d, "drift")["fields"].append(query(d, "drift")["fields"][0]),
        "debugging/drift",
        "field rank is there twice",
    ),
    "column_unknown": (
        put(query_of("heat_map"), "`nights`", "fields", 0, "expression"),
        "debugging/heat_map",
        "field night reads column nights, which dataset cells lacks",
    ),
    "field_cast": (
        put(query_of("heat_map"), "CAST(`night` AS DATE)", "fields", 0, "expression"),
        "debugging/heat_map",
        "go into the dataset's SQL",
    ),
    "field_case": (
        put(query_of("heat_map"), "CASE WHEN `cell` = '0' THEN 1 END", "fields", 0, "expression"),
        "debugging/heat_map",
        "go into the dataset's SQL",
    ),
    "raw_aggregate": (
        put(query_of("mismatches_over_time"), True, "disaggregated"),
        "debugging/mismatches_over_time",
        "aggregates rows that are not grouped",
    ),
    "field_unseen": (
        lambda d: query(d, "heat_map")["fields"].append({"name": "wave", "expression": "`wave`"}),
        "debugging/heat_map",
        "field wave splits the rows unseen",
    ),
    "static_filter": (
        put(query_of("parity_counter"), "`counter` > 0", "filters", 0, "expression"),
        "executive/parity_counter",
        "IN ('value')",
    ),
    "static_filter_column": (
        put(query_of("parity_counter"), "`shown` IN ('yes')", "filters", 0, "expression"),
        "executive/parity_counter",
        "names column shown",
    ),
    "heat_map_raw": (
        put(query_of("heat_map"), True, "disaggregated"),
        "debugging/heat_map",
        "rows of a heat map are not grouped",
    ),
    "custom_order": (
        lambda d: encodings(d, "time_to_close")["x"]["scale"]["sort"].pop("orderedValues"),
        "debugging/time_to_close",
        "key 'orderedValues' is missing",
    ),
    "column_shown_twice": (
        lambda d: encodings(d, "drift")["columns"].append(column_of("drift", 0)(d) | {"order": 99}),
        "debugging/drift",
        "column rank is there twice",
    ),
    "column_shown_twice_in_plain_table": (
        lambda d: encodings(d, "differences")["columns"].append(column_of("differences", 0)(d)),
        "debugging/differences",
        "column night is there twice",
    ),
    "place_twice": (
        put(column_of("drift", 1), 0, "order"),
        "debugging/drift",
        "order 0 is there twice",
    ),
    "order_column": (
        put(query_of("drift"), "`ranks`", "orders", 0, "expression"),
        "debugging/drift",
        "orders names column ranks",
    ),
    "chart_parameters": (
        put(query_of("heat_map"), [{"name": "run_date", "keyword": "run_date"}], "parameters"),
        "debugging/heat_map",
        "which blank the widget",
    ),
    "chart_parameter_values": (
        put(query_of("heat_map"), [], "parameterValues"),
        "debugging/heat_map",
        "bind parameters in a filter widget",
    ),
    "query_twice": (
        lambda d: widget(d, "drift")["queries"].append(widget(d, "drift")["queries"][0]),
        "debugging/drift",
        "query main_query is there twice",
    ),
    # filters
    "filter_query": (
        put(spec_of("filter_pair"), "pair", "encodings", "fields", 0, "queryName"),
        "debugging/filter_pair",
        "queryName is pair, which is no query",
    ),
    "filter_field": (
        put(spec_of("filter_pair"), "pair", "encodings", "fields", 0, "fieldName"),
        "debugging/filter_pair",
        "bound to pair, which query filter_pair_cells does not ask for",
    ),
    "filter_unbound": (
        lambda d: encodings(d, "filter_pair")["fields"].pop(),
        "debugging/filter_pair",
        "is bound to nothing",
    ),
    "filter_raw": (
        put(query_of("filter_pair"), True, "disaggregated"),
        "debugging/filter_pair",
        "is not grouped",
    ),
    "filter_keyword": (
        put(query_of("filter_dates"), "run_dates", "parameters", 0, "keyword"),
        "debugging/filter_dates",
        "dataset cells has no parameter run_dates",
    ),
    "filter_parameter": (
        put(spec_of("filter_dates"), "dates", "encodings", "fields", 0, "parameterName"),
        "debugging/filter_dates",
        "bound to dates",
    ),
    "filter_kind": (
        lambda d: (
            widget(d, "filter_dates")["spec"].update(widgetType="filter-multi-select")
        ),
        "debugging/filter_dates",
        "use a filter-date-range-picker",
    ),
    "filter_default": (
        put(
            spec_of("filter_dates"),
            "now-7d/d",
            *("selection", "defaultSelection", "range", "min", "value"),
        ),
        "debugging/filter_dates",
        "differs from the default of parameter run_date",
    ),
    "parameter_without_filter": (
        lambda d: (
            encodings(d, "filter_dates")["fields"].pop(0),
            widget(d, "filter_dates")["queries"].pop(0),
        ),
        "dataset cells",
        "no filter sets parameter run_date",
    ),
    # places and names
    "grid": (
        put(lambda d: place(d, "heat_map"), 1, "x"),
        "debugging/heat_map",
        "off the grid",
    ),
    "grid_size": (put(lambda d: place(d, "heat_map"), 0, "height"), "debugging/heat_map", "off"),
    "grid_fraction": (
        put(lambda d: place(d, "heat_map"), 5.5, "width"),
        "debugging",
        "layout[8].position.width",
    ),
    "overlap": (
        put(lambda d: place(d, "heat_map"), 5, "y"),
        "debugging/heat_map_shows",
        "overlaps that of heat_map",
    ),
    "six_columns": (
        lambda d: d["pages"][1].pop("layoutVersion"),
        "debugging",
        "GRID_V1",
    ),
    "page_type": (
        put(lambda d: d["pages"][1], "CANVAS", "pageType"),
        "debugging",
        "PAGE_TYPE_CANVAS",
    ),
    "chart_on_filter_page": (
        put(lambda d: d["pages"][0], "PAGE_TYPE_GLOBAL_FILTERS", "pageType"),
        "executive/parity_counter",
        "page of global filters",
    ),
    "page_twice": (
        put(lambda d: d["pages"][0], "debugging", "name"),
        "file",
        "page name debugging is there twice",
    ),
    "widget_twice": (
        put(of("drift"), "pairs", "name"),
        "file",
        "widget name pairs is there twice",
    ),
    "widget_name": (put(of("drift"), "drift list", "name"), "debugging/drift list", "name is"),
    "widget_name_long": (put(of("drift"), "d" * 61, "name"), "debugging/ddd", "name is"),
    "many_pages": (
        lambda d: d["pages"].extend(
            copy.deepcopy(d["pages"][0]) | {"name": f"p{i}"} for i in range(14)
        ),
        "file",
        "16 pages",
    ),
    "many_widgets": (
        lambda d: d["pages"][0]["layout"].extend(copy.deepcopy(d["pages"][0]["layout"][:1]) * 99),
        "executive",
        "101 widgets",
    ),
    # links
    "link_widget": (
        put(column_of("pairs", 0), "?f_debugging~filter_pairs={{ @ }}", "linkUrlTemplate"),
        "debugging/pairs",
        "debugging~filter_pairs, which is no filter widget",
    ),
    "link_to_chart": (
        put(column_of("pairs", 0), "?f_debugging~heat_map={{ @ }}", "linkUrlTemplate"),
        "debugging/pairs",
        "which is no filter widget",
    ),
    "link_grammar": (
        put(column_of("pairs", 0), "?f_debugging.filter_pair={{ @ }}", "linkUrlTemplate"),
        "debugging/pairs",
        "write f_<page>~<filter widget>=<value>",
    ),
    "link_column": (
        put(column_of("pairs", 0), "?f_debugging~filter_pair={{ pair }}", "linkUrlTemplate"),
        "debugging/pairs",
        "holds pair, which is no field",
    ),
    **{
        f"link_to_{name}": (
            put(column_of("pairs", 0), url, "linkUrlTemplate"),
            "debugging/pairs",
            "can lead anywhere",
        )
        for name, url in {
            "scheme": "javascript:alert(1)",
            "value": "{{ @ }}",
            "host": "//elsewhere.example/{{ @ }}",
            "backslash": "/\\elsewhere.example/{{ @ }}",
            "host_of_value": "https://{{ @ }}/x",
            "part_of_host": "https://tickets.{{ @ }}/x",
            "path_of_value": "/{{ @ }}",
            "plain_http": "http://tickets.example/{{ @ }}",
        }.items()
    },
    "link_to_other_filter": (
        put(column_of("pairs", 0), "?f_debugging~filter_dates={{ @ }}", "linkUrlTemplate"),
        "debugging/pairs",
        "link gives pair_id to filter_dates, which holds first_seen_date, run_date",
    ),
    "link_of_other_column": (
        put(column_of("pairs", 0), "?f_debugging~filter_pair={{ owner }}", "linkUrlTemplate"),
        "debugging/pairs",
        "link gives owner to filter_pair, which holds pair_id",
    ),
}  # fmt: skip


@pytest.mark.parametrize("change, where, words", BROKEN.values(), ids=BROKEN)
def test_the_linter_names_place_fault_and_remedy(change, where, words):
    broken = copy.deepcopy(BUILT)
    change(broken)
    found = [str(one) for one in findings(json.dumps(broken))]
    assert [one for one in found if one.startswith(where) and words in one], found


def test_the_linter_reads_any_text():
    assert "line 1 is no JSON" in str(findings("{")[0])
    assert "nested too deep" in str(findings("[" * 100_000)[0])
    for value in (
        [],
        {},
        {"datasets": 1, "pages": [1]},
        {"datasets": [1], "pages": [{"layout": [1]}]},
    ):
        assert findings(json.dumps(value)), value


def test_the_linter_sees_a_key_that_is_there_twice():
    text = build.FILE.read_text().replace('"version": 3', '"version": 2, "version": 3', 1)
    assert [str(one) for one in findings(text)] == [
        "file: key version is there twice in one object; keep one"
    ]


def test_the_linter_is_a_command(tmp_path, root):
    def lint(*names):
        command = [sys.executable, "-m", "dashboards.lint", *map(str, names)]
        return subprocess.run(command, cwd=root, capture_output=True, text=True)

    good = lint()
    assert (good.returncode, good.stdout) == (0, "dashboards.lint: nothing found\n")
    broken = tmp_path / "broken.lvdash.json"
    broken.write_text(
        build.FILE.read_text().replace('"datasetName": "drift"', '"datasetName": "d"')
    )
    bad = lint(build.FILE, broken, tmp_path / "none.lvdash.json")
    assert bad.returncode == 1
    assert f"{broken}: debugging/drift: query main_query reads dataset d" in bad.stdout
    assert "none.lvdash.json: cannot be read" in bad.stdout


def test_make_lint_checks_the_dashboard(root):
    assert "-m dashboards.lint ||" in (root / "Makefile").read_text()


@pytest.mark.parametrize(
    "text, columns",
    [
        ("select a, t.b, c as d, e f from t", ["a", "b", "d", "f"]),
        ("with x as (select z from y) select `a b`, max(c) as m from x", ["a b", "m"]),
        ("select a -- as b\n, ', c' as d, f(g, h) as i from t", ["a", "d", "i"]),
        ("select a, * from t", None),
        ("select t.* from t", None),
    ],
)
def test_columns_of_a_query(text, columns):
    assert sql.columns(text) == columns


@pytest.mark.parametrize(
    "text, tables",
    [
        (
            "with x as (select 1 from a), y as (select 2 from x) select z from y join b on true",
            ["a", "b"],
        ),
        ("select 'from nowhere' from c.`s`.t -- from comment", ["c.`s`.t"]),
        ("select 1 from (select 2 from a) as x", ["a"]),
    ],
)
def test_tables_of_a_query(text, tables):
    assert sql.tables(text) == tables


def test_every_widget_type_has_one_version_of_those_seen():
    assert {
        (kind, version) for kind, version in shapes.SPECS if version not in shapes.VERSIONS[kind]
    } == set()
