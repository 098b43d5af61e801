"""recon_within: tolerances judged on canonical JSON texts, in plain Python."""

import json

import pytest


@pytest.mark.parametrize(
    ("source", "target", "tolerances", "within"),
    [
        ("100", "100.01", {"abs_tolerance": "0.01"}, True),
        ("100", "100.0100000001", {"abs_tolerance": "0.01"}, False),
        ("0.3", "0.30000000000000004", {"abs_tolerance": "1e-9"}, True),
        ("17976931348623157E292", "1", {"abs_tolerance": "1"}, False),
        ("49E-325", "0", {"abs_tolerance": "1e-330"}, False),
        ('"NaN"', "1", {"abs_tolerance": "5", "rel_tolerance": "1"}, False),
        ('"Infinity"', '"-Infinity"', {"abs_tolerance": "5"}, False),
        ('"unread"', "1", {"abs_tolerance": "5"}, False),
        (None, "1", {"abs_tolerance": "5"}, False),
        ("640", "646.4", {"rel_tolerance": "0.01"}, True),
        ("640", "646.5", {"rel_tolerance": "0.01"}, False),
        ("0", "0.001", {"rel_tolerance": "0.01"}, False),
        ("0", "0.001", {"rel_tolerance": "0.01", "abs_tolerance": "0.001"}, True),
        ("0.0049", "0.0051", {"round": "2"}, False),
        ("0.0051", "0.0054", {"round": "2"}, True),
        ("-0.005", "-0.0149", {"round": "2"}, True),
        ("149", "51", {"round": "-2"}, True),
        ('"2023-12-31 23:59:59.9996"', '"2024-01-01 00:00:00"', {"abs_tolerance_seconds": "0.001"},
         True),
        ('"2024-01-01"', '"2024-01-02"', {"abs_tolerance_seconds": "86399"}, False),
        ('"2024-01-01"', "null", {"abs_tolerance_seconds": "86400"}, False),
    ],
)  # fmt: skip
def test_a_value_within_its_tolerances(comparisons, source, target, tolerances, within):
    tree = json.dumps({"value": tolerances})
    assert comparisons.is_within(source, target, tree) is within


CLOSE = {"value": {"abs_tolerance": "0.01"}}


@pytest.mark.parametrize(
    ("source", "target", "tree", "within"),
    [
        ("[1,2]", "[1.01,2]", {"items": CLOSE}, True),
        ("[1,2]", "[1.01]", {"items": CLOSE}, False),
        ("[1,null]", "[1.01,null]", {"items": CLOSE}, True),
        ("[1,null]", "[1.01,2]", {"items": CLOSE}, False),
        ("[[1],[2]]", "[[1.01],[2]]", {"items": {"items": CLOSE}}, True),
        ('{"a":1,"b":"x"}', '{"a":1.01,"b":"x"}', {"fields": {"a": CLOSE}}, True),
        ('{"a":1,"b":"x"}', '{"a":1.01,"b":"y"}', {"fields": {"a": CLOSE}}, False),
        ('{"k":1}', '{"k":1.01}', {"values": CLOSE}, True),
        ('{"k":1}', '{"l":1}', {"values": CLOSE}, False),
        ("[1]", "null", {"items": CLOSE}, False),
    ],
)
def test_parts_of_nested_values(comparisons, source, target, tree, within):
    assert comparisons.is_within(source, target, json.dumps(tree)) is within
