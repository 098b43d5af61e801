"""Random types and values, and values that differ a little."""

import json
import math
import random
import struct as binary_form
import unicodedata
from datetime import date, datetime, timedelta
from decimal import Decimal

from tests.fuzz.canonical import EXACT
from tests.fuzz.datatypes import INTEGERS, Type, array, decimal, map_of, struct

# Left out: letters that Spark's lower() and Python's disagree on (final sigma, dotted I).
PIECES = (
    *(
        "a",
        "B",
        "x",
        "Zz",
        "é",
        "e\u0301",
        "Å",
        "\u212b",
        "ß",
        "ñ",
        "Ж",
        "日本",
        "😀",
        "ﬁ",
        "\uff21",
    ),
    *(" ", "  ", "\u00a0", "\u2007", "\u202f", "\u200b", "\u200d", "\u2060", "\ufeff", "\u3000"),
    *("\t", "\n", "\r", "\x00", "\x1f", "\x7f", "\x85", "\u2028"),
    *("'", '"', "\\", "`", "$", "$value", "{", "}", "[", "]", ",", ":", ";", "|", "%", "/", "\\n"),
    *("0", "1", "-", ".", "_", "null"),
)
WORDS = (
    *(
        "",
        "",
        " ",
        "null",
        "NULL",
        "None",
        "NaN",
        "nan",
        "\\N",
        "<NULL>",
        "true",
        "t",
        "false",
        "no",
    ),
    *(
        "0",
        "1",
        "007",
        "7",
        " 12 ",
        "12",
        "-5",
        "+5",
        "1.50",
        "1.5",
        "1.0",
        "1e3",
        "1000",
        "-0",
        "0.1",
    ),
    *("1.005", "12345678901234567890", "4410027735119086620043718850061297", ".5", "abc", "12a"),
    *("2024-01-05", "2024-1-6", "2024-01-06", "2024-02-30", "0001-01-01", "9999-12-31"),
    *("2024-01-05 10:00:00", "2024-01-05T10:00:00Z", "2024-01-05 10:00:00.5", "12:30:00"),
    *("2024-01-05 10:00:00.123456", "2024-01-05 10:00:00.1234567", "2024-01-05T10:00:00+02:00"),
    *("2024-03-10 02:30:00", "2024-11-03 01:30:00", "2024-13-01 00:00:00"),
)
JSON_TEXTS = (
    *('{"a":1,"b":[1,2]}', '{"b":[1, 2],"a":1.0}', "[1,2]", "[2,1]", "[ 1 , 2.0 ]", "{}", "[]"),
    *('{"a":1,"a":2}', '{"a":', "[1,]", '"x"', '{"é":"\\u00e9"}', '{"é":"é"}', "1e2", "100", "-0"),
    *('{"a":{"d":null,"c":true}}', '{"a": {"c": true, "d": null}}', '{"a!":1,"a":2}', "01"),
    *('{"a":"\\/"}', '{"a":"/"}', '{"a":"\\t"}', "{'a':1}", '{"A":1,"a":2}', '{"":0}', "tru"),
)
FLOATS = (0.0, -0.0, 0.1, 0.1 + 0.2, 0.3, 1.0, 1.5, 2.5, 100.01, 100.0, 640.0, 646.4, 1e21, 2e-3)
SPECIAL = (math.nan, math.inf, -math.inf)
# 2E23 and 5E-324 are numbers that some printers of doubles give more digits than they need.
DOUBLES = (5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 2e23, 1e23, 1e40, 1e39, 9.5e-61)
SINGLES = (1.401298464324817e-45, 3.4028234663852886e38, 1.1754943508222875e-38)
DATES = (
    *(date(1, 1, 1), date(1582, 10, 4), date(1582, 10, 15), date(1500, 2, 28), date(1969, 12, 31)),
    *(date(1970, 1, 1), date(2024, 1, 31), date(2024, 2, 1), date(2024, 2, 29), date(9999, 12, 31)),
)
TIMES = (
    *(datetime(1, 1, 1), datetime(1582, 10, 10, 12), datetime(1883, 11, 18, 12, 3, 58)),
    *(datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(1970, 1, 1), datetime(2024, 1, 31)),
    *(datetime(2024, 3, 10, 2, 30), datetime(2024, 11, 3, 1, 30), datetime(2024, 7, 1, 12)),
    *(datetime(2024, 3, 31, 2, 30, 0, 1), datetime(2024, 10, 27, 2, 30), datetime(2024, 1, 5, 10)),
    *(datetime(2024, 1, 1, 0, 0, 0, 123956), datetime(2024, 1, 1, 0, 0, 0, 123000)),
    *(datetime(2024, 1, 1, 0, 0, 0, 500000), datetime(9999, 12, 31, 23, 59, 59, 999999)),
)
BINARIES = (b"", b"\0", b"\0\0", b"\xff", b"abc", b"null")
VARIANTS = ("1", "1.0", "null", '"a"', '{"a":1,"b":2}', '{"b":2.00,"a":1}', "[1,2]", "true", "[]")
SPANS = (0, 1, -1, 86_400_000_000, 3_600_000_000, -90_061_000_001)
MONTHS = (0, 1, 12, -1, -13, 1200)
FIELD_NAMES = ("x", "Y", "z w", "ä", "element", "key", "value", "a.b", "$value", "Z2")
SCALARS = (
    *("tinyint", "smallint", "int", "int", "bigint", "decimal", "decimal", "float", "double"),
    *("double", "date", "timestamp", "timestamp", "timestamp_ntz", "string", "string", "string"),
    *("boolean", "binary"),
)
VIEW_TYPES = (
    *("void", "variant", "interval year to month", "interval month"),
    *("interval day to second", "interval hour to second"),
)


class Dice:
    """Makes all choices; the same seed makes the same ones, whatever else the process runs.

    Not by hypothesis: it mixes in constants of the modules that happen to be loaded.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, percent):
        return self.number(0, 99) < percent

    def pick(self, options):
        return self.random.choice(tuple(options))

    def number(self, lowest, highest):
        return self.random.randint(lowest, highest)

    def shuffled(self, items):
        return self.random.sample(tuple(items), len(items))

    def some(self, options, least, most):
        """Between `least` and `most` of the options, none of them twice, in any order."""
        return self.shuffled(options)[: self.number(least, most)]


def scalar_types(dice):
    name = dice.pick(SCALARS)
    if name != "decimal":
        return Type(name)
    precision = dice.pick((1, 5, 10, 18, 19, 38))
    scale = dice.pick({0, min(2, precision), precision // 2, precision})
    return decimal(precision, scale)


def any_type(dice, depth=2):
    """A column's type; nested ones are up to `depth` deep."""
    if depth == 0 or not dice.chance(25):
        return scalar_types(dice)
    form = dice.pick(("array", "map", "struct", "struct"))
    if form == "array":
        return array(any_type(dice, depth - 1))
    if form == "map":
        return map_of(scalar_types(dice), any_type(dice, depth - 1))
    names = dice.some(FIELD_NAMES, 1, 3)
    return struct(*((name, any_type(dice, depth - 1)) for name in names))


def any_value(dice, kind: Type):
    """A value of a type, not NULL at the top; edges are as frequent as ordinary values."""
    name = kind.name
    if name in INTEGERS:
        return integer(dice, 2 ** (INTEGERS[name] - 1))
    if name == "decimal":
        top = 10**kind.precision - 1
        units = dice.pick((dice.number(-5, 9), top, -top, top // 2, dice.number(-top, top)))
        return of_units(max(-top, min(top, units)), kind.scale)
    if name in ("float", "double"):
        return floating(dice, name)
    if name == "array":
        return [nullable(dice, kind.fields[0][1]) for _ in range(dice.number(0, 3))]
    if name == "map":
        (_, key), (_, item) = kind.fields
        keys = {repr(k): k for k in (map_key(dice, key) for _ in range(dice.number(0, 3)))}
        return [(k, nullable(dice, item)) for k in keys.values()]
    if name == "struct":
        return tuple(nullable(dice, part) for _, part in kind.fields)
    return simple_value(dice, name)


def of_units(units, scale):
    """The decimal of a number of units of its last digit."""
    return EXACT.scaleb(Decimal(units), -scale)


def simple_value(dice, name):
    """A value of a type without parameters and parts."""
    if name == "string":
        return text(dice)
    if name == "date":
        return dice.pick((dice.pick(DATES), date.fromordinal(dice.number(1, 3652059))))
    if name in ("timestamp", "timestamp_ntz"):
        micros = dice.number(0, 315537897599999999)
        return dice.pick((dice.pick(TIMES), datetime.min + timedelta(microseconds=micros)))
    if name == "boolean":
        return dice.chance(50)
    if name.startswith("interval"):
        return dice.pick(SPANS if "to second" in name else MONTHS)
    return dice.pick({"binary": BINARIES, "variant": VARIANTS, "void": (None,)}[name])


def integer(dice, half):
    edges = (-half, half - 1, 100, 127, 9007199254740993 % half)
    everyday = dice.number(-3, 9)
    return dice.pick((everyday, everyday, dice.pick(edges), dice.number(-half, half - 1)))


def floating(dice, name):
    """A double, or the double that a 32-bit float widens to."""
    width, edges = (32, SINGLES) if name == "float" else (64, DOUBLES)
    any_bits = dice.number(0, 2**width - 1).to_bytes(width // 8, "little")
    usual = dice.pick(FLOATS)
    found = dice.pick(
        (
            *(usual, usual, dice.number(-5, 5) / 4, dice.pick(SPECIAL), dice.pick(edges)),
            binary_form.unpack("<f" if name == "float" else "<d", any_bits)[0],
        )
    )
    return single(found) if name == "float" else found


def single(number):
    """The 32-bit float next to a double, as the double it widens to; infinite beyond the range."""
    try:
        return binary_form.unpack("f", binary_form.pack("f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def map_key(dice, kind):
    """Spark holds -0.0 and 0.0 as one key of a map."""
    key = any_value(dice, kind)
    return key + 0.0 if isinstance(key, float) else key


def text(dice):
    built = "".join(dice.pick(PIECES) for _ in range(dice.number(0, 4)))
    return dice.pick((built, built, dice.pick(WORDS), dice.pick(JSON_TEXTS)))


def nullable(dice, kind: Type):
    return None if dice.chance(20) else any_value(dice, kind)


# --- a little different --------------------------------------------------------------------------


def edited(dice, value, kind: Type):
    """A value that may be equal by some rule, near, NULL, or quite another."""
    if value is None:
        return any_value(dice, kind)
    if dice.chance(12):
        return None
    if dice.chance(20):
        return nullable(dice, kind)
    if kind.name in INTEGERS:
        half = 2 ** (INTEGERS[kind.name] - 1)
        return max(-half, min(half - 1, value + dice.pick((1, -1, 2))))
    if kind.name == "decimal":
        top, units = 10**kind.precision - 1, int(EXACT.scaleb(value, kind.scale))
        return of_units(max(-top, min(top, units + dice.pick((1, -1)))), kind.scale)
    if kind.name in ("float", "double"):
        near = dice.pick(NUMBER_EDITS)(value)
        return single(near) if kind.name == "float" else near
    if kind.name == "struct":
        return edited_struct(dice, value, kind)
    return edited_parts(dice, value, kind) if kind.fields else edited_scalar(dice, value, kind)


def edited_scalar(dice, value, kind):
    if kind.name == "string":
        return dice.pick(TEXT_EDITS)(value)
    if kind.name == "boolean":
        return not value
    if kind.name == "binary":
        return value + b"\0"
    if kind.name == "date":
        return moved(value, days=dice.pick((1, -1)))
    if kind.name in ("timestamp", "timestamp_ntz"):
        return dice.pick(TIME_EDITS)(value)
    return any_value(dice, kind)


def moved(value, **step):
    """A date or time moved by a step, where there is such a one."""
    try:
        return value + timedelta(**step)
    except OverflowError:
        return value


def edited_struct(dice, value, kind):
    if dice.chance(10):
        return (None,) * len(value)
    i = dice.number(0, len(value) - 1)
    return (*value[:i], edited(dice, value[i], kind.fields[i][1]), *value[i + 1 :])


def edited_parts(dice, value, kind):
    """An array or map in another order, shorter, or with another element or value."""
    if not value:
        return any_value(dice, kind)
    form = dice.pick(("reversed", "shorter", "inside", "inside"))
    if form == "reversed":
        return value[::-1]
    if form == "shorter":
        return value[:-1]
    i = dice.number(0, len(value) - 1)
    if kind.name == "array":
        return [*value[:i], edited(dice, value[i], kind.fields[0][1]), *value[i + 1 :]]
    key, held = value[i]
    return [*value[:i], (key, edited(dice, held, kind.fields[1][1])), *value[i + 1 :]]


def rewritten_json(text):
    """The same JSON value in another spelling; the text itself where it is none."""
    try:
        return json.dumps(json.loads(text), sort_keys=True, indent=1)
    except ValueError:
        return text


TEXT_EDITS = (
    lambda s: s + " ",
    lambda s: s + " ",
    lambda s: " " + s,
    lambda s: s + "\u00a0",
    lambda s: "\ufeff" + s,
    lambda s: s[:1] + "\u200b" + s[1:],
    lambda s: s.replace(" ", "\u00a0"),
    lambda s: s + "\n",
    lambda s: s + "\u3000",
    lambda s: s.upper(),
    lambda s: s.lower(),
    lambda s: unicodedata.normalize("NFD", s),
    lambda s: unicodedata.normalize("NFC", s),
    lambda s: unicodedata.normalize("NFKC", s),
    lambda s: "",
    lambda s: s + "x",
    lambda s: s[:-1],
    rewritten_json,
    rewritten_json,
)
NUMBER_EDITS = (
    lambda v: math.nextafter(v, math.inf),
    lambda v: math.nextafter(v, -math.inf),
    lambda v: v + 0.005,
    lambda v: v + 0.01,
    lambda v: v * 1.01,
    lambda v: v * 1.005,
    lambda v: -v,
)
TIME_EDITS = (
    lambda v: moved(v, microseconds=1),
    lambda v: moved(v, seconds=1),
    lambda v: moved(v, milliseconds=-200),
    lambda v: moved(v, hours=5),
    lambda v: moved(v, hours=-1),
    lambda v: moved(v, days=1),
    lambda v: v.replace(microsecond=v.microsecond // 1000 * 1000),
    lambda v: v.replace(hour=0, minute=0, second=0, microsecond=0),
)
