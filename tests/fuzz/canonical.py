"""Canonical values: one text per value, whatever type of its family holds it.

A canonical value is a JSON fragment (text), NULL is None; two cells are equal exactly when their
fragments are. All arithmetic is exact.
"""

import json
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal

from tests.fuzz.datatypes import DAY_TIME, NUMBERS, TIMES, YEAR_MONTH, Type

# Doubles span 1E308 to 5E-324: no result of adding or comparing two of them is ever rounded.
EXACT = Context(prec=2000, Emax=99999, Emin=-99999)
EPOCH = datetime(1970, 1, 1)


class Undecided(Exception):
    """The contract does not say what happens here, or this oracle does not know it."""


class OtherFamily(Exception):
    """Two types that are compared by no value."""


@dataclass(frozen=True)
class Unread:
    """A value that compare_as could not read: it keeps its text."""

    text: str


@dataclass(frozen=True)
class Common:
    """What two types have in common: a kind, and parts in the target's spelling."""

    kind: str
    parts: tuple[tuple[str, "Common"], ...] = ()

    def part(self, name):
        return next(common for known, common in self.parts if known.lower() == name.lower())


def family(kind: Type) -> str:
    """The family of a type; nested types and variant are families of their own name."""
    for name, members in (
        ("number", NUMBERS),
        ("time", TIMES),
        ("months", YEAR_MONTH),
        ("micros", DAY_TIME),
    ):
        if kind.name in members:
            return name
    return "string" if kind.name.startswith("string") else kind.name


def common_type(source: Type, target: Type) -> Common:
    """What the two types are compared as. Raises OtherFamily, also for a part of theirs."""
    if "void" in (source.name, target.name):
        known = target if source.name == "void" else source
        return Common("void") if known.name == "void" else common_type(known, known)
    if family(source) != family(target):
        raise OtherFamily
    if source.name == "struct":
        fields = [(n, t) for n, t in target.fields if source.field(n)]
        return Common("struct", tuple((n, common_type(source.field(n), t)) for n, t in fields))
    if source.fields:
        pairs = zip(source.fields, target.fields, strict=True)
        return Common(source.name, tuple((n, common_type(s, t)) for (n, s), (_, t) in pairs))
    if family(source) == "time":
        return Common("date" if source.name == target.name == "date" else "timestamp")
    return Common(family(source))


def one_sided_fields(source: Type, target: Type) -> set[str]:
    """The sides ("source", "target") that have a struct field the other lacks, at any depth."""
    if source.name != target.name or not source.fields:
        return set()
    sides = set()
    if source.name == "struct":
        sides |= {"source" for name, _ in source.fields if not target.field(name)}
        sides |= {"target" for name, _ in target.fields if not source.field(name)}
    for name, kind in source.fields:
        if target.field(name):
            sides |= one_sided_fields(kind, target.field(name))
    return sides


def types_differ(source: Type, target: Type) -> bool:
    """Whether the declared types differ by more than order, case and presence of struct fields."""
    if source.name != target.name or len(source.fields) == len(target.fields) == 0:
        return source != target
    shared = [(kind, target.field(name)) for name, kind in source.fields if target.field(name)]
    return any(types_differ(*kinds) for kinds in shared)


def number(value) -> Decimal | str:
    """A number by value: exact decimal, or the name of a value that is no number."""
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        # A 32-bit float is held as the double it widens to; repr is the shortest that reads back.
        return Decimal(repr(value))
    return Decimal(value)


def number_text(value) -> str:
    """Plain digits without trailing zeros, or digits and exponent beyond 40 before, 60 after."""
    exact = number(value)
    if isinstance(exact, str):
        return exact
    if not exact:
        return "0"
    exact = EXACT.normalize(exact)
    sign, digits, exponent = exact.as_tuple()
    if len(digits) + exponent <= 40 and -exponent <= 60:
        return format(exact, "f")
    return f"{'-' * sign}{''.join(map(str, digits))}E{exponent}"


def instant(value) -> datetime:
    """A date's midnight; a timestamp as it is."""
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def microseconds(value) -> int:
    """Microseconds since 1970 of a date or timestamp."""
    return (instant(value) - EPOCH) // timedelta(microseconds=1)


def time_text(value, kind: str) -> str:
    if kind == "date":
        return (value.date() if isinstance(value, datetime) else value).isoformat()
    text = instant(value).isoformat(sep=" ")
    return text.rstrip("0") if "." in text else text


def json_text(value) -> str:
    """Compact JSON of plain Python values, as Spark writes it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Python's digits of an escaped control character are lower-case, Spark's are not.
    return re.sub(r"(?<!\\)((?:\\\\)*\\u00)(1[a-f]|0[a-f])", lambda m: m[1] + m[2].upper(), text)


def reject_constant(name):
    raise ValueError(f"{name} is not JSON")


def read_json(text: str):
    """The value of a JSON text, numbers as Decimal. Raises ValueError; also for a key twice."""

    def unique(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    return json.loads(
        text,
        parse_int=Decimal,
        parse_float=Decimal,
        parse_constant=reject_constant,
        object_pairs_hook=unique,
    )


def canonical_json(value) -> str:
    """Canonical text of a value of read_json: keys sorted, numbers by value."""
    if isinstance(value, dict):
        entries = (f"{json_text(key)}:{canonical_json(value[key])}" for key in sorted(value))
        return "{" + ",".join(entries) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    return number_text(value) if isinstance(value, Decimal) else json_text(value)


def scalar_text(value, kind: str) -> str:
    """Canonical text of a value that has no parts."""
    if kind in ("date", "timestamp"):
        return time_text(value, kind)
    if kind in ("number", "months", "micros"):
        return number_text(value)
    if kind == "boolean":
        return str(value).lower()
    return value.hex().upper() if kind == "binary" else value


def fragment(value, common: Common, unordered=frozenset(), path=()) -> str:
    """The JSON of a value; unordered holds the paths of arrays whose order does not count."""
    if value is None:
        return "null"
    if isinstance(value, Unread):
        return json_text(value.text)
    parts = [(name, part, (*path, name.lower())) for name, part in common.parts]
    if common.kind == "struct":
        ordered = sorted(parts, key=lambda part: part[0].lower())
        fields = (
            f"{json_text(name)}:{fragment(value[name.lower()], part, unordered, where)}"
            for name, part, where in ordered
        )
        return "{" + ",".join(fields) + "}"
    if common.kind == "array":
        ((_, part, where),) = parts
        items = [fragment(item, part, unordered, where) for item in value]
        return "[" + ",".join(sorted(items) if path in unordered else items) + "]"
    if common.kind == "map":
        entries = (":".join(entry) for entry in map_entries(value, common, unordered, path))
        return "{" + ",".join(sorted(entries)) + "}"
    if common.kind == "variant":
        return canonical_json(read_json(value))
    text = scalar_text(value, common.kind)
    plain = common.kind in ("months", "micros", "boolean") or (
        common.kind == "number" and not isinstance(number(value), str)
    )
    return text if plain else json_text(text)


def map_entries(value, common: Common, unordered, path) -> list[tuple[str, str]]:
    """Key (always JSON text) and value of each entry, as JSON."""
    key, item = common.part("key"), common.part("value")
    entries = []
    for k, v in value:
        if k is None:
            raise Undecided("a map key that a rule made NULL")
        text = fragment(k, key, unordered, (*path, "key"))
        quoted = text if text.startswith('"') else json_text(text)
        entries.append((quoted, fragment(v, item, unordered, (*path, "value"))))
    return entries


def is_composite(common: Common) -> bool:
    """Whether the recorded text of a value is its JSON."""
    return bool(common.parts) or common.kind in ("struct", "variant")


def value_text(value, common: Common, unordered=frozenset()) -> str | None:
    """The text that the record shows; None for NULL."""
    if value is None:
        return None
    if isinstance(value, Unread):
        return value.text
    if is_composite(common):
        return fragment(value, common, unordered)
    return scalar_text(value, common.kind)


def is_date(value) -> bool:
    return isinstance(value, date)
