"""Column types of examples, and the JSON form of types and values.

A value in memory is plain Python: int, Decimal, float, date, datetime (naive; UTC for timestamp),
str, bool, bytes, list (array), tuple (struct, in field order), list of pairs (map), int for
intervals (months, microseconds) and JSON text for variant. None is NULL everywhere.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

INTEGERS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
NUMBERS = {*INTEGERS, "decimal", "float", "double"}
TIMES = {"date", "timestamp", "timestamp_ntz"}
NESTED = {"array", "map", "struct"}
YEAR_MONTH = {"interval year", "interval month", "interval year to month"}
DAY_TIME = {
    f"interval {first}" if first == last else f"interval {first} to {last}"
    for i, first in enumerate(("day", "hour", "minute", "second"))
    for last in ("day", "hour", "minute", "second")[i:]
}
# What Delta cannot hold: such columns are read through a view.
VIEW_ONLY = {*YEAR_MONTH, *DAY_TIME, "void", "variant"}


@dataclass(frozen=True)
class Type:
    """A Spark type; fields are (name, type) of a struct, one of an array, two of a map."""

    name: str
    precision: int = 0
    scale: int = 0
    fields: tuple[tuple[str, "Type"], ...] = ()

    def field(self, name):
        """The type of a part, found without regard to case; None where there is none."""
        return next((t for n, t in self.fields if n.lower() == name.lower()), None)

    def __str__(self):
        """Spark's simpleString."""
        if self.name == "decimal":
            return f"decimal({self.precision},{self.scale})"
        if self.name in ("array", "map"):
            return f"{self.name}<{','.join(str(t) for _, t in self.fields)}>"
        if self.name == "struct":
            return f"struct<{','.join(f'{n}:{t}' for n, t in self.fields)}>"
        return self.name

    def names(self):
        """The type's own name and those of all its parts."""
        return {self.name}.union(*(t.names() for _, t in self.fields))


def decimal(precision, scale):
    return Type("decimal", precision, scale)


def array(element):
    return Type("array", fields=(("element", element),))


def map_of(key, value):
    return Type("map", fields=(("key", key), ("value", value)))


def struct(*fields):
    return Type("struct", fields=tuple(fields))


def dump_type(kind):
    """A type as JSON: text for scalars, {"struct": [[name, type], ...]} and the like for nested."""
    if kind.name == "struct":
        return {"struct": [[name, dump_type(part)] for name, part in kind.fields]}
    if kind.name in NESTED:
        return {kind.name: [dump_type(part) for _, part in kind.fields]}
    return str(kind)


def load_type(form):
    """The type of dump_type's JSON, or of Spark's text of a scalar type."""
    if isinstance(form, str):
        name, _, rest = form.strip().lower().partition("(")
        if name in ("decimal", "dec", "numeric"):
            precision, _, scale = rest.rstrip(")").partition(",")
            return decimal(int(precision or 10), int(scale or 0))
        aliases = {"integer": "int", "byte": "tinyint", "short": "smallint", "long": "bigint"}
        return Type(aliases.get(name, form.strip().lower()))
    (name, parts) = next(iter(form.items()))
    if name == "struct":
        return struct(*((field, load_type(part)) for field, part in parts))
    return array(load_type(parts[0])) if name == "array" else map_of(*map(load_type, parts))


def dump_value(value, kind):
    """A value as JSON; numbers other than integers, times and binary are text."""
    if value is None or isinstance(value, str | bool):
        return value
    if kind.name in ("decimal", "float", "double"):
        return repr(value) if isinstance(value, float) else str(value)
    if kind.name == "date":
        return value.isoformat()
    if kind.name in TIMES:
        return value.isoformat(sep=" ")
    if kind.name == "binary":
        return value.hex()
    if kind.name == "array":
        return [dump_value(item, kind.fields[0][1]) for item in value]
    if kind.name == "map":
        (_, key), (_, item) = kind.fields
        return [[dump_value(k, key), dump_value(v, item)] for k, v in value]
    if kind.name == "struct":
        return [dump_value(v, t) for v, (_, t) in zip(value, kind.fields, strict=True)]
    return value


def load_value(form, kind):
    """The value of dump_value's JSON."""
    if form is None:
        return None
    scalars = {
        "decimal": Decimal,
        "float": float,
        "double": float,
        "date": date.fromisoformat,
        "timestamp": datetime.fromisoformat,
        "timestamp_ntz": datetime.fromisoformat,
        "binary": bytes.fromhex,
    }
    if kind.name in scalars:
        return scalars[kind.name](form)
    if kind.name == "array":
        return [load_value(item, kind.fields[0][1]) for item in form]
    if kind.name == "map":
        (_, key), (_, item) = kind.fields
        return [(load_value(k, key), load_value(v, item)) for k, v in form]
    if kind.name == "struct":
        return tuple(load_value(v, t) for v, (_, t) in zip(form, kind.fields, strict=True))
    return form
