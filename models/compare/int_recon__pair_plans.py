"""The plan: one row per enabled pair, saying what this run compares and how.

Everything the comparison does is decided here and visible in the row: the pins, the matched
columns with the rules that apply, one canonical expression per side and column, how a canonical
value is written as text and as JSON. int_recon__comparisons only carries it out.
"""

import difflib
import hashlib
import json
import math
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from decimal import ROUND_FLOOR, Context, Decimal
from functools import partial
from threading import Event, Timer
from typing import NamedTuple

from pyspark.sql import functions as F
from pyspark.sql import types as T

PLAN_SCHEMA = """
    run_id string, pair_id string, original_pair_id string, in_scope boolean,
    source_relation string, target_relation string,
    source_identifier string, target_identifier string,
    source_alias string, target_alias string,
    source_pin struct<table_id: string, version: bigint>,
    target_pin struct<table_id: string, version: bigint>,
    key_columns array<string>, source_filter string, target_filter string,
    watermark_value string, source_after_watermark string, target_after_watermark string,
    columns array<struct<
        target_column: string, source_column: string, is_key: boolean, is_masked: boolean,
        type_source: string, type_target: string, family: string, rules: array<string>,
        source_expression: string, target_expression: string,
        text_expression: string, json_expression: string, within_expression: string,
        schema_finding: string, skipped_reason: string>>,
    settings map<string, string>, findings array<string>, notes array<string>,
    rules_not_applied array<string>, depends_on_time boolean,
    error_class string, error_message string,
    problems array<struct<field: string, value: string, problem: string, remedy: string>>,
    estimated_bytes bigint,
    config_hash string, plan_hash string,
    wave string, owner string, severity string, max_age_hours double
"""
# What a plan takes over from stg_recon__pairs.
PAIR_FACTS = (
    "pair_id", "original_pair_id", "source_relation", "target_relation", "settings", "findings",
    "config_hash", "wave", "owner", "severity", "max_age_hours",
)  # fmt: skip
# Settings that do not change the answer, but the gate, the labels or the schedule.
NO_ANSWER = (
    "max_mismatched_rows", "max_mismatched_pct", "max_age_hours", "timeout_minutes", "severity",
    "renamed_from",
)  # fmt: skip
SIDES = ("source", "target")
# Rules in the order of application, whatever the order in the file.
NUMBER_TOLERANCES = ("round", "abs_tolerance", "rel_tolerance")
TIME_TOLERANCES = ("abs_tolerance_seconds",)
RULE_ORDER = (
    "ignore", "exact", "source_column", "expression", "strip_invisible", "trim",
    "unicode_normalize", "case_insensitive", "empty_as_null", "json_canonical", "value_map",
    "compare_as", "time_zone", "date_only", "timestamp_precision", "array_unordered", "round",
    "abs_tolerance", "rel_tolerance", "abs_tolerance_seconds", "mask",
)  # fmt: skip

# Rules without which the others of a pair fit the same columns.
HARMLESS = (
    "strip_invisible", "trim", "unicode_normalize", "case_insensitive", "empty_as_null",
    "json_canonical", "array_unordered", "round", "abs_tolerance", "rel_tolerance",
    "abs_tolerance_seconds", "mask",
)  # fmt: skip

NESTED = (T.ArrayType, T.MapType, T.StructType)
TIMES = (T.DateType, T.TimestampType, T.TimestampNTZType)
# Types whose values are equal by value.
FAMILIES = {
    "number": T.NumericType,
    "time": TIMES,
    "text": (T.StringType, T.CharType, T.VarcharType),
    "boolean": T.BooleanType,
    "binary": T.BinaryType,
    "year-month interval": T.YearMonthIntervalType,
    "day-time interval": T.DayTimeIntervalType,
    "variant": T.VariantType,
}
INTEGER_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
MICROS = {"second": 1_000_000, "minute": 60_000_000, "hour": 3_600_000_000, "day": 86_400_000_000}
DAY = MICROS["day"]
PRECISION = {"us": 1, "ms": 1000, "s": MICROS["second"], "min": MICROS["minute"]}
# Enough digits for any double and decimal: nothing is rounded.
EXACT = Context(prec=2000)
# Python models may not hold doubled braces, which read as Jinja.
OPEN, CLOSE = "{", "}"

NOT_FOUND = re.compile(
    r"TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|NO_SUCH_CATALOG|CATALOG_NOT_FOUND"
)
NOT_PERMITTED = re.compile(r"INSUFFICIENT_PERMISSIONS|PERMISSION_DENIED|INSUFFICIENT_PRIVILEGES")
# Text literals, quoted names and comments.
UNSPOKEN = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|--[^\n]*|/\*.*?\*/", re.DOTALL
)
TIME_OR_CHANCE = re.compile(
    r"\b(current_date|current_timestamp|current_time|localtimestamp|now|curdate|unix_timestamp\(\)|"
    r"rand|randn|random|uuid|shuffle|current_user|session_user|monotonically_increasing_id)\b",
    re.IGNORECASE,
)


class PairError(Exception):
    """Why one pair cannot be compared: a class of the documented list, what is wrong, what to do
    about it, and which field of table_pairs.csv (or `rule`) with which value is the reason."""

    def __init__(self, error_class, problem, remedy, field=None, value=None):
        super().__init__(f"{problem}. {remedy}.")
        self.error_class, self.problem, self.remedy = error_class, problem, remedy
        self.field, self.value = field, value

    def as_problem(self):
        """The error as config_findings lists it: problem and remedy are parts of one sentence."""
        remedy = self.remedy[0].lower() + self.remedy[1:]
        return {
            "field": self.field, "value": self.value, "problem": self.problem, "remedy": remedy
        }  # fmt: skip


def raise_found(errors):
    """Raises PairErrors together, if there are any."""
    if errors:
        raise ExceptionGroup("a pair cannot be compared", errors)


def results_of(*calls):
    """The results of functions; of those that raise PairErrors, these together."""
    results, errors = [], []
    for call in calls:
        try:
            results.append(call())
        except PairError as error:
            errors.append(error)
        except ExceptionGroup as group:
            errors += group.exceptions
    raise_found(errors)
    return results


class OtherFamilies(Exception):
    """Two types that cannot be equal by value; says which."""


class Form(NamedTuple):
    """The canonical value of a column or of a part of it, as functions from SQL to SQL."""

    family: str
    source: Callable[[str], str]  # the source's own value -> canonical value
    target: Callable[[str], str]
    text: Callable[[str], str]  # canonical value -> text
    json: Callable[[str], str]  # canonical value -> JSON text; NULL stays NULL
    tolerance: dict | None = None  # tolerances of the value or of its parts, see recon_within


def sql(template):
    """A function from SQL to SQL: puts its argument where the template says $. The template's
    line breaks become blanks."""
    compact = " ".join(template.split())
    return lambda value: compact.replace("$", value)


def chained(*functions):
    """Several functions from SQL to SQL as one, the first applied first."""

    def apply(value):
        for function in functions:
            value = function(value)
        return value

    return apply


def bound(name, body):
    """A function from SQL to SQL that binds its argument to a name in a body. A column's name is
    put in as it is, and so is what a Python function works on: Spark calls none where names are
    bound."""

    def apply(value):
        is_plain = re.fullmatch(r"(\w+|`([^`]|``)+`)(\.`([^`]|``)+`)*", value)
        if is_plain or "recon_unicode_normalize(" in body(name):
            return body(value)
        return f"transform(array({value}), {name} -> {body(name)})[0]"

    return apply


def quoted(name):
    """One identifier, quoted for Spark SQL."""
    return "`" + name.replace("`", "``") + "`"


def literal(text):
    """A SQL text literal; $ is escaped too, so that no text reads as $value, $source, $target."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\u0024")
    return f"'{escaped}'"


def quoted_relation(relation):
    """A table's name as people write it (`catalog.schema.table`, parts may be quoted), quoted."""
    parts = re.findall(r"`(?:[^`]|``)*`|[^.]+", relation)
    plain = [p[1:-1].replace("``", "`") if p.startswith("`") else p.strip() for p in parts]
    return ".".join(quoted(part) for part in plain)


def condition_of(error):
    """The error condition Spark names (`TABLE_OR_VIEW_NOT_FOUND` ...), or its class's name."""
    getter = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    return (getter() if getter else None) or type(error).__name__


# --- one side of a pair -------------------------------------------------------------------------


def free_name(columns):
    """A name for a table that is no column's: else it hides a struct of that name."""
    name = "r"
    while name in columns:
        name += "_"
    return name


def read_pin(session, relation):
    """The Delta table's (id, version) and size in bytes; (None, 0) for what cannot be pinned."""
    try:
        detail = session.sql(f"describe detail {quoted_relation(relation)}").collect()[0].asDict()
        if (detail.get("format") or "").lower() != "delta":
            return None, detail.get("sizeInBytes") or 0
        history = session.sql(f"describe history {quoted_relation(relation)} limit 1").collect()
    except Exception as error:
        if NOT_FOUND.search(condition_of(error)) or NOT_PERMITTED.search(condition_of(error)):
            raise
        return None, 0  # a view or foreign table: it has no Delta log to name a version of
    return (detail["id"], history[0]["version"]), detail.get("sizeInBytes") or 0


def definition(session, relation):
    """What a view is made of, as far as it may be read; empty where it may not."""
    try:
        return session.sql(f"show create table {quoted_relation(relation)}").collect()[0][0]
    except Exception:  # told in notes only: reading the view itself says what is wrong
        return ""


def read_side(session, pair, side):
    """One side as a dict: name (source, target), relation, pin, size, definition (of a view),
    alias, frame (all its rows, not read yet, under the alias) and columns (lower-case name ->
    (name, type)).

    Raises PairError when it cannot be read or has two names that differ by case only.
    """
    relation = pair[f"{side}_relation"]
    try:
        pin, size = read_pin(session, relation)
        version = f" version as of {pin[1]}" if pin else ""
        frame = session.sql(f"select * from {quoted_relation(relation)}{version}")
        fields = frame.schema.fields
    except Exception as error:
        condition = condition_of(error)
        if NOT_FOUND.search(condition) or NOT_PERMITTED.search(condition):
            raise PairError(
                "relation_not_found" if NOT_FOUND.search(condition) else "permission_denied",
                f"the {side} relation {relation} does not exist or may not be read",
                f"Correct {side}_relation in seeds/table_pairs.csv, create the table or ask for "
                "permission to read it", f"{side}_relation", relation,
            ) from error  # fmt: skip
        raise PairError(
            "relation_unreadable", f"the {side} relation {relation} cannot be read ({condition})",
            "Query it by hand to see why", f"{side}_relation", relation,
        ) from error  # fmt: skip
    columns = {}
    for field in fields:
        own = columns.setdefault(field.name.lower(), (field.name, field.dataType))
        if own[0] != field.name or own[1] is not field.dataType:
            raise PairError(
                "invalid_configuration",
                f"the {side} relation {relation} has columns {own[0]} and {field.name}, which "
                "differ by case only", "Compare a view that gives them distinct names",
                f"{side}_relation", relation,
            )  # fmt: skip
    alias = free_name(columns)
    return {
        "name": side, "relation": relation, "pin": pin, "size": size, "columns": columns,
        "definition": "" if pin else definition(session, relation),
        "alias": alias, "frame": frame.alias(alias),
    }  # fmt: skip


# --- canonical forms of plain values ------------------------------------------------------------
# `transform(array($), x -> ...)[0]` binds a value to a name, so that it is evaluated once.

as_text = sql("cast($ as string)")
as_is = sql("$")
json_text = sql("nullif(btrim(to_json(array($)), '[]'), 'null')")
# Text as JSON and people can take it: bytes that are no UTF-8 as hex behind a mark. No text of a
# table reads as one of recon's marks: hex, text (compare_as cannot read it), null (a map's key).
MARK = r"\ufffd"
readable_text = sql(rf"""
    transform(array($), b -> if(is_valid_utf8(b) and not b rlike '^{MARK}(hex |text |null\\z)', b,
        concat('{MARK}hex ', hex(b))))[0]
""")
number_json = sql("transform(array($), x -> if(x rlike '[NI]', concat('\"', x, '\"'), x))[0]")
# A number's text in any spelling (`45.70`, `1E-7`, `1.0E10`) in one: plain digits without trailing
# zeros, up to 40 before the point and 60 after it; else digits and exponent (`12E40`); NaN and
# infinities as they are.
number_text = sql("""
    transform(array($), n -> if(n is null or n rlike '[NI]|[1-9][0-9.]*E[-+]?0*[1-9][0-9]{9}', n,
        transform(array(named_struct(
            'sign', if(startswith(n, '-'), '-', ''),
            'digits', concat(
                regexp_extract(n, '^-?([0-9]+)', 1), regexp_extract(n, '[.]([0-9]+)', 1)),
            'exponent', coalesce(try_cast(regexp_extract(n, 'E([-+]?[0-9]+)', 1) as int), 0)
                - length(regexp_extract(n, '[.]([0-9]+)', 1))
        )), w -> transform(array(named_struct(
            'sign', w.sign,
            'd', btrim(w.digits, '0'),
            'e', w.exponent + length(w.digits) - length(trim(trailing '0' from w.digits))
        )), z -> case
            when z.d = '' then '0'
            when z.e >= 0 and length(z.d) + z.e <= 40 then concat(z.sign, z.d, repeat('0', z.e))
            when z.e < 0 and length(z.d) + z.e > 0 then concat(
                z.sign, substring(z.d, 1, length(z.d) + z.e), '.',
                substring(z.d, length(z.d) + z.e + 1))
            when z.e between -60 and -1
                then concat(z.sign, '0.', repeat('0', -(length(z.d) + z.e)), z.d)
            else concat(z.sign, z.d, 'E', z.e)
        end)[0])[0]
    ))[0]
""")
plain_number = chained(as_text, number_text)
# The shortest decimal that reads back to a double: Java before 19 does not always write it (2E23).
double_number = chained(
    sql("""
        transform(array($), v -> case
            when v is null then null
            when abs(v) < 2.3E-308D then get(filter(
                transform(sequence(0, 16), k -> format_string(concat('%.', k, 'e'), v)),
                t -> cast(t as double) = v), 0)
            when cast(format_string('%.14e', v) as double) = v then format_string('%.14e', v)
            when cast(format_string('%.15e', v) as double) = v then format_string('%.15e', v)
            else cast(v as string) end)[0]
    """),
    sql("replace($, 'e', 'E')"),
    number_text,
)

# Microseconds since 1970 in UTC. Without a zone field by field: a cast would use the session's.
MICROS_OF = {
    "date": sql(f"unix_date($) * {DAY}"),
    "timestamp": sql("unix_micros($)"),
    "timestamp_ntz": sql(f"""
        transform(array($), t -> unix_date(cast(t as date)) * {DAY}
            + hour(t) * {MICROS["hour"]}L + minute(t) * {MICROS["minute"]}L
            + cast(extract(second from t) * {MICROS["second"]} as bigint))[0]
    """),
}
day_of_micros = sql(f"""
    transform(array($), m ->
        date_add(date'1970-01-01', cast((m - pmod(m, {DAY})) div {DAY} as int)))[0]
""")
time_text = sql(f"""
    transform(array($), m -> cast(
        cast(date_add(date'1970-01-01', cast((m - pmod(m, {DAY})) div {DAY} as int))
            as timestamp_ntz)
        + make_dt_interval(0, 0, 0, cast(pmod(m, {DAY}) as decimal(20, 0)) / 1000000)
        as string))[0]
""")
instant_text = chained(MICROS_OF["timestamp"], time_text)
seconds_of_micros = sql("cast($ as decimal(20, 0)) / 1000000")
seconds_of_instant = chained(MICROS_OF["timestamp"], seconds_of_micros)
seconds_of_date = sql("cast(unix_date($) as decimal(20, 0)) * 86400")
months_of = sql("""
    transform(array(cast($ as interval year to month)),
        i -> extract(year from i) * 12 + extract(month from i))[0]
""")
interval_micros_of = sql(f"""
    transform(array(cast($ as interval day to second)), i -> extract(day from i) * {DAY}
        + extract(hour from i) * {MICROS["hour"]}L + extract(minute from i) * {MICROS["minute"]}L
        + cast(extract(second from i) * {MICROS["second"]} as bigint))[0]
""")

# Tokens of a JSON text: strings, numbers, all else.
JSON_TOKENS = r"(\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|[-0-9][-+.0-9eE]*+|[^-\"0-9]++)"
JSON_NUMBER = number_text("upper(t)")
# a number with an exponent is a double
numbers_by_value = sql(f"""
    array_join(transform(regexp_extract_all($, '{JSON_TOKENS}', 1), t -> case
        when t rlike '^[-0-9].*E' then {double_number("cast(t as double)")}
        when t rlike '^[-0-9]' then {JSON_NUMBER} else t end), '')
""")
variant_json = chained(sql("to_json($, map('timeZone', 'UTC'))"), numbers_by_value)
# JSON text with sorted keys and numbers by value; what is no JSON (the parser overlooks text behind
# an object) stays as it is. Numbers pass as marked strings: the parser keeps 38 digits of them.
canonical_json = sql(f"""
    transform(array($), j -> if(
        try_parse_json(j) is null or coalesce(json_array_length(concat('[', j, ']')), 0) <> 1, j,
        array_join(transform(regexp_extract_all(
            to_json(parse_json(array_join(transform(
                regexp_extract_all(j, '{JSON_TOKENS}', 1), t -> case when
                t rlike '^[-0-9]' then concat('"n', {JSON_NUMBER}, '"')
                when startswith(t, '"') then concat('"s', substring(t, 2)) else t end), ''))),
            '{JSON_TOKENS}', 1), t -> case
                when startswith(t, '"n') then substring(t, 3, length(t) - 3)
                when startswith(t, '"s') then concat('"', substring(t, 3)) else t end), '')
    ))[0]
""")
# What compare_as makes: JSON of the value it read, or marked text that it could not read.
text_of_json = chained(
    sql(f"regexp_replace($, '^\"{MARK}text ', '\"')"),
    sql("""
        transform(array($), j -> if(
            startswith(j, '"'), from_json(concat('[', j, ']'), 'array<string>')[0], j))[0]
    """),
)
marked_json = chained(sql(f"concat('{MARK}text ', $)"), json_text)


def number_form(source_type, target_type):
    """Two numeric types: bigint, double or decimal where it holds both exactly, else text."""
    types = (source_type, target_type)
    if all(t.simpleString() in INTEGER_DIGITS for t in types):
        return Form("number", *[sql("cast($ as bigint)")] * 2, as_text, as_text)
    floating = [isinstance(t, (T.FloatType, T.DoubleType)) for t in types]
    if all(floating):
        # adding zero turns -0.0 into 0.0
        double = sql("cast($ as double) + 0.0D")
        return Form("number", double, double, double_number, chained(double_number, number_json))
    sizes = [
        (t.precision - t.scale, t.scale)
        if isinstance(t, T.DecimalType)
        else (INTEGER_DIGITS.get(t.simpleString(), 0), 0)
        for t in types
    ]
    digits, scale = max(size[0] for size in sizes), max(size[1] for size in sizes)
    if not any(floating) and digits + scale <= 38:
        decimal = sql(f"cast($ as decimal({digits + scale}, {scale}))")
        return Form("number", decimal, decimal, plain_number, plain_number)
    widened = chained(sql("cast($ as double)"), double_number)
    sides = [widened if is_float else plain_number for is_float in floating]
    return Form("number", *sides, as_is, number_json)


def time_form(source_type, target_type):
    """Two date/time types: themselves where they are one type, else microseconds in UTC."""
    names = source_type.simpleString(), target_type.simpleString()
    if names[0] != names[1]:
        sides = [MICROS_OF[name] for name in names]
        return Form("time", *sides, time_text, chained(time_text, json_text))
    text = instant_text if names[0] == "timestamp" else as_text
    return Form("time", as_is, as_is, text, chained(text, json_text))


def plain_form(source_type, target_type):
    """The Form of two types that are not nested. Raises OtherFamilies where they share none."""
    types = (source_type, target_type)
    families = [f for f, classes in FAMILIES.items() if all(isinstance(t, classes) for t in types)]
    if not families:
        raise OtherFamilies(", ".join(t.simpleString() for t in types))
    if families[0] in ("number", "time"):
        return {"number": number_form, "time": time_form}[families[0]](*types)
    canonical, text, encoded = {
        "text": (as_text, readable_text, chained(readable_text, json_text)),
        "boolean": (as_is, as_text, as_text),
        "binary": (as_is, sql("hex($)"), chained(sql("hex($)"), json_text)),
        "year-month interval": (months_of, as_text, as_text),
        "day-time interval": (interval_micros_of, as_text, as_text),
        "variant": (variant_json, as_is, as_is),
    }[families[0]]
    return Form(families[0], canonical, canonical, text, encoded)


# --- rules on a value ---------------------------------------------------------------------------

# As SQL escapes: three no-break blanks, then characters without width.
INVISIBLE = r"\u00a0\u2007\u202f\u200b\u200c\u200d\u2060\u180e\ufeff"
TEXT_RULES = {
    "strip_invisible": sql(f"trim(translate($, '{INVISIBLE}', repeat(' ', 3)))"),
    "trim right": sql("rtrim($)"),
    "trim both": sql("trim($)"),
    "trim right_ws": sql(r"regexp_replace($, '(?U)\\s+\\z', '')"),
    "case_insensitive": sql("lower($)"),
    "empty_as_null": sql("nullif($, '')"),
    "json_canonical": canonical_json,
    **{
        f"unicode_normalize {form}": sql(f"recon_unicode_normalize($, '{form}')")
        for form in ("NFC", "NFD", "NFKC", "NFKD")
    },
}
# Full dates and times as text, which Spark reads without losing or adding anything.
FULL_DATE = "^[+-]?[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}"
MIDNIGHT = "([T ]0?0:0?0(:0?0([.]0*)?)?)?"
TIME_OF_DAY = "[T ][0-9]{1,2}:[0-9]{1,2}(:[0-9]{1,2}([.][0-9]{0,6}0*)?)?"
ZONE = " *[A-Za-z+-].*"
END = r"\\z"
# A number as text, without what only Java reads as one (`1d`), and what is no number of a double.
NUMBER = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,9})?" + END
NOT_FINITE = "(?i)^[-+]?(nan|inf|infinity)" + END


def time_rule(name, argument, data_type):
    """A rule on date/time as (function from SQL to SQL, type after it); None where it is unfit."""
    micros, kind = MICROS_OF[data_type.simpleString()], data_type.simpleString()
    if name == "time_zone" and kind == "timestamp_ntz":
        wall = sql(f"to_utc_timestamp(timestamp_micros($), {literal(argument)})")
        return chained(micros, wall), T.TimestampType()
    if name == "date_only":
        return chained(micros, day_of_micros), T.DateType()
    if name == "timestamp_precision" and kind == "date":
        return as_is, data_type
    if name == "timestamp_precision":
        cut = f"transform(array($), m -> timestamp_micros(m - pmod(m, {PRECISION[argument]})))[0]"
        return chained(micros, sql(cut)), T.TimestampType()
    return None


def mapped(argument, data_type):
    """Rule value_map: (function from SQL to SQL, type after it)."""
    values = json.loads(argument)
    own = plain_form(data_type, data_type)
    keeps_type = all(new is None for new in values.values())
    whens = " ".join(
        f"when {literal(old)} then {'null' if new is None else literal(new)}"
        for old, new in sorted(values.items())
    )
    rest = "o.v" if keeps_type else "o.t"

    def change(v):
        both = f"named_struct('t', {own.text(own.source(v))}, 'v', {v})"
        return f"transform(array({both}), o -> case o.t {whens} else {rest} end)[0]"

    return bound("v", change), data_type if keeps_type else T.StringType()


def reading(data_type, zone):
    """A function from SQL to SQL: a text read as a value of a type; NULL where it cannot be, or
    would lose something."""
    name = data_type.simpleString()
    if isinstance(data_type, T.NumericType):
        is_floating = isinstance(data_type, (T.FloatType, T.DoubleType))
        given = number_text("trim(leading '+' from upper(c))")
        own = {
            T.DoubleType: [double_number],
            # its own shortest text, or that of the double that it is
            T.FloatType: [plain_number, chained(sql("cast($ as double)"), double_number)],
        }.get(type(data_type), [plain_number])
        again = ", ".join(text(f"try_cast(g as {name})") for text in own)
        read = f"transform(array({given}), g -> if(g in ({again}), try_cast(g as {name}), null))[0]"
        special = f"c rlike '{NOT_FINITE}'" if is_floating else "false"
        body = (
            f"case when c rlike '{NUMBER}' then {read} "
            f"when {special} then try_cast(c as {name}) end"
        )
    elif isinstance(data_type, T.DateType):
        body = f"if(c rlike '{FULL_DATE}{MIDNIGHT}{END}', try_cast(c as date), null)"
    elif isinstance(data_type, TIMES):
        wall = f"timestamp_micros({MICROS_OF['timestamp_ntz']('try_cast(c as timestamp_ntz)')})"
        if zone:
            wall = f"to_utc_timestamp({wall}, {literal(zone)})"
        body = (
            f"case when c rlike '{FULL_DATE}({TIME_OF_DAY})?{END}' then {wall} "
            f"when c rlike '{FULL_DATE}{TIME_OF_DAY}{ZONE}' then try_cast(c as timestamp) end"
        )
    elif isinstance(data_type, (T.StringType, T.BinaryType)):
        return sql(f"cast($ as {name})")
    else:
        body = f"try_cast(c as {name})"
    return sql(f"transform(array(trim($)), c -> {body})[0]")


def rule_step(name, rule, data_type, target_type, zone, in_lambda):
    """One rule on a value of data_type: (function from SQL to SQL, type after it), or None where
    it does not fit. `in_lambda`: inside an array or map, where Spark calls no Python function."""
    argument = rule["argument"]
    if isinstance(data_type, (*NESTED, T.NullType)):
        return None
    if name == "compare_as":
        wanted = target_type if argument.lower() == "target" else rule["data_type"]
        if isinstance(wanted, NESTED):
            return None
        is_interval = isinstance(wanted, (T.YearMonthIntervalType, T.DayTimeIntervalType))
        if wanted.simpleString() == data_type.simpleString() or (
            is_interval and type(wanted) is type(data_type)
        ):
            return as_is, data_type
        own, is_time = plain_form(data_type, data_type), isinstance(wanted, TIMES[1:])
        read = chained(own.source, own.text, reading(wanted, zone))
        return read, T.TimestampType() if is_time else wanted
    if name == "value_map":
        return mapped(argument, data_type)
    if isinstance(data_type, T.StringType):
        step = TEXT_RULES.get(" ".join(filter(None, (name, argument))))
        is_out_of_place = name == "unicode_normalize" and in_lambda
        return (step, data_type) if step and not is_out_of_place else None
    return time_rule(name, argument, data_type) if isinstance(data_type, TIMES) else None


# --- one column, its rules and its parts ----------------------------------------------------------


class Column:
    """The rules of one column while it is planned, and what was found on the way."""

    def __init__(self, rules, is_judged):
        self.rules = rules  # path below the column ('' or '.a.element') -> side -> name -> rule
        self.is_judged = is_judged  # tolerances apply: neither a key nor a bag
        self.used = set()  # indexes of rules that were applied
        self.one_sided = set()  # sides that alone have some field of a struct

    def rules_at(self, path, side):
        """{name: rule} of one side at a path, in the order of application."""
        return self.rules.get(path.lower(), {}).get(side, {})

    def use(self, path, name, side="target"):
        """The rule of that name at a path, marked as applied, or None."""
        rule = self.rules_at(path, side).get(name)
        if rule:
            self.used.add(rule["index"])
        return rule


def side_value(column, path, side, types, in_lambda):
    """One side's value after its rules: (function from SQL to SQL, type, function to the text
    that compare_as keeps of what it cannot read, or None)."""
    data_type, value, kept = types[SIDES.index(side)], as_is, None
    if isinstance(data_type, T.StringType) and data_type.simpleString() != "string":
        value, data_type = as_text, T.StringType()  # a collation of its own
    rules = column.rules_at(path, side)
    has_zone = "time_zone" in rules and not isinstance(data_type, T.TimestampType)
    zone = rules["time_zone"]["argument"] if has_zone else None
    for name, rule in rules.items():
        step = rule_step(name, rule, data_type, types[1], zone, in_lambda)
        if not step:
            continue
        column.used.add(rule["index"])
        if name == "compare_as" and step[0] is not as_is:
            own = plain_form(data_type, data_type)
            kept = chained(value, own.source, own.text)
            if zone and isinstance(step[1], T.TimestampType):
                column.use(path, "time_zone", side)
        value, data_type = chained(value, step[0]), step[1]
    return value, data_type, kept


def form_of(column, path, types, in_lambda=False, is_judged=True):
    """The Form of a column, or of the part of it at a path, its rules included.

    `types`: the source's and the target's; `is_judged`: tolerances apply here.
    Raises OtherFamilies where the two have no common form.
    """
    sides = [side_value(column, path, side, types, in_lambda) for side in SIDES]
    is_void = [isinstance(data_type, T.NullType) for _, data_type, _ in sides]
    known = [data_type for _, data_type, _ in sides if not isinstance(data_type, T.NullType)]
    types = [
        (known or [T.StringType()])[0] if void else data_type
        for (_, data_type, _), void in zip(sides, is_void, strict=True)
    ]
    builders = (T.StructType, struct_form), (T.ArrayType, array_form), (T.MapType, map_form)
    build = next((b for c, b in builders if all(isinstance(t, c) for t in types)), None)
    if build:
        form = build(column, path, types, in_lambda, is_judged)
    else:
        form = plain_form(*types)
        if is_judged and column.is_judged:
            form = form._replace(tolerance=tolerances_at(column, path, form.family))
    canonical = []
    for (value, _, _), own, void in zip(sides, form[1:3], is_void, strict=True):
        if void:
            typed = sql(f"cast($ as {types[0].simpleString()})")
            own = as_text if build else chained(typed, own)
        canonical.append(chained(value, own))
    if any(kept for _, _, kept in sides):  # compare_as: JSON of what was read, text of the rest
        canonical = [
            read_or_kept(chained(own, form.json), kept)
            for own, (_, _, kept) in zip(canonical, sides, strict=True)
        ]
        form = form._replace(text=text_of_json, json=as_is)
    return form._replace(source=canonical[0], target=canonical[1])


def own_form(column, side, types):
    """The Form of one side's value by itself, with its own rules; `types`: what form_of takes."""
    rules = {path: dict.fromkeys(SIDES, at[side]) for path, at in column.rules.items()}
    own = Column(rules, False)
    form = form_of(own, "", types)
    column.used |= own.used
    return form


def read_or_kept(value_json, kept):
    """JSON of the value that compare_as reads, or of the text that it keeps, in SQL of the side's
    own value. The text is marked: it equals no value, and no tolerance is for it."""
    if kept is None:
        return value_json

    def either(v):
        return f"if({v} is null, null, coalesce({value_json(v)}, {marked_json(kept(v))}))"

    return bound("v", either)


def tolerances_at(column, path, family):
    """The tolerances of a number or time as recon_within reads them; None without any."""
    fitting = {"number": NUMBER_TOLERANCES, "time": TIME_TOLERANCES}.get(family, ())
    rules = {name: column.use(path, name) for name in fitting}
    found = {name: rule["argument"] for name, rule in rules.items() if rule}
    return {"value": found} if found else None


def nested_form(column, path, family, encoders, empty, tolerance):
    """The Form of a nested value: JSON text on both sides, rule empty_as_null applied."""
    sides = []
    for side, encode in zip(SIDES, encoders, strict=True):
        if column.use(path, "empty_as_null", side):
            encode = chained(encode, lambda v: f"nullif({v}, {literal(empty)})")
        sides.append(encode)
    return Form(family, *sides, as_is, as_is, tolerance)


def struct_form(column, path, types, in_lambda, is_judged):
    """Structs by field name: a JSON object of the fields that both sides have."""
    own = [{f.name.lower(): f for f in struct.fields} for struct in types]
    for struct, fields in zip(types, own, strict=True):
        if len(fields) < len(struct.fields):
            raise OtherFamilies(f"{struct.simpleString()} has fields that differ by case only")
    members, tolerance = [], {}
    for name in sorted(own[0].keys() | own[1].keys()):
        if column.use(f"{path}.{name}", "ignore"):
            continue
        if not (name in own[0] and name in own[1]):
            column.one_sided.add("source" if name in own[0] else "target")
            continue
        names, parts = zip(*[(f[name].name, f[name].dataType) for f in own], strict=True)
        form = form_of(column, f"{path}.{name}", parts, in_lambda, is_judged)
        members.append((json.dumps(names[1], ensure_ascii=False) + ":", names, form))
        if form.tolerance:
            tolerance[names[1]] = form.tolerance

    def encoder(index):
        def encode(v):
            texts = [
                f"concat({literal(label)}, coalesce("
                f"{form.json(form[1 + index](f'{v}.{quoted(names[index])}'))}, 'null'))"
                for label, names, form in members
            ]
            # two structs may have no field in common
            parts = ", ".join(["','", *texts])
            joined = f"concat('{OPEN}', concat_ws({parts}), '{CLOSE}')"
            return f"if({v} is null, null, {joined})"

        return bound("r", encode)

    empty = OPEN + ",".join(f"{label}null" for label, _, _ in members) + CLOSE
    tree = {"fields": tolerance} if tolerance else None
    return nested_form(column, path, "struct", (encoder(0), encoder(1)), empty, tree)


def array_form(column, path, types, in_lambda, is_judged):
    """Arrays by position, or as bags with rule array_unordered: a JSON array."""
    unordered = [column.use(path, "array_unordered", side) for side in SIDES]
    parts = [data_type.elementType for data_type in types]
    form = form_of(column, f"{path}.element", parts, True, is_judged and not any(unordered))

    def encoder(canonical, is_unordered):
        element = f"coalesce({form.json(canonical('x'))}, 'null')"
        order = "array_sort" if is_unordered else ""
        return lambda v: (
            f"concat('[', array_join({order}(transform({v}, x -> {element})), ','), ']')"
        )

    encoders = [encoder(*pair) for pair in zip(form[1:3], unordered, strict=True)]
    tree = {"items": form.tolerance} if form.tolerance else None
    return nested_form(column, path, "array", encoders, "[]", tree)


def map_form(column, path, types, in_lambda, is_judged):
    """Maps without order: a JSON object, keys as text, sorted."""
    keys = form_of(column, f"{path}.key", [t.keyType for t in types], True, False)
    values = form_of(column, f"{path}.value", [t.valueType for t in types], True, is_judged)

    def encoder(key, value):
        # a rule may make a key NULL
        label = f"coalesce({json_text(keys.text(key('e.key')))}, '\"{MARK}null\"')"
        entry = f"concat({label}, ':', coalesce({values.json(value('e.value'))}, 'null'))"
        return lambda v: (
            f"concat('{OPEN}', array_join("
            f"array_sort(transform(map_entries({v}), e -> {entry})), ','), '{CLOSE}')"
        )

    encoders = [encoder(*pair) for pair in zip(keys[1:3], values[1:3], strict=True)]
    tree = {"values": values.tolerance} if values.tolerance else None
    return nested_form(column, path, "map", encoders, OPEN + CLOSE, tree)


# --- which rules a column has --------------------------------------------------------------------


def rules_of(pair, name, is_column=True):
    """The rules that stand at one column or path: side -> rule name -> rule, in the order of
    application. More specific ones win; below an `exact` less specific ones do not apply."""
    names = (name.lower(), "*") if is_column else (name.lower(),)
    standing = [rule for rule in pair["rules"] if rule["column_name"].lower() in names]
    found = {}
    for side in SIDES:
        own = [rule for rule in standing if rule["side"] in (None, side)]
        limit = min((rule["level"] for rule in own if rule["rule"] == "exact"), default=4)
        best = {}
        for rule in sorted(own, key=lambda rule: -rule["level"]):
            if rule["level"] <= limit:
                best[rule["rule"]] = rule
        found[side] = {rule: best[rule] for rule in RULE_ORDER if rule in best}
    return found


def column_rules(pair, name, is_judged):
    """The Column of a name: its own rules and those of the paths below it."""
    name = name.lower()
    paths = {rule["column_name"].lower() for rule in pair["rules"]} - pair["names"]
    below = [path for path in paths if path.startswith(f"{name}.")]
    rules = {path[len(name) :]: rules_of(pair, path, is_column=False) for path in below}
    return Column(rules | {"": rules_of(pair, name)}, is_judged)


def rule_text(rule):
    """A rule as the plan names it: `trim right (source), ora_* / name`."""
    what = " ".join(filter(None, (rule["rule"], rule["argument"])))
    side = f" ({rule['side']})" if rule["side"] else ""
    return f"{what}{side}, {rule['pattern']} / {rule['column_name']}"


def is_renamed(rule, names):
    """Whether a rule source_column named the source's column of these two."""
    return rule["rule"] == "source_column" and rule["argument"].lower() == (names[0] or "").lower()


def unfit_rule(pair, rule, sides, keys):
    """PairError for a rule of one pair and column that applies to nothing."""
    name = rule["column_name"].lower()
    top = name if name in pair["names"] else name.split(".")[0]
    if top not in pair["names"]:
        where = f"rule {rule['rule']} in seeds/column_rules.csv"
        return missing_column(sides[1], where, rule["column_name"], "rule", rule["rule"])
    types = {s["name"]: s["columns"][top][1] for s in sides if top in s["columns"]}
    told = ", ".join(f"{side} {data_type.simpleString()}" for side, data_type in types.items())
    if name not in {path for data_type in types.values() for path in paths_in(data_type, top)}:
        problem, remedy = f"there is no such part in {top} ({told})", ""
    else:
        where = "a key column" if top in keys else f"its type ({told})"
        where += "" if keys else ", or for a pair without a key"
        problem, remedy = f"not for {where}", "; docs/semantics.md says what the rule is for"
    return PairError(
        "invalid_configuration", f"column {rule['column_name']}, rule {rule['rule']}: {problem}",
        f"Correct it in seeds/column_rules.csv{remedy}", "rule", rule["rule"],
    )  # fmt: skip


def paths_in(data_type, path):
    """`path` and the paths of all parts of a type below it, in lower case."""
    parts = {}
    if isinstance(data_type, T.StructType):
        parts = {field.name.lower(): field.dataType for field in data_type.fields}
    elif isinstance(data_type, T.ArrayType):
        parts = {"element": data_type.elementType}
    elif isinstance(data_type, T.MapType):
        parts = {"key": data_type.keyType, "value": data_type.valueType}
    below = (paths_in(part, f"{path}.{name}") for name, part in parts.items())
    return [path, *(found for paths in below for found in paths)]


# --- matching columns ---------------------------------------------------------------------------


def missing_column(side, where, column, field, value, more=""):
    """PairError for a column that configuration names and a side does not have."""
    have = ", ".join(name for name, _ in side["columns"].values())
    near = difflib.get_close_matches(column.lower(), side["columns"], n=1)
    nearest = f"The nearest is {side['columns'][near[0]][0]}; its" if near else "Its"
    return PairError(
        "column_not_found",
        f"{where} names column {column}, which the {side['name']} relation {side['relation']} does "
        "not have", f"{nearest} columns are: {have}{more}", field, value,
    )  # fmt: skip


def match_columns(pair, source, target):
    """Pairs up columns by name without regard to case and by rule source_column.

    Returns (source name or None, target name or None) per column, target's order first; a column
    that the target has by an expression has the source's name there. Raises PairErrors for rules of
    this pair and column that name what the source does not have.
    """
    renamed, errors = {}, []
    for name in target["columns"]:
        rule = rules_of(pair, name)["target"].get("source_column")
        if rule and rule["argument"].lower() in source["columns"]:
            renamed[name] = rule["argument"].lower()
        elif rule and rule["level"] == 1:
            where = f"rule source_column of column {rule['column_name']}"
            errors.append(missing_column(source, where, rule["argument"], "rule", rule["rule"]))
    raise_found(errors)
    matched = []
    for name, (spelling, _) in target["columns"].items():
        own = renamed.get(name, name if name not in renamed.values() else None)
        matched.append((source["columns"].get(own, (None,))[0], spelling))
    taken = {s.lower() for s, _ in matched if s is not None}
    for name, (spelling, _) in source["columns"].items():
        if name not in taken:
            is_namesake = name in target["columns"]
            is_given = not is_namesake and "expression" in rules_of(pair, name)["target"]
            matched.append((spelling, spelling if is_given else None))
    return matched


def key_names(pair, sides, matched):
    """(key columns in lower case, in the seed's order; PairErrors of those that are none)."""
    by_target = {t.lower(): s for s, t in matched if t is not None}
    keys = [name.strip().lower() for name in (pair["settings"]["key_columns"] or "").split(";")]
    keys, errors = [name for name in keys if name], []
    for name in dict.fromkeys(keys):
        field = "key_columns", pair["settings"]["key_columns"]
        if name not in by_target:
            more = (
                f". If it is {name} under another name, write that one into key_columns, and a "
                f"rule source_column for it with argument {name}"
            )
            more = more if name in sides[0]["columns"] else ""
            errors.append(missing_column(sides[1], "key_columns", name, *field, more))
        elif by_target[name] is None and "expression" not in rules_of(pair, name)["source"]:
            errors.append(missing_column(sides[0], "key_columns", name, *field))
        if keys.count(name) > 1:
            problem = f"key_columns names {name} twice"
            remedy = "Name each column once"
            errors.append(PairError("invalid_configuration", problem, remedy, *field))
    return keys, errors


def side_input(pair, side, column_name, column):
    """What one side's values are read from: (SQL, type), or None where the side has no column.

    Raises PairError for an expression that is not one value per row, such as an aggregate.
    """
    rule = column.use("", "expression", side["name"])
    if not rule:
        own = None if column_name is None else side["columns"][column_name.lower()]
        return (quoted(own[0]), own[1]) if own else None
    # on lines of its own: a comment in it ends with it
    text = f"(\n{rule['argument']}\n)"
    try:
        fields = side["frame"].select(F.expr(text)).schema.fields
        side["frame"].where(F.expr(f"{text} is null")).schema  # noqa: B018
    except Exception as error:
        raise PairError(
            "invalid_expression",
            f"column {rule['column_name']}: the expression for the {side['name']} cannot be used "
            f"({condition_of(error)})",
            f"Write one SQL expression over the columns of {side['relation']}",
            "rule", "expression",
        ) from error  # fmt: skip
    return text, fields[0].dataType


def type_text(data_type):
    """A type without what makes no difference: order and case of struct fields."""
    if isinstance(data_type, T.StructType):
        fields = sorted(f"{f.name.lower()}:{type_text(f.dataType)}" for f in data_type.fields)
        return f"struct<{','.join(fields)}>"
    if isinstance(data_type, T.ArrayType):
        return f"array<{type_text(data_type.elementType)}>"
    if isinstance(data_type, T.MapType):
        return f"map<{type_text(data_type.keyType)},{type_text(data_type.valueType)}>"
    return data_type.simpleString()


def may_be_one_sided(pair, side):
    """Whether setting one_sided_columns only lists what one side alone has."""
    return pair["settings"]["one_sided_columns"] in ("ignore", f"ignore_{side}_only")


def types_differ(column, path, types, excused):
    """Whether the types of a part that both sides have differ, but where one of the rules `excused`
    stands at a part."""
    rules = excused if path else excused - {"ignore"}  # whole columns are gone, but for keys
    if any(rules & column.rules_at(path, side).keys() for side in SIDES):
        return False
    if all(isinstance(t, T.StructType) for t in types):
        own = [{f.name.lower(): f.dataType for f in struct.fields} for struct in types]
        common = own[0].keys() & own[1].keys()
        return any(
            types_differ(column, f"{path}.{n}", [o[n] for o in own], excused) for n in common
        )
    for kind, parts in ((T.ArrayType, ("element",)), (T.MapType, ("key", "value"))):
        if all(isinstance(t, kind) for t in types):
            return any(
                types_differ(
                    column, f"{path}.{part}", [getattr(t, f"{part}Type") for t in types], excused
                )
                for part in parts
            )
    return type_text(types[0]) != type_text(types[1])


def schema_finding(pair, column, declared):
    """difference or observation where the two types are not one; None where they are."""
    if column.one_sided and not all(may_be_one_sided(pair, side) for side in column.one_sided):
        return "difference"
    if None in declared:
        return None
    fails = pair["settings"]["type_differences"] == "fail"
    if fails and types_differ(column, "", declared, {"compare_as", "ignore"}):
        return "difference"
    is_listed = column.one_sided or types_differ(column, "", declared, {"ignore"})
    return "observation" if is_listed else None


def plan_column(pair, names, sides, is_key, column):
    """One column as the plan's `columns` has it; `names` and `sides`: source's and target's."""
    declared = [
        side["columns"].get((name or "").lower(), (None, None))[1]
        for side, name in zip(sides, names, strict=True)
    ]
    planned = {
        "source_column": names[0],
        "target_column": names[1],
        "is_key": is_key,
        "is_masked": bool(column.use("", "mask")),
        "type_source": declared[0] and declared[0].simpleString(),
        "type_target": declared[1] and declared[1].simpleString(),
    }
    if not is_key and column.use("", "ignore"):
        return planned | {"skipped_reason": "ignored by rule"}
    inputs = [side_input(pair, *side, column) for side in zip(sides, names, strict=True)]
    if None in inputs:
        side = SIDES[inputs.index(None) - 1]
        finding = "observation" if may_be_one_sided(pair, side) else "difference"
        return planned | {"skipped_reason": f"only in {side}", "schema_finding": finding}
    types = [data_type for _, data_type in inputs]
    try:
        form = form_of(column, "", types)
        planned["schema_finding"] = schema_finding(pair, column, declared)
    except OtherFamilies as families:
        planned["schema_finding"] = "difference"
        if not is_key:
            return planned | {"skipped_reason": f"types without a common family: {families}"}
        # matched by the text of each side's own form
        own = [own_form(column, s, [t] * 2) for s, t in zip(SIDES, types, strict=True)]
        texts = chained(own[0].source, own[0].text), chained(own[1].target, own[1].text)
        form = Form("text", *texts, as_is, json_text)
    within = None
    if form.tolerance:
        # plain values: Spark loses a Python function that is called with nested lambdas
        value = {time_text: seconds_of_micros, instant_text: seconds_of_instant}.get(form.text)
        if form.family == "time" and form.text is as_text:
            is_date = isinstance(types[0], T.DateType)
            value = seconds_of_date if is_date else sql("concat('\"', cast($ as string), '\"')")
        values = [(value or as_is)(side) for side in ("$source", "$target")]
        within = f"recon_within({', '.join(values)}, {literal(json.dumps(form.tolerance))})"
    return planned | {
        "family": form.family,
        "source_expression": form.source(inputs[0][0]),
        "target_expression": form.target(inputs[1][0]),
        "text_expression": form.text("$value"),
        "json_expression": form.json("$value"),
        "within_expression": within,
    }


def plan_columns(pair, matched, sides):
    """(columns of the plan, key columns first; texts of rules by pattern that apply nowhere).

    Raises PairErrors for what is no key, for expressions that cannot be used and for rules of this
    pair and column that apply to nothing.
    """
    keys, errors = key_names(pair, sides, matched)
    place = {name: i for i, name in enumerate(keys)}
    columns, used = [], set()
    for names in sorted(matched, key=lambda m: place.get((m[1] or "").lower(), len(keys))):
        is_key = (names[1] or "").lower() in keys
        # a target column's rules are not those of a namesake that only the source has
        is_namesake = names[1] is None and names[0].lower() in sides[1]["columns"]
        own = pair | {"rules": []} if is_namesake else pair
        column = column_rules(own, names[1] or names[0], bool(keys) and not is_key)
        try:
            planned = plan_column(pair, names, sides, is_key, column)
        except PairError as error:
            errors.append(error)
            planned = {"skipped_reason": "cannot be planned"}
        standing = {
            rule["index"]: rule
            for at_path in column.rules.values()
            for side in SIDES
            for rule in at_path[side].values()
            if rule["index"] in column.used or planned.get("skipped_reason")
            or rule["rule"] == "exact" or is_renamed(rule, names)
        }  # fmt: skip
        planned["rules"] = [rule_text(rule) for _, rule in sorted(standing.items())]
        used |= standing.keys()
        columns.append(planned)
    if not errors and all(column.get("skipped_reason") for column in columns):
        errors.append(PairError(
            "invalid_configuration", "no column is left to compare",
            "Take a rule ignore out, or compare views with common columns",
        ))  # fmt: skip
    unused = [rule for rule in pair["rules"] if rule["index"] not in used]
    errors += [unfit_rule(pair, rule, sides, keys) for rule in unused if rule["level"] == 1]
    raise_found(errors)
    return columns, [rule_text(rule) for rule in unused]


# --- filters and watermark ----------------------------------------------------------------------


def checked_filter(pair, side, run):
    """A side's filter with the run's date put in; None without one. Raises PairError when it is
    not one predicate over the side's columns."""
    predicate = pair["settings"][f"{side['name']}_filter"]
    if not predicate:
        return None
    predicate = predicate.replace("${run_date}", str(run["run_date"]))
    try:
        kept = side["frame"].select(F.expr(predicate)).schema.fields[0].dataType
        problem = None if isinstance(kept, T.BooleanType) else "it is not true or false"
        if not problem:  # an aggregate may be selected, but filters nothing
            side["frame"].where(F.expr(predicate)).schema  # noqa: B018
    except Exception as error:
        problem = condition_of(error)
    if problem:
        raise PairError(
            "invalid_filter",
            f"{side['name']}_filter {predicate} cannot be used ({problem})",
            f"Write one predicate over the columns of {side['relation']}, such as id > 10",
            f"{side['name']}_filter", predicate,
        )  # fmt: skip
    return predicate


def watermark_form(pair, matched, sides):
    """(family, canonical SQL of the watermark column per side); (None, []) without one.

    Raises PairError where the column is missing or neither a time nor a number on both sides.
    """
    name = pair["settings"]["watermark_column"]
    if not name:
        return None, []
    names = next((m for m in matched if (m[1] or "").lower() == name.lower()), (None, None))
    for side, own in zip(sides, names, strict=True):
        if own is None:
            where = "watermark_column"
            raise missing_column(side, where, name, where, name)
    # as the table has it: of the rules only those that say where or when it is
    rules = rules_of(pair, name)
    bearing = ("expression", "time_zone")
    column = Column(
        {"": {s: {n: rules[s][n] for n in bearing if n in rules[s]} for s in SIDES}}, False
    )
    inputs = [side_input(pair, *side, column) for side in zip(sides, names, strict=True)]
    source, target = (data_type for _, data_type in inputs)
    # each side by its own type; a VOID goes with the other's
    pairs = [
        (source, target if isinstance(source, T.NullType) else source),
        (source if isinstance(target, T.NullType) else target, target),
    ]
    try:
        forms = [own_form(column, s, types) for s, types in zip(SIDES, pairs, strict=True)]
    except OtherFamilies:  # a struct whose fields differ by case only
        forms = []
    families = {form.family for form in forms}
    if families not in ({"number"}, {"time"}):
        raise PairError(
            "invalid_configuration",
            f"watermark_column {name} must be a number on both sides, or a date or time on both",
            "Name another column in seeds/table_pairs.csv", "watermark_column", name,
        )  # fmt: skip
    values = forms[0].source(inputs[0][0]), forms[1].target(inputs[1][0])
    return families.pop(), list(values)


def watermark_limit(pair, family, largest):
    """The largest value less the lag, exactly: microseconds for times, a number otherwise."""
    lag = pair["settings"]["watermark_lag"] or "0"
    span = re.fullmatch(r"([0-9.]+) *(second|minute|hour|day)s?", lag.lower())
    exact = Decimal(repr(largest)) if isinstance(largest, float) else Decimal(largest)
    if not exact.is_finite():
        return exact
    if family == "time" and span:
        return exact - int(Decimal(span[1]) * MICROS[span[2]])
    if family == "number" and not span:
        return EXACT.subtract(exact, Decimal(lag))
    if lag == "0":
        return exact
    raise PairError(
        "invalid_configuration", f"watermark_lag '{lag}' does not fit a {family}",
        "Write a span such as 2 hours for a date or time, a number for a number",
        "watermark_lag", lag,
    )  # fmt: skip


def moment_text(micros):
    """Microseconds since 1970 as `2024-01-31 10:00:00` in UTC; words for what no calendar has."""
    try:
        return (datetime(1970, 1, 1) + timedelta(microseconds=micros)).isoformat(" ")
    except OverflowError:
        return f"{micros} microseconds since 1970"


def behind_limit(value, data_type, limit):
    """SQL: whether a number of a type is larger than the limit, exactly."""
    kind = data_type.simpleString()
    if kind == "double":
        nearest = float(limit)
        if limit.is_finite() and Decimal(repr(nearest)) > limit:
            nearest = math.nextafter(nearest, -math.inf)
        least = repr(nearest)
    elif limit.is_finite():
        unit = Decimal(1).scaleb(-getattr(data_type, "scale", 0))
        least = f"{limit.quantize(unit, ROUND_FLOOR, EXACT):f}"
    else:
        least = "none"
    # beyond what the type holds all values lie behind the limit, or none does
    beyond = f"{value} is not null" if limit.is_signed() else "false"
    return f"coalesce({value} > try_cast('{least}' as {kind}), {beyond})"


def interruptible(session, tag):
    """A session for one thread, and a function by which another ends the queries of that thread.

    Of a classic session it is a copy, whose queries end together: there a tag ends only queries of
    the thread that calls. Over Spark Connect it is the session itself, under the tag.
    """
    if not hasattr(session, "newSession"):
        return session, partial(session.interruptTag, tag)
    own = session.newSession()
    for name, value in session.conf.getAll.items():
        if own.conf.isModifiable(name):
            own.conf.set(name, value)
    own.catalog.setCurrentCatalog(session.catalog.currentCatalog())
    own.catalog.setCurrentDatabase(session.catalog.currentDatabase())
    return own, own.interruptAll


def largest_value(end_queries, pair, source, value):
    """The largest value of the source's rows; None without any. It is the only query of planning
    that reads rows: it may take as long as the comparison.

    end_queries: ends it. Raises PairError when it takes longer.
    """
    minutes = float(pair["settings"]["timeout_minutes"])
    is_over = Event()

    def interrupt():
        is_over.set()
        end_queries()

    timer = Timer(minutes * 60, interrupt)
    timer.start()
    try:
        return source["frame"].agg(F.max(F.expr(value))).collect()[0][0]
    except Exception as error:
        if not is_over.is_set():
            raise
        raise PairError(
            "timeout",
            "the largest value of watermark_column was not read within its timeout_minutes "
            f"({minutes:g})",
            "Give it more in seeds/table_pairs.csv, or compare a view of fewer rows",
            "timeout_minutes", pair["settings"]["timeout_minutes"],
        ) from error  # fmt: skip
    finally:
        timer.cancel()


def plan_watermark(end_queries, pair, family, values, sides):
    """The plan's watermark: value, and per side a predicate for rows behind it; `values`: the
    column's SQL per side. Empty where the source has no value.

    It is the largest value of the source at its pin, less the lag: a target that stopped loading
    must not look clean.
    """
    types = [
        side["frame"].select(F.expr(value)).schema.fields[0].dataType
        for side, value in zip(sides, values, strict=True)
    ]
    if family == "time":
        names = [data_type.simpleString() for data_type in types]
        values = [MICROS_OF[name](value) for name, value in zip(names, values, strict=True)]
        types = [T.LongType()] * 2
    largest = largest_value(end_queries, pair, sides[0], values[0])
    if largest is None:
        return {}
    limit = watermark_limit(pair, family, largest)
    shown = moment_text(int(limit)) if family == "time" else str(limit)
    behind = [
        behind_limit(value, data_type, limit)
        for value, data_type in zip(values, types, strict=True)
    ]
    return {
        "watermark_value": shown,
        "source_after_watermark": behind[0],
        "target_after_watermark": behind[1],
    }


# --- one pair -----------------------------------------------------------------------------------


def hash_of(pair, sides, columns, watermark, run):
    """plan_hash: changes when anything that can change the answer does; neither pins nor the
    watermark's value are part of it, nor the order of columns."""
    parts = {
        "code": [run["code_version"], run["max_value_chars"]],
        "pair": [pair["original_pair_id"], pair["source_relation"], pair["target_relation"]],
        "watermark": watermark,
        "settings": {n: v for n, v in pair["settings"].items() if n not in NO_ANSWER},
        "schemas": [
            sorted([name, type_text(data_type)] for name, data_type in side["columns"].values())
            for side in sides
        ],
        "columns": sorted(
            json.dumps(column | dict.fromkeys(("rules", "type_source", "type_target")))
            for column in columns
        ),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def bare(text):
    """SQL without text literals, quoted names and comments."""
    return UNSPOKEN.sub("''", text or "")


def bare_texts(pair):
    """The pair's filters and expressions by name, bare."""
    texts = {f"{side}_filter": pair["settings"][f"{side}_filter"] for side in SIDES}
    texts |= {
        f"expression on {rule['column_name']}": rule["argument"]
        for rule in pair["rules"]
        if rule["rule"] == "expression"
    }
    return {name: bare(text) for name, text in texts.items()}


def chances(pair, sides):
    """{filter, expression or view: the word in it} by which it gives something else each time."""
    texts = bare_texts(pair)
    texts |= {f"the view {side['relation']}": bare(side["definition"]) for side in sides}
    return {
        name: found[0] for name, text in texts.items() if (found := TIME_OR_CHANCE.search(text))
    }


def notes_of(pair, sides, columns):
    """What a reader of the result should know about how it came about."""
    notes = [
        f"unpinned: {side['relation']} is no Delta table, so no version can be named"
        for side in sides
        if not side["pin"]
    ]
    filtered = [side for side in SIDES if pair["settings"][f"{side}_filter"]]
    if len(filtered) == 1:
        notes.append(f"filter on the {filtered[0]} side only")
    for name, word in chances(pair, sides).items():
        notes.append(f"{name} depends on time or chance: {word}")
    for name, text in bare_texts(pair).items():
        if re.search(r"\bselect\b", text, re.IGNORECASE):
            notes.append(f"{name} reads another table, which is not pinned")
    keys = [column for column in columns if column["is_key"]]
    if not keys:
        notes.append("no key: rows are compared as a bag")
    floats = [c for c in keys if {c["type_source"], c["type_target"]} & {"float", "double"}]
    return notes + [f"float key: {column['target_column']}" for column in floats]


def depends_on_time(pair, sides):
    """Whether the pair compares other rows or values at another time, its tables unchanged."""
    filters = [pair["settings"][f"{side}_filter"] or "" for side in SIDES]
    return (
        bool(pair["settings"]["watermark_column"])
        or any("${run_date}" in predicate for predicate in filters)
        or bool(chances(pair, sides))
    )


def check_two_tables(source, target):
    """Raises PairError when both sides are one table, however its name is spelt."""
    names = [quoted_relation(side["relation"]).lower() for side in (source, target)]
    ids = [side["pin"] and side["pin"][0] for side in (source, target)]
    if names[0] == names[1] or (ids[0] and ids[0] == ids[1]):
        raise PairError(
            "invalid_configuration",
            f"source_relation {source['relation']} and target_relation {target['relation']} are "
            "one table", "Name two tables in seeds/table_pairs.csv",
            "target_relation", target["relation"],
        )  # fmt: skip


def with_types(session, pair):
    """The pair with its rules numbered, and those of compare_as with their Spark type."""
    rules = [rule | {"index": index} for index, rule in enumerate(pair["rules"])]
    for rule in rules:
        if rule["rule"] == "compare_as" and rule["argument"].lower() != "target":
            try:
                typed = session.range(1).select(F.expr(f"cast(null as {rule['argument']})"))
                rule["data_type"] = typed.schema.fields[0].dataType
            except Exception as error:
                raise PairError(
                    "invalid_configuration",
                    f"column {rule['column_name']}: rule compare_as names {rule['argument']}, "
                    f"which is no type of Spark ({condition_of(error)})",
                    "Write one such as decimal(38,2) in seeds/column_rules.csv",
                    "rule", "compare_as",
                ) from error  # fmt: skip
    return pair | {"rules": rules}


def plan_pair(session, pair, run):
    """The plan of one pair: the fields of PLAN_SCHEMA that depend on the tables; none of a pair
    that has findings, which is only looked at for what else is wrong.

    Raises PairErrors for all that the tables tell.
    """
    tag = f"recon-plan-{run['run_id']}-{pair['pair_id']}"
    session, end_queries = interruptible(session, tag)
    session.clearTags()
    session.addTag(tag)
    sides = results_of(*(partial(read_side, session, pair, side) for side in SIDES))
    check_two_tables(*sides)
    names = sides[0]["columns"].keys() | sides[1]["columns"].keys()
    pair = with_types(session, pair) | {"names": names}
    matched = match_columns(pair, *sides)
    (columns, not_applied), (family, watermark), *filters = results_of(
        partial(plan_columns, pair, matched, sides),
        partial(watermark_form, pair, matched, sides),
        *(partial(checked_filter, pair, side, run) for side in sides),
    )
    if pair["findings"]:
        return {}
    plan = {
        "key_columns": [column["target_column"] for column in columns if column["is_key"]],
        "columns": columns,
        "notes": notes_of(pair, sides, columns),
        "depends_on_time": depends_on_time(pair, sides),
        "rules_not_applied": not_applied,
        "estimated_bytes": sum(side["size"] for side in sides),
        "plan_hash": hash_of(pair, sides, columns, watermark, run),
    }
    if watermark:
        plan |= plan_watermark(end_queries, pair, family, watermark, sides)
    for side, predicate in zip(sides, filters, strict=True):
        plan[f"{side['name']}_identifier"] = quoted_relation(side["relation"])
        plan[f"{side['name']}_alias"] = side["alias"]
        plan[f"{side['name']}_pin"] = side["pin"]
        plan[f"{side['name']}_filter"] = predicate
    return plan


def plan_row(session, run, pair, in_scope):
    """One plan row (a dict); a pair that cannot be planned carries its error instead."""
    row = {"run_id": run["run_id"], "in_scope": in_scope, **{n: pair[n] for n in PAIR_FACTS}}
    if not in_scope:
        return row
    errors = []
    try:
        if not pair["findings"]:
            return row | plan_pair(session, pair, run)
        pair = without_faults(pair)
        if pair:
            plan_pair(session, pair, run)
    except PairError as error:
        errors = [error]
    except ExceptionGroup as group:
        errors = group.exceptions
    except Exception as error:  # one pair's trouble is that pair's error row
        remedy = (
            "This is a fault of recon or of the engine: please report it with the pair's lines of "
            "both seeds"
        )
        problem = f"planning failed ({condition_of(error)})"
        errors = [PairError("planning_failed", problem, remedy)]
    sentences = [*(f"{finding}." for finding in row["findings"]), *map(str, errors)]
    return row | {
        "error_class": "invalid_configuration" if row["findings"] else errors[0].error_class,
        "error_message": f"pair {row['pair_id']}: {' '.join(sentences)}",
        "problems": [error.as_problem() for error in errors],
    }


def without_faults(pair):
    """The pair without the settings and rules that have findings, to look at what the tables tell
    of the rest; None where that would be another pair, or its columns others."""
    faulty = set(pair["faulty"])
    if faulty - pair["settings"].keys() - {"wave", "owner", "note", "enabled"} - set(HARMLESS):
        return None
    settings = {name: None if name in faulty else v for name, v in pair["settings"].items()}
    return pair | {
        "settings": settings,
        "rules": [rule for rule in pair["rules"] if rule["rule"] not in faulty],
    }


def as_dict(pair):
    """A row of stg_recon__pairs as a dict, its rules as a list of dicts."""
    return pair.asDict() | {"rules": [rule.asDict() for rule in pair["rules"] or []]}


def model(dbt, session):
    """Plans every enabled pair of seeds/table_pairs.csv for the run in int_recon__run."""
    dbt.config(materialized="table")
    run_frame = dbt.ref("int_recon__run")
    configured = dbt.ref("stg_recon__pairs")
    run = run_frame.collect()[0].asDict()
    pairs = [as_dict(row) for row in configured.where("is_enabled").collect()]
    selected = json.loads(run["selected_pairs"]) if run["selected_pairs"] else None
    if not pairs:
        print("No pair is enabled in seeds/table_pairs.csv: this run compares nothing.")

    def planned(pair):
        return plan_row(session, run, pair, selected is None or pair["pair_id"] in selected)

    with ThreadPoolExecutor(max_workers=run["concurrency"]) as pool:
        rows = list(pool.map(planned, pairs))
    return session.createDataFrame(rows, PLAN_SCHEMA)
