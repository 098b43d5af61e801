"""Column rules: which line applies where, and what it makes of a value.

A place is a path of lower-case steps, the column first: ("s", "list", "element").
"""

import json
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from zoneinfo import ZoneInfo

from tests.fuzz.canonical import (
    EPOCH,
    EXACT,
    Undecided,
    Unread,
    canonical_json,
    family,
    instant,
    is_date,
    number,
    read_json,
    scalar_text,
    time_text,
)
from tests.fuzz.datatypes import INTEGERS, NESTED, Type, load_type

ORDER = (
    "strip_invisible",
    "trim",
    "unicode_normalize",
    "case_insensitive",
    "empty_as_null",
    "json_canonical",
    "value_map",
    "compare_as",
    "time_zone",
    "date_only",
    "timestamp_precision",
    "array_unordered",
)
TOLERANCES = ("round", "abs_tolerance", "rel_tolerance", "abs_tolerance_seconds")
TEXT_RULES = {
    "strip_invisible",
    "trim",
    "unicode_normalize",
    "case_insensitive",
    "json_canonical",
}
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\u180e\ufeff"))
NO_BREAK = dict.fromkeys(map(ord, "\u00a0\u2007\u202f"), " ")
WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
PRECISION = {"us": 1, "ms": 1_000, "s": 1_000_000, "min": 60_000_000}


def kind_fits(rule: str, argument: str, kind: Type) -> bool:
    """Whether a rule fits a side's type, as the rules before it have made that type."""
    if rule in TEXT_RULES:
        return family(kind) == "string"
    if rule == "empty_as_null":
        return family(kind) == "string" or kind.name in NESTED
    if rule in ("value_map", "compare_as"):
        return kind.name not in (*NESTED, "variant")
    if rule == "time_zone":
        return kind.name == "timestamp_ntz"
    if rule == "timestamp_precision":
        # Whether it fits a date, which it leaves as it is, is not said: no example of ours.
        return family(kind) == "time" and kind.name != "date"
    if rule in ("date_only", "abs_tolerance_seconds"):
        return family(kind) == "time"
    if rule in ("round", "abs_tolerance", "rel_tolerance"):
        return family(kind) == "number"
    if rule == "array_unordered":
        return kind.name == "array"
    raise Undecided(f"rule {rule}")


def type_after(rule: str, argument: str, kind: Type, declared_target: Type | None) -> Type:
    """The type that a side has after a rule that fits."""
    if rule == "value_map" and any(v is not None for v in json.loads(argument).values()):
        return Type("string")
    if rule == "compare_as":
        return compared_type(argument, declared_target)
    if rule == "time_zone":
        return Type("timestamp")
    return Type("date") if rule == "date_only" else kind


def compared_type(argument: str, declared_target: Type | None) -> Type:
    """The type that compare_as names."""
    kind = declared_target if argument == "target" else load_type(argument)
    if kind is None or kind.name in (*NESTED, "variant", "void", "binary"):
        raise Undecided(f"compare_as {kind}")
    return kind


class SideRules:
    """The rules of one side, by place, in force after precedence; used counts what applied."""

    def __init__(self, by_place, declared_target):
        self.by_place = by_place
        self.declared_target = declared_target
        self.used = set()

    def steps(self, place, kind):
        """(rule, argument, type before, type after) of a place, in order."""
        found = self.by_place.get(place, {})
        for rule in ORDER:
            if rule not in found:
                continue
            argument, line = found[rule]
            if rule == "time_zone" and "compare_as" in found:
                # The reading of compare_as takes the zone.
                continue
            if not kind_fits(rule, argument, kind):
                continue
            self.used.add(line)
            after = type_after(rule, argument, kind, self.target_type(place))
            if rule == "compare_as" and "time_zone" in found and after.name == "timestamp":
                self.used.add(found["time_zone"][1])
            yield rule, argument, kind, after
            kind = after

    def target_type(self, place):
        """The declared type at a place on the target; None where it has none."""
        kind = self.declared_target
        for step in place[1:]:
            kind = kind and kind.field(step)
        return kind

    def ignores(self, place):
        rule = self.by_place.get(place, {}).get("ignore")
        if rule:
            self.used.add(rule[1])
        return bool(rule)

    def kind_after(self, kind, place):
        """The effective type: without ignored fields, each part after its rules."""
        fields = tuple(
            (name, self.kind_after(part, (*place, name.lower())))
            for name, part in kind.fields
            if not self.ignores((*place, name.lower()))
        )
        kind = Type(kind.name, kind.precision, kind.scale, fields)
        for _, _, _, after in self.steps(place, kind):
            kind = after
        return kind

    def declared_without_ignored(self, kind, place):
        """The declared type without ignored fields."""
        fields = tuple(
            (name, self.declared_without_ignored(part, (*place, name.lower())))
            for name, part in kind.fields
            if not self.ignores((*place, name.lower()))
        )
        return Type(kind.name, kind.precision, kind.scale, fields)

    def value_after(self, value, kind, place):
        """A value after all rules; a struct as dict of lower-case field names."""
        value = self.parts_after(value, kind, place)
        zone = self.by_place.get(place, {}).get("time_zone", (None,))[0]
        for rule, argument, before, after in self.steps(place, kind):
            if value is None or isinstance(value, Unread):
                return value
            if rule == "compare_as":
                value = read_as(value, before, after, zone)
            else:
                value = apply(rule, argument, value, before)
        return value

    def parts_after(self, value, kind, place):
        if value is None or not kind.fields:
            return value
        below = [(part, (*place, name.lower())) for name, part in kind.fields]
        if kind.name == "array":
            return [self.value_after(item, *below[0]) for item in value]
        if kind.name == "map":
            return [
                (self.value_after(k, *below[0]), self.value_after(v, *below[1])) for k, v in value
            ]
        return {
            where[-1]: self.value_after(item, part, where)
            for item, (part, where) in zip(value, below, strict=True)
            if not self.ignores(where)
        }

    def unordered(self):
        """Places of arrays whose order does not count, the column's own step left off."""
        return frozenset(
            place[1:] for place, rules in self.by_place.items() if "array_unordered" in rules
        )


def apply(rule: str, argument: str, value, kind: Type):
    """A value, not NULL, after one rule other than compare_as."""
    if rule == "strip_invisible":
        return value.translate(NO_BREAK).translate(INVISIBLE).strip(" ")
    if rule == "trim":
        if argument == "right_ws":
            return value.rstrip(WHITE_SPACE)
        return value.strip(" ") if argument == "both" else value.rstrip(" ")
    if rule == "unicode_normalize":
        return unicodedata.normalize(argument, value)
    if rule == "case_insensitive":
        return value.lower()
    if rule == "empty_as_null":
        is_empty = all(v is None for v in value.values()) if isinstance(value, dict) else not value
        return None if is_empty else value
    if rule == "json_canonical":
        return canonical_if_json(value)
    if rule == "value_map":
        return mapped(value, kind, json.loads(argument))
    if rule == "time_zone":
        return utc(value, argument)
    if rule == "date_only":
        return instant(value).date()
    if rule == "timestamp_precision":
        return floored(value, PRECISION[argument])
    return value


def canonical_if_json(text: str) -> str:
    try:
        return canonical_json(read_json(text))
    except ValueError:
        return text


def plain_text(value, kind: Type) -> str:
    """Canonical text of a scalar of one type."""
    if family(kind) == "time":
        return time_text(value, "date" if kind.name == "date" else "timestamp")
    return scalar_text(value, family(kind))


def mapped(value, kind: Type, mapping):
    """The value that value_map gives; text for unnamed values too, unless it only maps to NULL."""
    text = plain_text(value, kind)
    if text in mapping:
        return mapping[text]
    return text if any(v is not None for v in mapping.values()) else value


def utc(wall: datetime, zone: str) -> datetime:
    """UTC of a wall time: a gap is shifted forward, of an overlap it is the earlier offset."""
    try:
        return wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise Undecided("a time outside the years 1 to 9999") from error


def floored(value, unit: int):
    if not isinstance(value, datetime):
        return value
    since = (value - EPOCH) // timedelta(microseconds=1)
    try:
        return EPOCH + timedelta(microseconds=since // unit * unit)
    except OverflowError as error:
        raise Undecided("a time outside the years 1 to 9999") from error


# --- compare_as --------------------------------------------------------------------------------

TRUE = {"t", "true", "y", "yes", "1"}
FALSE = {"f", "false", "n", "no", "0"}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
TIMESTAMP = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[ T](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d+))?)?(Z|[+-]\d{2}:\d{2})?"
)


def read_as(value, before: Type, after: Type, zone: str | None):
    """A value read as another type; Unread where that fails or would lose something."""
    if before.name == "timestamp_ntz" and after.name == "timestamp":
        return utc(value, zone) if zone else value
    if before.name == after.name == "timestamp_ntz" and zone:
        return utc(value, zone)
    if zone and family(before) == "time":
        raise Undecided("a time with a zone, read as something else")
    text = plain_text(value, before)
    if family(after) == "string":
        return text
    trimmed = text.strip(" ") if family(before) == "string" else text
    read = read_text(trimmed, after, zone)
    return Unread(text) if read is None else read


def read_text(text: str, kind: Type, zone: str | None):
    """The value of a text without blanks around it; None where it cannot be read whole."""
    if text != text.strip():
        raise Undecided("white space other than blanks around a text that is read")
    if kind.name == "boolean":
        known = text.lower()
        return True if known in TRUE else False if known in FALSE else None
    if family(kind) == "number":
        return read_number(text, kind)
    if family(kind) == "time":
        return read_time(text, kind, zone)
    raise Undecided(f"text as {kind}")


def read_number(text: str, kind: Type):
    if kind.name in ("float", "double") and text.lower().lstrip("+-") in ("nan", "infinity", "inf"):
        if text not in ("NaN", "Infinity", "-Infinity"):
            raise Undecided("an odd spelling of a number that is none")
        return float(text)
    if not NUMBER.fullmatch(text):
        return None
    exact = Decimal(text)
    if kind.name in INTEGERS:
        half = 2 ** (INTEGERS[kind.name] - 1)
        is_whole = -half <= exact < half and exact == exact.to_integral_value()
        return int(exact) if is_whole else None
    if kind.name == "decimal":
        return read_decimal(exact, kind)
    if kind.name == "float":
        raise Undecided("text as float")
    near = float(text)
    return near if number(near) == exact else None


def read_decimal(exact: Decimal, kind: Type):
    try:
        cut = exact.quantize(Decimal(1).scaleb(-kind.scale), context=EXACT)
    except InvalidOperation as error:
        raise Undecided("a number of very many digits") from error
    fits = EXACT.abs(cut) < Decimal(10) ** (kind.precision - kind.scale)
    return cut if fits and cut == exact else None


def read_time(text: str, kind: Type, zone: str | None):
    found = TIMESTAMP.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    if hour is None and offset:
        raise Undecided("a date with a zone")
    if fraction and len(fraction) > 6:
        if fraction.endswith("0"):
            raise Undecided("more than six digits, the last of them zero")
        return None
    clock = [int(part or 0) for part in (hour, minute, second)]
    micros = int((fraction or "0").ljust(6, "0"))
    try:
        wall = datetime(int(year), int(month), int(day), *clock, micros)
    except ValueError:
        return None
    if kind.name == "date":
        if hour is None:
            return wall.date()
        if wall.time() == datetime.min.time():
            raise Undecided("midnight as a date")
        return None
    if kind.name == "timestamp_ntz" and offset:
        raise Undecided("text with a zone as timestamp without zone")
    if offset:
        return shifted(wall, offset)
    return utc(wall, zone) if zone else wall


def shifted(wall: datetime, offset: str) -> datetime:
    if offset == "Z":
        return wall
    hours, minutes = map(int, offset[1:].split(":"))
    away = timedelta(hours=hours, minutes=minutes)
    try:
        return wall - away if offset[0] == "+" else wall + away
    except OverflowError as error:
        raise Undecided("a time outside the years 1 to 9999") from error


# --- tolerances --------------------------------------------------------------------------------


def is_within(source, target, rules: dict[str, str]) -> bool:
    """Whether two scalars that differ are within any of the given tolerances."""
    if source is None or target is None or Unread in (type(source), type(target)):
        return False
    if is_date(source):
        limit = rules.get("abs_tolerance_seconds")
        away = (instant(source) - instant(target)) // timedelta(microseconds=1)
        return limit is not None and abs(away) <= EXACT.multiply(Decimal(limit), Decimal(10**6))
    if isinstance(source, str | bool | bytes):
        return False
    s, t = number(source), number(target)
    if isinstance(s, str) or isinstance(t, str):
        return False
    return any(judge(s, t, rule, argument) for rule, argument in rules.items())


def judge(s: Decimal, t: Decimal, rule: str, argument: str) -> bool:
    """One tolerance on two exact numbers."""
    away = EXACT.abs(EXACT.subtract(s, t))
    if rule == "abs_tolerance":
        return away <= Decimal(argument)
    if rule == "rel_tolerance":
        return away <= EXACT.multiply(Decimal(argument), max(EXACT.abs(s), EXACT.abs(t)))
    if rule == "round":
        return rounded(s, int(argument)) == rounded(t, int(argument))
    return False


def rounded(value: Decimal, digits: int) -> Decimal:
    unit = Decimal(1).scaleb(-digits)
    scaled = EXACT.divide(value, unit).to_integral_value(rounding=ROUND_HALF_UP, context=EXACT)
    return EXACT.multiply(scaled, unit)
