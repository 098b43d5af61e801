"""The comparison: runs every plan of int_recon__pair_plans on Spark and returns the run's records.

Per pair, first one pass over both sides that adds up row hashes in buckets of keys; where all
buckets agree and hold no duplicate or NULL key, the pair matches. Only the rows of the other
buckets are then grouped by key, and only keys that differ are read with their values. Pairs
without a key, and keys with several rows under duplicate_keys multiset, are compared as bags.
The result is one `run` record, one `pair_result` per enabled pair, a record per difference and
observation, a `pair_plan` per new plan: JSON with the field names of audit_ledger.
"""

import hashlib
import hmac
import json
import os
import re
import threading
import time
import unicodedata
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial
from itertools import chain

from pyspark.sql import functions as F

SCRATCH_SCHEMA = "run_id string, pair_id string, plan_hash string, record string"

# What the run record takes over from int_recon__run.
RUN_FACTS = (
    "scope",
    "requested_pairs",
    "requested_wave",
    "clock_was_given",
    "seeds_config_hash",
    "rules_config_hash",
    "project_version",
    "code_version",
    "git_commit",
    "dbt_version",
    "adapter_version",
    "spark_version",
    "target_name",
    "executed_as",
    "invocation_id",
)

SIDES = ("source", "target")
# What a plan holds of one night only.
WATERMARK_FACTS = ("watermark_value", "source_after_watermark", "target_after_watermark")
BUCKETS = 1024
# Above this share of unequal buckets, reading only some of them saves nothing.
MOST_BUCKETS = 0.5
# A NULL mask of booleans is packed into bigints of this many bits.
MASK_BITS = 62
LOW_HALF = 4294967295
OBSERVED_ONLY = ("within_tolerance",)
# Braces of a JSON object: Python models may not hold doubled ones, which read as Jinja.
OPEN, CLOSE = "{", "}"
CANONICAL_TIME = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?")
# How long a pair's thread may take to return once its queries are interrupted, and how long at most
# none is looked at (seconds).
SECONDS_TO_RETURN = 60
LONGEST_WAIT = 3600
# Enough digits for any double and decimal: nothing is rounded.
EXACT = Context(prec=2000)


TABLE_GONE = re.compile("TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|PERMISSION")
# What Delta and Spark say, in words or as a condition, when the files of a version are not there.
VERSION_GONE = re.compile(
    r"Cannot time travel Delta table|FILE_NOT_EXIST"
    r"|DELTA_FILE_NOT_FOUND|DELTA_TRUNCATED_TRANSACTION_LOG"
)
VERSIONS_KEPT = re.compile(r"Available versions: \[(\d+), (\d+)\]")


class PairError(Exception):
    """Why one pair was not compared: a class of the documented list and a sentence."""

    def __init__(self, error_class, message):
        super().__init__(message)
        self.error_class = error_class


def condition_of(error):
    """The error condition Spark names (`CAST_INVALID_INPUT` ...), or its class's name."""
    getter = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    return (getter() if getter else None) or type(error).__name__


def json_digest(parts):
    """sha256, as hex, of a list as compact JSON, which is what to_json gives an array of text."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def mismatch_id(plan, diff_type, side=None, column=None, key=None, row=None):
    """The identity of a difference: the same every night and on every machine."""
    column = column.lower() if column else None
    return json_digest([plan["original_pair_id"], diff_type, side, column, key, row])


# --- functions that Spark SQL lacks --------------------------------------------------------------


def unicode_normalize(text, form):
    """Rule unicode_normalize, as SQL function recon_unicode_normalize."""
    return None if text is None else unicodedata.normalize(form, text)


def seconds_of(value):
    """A date or time as canonical text, or seconds as Decimal, in seconds since 1970; None for
    what is none, or beyond Python's calendar."""
    if not isinstance(value, str):
        return value if isinstance(value, Decimal) else None
    if not CANONICAL_TIME.fullmatch(value):
        return None
    whole, _, fraction = value.partition(".")
    try:
        since = datetime.fromisoformat(whole) - datetime(1970, 1, 1)
    except ValueError:
        return None
    micros = since // timedelta(microseconds=1) + int(fraction.ljust(6, "0"))
    return Decimal(micros).scaleb(-6)


def number_of(value):
    """A number as Decimal, a float as its shortest one; None for NULL, NaN, infinities, text."""
    exact = Decimal(repr(value)) if isinstance(value, (int, float)) else value
    return exact if isinstance(exact, Decimal) and exact.is_finite() else None


def value_within(source, target, tolerances):
    """Whether two unequal values are within one of the given tolerances, inclusive."""
    exact = seconds_of if "abs_tolerance_seconds" in tolerances else number_of
    values = exact(source), exact(target)
    if None in values:
        return False
    gap = EXACT.abs(EXACT.subtract(*values))
    largest = max(EXACT.abs(value) for value in values)
    factors = {"abs_tolerance": 1, "abs_tolerance_seconds": 1, "rel_tolerance": largest}
    for rule, factor in factors.items():
        if rule in tolerances and gap <= EXACT.multiply(Decimal(tolerances[rule]), factor):
            return True
    if "round" in tolerances:
        unit = Decimal(1).scaleb(-int(tolerances["round"]))
        rounded = [value.quantize(unit, ROUND_HALF_UP, EXACT) for value in values]
        return rounded[0] == rounded[1]
    return False


def entries(pairs):
    """A JSON object as a dict; as a list of tuples where a name stands in it twice, as it may in a
    map whose keys a rule has made equal."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else pairs


def is_same(source, target):
    """Whether two parsed JSON values are equal; to Python true would be 1."""
    if type(source) is not type(target):
        return False
    if isinstance(source, dict):
        return source.keys() == target.keys() and all(
            is_same(source[name], target[name]) for name in source
        )
    if isinstance(source, (list, tuple)):
        return len(source) == len(target) and all(map(is_same, source, target))
    return source == target


def parts_within(source, target, tree):
    """Whether two parsed JSON values are equal but for parts that are within their tolerance.

    tree: the plan's tolerances: {"value": {rule: argument}} or {"fields": {name: tree}} or
    {"items": tree} or {"values": tree}; None where none applies.
    """
    if is_same(source, target):
        return True
    if not tree:
        return False
    if "value" in tree:
        return value_within(source, target, tree["value"])
    if "items" in tree:
        same_shape = isinstance(source, list) and isinstance(target, list)
        pairs = zip(source, target, strict=True) if same_shape else ()
        same_shape = same_shape and len(source) == len(target)
        return same_shape and all(parts_within(s, t, tree["items"]) for s, t in pairs)
    if (
        not (isinstance(source, dict) and isinstance(target, dict))
        or source.keys() != target.keys()
    ):
        return False
    trees = tree.get("fields") or dict.fromkeys(source, tree.get("values"))
    return all(parts_within(source[name], target[name], trees.get(name)) for name in source)


def is_within(source, target, tree):
    """Tolerances on canonical values, as SQL function recon_within; exact, inclusive. Text is
    JSON (nested values, what compare_as read) or a number's, a number for a time is seconds."""
    values = [
        json.loads(value, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=entries)
        if isinstance(value, str)
        else value
        for value in (source, target)
    ]
    return parts_within(*values, json.loads(tree))


def mask_key(dbt, session):
    """The key that masked values are hashed with, or None: the environment variable
    RECON_MASK_KEY, else the Databricks secret that the model's meta names."""
    if os.environ.get("RECON_MASK_KEY"):
        return os.environ["RECON_MASK_KEY"].encode()
    scope = dbt.config.meta_get("mask_secret_scope")
    if not scope:
        return None
    from pyspark.dbutils import DBUtils  # there on Databricks only

    return DBUtils(session).secrets.get(scope, dbt.config.meta_get("mask_secret_key")).encode()


def register_functions(session, key):
    """Makes recon_within, recon_unicode_normalize and recon_mask known to the session's SQL."""

    def mask(text):
        return None if text is None else hmac.new(key, text.encode(), "sha256").hexdigest()

    session.udf.register("recon_unicode_normalize", unicode_normalize, "string")
    # Evaluated where they stand: pushed down into the condition of a join Spark cannot call them.
    session.udf.register("recon_within", F.udf(is_within, "boolean").asNondeterministic())
    if key:
        session.udf.register("recon_mask", F.udf(mask, "string").asNondeterministic())


# --- SQL of one side ----------------------------------------------------------------------------


def pinned(plan, side):
    """SQL: one side's table at the version the plan pinned, where it pinned one."""
    pin = plan[f"{side}_pin"]
    return plan[f"{side}_identifier"] + (f" version as of {pin['version']}" if pin else "")


def literal(text):
    """A SQL text literal."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def compared_columns(plan):
    """The plan's columns that are compared, keys first."""
    return [column for column in plan["columns"] if not column["skipped_reason"]]


def names_of(plan):
    """Internal names of the key and the value columns (`c0`, `c1` ...): never a user's name."""
    columns = compared_columns(plan)
    keys = [f"c{i}" for i, column in enumerate(columns) if column["is_key"]]
    return keys, [f"c{i}" for i, column in enumerate(columns) if not column["is_key"]]


def has_bags(plan):
    """Whether some rows are compared as bags: all without a key, else those of multiple keys."""
    return not plan["key_columns"] or plan["settings"]["duplicate_keys"] == "multiset"


def hides_values(plan):
    """Whether some value of the pair is recorded as its HMAC or not at all."""
    is_masked = any(column["is_masked"] for column in compared_columns(plan))
    return is_masked or plan["settings"]["store_values"] != "full"


def equal_keys(plan, one, other):
    """SQL: whether two rows have one key; NULL equals NULL."""
    return " and ".join(f"{one}.{key} <=> {other}.{key}" for key in names_of(plan)[0])


def json_of(column, name):
    """SQL: a canonical value as JSON, 'null' for NULL."""
    return f"coalesce({column['json_expression'].replace('$value', name)}, 'null')"


def key_parts(plan, prefix=""):
    """SQL: the key as an array of JSON texts; NULL for a pair without a key."""
    columns = compared_columns(plan)
    parts = [json_of(c, f"{prefix}c{i}") for i, c in enumerate(columns) if c["is_key"]]
    # without the mark of text that compare_as could not read
    parts = [f"regexp_replace({part}, '^\"\\ufffdtext ', '\"')" for part in parts]
    return f"array({', '.join(parts)})" if parts else "cast(null as array<string>)"


def row_parts(plan):
    """SQL: a row as an array of JSON members `"name":value`, in the order of the names."""
    members = []
    for i, column in enumerate(compared_columns(plan)):
        label = literal(json.dumps(column["target_column"], ensure_ascii=False) + ":")
        members.append((column["target_column"].lower(), label, json_of(column, f"c{i}")))
    return f"array({', '.join(f'concat({label}, {value})' for _, label, value in sorted(members))})"


def shown_key(plan):
    """SQL: key_parts as JSON array text, masked where the plan says so.

    Python functions are called on plain columns only: Spark loses them where lambdas are nested
    in what they are called with.
    """
    keys = [column for column in compared_columns(plan) if column["is_key"]]
    parts = []
    for i, column in enumerate(keys):
        part = f"get(key_parts, {i})"
        parts.append(f"concat('\"', recon_mask({part}), '\"')" if column["is_masked"] else part)
    joined = f"concat('[', concat_ws(',', {', '.join(parts)}), ']')"
    return joined if parts else "cast(null as string)"


def shown_row(plan):
    """SQL: row_parts as JSON object text, masked where the plan says so."""
    columns = sorted(compared_columns(plan), key=lambda column: column["target_column"].lower())
    parts = []
    for i, column in enumerate(columns):
        part = f"get(row_parts, {i})"
        if column["is_masked"]:
            label = json.dumps(column["target_column"], ensure_ascii=False) + ':"'
            value = f"recon_mask(substring({part}, {len(label)}))"
            part = f"concat({literal(label)}, {value}, '\"')"
        parts.append(part)
    return f"concat('{OPEN}', concat_ws(',', {', '.join(parts)}), '{CLOSE}')"


def hash_sql(names):
    """SQL: xxhash64 over a NULL mask and the values of the named columns.

    xxhash64 skips NULLs, so where they are is hashed beside the values.
    """
    masks = []
    for start in range(0, len(names), MASK_BITS):
        bits = enumerate(names[start : start + MASK_BITS])
        masks.append(" | ".join(f"if({name} is null, {1 << bit}L, 0L)" for bit, name in bits))
    return f"xxhash64({', '.join(masks + names)})"


def row_hash_sql(plan):
    """SQL: the row hash by the pair's algorithm: xxhash64, or sha256 of the row's JSON as hex."""
    if plan["settings"]["hash_algorithm"] == "sha256":
        return f"sha2(array_join({row_parts(plan)}, ','), 256)"
    keys, values = names_of(plan)
    return hash_sql(keys + values)


def hash_words(plan):
    """SQL: row_hash in 32-bit words, as bigints: 2 of an xxhash64, 8 of a sha256.

    Added up they cannot overflow, and equal rows never cancel out.
    """
    if plan["settings"]["hash_algorithm"] == "sha256":
        starts = range(1, 65, 8)
        return [f"cast(conv(substring(row_hash, {i}, 8), 16, 10) as bigint)" for i in starts]
    return [f"row_hash & {LOW_HALF}L", "shiftrightunsigned(row_hash, 32)"]


def read_sql(plan, side):
    """SQL: one side at its pin, filtered, in canonical values c0 .. cn; is_after: behind the
    watermark."""
    columns = [f"{c[f'{side}_expression']} as c{i}" for i, c in enumerate(compared_columns(plan))]
    after = plan[f"{side}_after_watermark"] or "false"
    where = f"where (\n{plan[f'{side}_filter']}\n)" if plan[f"{side}_filter"] else ""
    # without an alias Spark reads "where (live)" as an alias `where` with a column list
    rows = f"{pinned(plan, side)} as {plan[f'{side}_alias']} {where}"
    return f"select {', '.join(columns)}, {after} as is_after from {rows}"


def with_sides(plan, buckets=None):
    """SQL: a WITH clause of `source` and `target`: c0 .. cn, row_hash, has_null_key, key_hash,
    bucket (of the key; of the row where there is none); only the given buckets.

    Rows behind the watermark are left out on both sides, and so are all rows of their keys.
    """
    keys, _ = names_of(plan)
    ctes = [f"{side}_read as ({read_sql(plan, side)})" for side in SIDES]
    without_behind = ""
    if plan["source_after_watermark"] and keys:
        behind = [f"select {', '.join(keys)} from {side}_read where is_after" for side in SIDES]
        ctes.append(f"behind as ({' union '.join(behind)})")
        without_behind = f"left anti join behind on {equal_keys(plan, 'r', 'behind')}"
    has_null_key = "false"
    if keys and plan["settings"]["null_keys"] == "report":
        has_null_key = " or ".join(f"{key} is null" for key in keys)
    key_hash = hash_sql(keys) if keys else "xxhash64(row_hash)"
    only = f"where bucket in ({', '.join(map(str, buckets))})" if buckets else ""
    for side in SIDES:
        ctes.append(f"""{side} as (
            select * from (
                select *, pmod(key_hash, {BUCKETS}) as bucket from (
                    select *, {key_hash} as key_hash from (
                        select *, {row_hash_sql(plan)} as row_hash, {has_null_key} as has_null_key
                        from {side}_read as r {without_behind}
                        where not is_after
                    )
                )
            ) {only}
        )""")
    return "with " + ", ".join(ctes)


# --- first level: bucket digests ----------------------------------------------------------------


def digest_sql(plan, side, find_duplicates):
    """SQL: per bucket of keys rows, sums of hash words, whether keys are NULL or, where asked,
    duplicated."""
    words = hash_words(plan)
    if not find_duplicates:
        sums = ", ".join(f"sum({word})" for word in words)
        return f"""
            select '{side}' as side, bucket, count(*) as row_count, array({sums}) as sums,
                false as has_duplicates, max(has_null_key) as has_null_keys
            from {side} group by bucket
        """
    per_key = ", ".join(f"sum({word}) as w{i}" for i, word in enumerate(words))
    sums = ", ".join(f"sum(w{i})" for i, _ in enumerate(words))
    return f"""
        select '{side}' as side, bucket, sum(n) as row_count, array({sums}) as sums,
            max(n > 1) as has_duplicates, max(has_null_key) as has_null_keys
        from (
            select bucket, key_hash, count(*) as n, {per_key}, max(has_null_key) as has_null_key
            from {side} group by bucket, key_hash
        ) group by bucket
    """


def read_digests(session, plan):
    """The first pass, one action: {side: {bucket: digest}}; bucket -1: rows of the whole table,
    -2: rows after the filter, where a filter or a watermark leaves some out.

    Equal buckets hold the same rows on both sides, so duplicates are looked for on one only.
    """
    parts = []
    for side in SIDES:
        parts.append(digest_sql(plan, side, side == "source" and not has_bags(plan)))
        counted = {-1: pinned(plan, side), -2: f"{side}_read"}
        if not plan["source_after_watermark"]:
            counted.pop(-2)
            if not plan[f"{side}_filter"]:
                counted.pop(-1)
        parts += [
            f"select '{side}', {bucket}L, count(*), null, false, false from {rows}"
            for bucket, rows in counted.items()
        ]
    found = {side: {} for side in SIDES}
    for row in session.sql(f"{with_sides(plan)} {' union all '.join(parts)}").collect():
        found[row["side"]][row["bucket"]] = row
    return found


def open_buckets(digests):
    """Buckets whose rows must be looked at: unequal, or with duplicate or NULL keys."""
    found = []
    for bucket in sorted(digests["source"].keys() | digests["target"].keys()):
        if bucket < 0:
            continue
        source, target = (digests[side].get(bucket) for side in SIDES)
        if source is None or target is None:
            found.append(bucket)
            continue
        is_unequal = any(source[name] != target[name] for name in ("row_count", "sums"))
        has_null_keys = source["has_null_keys"] or target["has_null_keys"]
        if is_unequal or has_null_keys or source["has_duplicates"]:
            found.append(bucket)
    return found


# --- second level: keys, then values ------------------------------------------------------------


def difference(condition, diff_type, side, occurrences, column=-1, values=("null", "null")):
    """SQL: a difference, or NULL where the condition does not hold; column: index among the
    compared columns, -1 for none."""
    return (
        f"if({condition}, named_struct('diff_type', {diff_type}, 'side', cast({side} as string),"
        f" 'column_index', {column}, 'source_value', cast({values[0]} as string),"
        f" 'target_value', cast({values[1]} as string),"
        f" 'occurrences', cast({occurrences} as bigint)), null)"
    )


def found_sql(key, row, differences, rows):
    """SQL: the differences of each of the given rows, with key_parts and, of a bag, row_parts."""
    return f"""
        select {key} as key_parts, cast({row} as array<string>) as row_parts,
            filter(array({", ".join(differences)}), d -> d is not null) as differences
        from {rows}
    """


def keyed_sql(plan):
    """SQL: rows of both sides grouped by key: how many and a row hash per side."""
    keys = ", ".join(names_of(plan)[0])
    sides = [f"select '{s}' as side, {keys}, has_null_key, row_hash from {s}" for s in SIDES]
    return f"""
        select {keys}, has_null_key,
            count_if(side = 'source') as source_rows, count_if(side = 'target') as target_rows,
            max(if(side = 'source', row_hash, null)) as source_hash,
            max(if(side = 'target', row_hash, null)) as target_hash
        from ({" union all ".join(sides)})
        group by {keys}, has_null_key
    """


def key_differences_sql(plan):
    """SQL: keys missing, duplicated or NULL on a side; with bags only keys of one row a side."""
    differences = []
    for side, other in (SIDES, SIDES[::-1]):
        rows, facts = f"{side}_rows", (f"'{side}'", f"{side}_rows")
        differences += [
            difference(f"has_null_key and {rows} > 0", "'null_key'", *facts),
            difference(f"not has_null_key and {other}_rows = 0", f"'missing_in_{other}'", *facts),
            difference(f"not has_null_key and {rows} > 1", "'duplicate_key'", *facts),
        ]
    one_each = "source_rows <= 1 and target_rows <= 1" if has_bags(plan) else "true"
    differ = f"has_null_key or ({one_each} and (source_rows <> 1 or target_rows <> 1))"
    return found_sql(key_parts(plan), "null", differences, f"keyed where {differ}")


def cell_difference(index, column):
    """SQL: the difference of one value column (s.c<i> against t.c<i>), or NULL where equal."""
    source, target = f"s.c{index}", f"t.c{index}"
    diff_type = "'value_mismatch'"
    if column["within_expression"]:
        within = column["within_expression"].replace("$source", source).replace("$target", target)
        diff_type = f"if({within}, 'within_tolerance', 'value_mismatch')"
    texts = [column["text_expression"].replace("$value", name) for name in (source, target)]
    return difference(f"not ({source} <=> {target})", diff_type, "null", 1, index, texts)


def cell_differences_sql(plan):
    """SQL: unequal cells of the keys that both sides hold once."""
    cells = [
        cell_difference(index, column)
        for index, column in enumerate(compared_columns(plan))
        if not column["is_key"]
    ]
    rows = f"""
        keyed inner join source as s on {equal_keys(plan, "keyed", "s")}
        inner join target as t on {equal_keys(plan, "keyed", "t")}
        where not keyed.has_null_key and source_rows = 1 and target_rows = 1
            and source_hash <> target_hash
    """
    return found_sql(key_parts(plan, "keyed."), "null", cells, rows)


def bag_differences_sql(plan):
    """SQL: surplus rows of bags: of all rows without a key, else of keys with several rows."""
    keys, values = names_of(plan)
    names = ", ".join(keys + values)
    several = ""
    if keys:
        several = f"""left semi join keyed on {equal_keys(plan, "r", "keyed")}
            and not keyed.has_null_key and (source_rows > 1 or target_rows > 1)"""
    sides = [
        f"select {sign} as sign, row_hash, {names} from {side} as r {several}"
        for side, sign in zip(SIDES, (1, -1), strict=True)
    ]
    by_row = ", ".join([*keys, "row_hash"])
    rows = f"""(
        select surplus, content.* from (
            select sum(sign) as surplus, max(struct({names})) as content
            from ({" union all ".join(sides)}) group by {by_row}
        ) where surplus <> 0
    )"""
    differences = [
        difference("surplus > 0", "'missing_in_target'", "'source'", "surplus"),
        difference("surplus < 0", "'missing_in_source'", "'target'", "-surplus"),
    ]
    return found_sql(key_parts(plan), row_parts(plan), differences, rows)


def shown_value(plan, side):
    """SQL: a side's value as recorded, whole: as it is, or its HMAC; of a bag the row."""
    row = f"if(side = '{side}', row_json, null)"
    masked = [i for i, column in enumerate(compared_columns(plan)) if column["is_masked"]]
    if plan["settings"]["store_values"] != "full":
        return f"recon_mask(if(row_json is null, {side}_value, {row}))"
    value = f"{side}_value"
    if masked:
        indexes = ", ".join(map(str, masked))
        value = f"if(column_index in ({indexes}), recon_mask({side}_value), {side}_value)"
    return f"if(row_json is null, {value}, {row})"


def recorded_value(plan, side, limit):
    """SQL: a shown value cut at the limit and marked; NULL where no values are stored."""
    name = f"shown_{side}"
    if plan["settings"]["store_values"] == "none":
        return "cast(null as string)"
    cut = f"concat(substring({name}, 1, {limit}), '... (cut, ', length({name}), ' characters)')"
    return f"if(length({name}) > {limit}, {cut}, {name})"


def examine_sql(plan, buckets, cap, max_value_chars):
    """SQL of the second pass: rows to record (is_row), lowest ids first up to the cap, and the
    exact totals per diff type and column."""
    keys, values = names_of(plan)
    found = []
    if keys:
        found.append(key_differences_sql(plan))
    if keys and values:
        found.append(cell_differences_sql(plan))
    if has_bags(plan):
        found.append(bag_differences_sql(plan))
    keyed = f"keyed as ({keyed_sql(plan)})," if keys else ""
    names = [
        ", ".join(
            literal(c[f"{side}_column"]) if c[f"{side}_column"] else "null"
            for c in compared_columns(plan)
        )
        for side in SIDES
    ]
    is_full = plan["settings"]["store_values"] == "full"
    row_hash = "sha2(row_json, 256)" if is_full else "recon_mask(row_json)"
    values = [recorded_value(plan, side, max_value_chars) for side in SIDES]
    identity = f"""array({literal(plan["original_pair_id"])}, diff_type, side,
        lower(get(array({names[1]}), column_index)), record_key, row_hash)"""
    # rand: what is found is read twice, and Spark evaluates a CTE once only where chance is in it
    # explode_outer: a row without any difference stays, to be counted as unexplained
    return f"""
        {with_sides(plan, buckets)}, {keyed}
        found as (select * from ({" union all ".join(found)}) where rand(0) >= 0),
        exploded as (
            select key_parts, row_parts, d.*, d <=> counted_first as is_first
            from (
                select key_parts, row_parts, explode_outer(differences) as d,
                    get(filter(differences, d -> d.diff_type <> 'within_tolerance'), 0)
                        as counted_first
                from found
            )
        ),
        shown as (
            select *, {row_hash} as row_hash from (
                select *, {shown_key(plan)} as record_key,
                    if(row_parts is null, null, {shown_row(plan)}) as row_json
                from exploded where diff_type is not null
            )
        ),
        identified as (select *, sha2(to_json({identity}), 256) as mismatch_id from shown),
        ranked as (
            select *, row_number() over (
                partition by diff_type, column_index order by mismatch_id
            ) as place
            from identified
        ),
        recorded as (
            select *, {shown_value(plan, "source")} as shown_source,
                {shown_value(plan, "target")} as shown_target
            from ranked where place <= {cap}
        )
        select true as is_row, diff_type, column_index, occurrences, 0L as affected_rows, side,
            record_key, row_hash, mismatch_id,
            {values[0]} as source_value, {values[1]} as target_value,
            sha2(to_json(array(shown_source, shown_target)), 256) as value_digest
        from recorded
        union all
        select false, diff_type, column_index, count(*),
            sum(case when not is_first then 0 when row_parts is null then 1 else occurrences end),
            null, null, null, null, null, null, null
        from exploded group by diff_type, column_index
    """


def examine(session, plan, buckets, cap, max_value_chars):
    """The second pass, one action: (exact totals {(diff type, column index): n}, keys with a
    difference plus surplus rows, recorded rows)."""
    result = session.sql(examine_sql(plan, buckets, cap, max_value_chars)).collect()
    groups = [row for row in result if not row["is_row"]]
    unexplained = sum(row["occurrences"] for row in groups if row["diff_type"] is None)
    if unexplained:
        raise PairError(
            "comparison_failed",
            f"pair {plan['pair_id']}: {unexplained} rows have unequal hashes but no "
            "unequal column. This is a fault of recon; please report it.",
        )
    exact = {(row["diff_type"], row["column_index"]): row["occurrences"] for row in groups}
    rows = [row.asDict() for row in result if row["is_row"]]
    return exact, sum(row["affected_rows"] for row in groups), rows


# --- records ------------------------------------------------------------------------------------


def difference_records(plan, exact, rows, cap):
    """Ledger records of what the second pass found, with a not_recorded one per capped group."""
    columns = compared_columns(plan)
    records = []
    for row in rows:
        record = {
            name: row[name]
            for name in row
            if name not in ("is_row", "column_index", "affected_rows")
        }
        column = columns[row["column_index"]] if row["column_index"] >= 0 else {}
        record["source_column"] = column.get("source_column")
        record["target_column"] = column.get("target_column")
        is_observation = row["diff_type"] in OBSERVED_ONLY
        record["record_type"] = "observation" if is_observation else "difference"
        records.append(record)
    for (diff_type, index), total in sorted(exact.items()):
        if total > cap and diff_type not in OBSERVED_ONLY:
            column = columns[index] if index >= 0 else {}
            ids = [
                row["mismatch_id"]
                for row in rows
                if (row["diff_type"], row["column_index"]) == (diff_type, index)
            ]
            name = column.get("target_column")
            records.append(
                {
                    "record_type": "difference",
                    "diff_type": "not_recorded",
                    "mismatch_id": mismatch_id(plan, "not_recorded", column=name, row=diff_type),
                    "not_recorded_diff_type": diff_type,
                    "source_column": column.get("source_column"),
                    "target_column": name,
                    "occurrences": total - cap,
                    "recorded_up_to": max(ids),
                }
            )
    return records


def schema_records(plan):
    """Records of one-sided columns and types that differ, as the plan judged them."""
    records = []
    for column in plan["columns"]:
        if not column["schema_finding"]:
            continue
        source, target = column["source_column"], column["target_column"]
        side = None if source and target else "source" if source else "target"
        values = [column["type_source"], column["type_target"]]
        records.append(
            {
                "record_type": column["schema_finding"],
                "diff_type": "schema_mismatch",
                "side": side,
                "mismatch_id": mismatch_id(plan, "schema_mismatch", side, target or source),
                "source_column": source,
                "target_column": target,
                "source_value": values[0],
                "target_value": values[1],
                "value_digest": json_digest(values),
                "occurrences": 1,
            }
        )
    return records


def result_record(plan, status, started, **facts):
    """The pair_result record: what every result has, and the given facts."""
    columns = plan["columns"] or []
    labels = ("wave", "owner", "severity", "max_age_hours", "source_relation", "target_relation")
    return {
        "record_type": "pair_result",
        "status": status,
        **{name: plan[name] for name in labels},
        "source_pin": plan["source_pin"],
        "target_pin": plan["target_pin"],
        "config_hash": plan["config_hash"],
        "plan_hash": plan["plan_hash"],
        **{name: plan[name] for name in WATERMARK_FACTS},
        "depends_on_time": plan["depends_on_time"],
        "hash_algorithm": plan["settings"].get("hash_algorithm"),
        "compared_columns": [c["target_column"] for c in columns if not c["skipped_reason"]],
        "skipped_columns": [
            {
                "source_column": c["source_column"],
                "target_column": c["target_column"],
                "reason": c["skipped_reason"],
            }
            for c in columns
            if c["skipped_reason"]
        ],
        "started_ts": started.isoformat().replace("+00:00", "Z"),
        "notes": plan["notes"] or [],
        **facts,
    }


def side_facts(digests):
    """Rows per side and their hash sums, as facts of the pair_result record."""
    facts = {}
    for side in SIDES:
        compared = [digest for bucket, digest in digests[side].items() if bucket >= 0]
        rows = sum(digest["row_count"] for digest in compared)
        filtered = digests[side][-2]["row_count"] if -2 in digests[side] else rows
        whole = digests[side][-1]["row_count"] if -1 in digests[side] else rows
        facts[f"{side}_rows_compared"] = rows
        facts[f"{side}_rows_after_watermark"] = filtered - rows
        facts[f"{side}_rows_filtered"] = whole - filtered
        facts[f"{side}_rows"] = whole
        sums = [digest["sums"] for digest in compared]
        facts[f"{side}_hash_sum"] = [sum(words) for words in zip(*sums, strict=True)] or [0, 0]
    return facts


def check_pins(session, plan):
    """Raises PairError when a table is no longer the one whose version was read."""
    for side in ("source", "target"):
        if plan[f"{side}_pin"]:
            detail = session.sql(f"describe detail {plan[f'{side}_identifier']}").collect()[0]
            if detail["id"] != plan[f"{side}_pin"]["table_id"]:
                raise PairError(
                    "replaced_while_reading",
                    f"pair {plan['pair_id']}: the {side} relation {plan[f'{side}_relation']} was "
                    "dropped and created again while it was read. Run the pair again.",
                )


def notes_of(plan, facts, rows, run):
    """The plan's notes and what the comparison adds to them."""
    notes = list(plan["notes"] or [])
    if any("... (cut, " in (row[f"{side}_value"] or "") for row in rows for side in SIDES):
        notes.append(f"values longer than {run['max_value_chars']} characters were cut")
    if facts["source_rows_compared"] == facts["target_rows_compared"] == 0:
        notes.append("empty on both sides")
    return notes


def compare_pair(session, run, plan):
    """Compares one pair: its records, the pair_result first. Raises on any failure."""
    started, clock = datetime.now(timezone.utc), time.monotonic()
    if hides_values(plan) and not run["mask_key_id"]:
        raise PairError(
            "mask_key_missing",
            f"pair {plan['pair_id']}: values are to be hashed or left out, and there is no key to "
            "hash them with. Set the environment variable RECON_MASK_KEY, or name the secret in "
            "the meta of int_recon__comparisons.",
        )
    cap = int(plan["settings"]["max_recorded_rows"])
    digests = read_digests(session, plan)
    buckets = open_buckets(digests)
    exact, affected_rows, rows = {}, 0, []
    if buckets:
        if len(buckets) > BUCKETS * MOST_BUCKETS:
            buckets = None
        exact, affected_rows, rows = examine(session, plan, buckets, cap, run["max_value_chars"])
    check_pins(session, plan)
    facts = side_facts(digests)
    records = difference_records(plan, exact, rows, cap) + schema_records(plan)
    is_empty = facts["source_rows_compared"] == facts["target_rows_compared"] == 0
    if is_empty and plan["settings"]["fail_on_empty"] == "true":
        records.append(not_compared(plan))
    totals = totals_of(exact, records)
    mismatch_count = sum(totals.values())
    result = result_record(
        plan,
        "mismatch" if mismatch_count else "match",
        started,
        totals=totals,
        mismatch_count=mismatch_count,
        mismatched_row_count=affected_rows,
        within_tolerance_count=sum(n for (kind, _), n in exact.items() if kind in OBSERVED_ONLY),
        mask_key_id=run["mask_key_id"] if hides_values(plan) else None,
        compared_how="full",
        seconds=round(time.monotonic() - clock, 3),
        **facts | {"notes": notes_of(plan, facts, rows, run)},
    )
    return [result, *records]


def not_compared(plan):
    """The one difference of a pair with no row left on both sides where fail_on_empty is set."""
    return {
        "record_type": "difference",
        "diff_type": "not_compared",
        "mismatch_id": mismatch_id(plan, "not_compared"),
        "occurrences": 1,
        "value_digest": json_digest([None, None]),
    }


def totals_of(exact, records):
    """Exact number of differences per diff type: of the rows, of the schema, of the whole pair."""
    totals = {}
    for (diff_type, _), count in exact.items():
        if diff_type not in OBSERVED_ONLY:
            totals[diff_type] = totals.get(diff_type, 0) + count
    for record in records:
        whole = record["diff_type"] in ("schema_mismatch", "not_compared")
        if whole and record["record_type"] == "difference":
            totals[record["diff_type"]] = totals.get(record["diff_type"], 0) + 1
    return totals


def named_error(plan, error):
    """PairError for what is known of an engine's error: a table that is not as it was planned, no
    memory left; else None."""
    pair, alone = f"pair {plan['pair_id']}", f"(recon_pairs: [{plan['pair_id']}])"
    if TABLE_GONE.search(condition_of(error)):
        tables = f"{plan['source_relation']}, {plan['target_relation']}"
        return PairError(
            "relation_not_found",
            f"{pair}: a table was dropped, or may not be read any more, since it was planned "
            f"({tables}, or what a view reads). Restore it and compare the pair anew {alone}.",
        )
    if "OutOfMemoryError" in str(error):
        return PairError(
            "out_of_memory",
            f"{pair}: a task had no memory left. Give the engine more, or compare fewer rows by a "
            f"filter, then compare the pair anew {alone}.",
        )
    pins = {side: plan[f"{side}_pin"] for side in ("source", "target") if plan[f"{side}_pin"]}
    if not pins or not VERSION_GONE.search(str(error)):
        return None
    planned = " and ".join(f"{side} version {pin['version']}" for side, pin in pins.items())
    kept = VERSIONS_KEPT.search(str(error))
    there = f"versions {kept[1]} to {kept[2]} are kept" if kept else "its files were removed"
    return PairError(
        "version_gone",
        f"{pair}: planned with {planned}, of which one is gone: {there}. Compare the pair anew "
        f"{alone}.",
    )


def error_record(plan, error, started, seconds):
    """The pair_result record of a pair that was not compared, without a row's value in it."""
    error_class = getattr(error, "error_class", "comparison_failed")
    message = str(error)
    if not isinstance(error, PairError):  # the engine's own text may hold values
        message = (
            f"pair {plan['pair_id']}: the comparison failed ({condition_of(error)}). Run the pair "
            f"alone (recon_pairs: [{plan['pair_id']}]) and look into the log of the engine."
        )
    return result_record(
        plan, "error", started, error_class=error_class, error_message=message, seconds=seconds
    )


def records_of_pair(session, run, plan):
    """All records of one pair in scope; its failure is its own `error` record."""
    started, clock = datetime.now(timezone.utc), time.monotonic()
    if plan["error_class"]:
        error = PairError(plan["error_class"], plan["error_message"])
        return [error_record(plan, error, started, 0.0)]
    try:
        return compare_pair(session, run, plan)
    except Exception as error:  # one pair's trouble is that pair's error row
        seconds = round(time.monotonic() - clock, 3)
        return [error_record(plan, named_error(plan, error) or error, started, seconds)]


# --- the run ------------------------------------------------------------------------------------


def identified(plan, record):
    """A record with the pair it belongs to."""
    return {name: plan[name] for name in ("pair_id", "original_pair_id")} | record


def append_to_scratch(session, scratch, run, finished):
    """Appends the records of finished pairs to the scratch table, in one commit."""
    rows = [
        (run["run_id"], plan["pair_id"], plan["plan_hash"], json.dumps(identified(plan, record)))
        for plan, records in finished
        for record in records
    ]
    frame = session.createDataFrame(rows, SCRATCH_SCHEMA)
    frame.write.format("delta").mode("append").saveAsTable(scratch)


def progress_line(done, total, plan, result):
    """One line per finished pair: how many are done, status, rows, differences, seconds."""
    line = f"[{done}/{total}] {plan['pair_id']}  {result['status']}"
    if result["status"] == "error":
        return f"{line}  {result['error_message']}"
    rows = f"{result['source_rows_compared']:,} / {result['target_rows_compared']:,} rows"
    return f"{line}  {rows}  {result['mismatch_count']:,} differences  {result['seconds']:.1f} s"


def kept_from_scratch(session, scratch, run, plans):
    """Pair ids whose records an interrupted attempt at this run left whole under the same plan.

    Everything else is removed: rows of other runs, and of plans that have changed since.
    """
    left = session.table(scratch).where(F.col("run_id") == run["run_id"])
    left = left.select("pair_id", "plan_hash").distinct().collect()
    if not left:
        session.sql(f"delete from {scratch}")
        return set()
    current = {plan["pair_id"]: plan["plan_hash"] for plan in plans if plan["plan_hash"]}
    kept = {r["pair_id"] for r in left if current.get(r["pair_id"], "") == r["plan_hash"]}
    stale = sorted({r["pair_id"] for r in left} - kept)
    if stale:
        places = ", ".join("?" for _ in stale)
        session.sql(f"delete from {scratch} where pair_id in ({places})", args=stale)
    return kept


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


class Attempt:
    """One pair being compared in a thread of its own, whose queries can be interrupted.

    The thread is a daemon: one that does not return even then is left behind, and keeps nobody.
    """

    def __init__(self, session, run, plan, key, run_ends):
        self.plan, self.tag = plan, f"recon-{run['run_id']}-{plan['pair_id']}"
        self.session, self.end_queries = interruptible(session, self.tag)
        register_functions(self.session, key)
        self.started, self.clock = datetime.now(timezone.utc), time.monotonic()
        pair_ends = self.clock + float(plan["settings"]["timeout_minutes"]) * 60
        self.is_out_of_time = pair_ends <= run_ends
        self.ends, self.is_interrupted = min(pair_ends, run_ends), False
        self.future = Future()
        # not by the thread that records results: its own writes wait for the cores the pair holds
        self.timer = threading.Timer(
            min(self.ends - self.clock, threading.TIMEOUT_MAX), self.interrupt
        )
        self.timer.daemon = True
        self.timer.start()
        threading.Thread(target=self.compare, args=(run,), daemon=True).start()

    def compare(self, run):
        self.session.addTag(self.tag)
        records = records_of_pair(self.session, run, self.plan)
        self.timer.cancel()
        self.future.set_result(records)

    def interrupt(self):
        """Ends the pair's queries; its thread has a while to return."""
        self.ends = time.monotonic() + SECONDS_TO_RETURN
        self.is_interrupted = True
        self.end_queries()

    def records(self, run):
        """What the pair is recorded with: its result, or that its time was over."""
        records = self.future.result() if self.future.done() else None
        if records and not (self.is_interrupted and records[0]["status"] == "error"):
            return records
        error = out_of_time(self.plan) if self.is_out_of_time else not_reached(self.plan, run)
        seconds = round(time.monotonic() - self.clock, 3)
        return [error_record(self.plan, error, self.started, seconds)]


def out_of_time(plan):
    """PairError of a pair that took longer than it may."""
    return PairError(
        "timeout",
        f"pair {plan['pair_id']}: not compared within its timeout_minutes "
        f"({plan['settings']['timeout_minutes']}). Give it more in seeds/table_pairs.csv, or fewer "
        "rows by a filter; the engine's log says what it was waiting for.",
    )


def not_reached(plan, run):
    """PairError of a pair that the run had no time for."""
    return PairError(
        "not_reached",
        f"pair {plan['pair_id']}: the run's time (recon_run_deadline_minutes, "
        f"{run['deadline_minutes']}) was over before it was compared. It is first in line in the "
        "next run.",
    )


def in_turn(plans, first):
    """The plans in the order in which they start: those named first, then the biggest."""
    return sorted(
        plans, key=lambda plan: (plan["pair_id"] not in first, -(plan["estimated_bytes"] or 0))
    )


def finished_attempts(session, run, waiting, key):
    """Yields lists of (plan, records) as pairs finish, `run['concurrency']` of them at a time.

    A pair is interrupted when its time or the run's is over; the rest then is not_reached.
    """
    minutes = run["deadline_minutes"]
    run_ends = time.monotonic() + minutes * 60 if minutes else float("inf")
    waiting, running = list(waiting), []
    while waiting or running:
        while waiting and len(running) < run["concurrency"] and time.monotonic() < run_ends:
            running.append(Attempt(session, run, waiting.pop(0), key, run_ends))
        if not running:
            now = datetime.now(timezone.utc)
            yield [
                (plan, [error_record(plan, not_reached(plan, run), now, 0.0)]) for plan in waiting
            ]
            return
        next_end = min(attempt.ends for attempt in running) - time.monotonic()
        futures = [attempt.future for attempt in running]
        wait(futures, timeout=min(max(next_end, 1), LONGEST_WAIT), return_when=FIRST_COMPLETED)
        ended = [
            attempt
            for attempt in running
            if attempt.future.done()
            or (attempt.is_interrupted and time.monotonic() >= attempt.ends)
        ]
        running = [attempt for attempt in running if attempt not in ended]
        if ended:
            yield [(attempt.plan, attempt.records(run)) for attempt in ended]


def compare_all(session, run, plans, scratch, first, key):
    """Compares the plans in scope and appends each to scratch as it finishes.

    first: ids of the pairs that start before the others; key: of masked values, or None.
    """
    kept = kept_from_scratch(session, scratch, run, plans)
    waiting = in_turn((plan for plan in plans if plan["pair_id"] not in kept), first)
    done = len(kept)
    if kept:
        print(f"[{done}/{len(plans)}] kept from the interrupted attempt: {', '.join(sorted(kept))}")
    for results in finished_attempts(session, run, waiting, key):
        append_to_scratch(session, scratch, run, results)
        for plan, records in results:
            done += 1
            print(progress_line(done, len(plans), plan, records[0]))


def rules_applied_nowhere(run, plans):
    """Notes on rules by pattern that no pair of a full run could apply."""
    if run["scope"] != "full":
        return []
    columns = chain.from_iterable(plan["columns"] or [] for plan in plans)
    applied = set(chain.from_iterable(column["rules"] or [] for column in columns))
    unused = set(chain.from_iterable(plan["rules_not_applied"] or [] for plan in plans))
    return [f"rule applies nowhere: {rule}" for rule in sorted(unused - applied)]


def run_record(run, plans, statuses, run_digest):
    """The record of the run itself."""
    return {
        "record_type": "run",
        **{name: run[name] for name in RUN_FACTS},
        "pairs_configured": len(plans),
        "pairs_in_scope": sum(plan["in_scope"] for plan in plans),
        "pairs_compared": statuses.count("match") + statuses.count("mismatch"),
        "pairs_in_error": statuses.count("error"),
        "previous_run_digest": run_digest,
        "notes": rules_applied_nowhere(run, plans),
    }


def plan_records(plans, known_hashes):
    """A pair_plan record per plan whose hash the ledger does not hold yet, without what is of one
    night: that is in the pair_result."""
    return [
        identified(
            plan,
            {
                "record_type": "pair_plan",
                "plan_hash": plan["plan_hash"],
                "plan": json.dumps(
                    {name: plan[name] for name in plan if name not in WATERMARK_FACTS},
                    sort_keys=True,
                    ensure_ascii=False,
                ),
            },
        )
        for plan in plans
        if plan["plan_hash"] and plan["plan_hash"] not in known_hashes.get(plan["pair_id"], ())
    ]


def look_back(last_results):
    """What the ledger knew before this run: digest of its last run, plan hashes per pair, and the
    microsecond of looking."""
    now = F.unix_micros(F.current_timestamp()).alias("read_micros")
    rows = [row.asDict() for row in last_results.select("*", now).collect()]
    runs = [row for row in rows if row["pair_id"] is None]
    return {
        "run_digest": runs[0]["run_digest"] if runs else hashlib.sha256(b"").hexdigest(),
        "plan_hashes": {row["pair_id"]: row["plan_hashes"] for row in rows if row["pair_id"]},
        "read_micros": rows[0]["read_micros"] if rows else time.time_ns() // 1000,
    }


def as_rows(session, run_frame, recorded, records, read_micros):
    """The run's records, those in scratch and the given ones: run_id, run_ts, run_date,
    recorded_ts, record_type, pair_id, record (JSON)."""
    given = session.createDataFrame([(json.dumps(record),) for record in records], "record string")
    stamp = run_frame.select("run_id", "run_ts", "run_date")
    return (
        recorded.select("record")
        .unionByName(given)
        .crossJoin(stamp)
        .select(
            *stamp.columns,
            F.timestamp_micros(F.lit(read_micros)).alias("recorded_ts"),
            F.get_json_object("record", "$.record_type").alias("record_type"),
            F.get_json_object("record", "$.pair_id").alias("pair_id"),
            "record",
        )
    )


def check_run(run, plans, current):
    """Raises when the plan, or by now the run itself, is another run's."""
    others = {plan["run_id"] for plan in plans} | {row["run_id"] for row in current}
    others -= {run["run_id"]}
    if others:
        raise RuntimeError(
            f"Run {run['run_id']} met run {sorted(others)[0]} in int_recon__run or "
            "int_recon__pair_plans: another run has started. Let it end, then start a new night."
        )


def sibling(dbt, name):
    """The full quoted name of another table of this schema, to write to it or to read it anew."""
    parts = [dbt.this.database, dbt.this.schema, name]
    return ".".join(f"`{part}`" for part in parts if part and part != "None")


def model(dbt, session):
    """Compares every pair in scope and returns all records of the run (columns of the ledger)."""
    dbt.config(materialized="table")
    run_frame = dbt.ref("int_recon__run")
    plan_frame = dbt.ref("int_recon__pair_plans")
    last_results = dbt.ref("stg_recon__last_results")
    dbt.ref("int_recon__scratch")
    run = run_frame.collect()[0].asDict()
    plans = [row.asDict(recursive=True) for row in plan_frame.collect()]
    check_run(run, plans, [])
    if last_results.where(F.col("run_id") == run["run_id"]).select("run_id").take(1):
        print(
            f"Run {run['run_id']} is in the ledger already: nothing is compared. "
            "Start a new night with dbt build --exclude tag:cutover_gate."
        )
        return session.table(str(dbt.this))

    scratch = sibling(dbt, "int_recon__scratch")
    key = mask_key(dbt, session)
    run["mask_key_id"] = hashlib.sha256(key).hexdigest()[:8] if key else None
    behind = F.col("error_class") == "not_reached"
    first = {row["pair_id"] for row in last_results.where(behind).select("pair_id").collect()}
    compare_all(session, run, [plan for plan in plans if plan["in_scope"]], scratch, first, key)

    recorded = session.table(scratch).where(F.col("run_id") == run["run_id"])
    is_result = F.get_json_object("record", "$.record_type") == "pair_result"
    status = F.get_json_object("record", "$.status").alias("status")
    statuses = [row["status"] for row in recorded.where(is_result).select(status).collect()]
    this_run = run_frame.select(F.col("run_ts").alias("this_run_ts"))
    earlier = last_results.crossJoin(this_run).where("run_ts < this_run_ts").drop("this_run_ts")
    knowledge = look_back(earlier)
    now = datetime.now(timezone.utc)
    records = [run_record(run, plans, statuses, knowledge["run_digest"])]
    records += [
        identified(plan, result_record(plan, "not_run", now))
        for plan in plans
        if not plan["in_scope"]
    ]
    records += plan_records(plans, knowledge["plan_hashes"])
    check_run(run, plans, session.table(sibling(dbt, "int_recon__run")).collect())
    return as_rows(session, run_frame, recorded, records, knowledge["read_micros"])
