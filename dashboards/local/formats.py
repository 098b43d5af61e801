"""Colours, conditions and number formats of the dashboard file, in the page's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dashboards.local.unknown import UnknownInDashboard

OPERATORS = ("=", "<>", "<", "<=", ">", ">=")
HEX = re.compile(r"#[0-9A-Fa-f]{6}")
# A number format of table version 1: grouping, decimals, optional decimals, percent.
NUMERAL = re.compile(r"0(?P<group>,0)?(?:\.(?P<exact>0*)(?:\[(?P<optional>0+)\])?)?(?P<percent>%)?")


def color(value: Any, palette: Sequence[str], where: str) -> str | None:
    """Return #rrggbb of any of the file's forms of a colour, None for none."""
    if value is None:
        return None
    if isinstance(value, dict) and "hex" in value:
        value = value["hex"]
    if isinstance(value, dict) and value.get("themeColorType") == "visualizationColors":
        position = value.get("position", -1)
        value = palette[position] if 0 <= position < len(palette) else value
    if isinstance(value, str) and HEX.fullmatch(value):
        return value
    raise UnknownInDashboard(where, f"the colour {value!r}")


def ink(background: str) -> str:
    """Return black or white, whichever contrasts more with a background #rrggbb (WCAG 2)."""
    parts = (int(background[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    red, green, blue = linear
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def condition(field: str, operator: str, literal: Any, where: str) -> dict[str, Any]:
    """Return {field, operator, literal}; the page compares as numbers where both sides are."""
    if operator not in OPERATORS:
        raise UnknownInDashboard(where, f"the operator {operator!r}")
    return {"field": field, "operator": operator, "literal": literal}


def number_format(given: dict[str, Any] | None, where: str) -> dict[str, Any] | None:
    """Return the options of Intl.NumberFormat for a format of counters, charts and table 2."""
    if not given or given.get("type") in ("date", "datetime", "date-time"):
        return None
    kind = given.get("type")
    if kind not in ("number", "number-plain", "number-percent"):
        raise UnknownInDashboard(where, f"the number format {kind!r}")
    options: dict[str, Any] = {"useGrouping": not given.get("hideGroupSeparator", False)}
    if kind == "number-percent":
        options["style"] = "percent"
    if given.get("abbreviation", "none") == "compact":
        options["notation"] = "compact"
    if places := given.get("decimalPlaces"):
        options["maximumFractionDigits"] = places["places"]
        options["minimumFractionDigits"] = places["places"] if places["type"] == "exact" else 0
    return options


def numeral_format(text: str | None, where: str) -> dict[str, Any] | None:
    """Return the options of Intl.NumberFormat for a format of table 1 such as `0,0.00`."""
    if not text:
        return None
    found = NUMERAL.fullmatch(text)
    if not found:
        raise UnknownInDashboard(where, f"the number format {text!r}")
    exact = len(found["exact"] or "")
    options: dict[str, Any] = {
        "useGrouping": bool(found["group"]),
        "minimumFractionDigits": exact,
        "maximumFractionDigits": exact + len(found["optional"] or ""),
    }
    return options | ({"style": "percent"} if found["percent"] else {})
