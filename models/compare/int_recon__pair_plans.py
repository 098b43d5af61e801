"""The plan: one row per enabled pair, saying what this run compares and how.

Everything the comparison does is decided here and visible in the row: the pins, the matched
columns, one canonical expression per side and column, how a value is written as text and as JSON.
int_recon__comparisons only carries it out.
"""

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from pyspark.sql import functions as F
from pyspark.sql import types as T

PLAN_SCHEMA = """
    run_id string, pair_id string, original_pair_id string, in_scope boolean,
    source_relation string, target_relation string,
    source_identifier string, target_identifier string,
    source_pin struct<table_id: string, version: bigint>,
    target_pin struct<table_id: string, version: bigint>,
    key_columns array<string>, source_filter string, target_filter string,
    watermark_value string,
    columns array<struct<
        target_column: string, source_column: string, is_key: boolean,
        type_source: string, type_target: string, family: string,
        source_expression: string, target_expression: string,
        text_expression: string, json_expression: string, within_expression: string,
        tolerance: string, schema_finding: string, skipped_reason: string>>,
    settings map<string, string>, findings array<string>, notes array<string>,
    error_class string, error_message string, estimated_bytes bigint,
    config_hash string, plan_hash string,
    wave string, owner string, severity string, max_age_hours double
"""

# Settings that change the answer; the others change the gate, the labels or the schedule only.
ANSWER_SETTINGS = (
    "duplicate_keys",
    "null_keys",
    "type_differences",
    "one_sided_columns",
    "fail_on_empty",
    "hash_algorithm",
    "max_recorded_rows",
    "store_values",
)

INTEGER_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
MICROS_PER_DAY = 86_400_000_000

NOT_FOUND = re.compile(
    r"TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|NO_SUCH_CATALOG|CATALOG_NOT_FOUND"
)
NOT_PERMITTED = re.compile(r"INSUFFICIENT_PERMISSIONS|PERMISSION_DENIED|INSUFFICIENT_PRIVILEGES")


class PairError(Exception):
    """Why one pair cannot be compared: a class of the documented list and a sentence."""

    def __init__(self, error_class, message):
        super().__init__(message)
        self.error_class = error_class


def quoted(name):
    """One identifier, quoted for Spark SQL."""
    return "`" + name.replace("`", "``") + "`"


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


def select_sql(relation, pin):
    """The query that reads one side whole, at its pin where it has one."""
    version = f" version as of {pin[1]}" if pin else ""
    return f"select * from {quoted_relation(relation)}{version}"


def read_side(session, pair, side):
    """One side's pin, size and columns (a dict lower-case name -> (name, type)).

    Raises PairError when it cannot be read or has two names that differ by case only.
    """
    relation = pair[f"{side}_relation"]
    try:
        pin, size = read_pin(session, relation)
        schema = session.sql(select_sql(relation, pin)).schema
    except Exception as error:
        condition = condition_of(error)
        if NOT_FOUND.search(condition) or NOT_PERMITTED.search(condition):
            raise PairError(
                "relation_not_found" if NOT_FOUND.search(condition) else "permission_denied",
                f"pair {pair['pair_id']}: the {side} relation {relation} does not exist or may not "
                f"be read. Correct {side}_relation in seeds/table_pairs.csv, create the table or "
                "ask for permission to read it.",
            ) from error
        raise PairError(
            "relation_unreadable",
            f"pair {pair['pair_id']}: the {side} relation {relation} cannot be read ({condition}). "
            "Query it by hand to see why.",
        ) from error
    columns = {}
    for field in schema.fields:
        if field.name.lower() in columns:
            raise PairError(
                "invalid_configuration",
                f"pair {pair['pair_id']}: the {side} relation {relation} has columns "
                f"{columns[field.name.lower()][0]} and {field.name}, which differ by case only. "
                "Compare a view that gives them distinct names.",
            )
        columns[field.name.lower()] = (field.name, field.dataType)
    return {"relation": relation, "pin": pin, "size": size, "columns": columns}


# --- canonical values ---------------------------------------------------------------------------


def family_of(data_type):
    """The family within which values of different types are equal by value; None: not built yet."""
    if isinstance(data_type, T.NumericType):
        return "number"
    if isinstance(data_type, (T.DateType, T.TimestampType, T.TimestampNTZType)):
        return "time"
    if isinstance(data_type, (T.StringType, T.CharType, T.VarcharType)):
        return "text"
    if isinstance(data_type, T.BooleanType):
        return "boolean"
    if isinstance(data_type, T.BinaryType):
        return "binary"
    return None


def let(expression, name, body):
    """SQL that binds an expression to a name inside a body (evaluated once)."""
    return f"transform(array({expression}), {name} -> {body})[0]"


def number_text(text):
    """SQL: a number's text in any Spark spelling (`45.70`, `1E-7`, `1.0E10`) -> one spelling.

    Plain digits without trailing zeros; digits and exponent (`12E40`) far from the point; NaN and
    infinities as they are. A function of the value alone, so it also serves as canonical form.
    """
    digits = "concat(regexp_extract(n, '^-?([0-9]+)', 1), regexp_extract(n, '[.]([0-9]+)', 1))"
    point = (
        "coalesce(try_cast(regexp_extract(n, 'E([-+]?[0-9]+)$', 1) as int), 0)"
        " - length(regexp_extract(n, '[.]([0-9]+)', 1))"
    )
    significant = "regexp_replace(d, '^0+|0+$', '')"
    trailing = "(length(d) - length(regexp_replace(d, '0+$', '')))"
    rendered = (
        "case when s = '' then '0' "
        "when e between 0 and 40 then concat(sign, s, repeat('0', e)) "
        "when e < 0 and length(s) + e > 0 then "
        "concat(sign, substring(s, 1, length(s) + e), '.', substring(s, length(s) + e + 1)) "
        "when e between -60 and -1 then concat(sign, '0.', repeat('0', -(length(s) + e)), s) "
        "else concat(sign, s, 'E', e) end"
    )
    spelled = let(
        "if(startswith(n, '-'), '-', '')",
        "sign",
        let(significant, "s", let(f"p + {trailing}", "e", rendered)),
    )
    spelled = let(digits, "d", let(point, "p", spelled))
    return let(text, "n", f"if(n is null or n rlike '[NI]', n, {spelled})")


def json_text(text):
    """SQL: a text value as a JSON string."""
    encoded = f"to_json(array({text}))"
    return f"substring({encoded}, 2, length({encoded}) - 2)"


def number_forms(source_type, target_type):
    """Canonical forms of two numeric types: templates per side, and the text of the result."""
    names = [source_type.simpleString(), target_type.simpleString()]
    plain = "cast($value as string)"
    if all(name in INTEGER_DIGITS for name in names):
        return ["cast($value as bigint)"] * 2, plain, 0
    floating = [isinstance(t, (T.FloatType, T.DoubleType)) for t in (source_type, target_type)]
    if all(floating):
        # adding zero turns -0.0 into 0.0
        return ["cast($value as double) + 0.0D"] * 2, number_text(plain), None
    sizes = [
        (t.precision - t.scale, t.scale)
        if isinstance(t, T.DecimalType)
        else (INTEGER_DIGITS.get(t.simpleString(), 0), 0)
        for t in (source_type, target_type)
    ]
    digits, scale = max(s[0] for s in sizes), max(s[1] for s in sizes)
    if not any(floating) and digits + scale <= 38:
        return (
            [f"cast($value as decimal({digits + scale}, {scale}))"] * 2,
            number_text(plain),
            scale,
        )
    as_text = [
        number_text("cast(cast($value as double) as string)" if is_float else plain)
        for is_float in floating
    ]
    return as_text, "$value", None


def time_forms(source_type, target_type):
    """Canonical forms of two date/time types: a date, or microseconds since 1970 in UTC."""
    kinds = [source_type.simpleString(), target_type.simpleString()]
    if kinds == ["date", "date"]:
        return ["$value", "$value"], "cast($value as string)"
    micros = {
        "date": f"unix_date($value) * {MICROS_PER_DAY}",
        "timestamp": "unix_micros($value)",
        # field by field: casting it to a timestamp would depend on the session's zone
        "timestamp_ntz": let(
            "$value",
            "t",
            f"unix_date(cast(t as date)) * {MICROS_PER_DAY} + hour(t) * 3600000000L"
            " + minute(t) * 60000000L + cast(extract(second from t) * 1000000 as bigint)",
        ),
    }
    day = f"cast((m - pmod(m, {MICROS_PER_DAY})) div {MICROS_PER_DAY} as int)"
    seconds = f"cast(pmod(m, {MICROS_PER_DAY}) as decimal(20, 0)) / 1000000"
    text = let(
        "$value",
        "m",
        f"cast(cast(date_add(date '1970-01-01', {day}) as timestamp_ntz)"
        f" + make_dt_interval(0, 0, 0, {seconds}) as string)",
    )
    return [micros[kind] for kind in kinds], text


def within_number(tolerance, scale):
    """SQL template over $source and $target: are two numbers within an absolute tolerance.

    Judged in decimals, inclusive; what no decimal can hold is judged as doubles.
    """
    exponent = Decimal(tolerance).as_tuple().exponent
    places = min(max(18 if scale is None else scale, -min(exponent, 0)), 36)
    limit = f"try_cast('{Decimal(tolerance):f}' as decimal(38, {places}))"
    sides = [f"try_cast(${side} as decimal(37, {places}))" for side in ("source", "target")]
    exact = f"abs(try_subtract({sides[0]}, {sides[1]})) <= {limit}"
    if scale is not None:
        return f"coalesce({exact}, false)"
    doubles = [f"try_cast(${side} as double)" for side in ("source", "target")]
    rough = f"abs({doubles[0]} - {doubles[1]}) <= {float(tolerance)!r}D"
    return f"coalesce({exact}, {rough}, false)"


def canonical_forms(family, source_type, target_type):
    """(source template, target template), text template, JSON template, scale for tolerances."""
    scale = None
    if family == "number":
        sides, text, scale = number_forms(source_type, target_type)
        encoded = let(text, "x", f"if(x rlike '[NI]', {json_text('x')}, x)")
        return sides, text, encoded, scale
    if family == "time":
        sides, text = time_forms(source_type, target_type)
    elif family == "binary":
        sides, text = ["$value", "$value"], "hex($value)"
    elif family == "boolean":
        sides, text = ["$value", "$value"], "cast($value as string)"
        return sides, text, text, scale
    else:
        sides, text = ["cast($value as string)"] * 2, "$value"
    return sides, text, json_text(text), scale


# --- matching columns ---------------------------------------------------------------------------


def rules_by_column(pair):
    """The pair's rules: lower-case column name -> list of rules (dicts)."""
    found = {}
    for rule in pair["rules"]:
        found.setdefault(rule["column_name"].lower(), []).append(rule)
    return found


def match_columns(pair, source, target, rules):
    """Pairs up columns by name without regard to case and by rule source_column.

    Returns a list of (source name or None, target name or None), target's order first. Raises
    PairError for a rule whose column does not exist.
    """
    renamed = {}
    for name, column_rules in rules.items():
        for rule in column_rules:
            if rule["rule"] == "source_column":
                if rule["argument"].lower() not in source["columns"]:
                    raise missing_column(
                        pair, source, "source", "rule source_column", rule["argument"]
                    )
                renamed[name] = rule["argument"].lower()
    matched = []
    for name, (spelling, _) in target["columns"].items():
        own = renamed.get(name, name if name not in renamed.values() else None)
        matched.append((source["columns"].get(own, (None,))[0], spelling))
    taken = {s.lower() for s, _ in matched if s}
    matched += [(s, None) for n, (s, _) in source["columns"].items() if n not in taken]
    known = {(t or s).lower() for s, t in matched}
    for name in rules:
        if name not in known:
            raise missing_column(pair, target, "target", "column_rules.csv", name)
    return matched


def missing_column(pair, side, side_name, where, column):
    """PairError for a column that configuration names and a side does not have."""
    have = ", ".join(name for name, _ in side["columns"].values())
    return PairError(
        "column_not_found",
        f"pair {pair['pair_id']}: {where} names column {column}, which the {side_name} relation "
        f"{side['relation']} does not have. Its columns are: {have}.",
    )


def apply_trim(expression, argument):
    """SQL: text without blanks (`right`, `both`) or any white space (`right_ws`) at its end(s)."""
    if argument == "right_ws":
        return f"regexp_replace({expression}, r'(?U)\\s+\\z', '')"
    return f"rtrim({expression})" if argument == "right" else f"trim({expression})"


def check_rules(pair, name, is_key, families, column_rules):
    """Raises PairError where a rule does not fit the column it names."""
    for rule in column_rules:
        sides = [rule["side"]] if rule["side"] else ["source", "target"]
        problem = None
        if rule["rule"] == "ignore" and is_key:
            problem = "a key column cannot be ignored"
        elif rule["rule"] == "abs_tolerance" and is_key:
            problem = "a key column has no tolerance; keys are matched exactly"
        elif rule["rule"] == "abs_tolerance" and set(families.values()) != {"number"}:
            problem = "abs_tolerance needs a column that is numeric on both sides"
        elif rule["rule"] == "trim" and any(families.get(side) != "text" for side in sides):
            problem = f"trim needs a text column on {' and '.join(sides)}"
        if problem:
            raise PairError(
                "invalid_configuration",
                f"pair {pair['pair_id']}, column {name}: {problem}. Correct the rule in "
                "seeds/column_rules.csv.",
            )


def plan_column(pair, names, source, target, column_rules, is_key):
    """One column of the plan. Raises PairError for an unfit rule or a type not built yet."""
    source_name, target_name = names
    source_type = source["columns"][source_name.lower()][1] if source_name else None
    target_type = target["columns"][target_name.lower()][1] if target_name else None
    column = {
        "target_column": target_name,
        "source_column": source_name,
        "is_key": is_key,
        "type_source": source_type.simpleString() if source_type is not None else None,
        "type_target": target_type.simpleString() if target_type is not None else None,
    }
    families = {
        side: family_of(data_type)
        for side, data_type in (("source", source_type), ("target", target_type))
        if data_type is not None
    }
    check_rules(pair, target_name or source_name, is_key, families, column_rules)
    if any(rule["rule"] == "ignore" for rule in column_rules):
        return column | {"skipped_reason": "ignored by rule"}
    if not (source_name and target_name):
        return column | one_sided(pair, "source" if source_name else "target")
    for side, family in families.items():
        if family is None:
            raise PairError(
                "unsupported_type",
                f"pair {pair['pair_id']}, column {target_name}: type {column[f'type_{side}']} on "
                f"the {side} side is not available in this release. Add a rule ignore for the "
                "column to compare the others.",
            )
    if families["source"] != families["target"]:
        column |= {"schema_finding": "difference"}
        if not is_key:
            reason = f"types of different families: {families['source']}, {families['target']}"
            return column | {"skipped_reason": reason}
    elif column["type_source"] != column["type_target"]:
        fails = pair["settings"]["type_differences"] == "fail"
        column |= {"schema_finding": "difference" if fails else "observation"}
    return column | expressions_of(column, families, source_type, target_type, column_rules)


def one_sided(pair, side):
    """The plan of a column that only one side has, by setting one_sided_columns."""
    setting = pair["settings"]["one_sided_columns"]
    listed_only = setting in ("ignore", f"ignore_{side}_only")
    return {
        "skipped_reason": f"only in {side}",
        "schema_finding": "observation" if listed_only else "difference",
    }


def expressions_of(column, families, source_type, target_type, column_rules):
    """The canonical expressions of a column that both sides have."""
    same_family = families["source"] == families["target"]
    raw = {}
    for side in ("source", "target"):
        raw[side] = quoted(column[f"{side}_column"])
        for rule in column_rules:
            if rule["rule"] == "trim" and rule["side"] in (None, side):
                raw[side] = apply_trim(raw[side], rule["argument"])
    if same_family:
        family = families["source"]
        sides, text, encoded, scale = canonical_forms(family, source_type, target_type)
    else:  # a key column of two families: matched by the text of each side's own form
        family, scale, text, encoded = "text", None, "$value", json_text("$value")
        sides = []
        for side, data_type in (("source", source_type), ("target", target_type)):
            own, own_text, _, _ = canonical_forms(families[side], data_type, data_type)
            sides.append(own_text.replace("$value", own[0]))
    tolerances = [r["argument"] for r in column_rules if r["rule"] == "abs_tolerance"]
    return {
        "family": family,
        "source_expression": sides[0].replace("$value", raw["source"]),
        "target_expression": sides[1].replace("$value", raw["target"]),
        "text_expression": text,
        "json_expression": encoded,
        "tolerance": tolerances[0] if tolerances else None,
        "within_expression": within_number(tolerances[0], scale) if tolerances else None,
    }


# --- one pair -----------------------------------------------------------------------------------


def split_keys(pair):
    """The key columns as written in the seed, without blanks around them."""
    return [
        name.strip() for name in (pair["settings"]["key_columns"] or "").split(";") if name.strip()
    ]


def check_filter(session, pair, side, side_plan):
    """Raises PairError when a filter is not one predicate over the side's columns."""
    predicate = pair["settings"][f"{side}_filter"]
    if not predicate:
        return
    try:
        frame = session.sql(select_sql(side_plan["relation"], side_plan["pin"]))
        is_predicate = isinstance(
            frame.select(F.expr(predicate).alias("kept")).schema["kept"].dataType, T.BooleanType
        )
        if is_predicate:  # an aggregate may be selected, but filters nothing
            frame.where(F.expr(predicate)).schema  # noqa: B018
    except Exception as error:
        raise PairError(
            "invalid_filter",
            f"pair {pair['pair_id']}: {side}_filter cannot be used ({condition_of(error)}). Write "
            f"one predicate over the columns of {side_plan['relation']}, such as id > 10.",
        ) from error
    if not is_predicate:
        raise PairError(
            "invalid_filter",
            f"pair {pair['pair_id']}: {side}_filter is not a predicate. Write a condition that is "
            "true or false, such as id > 10.",
        )


def rules_of(rules, names, by_target):
    """The rules of one column; a target column's rules are not those of a namesake that only the
    source has."""
    if names[1] is None and names[0].lower() in by_target:
        return []
    return rules.get((names[1] or names[0]).lower(), [])


def plan_columns(pair, source, target):
    """All columns of the plan, key columns first in the seed's order."""
    rules = rules_by_column(pair)
    matched = match_columns(pair, source, target, rules)
    by_target = {t.lower(): (s, t) for s, t in matched if t}
    keys = []
    for name in split_keys(pair):
        if name.lower() not in by_target:
            raise missing_column(pair, target, "target", "key_columns", name)
        if by_target[name.lower()][0] is None:
            raise missing_column(pair, source, "source", "key_columns", name)
        if name.lower() in keys:
            raise PairError(
                "invalid_configuration",
                f"pair {pair['pair_id']}: key_columns names {name} twice. Name each column once.",
            )
        keys.append(name.lower())
    ordered = [by_target[key] for key in keys]
    ordered += [names for names in matched if (names[1] or "").lower() not in keys]
    return [
        plan_column(
            pair,
            names,
            source,
            target,
            rules_of(rules, names, by_target),
            bool(names[1]) and names[1].lower() in keys,
        )
        for names in ordered
    ]


def hash_of(pair, source, target, columns, code_version):
    """plan_hash: changes when anything that can change the answer does; pins are not part of it."""
    parts = {
        "code_version": code_version,
        "pair": pair["original_pair_id"],
        "relations": [pair["source_relation"], pair["target_relation"]],
        "filters": [pair["settings"]["source_filter"], pair["settings"]["target_filter"]],
        "settings": {name: pair["settings"][name] for name in ANSWER_SETTINGS},
        "schemas": [
            [[name, data_type.simpleString()] for name, data_type in side["columns"].values()]
            for side in (source, target)
        ],
        "columns": columns,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def notes_of(pair, source, target, columns):
    """What a reader of the result should know about how it came about."""
    notes = [
        f"unpinned: {side['relation']} is no Delta table, so no version can be named"
        for side in (source, target)
        if not side["pin"]
    ]
    filters = [bool(pair["settings"][f"{side}_filter"]) for side in ("source", "target")]
    if filters[0] != filters[1]:
        notes.append(f"filter on the {'source' if filters[0] else 'target'} side only")
    notes += [
        f"float key: {column['target_column']}"
        for column in columns
        if column["is_key"] and {column["type_source"], column["type_target"]} & {"float", "double"}
    ]
    return notes


def check_two_tables(pair, source, target):
    """Raises PairError when both sides are one table, however its name is spelt."""
    names = [quoted_relation(side["relation"]).lower() for side in (source, target)]
    ids = [side["pin"] and side["pin"][0] for side in (source, target)]
    if names[0] == names[1] or (ids[0] and ids[0] == ids[1]):
        raise PairError(
            "invalid_configuration",
            f"pair {pair['pair_id']}: source_relation {source['relation']} and target_relation "
            f"{target['relation']} are one table. Name two tables in seeds/table_pairs.csv.",
        )


def plan_pair(session, pair, code_version):
    """The plan of one pair: the fields of PLAN_SCHEMA that depend on the tables."""
    source, target = (read_side(session, pair, side) for side in ("source", "target"))
    check_two_tables(pair, source, target)
    columns = plan_columns(pair, source, target)
    for side, side_plan in (("source", source), ("target", target)):
        check_filter(session, pair, side, side_plan)
    return {
        "source_identifier": quoted_relation(source["relation"]),
        "target_identifier": quoted_relation(target["relation"]),
        "source_pin": source["pin"],
        "target_pin": target["pin"],
        "key_columns": [c["target_column"] for c in columns if c["is_key"]],
        "source_filter": pair["settings"]["source_filter"],
        "target_filter": pair["settings"]["target_filter"],
        "columns": columns,
        "notes": notes_of(pair, source, target, columns),
        "estimated_bytes": source["size"] + target["size"],
        "plan_hash": hash_of(pair, source, target, columns, code_version),
    }


def plan_row(session, run, pair, in_scope):
    """One plan row (a dict); a pair that cannot be planned carries its error instead."""
    row = {
        "run_id": run["run_id"],
        "in_scope": in_scope,
        **{
            name: pair[name]
            for name in (
                "pair_id",
                "original_pair_id",
                "source_relation",
                "target_relation",
                "settings",
                "findings",
                "config_hash",
                "wave",
                "owner",
                "severity",
                "max_age_hours",
            )
        },
    }
    if not in_scope:
        return row
    if pair["findings"]:
        return row | {
            "error_class": "invalid_configuration",
            "error_message": f"pair {pair['pair_id']}: " + ". ".join(pair["findings"]) + ".",
        }
    try:
        return row | plan_pair(session, pair, run["project_version"])
    except PairError as error:
        return row | {"error_class": error.error_class, "error_message": str(error)}
    except Exception as error:  # one pair's trouble is that pair's error row
        return row | {
            "error_class": "planning_failed",
            "error_message": f"pair {pair['pair_id']}: planning failed ({condition_of(error)}).",
        }


def as_dict(pair):
    """A row of stg_recon__pairs as a dict, its rules as a list of dicts."""
    found = pair.asDict()
    found["rules"] = [rule.asDict() for rule in found["rules"] or []]
    return found


def model(dbt, session):
    """Plans every enabled pair of seeds/table_pairs.csv for the run in int_recon__run."""
    dbt.config(materialized="table")
    run_frame = dbt.ref("int_recon__run")
    configured = dbt.ref("stg_recon__pairs")
    run = run_frame.collect()[0].asDict()
    pairs = [as_dict(row) for row in configured.where("is_enabled").collect()]
    requested = json.loads(run["requested_pairs"]) if run["requested_pairs"] else None
    if not pairs:
        print("No pair is enabled in seeds/table_pairs.csv: this run compares nothing.")

    def planned(pair):
        return plan_row(session, run, pair, requested is None or pair["pair_id"] in requested)

    with ThreadPoolExecutor(max_workers=run["concurrency"]) as pool:
        rows = list(pool.map(planned, pairs))
    return session.createDataFrame(rows, PLAN_SCHEMA)
