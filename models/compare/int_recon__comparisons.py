"""The comparison: runs every plan of int_recon__pair_plans on Spark and returns the run's records.

Per pair, first one pass over both sides that adds up row hashes in buckets of keys; where all
buckets agree and hold no duplicate or NULL key, the pair matches. Only the rows of the other
buckets are then grouped by key, and only keys that differ are read with their values.
The result has the columns of audit_ledger (see LEDGER_SCHEMA): one `run` record, one `pair_result`
per enabled pair, a record per difference and observation, a `pair_plan` per new plan.
"""

import hashlib
import json
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from datetime import datetime, timezone

from pyspark.sql import functions as F
from pyspark.sql.window import Window

LEDGER_SCHEMA = """
    run_id string, run_ts timestamp, run_date date, record_type string, recorded_ts timestamp,
    scope string, requested_pairs string, requested_wave string, clock_was_given boolean,
    pairs_configured int, pairs_in_scope int, pairs_compared int, pairs_in_error int,
    seeds_config_hash string, rules_config_hash string, project_version string, git_commit string,
    dbt_version string, adapter_version string, spark_version string, target_name string,
    executed_as string, invocation_id string, previous_run_digest string,
    pair_id string, original_pair_id string, status string, error_class string,
    error_message string, wave string, owner string, severity string, max_age_hours double,
    source_relation string, target_relation string,
    source_pin struct<table_id: string, version: bigint>,
    target_pin struct<table_id: string, version: bigint>,
    source_rows bigint, target_rows bigint,
    source_rows_filtered bigint, target_rows_filtered bigint,
    source_rows_after_watermark bigint, target_rows_after_watermark bigint,
    source_rows_compared bigint, target_rows_compared bigint,
    totals map<string, bigint>, mismatch_count bigint, mismatched_row_count bigint,
    within_tolerance_count bigint,
    source_hash_sum array<bigint>, target_hash_sum array<bigint>,
    compared_columns array<string>,
    skipped_columns array<struct<source_column: string, target_column: string, reason: string>>,
    watermark_value string, config_hash string, plan_hash string, hash_algorithm string,
    compared_how string, started_ts timestamp, seconds double, notes array<string>,
    mismatch_id string, diff_type string, side string, record_key string,
    source_column string, target_column string, source_value string, target_value string,
    value_digest string, row_hash string, occurrences bigint, recorded_up_to string,
    not_recorded_diff_type string, plan string
"""

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
    "git_commit",
    "dbt_version",
    "adapter_version",
    "spark_version",
    "target_name",
    "executed_as",
    "invocation_id",
)

BUCKETS = 1024
# Above this share of unequal buckets, reading only some of them saves nothing.
MOST_BUCKETS = 0.5
# A NULL mask of booleans is packed into bigints of this many bits.
MASK_BITS = 62
LOW_HALF = 4294967295
OBSERVED_ONLY = ("within_tolerance",)


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


# --- one side -----------------------------------------------------------------------------------


def pinned(plan, side):
    """SQL: one side's table at the version the plan pinned, where it pinned one."""
    pin = plan[f"{side}_pin"]
    return plan[f"{side}_identifier"] + (f" version as of {pin['version']}" if pin else "")


def compared_columns(plan):
    """The plan's columns that are compared, keys first."""
    return [column for column in plan["columns"] if not column["skipped_reason"]]


def names_of(plan):
    """Internal names of the key and the value columns (`c0`, `c1` ...): never a user's name."""
    columns = compared_columns(plan)
    keys = [f"c{i}" for i, column in enumerate(columns) if column["is_key"]]
    return keys, [f"c{i}" for i, column in enumerate(columns) if not column["is_key"]]


def null_masks(names):
    """Which columns are NULL, as bigints: xxhash64 skips NULLs, so they are hashed by the mask."""
    masks = []
    for start in range(0, len(names), MASK_BITS):
        bits = [
            F.when(F.col(name).isNull(), F.lit(1 << i)).otherwise(F.lit(0)).cast("bigint")
            for i, name in enumerate(names[start : start + MASK_BITS])
        ]
        mask = bits[0]
        for bit in bits[1:]:
            mask = mask.bitwiseOR(bit)
        masks.append(mask)
    return masks


def hash_of(names):
    """xxhash64 over the NULL mask and the canonical values of the named columns."""
    return F.xxhash64(*null_masks(names), *[F.col(name) for name in names])


def side_frame(session, plan, side):
    """One side at its pin, filtered, in canonical values: c0 .. cn, key_hash, row_hash, bucket,
    has_null_key."""
    frame = session.sql(f"select * from {pinned(plan, side)}")
    if plan[f"{side}_filter"]:
        frame = frame.where(F.expr(plan[f"{side}_filter"]))
    frame = frame.select(
        *[
            F.expr(column[f"{side}_expression"]).alias(f"c{i}")
            for i, column in enumerate(compared_columns(plan))
        ]
    )
    keys, values = names_of(plan)
    null_key = F.lit(False)
    for key in keys:
        null_key = null_key | F.col(key).isNull()
    return frame.select(
        "*",
        hash_of(keys).alias("key_hash"),
        hash_of(keys + values).alias("row_hash"),
        null_key.alias("has_null_key"),
    ).withColumn("bucket", F.pmod(F.col("key_hash"), F.lit(BUCKETS)))


def unfiltered_count(session, plan, side):
    """A one-row frame with the side's rows before its filter (Delta answers it from its log)."""
    return session.sql(f"""
        select
            '{side}_unfiltered' as side, cast(null as bigint) as bucket, count(*) as row_count,
            0L as low, 0L as high, false as has_duplicates, false as has_null_keys
        from {pinned(plan, side)}
    """)


# --- first level: bucket digests ----------------------------------------------------------------


def hash_sums():
    """Row hashes added up as two 32-bit halves: no overflow, and equal rows never cancel out."""
    return (
        F.sum(F.col("row_hash").bitwiseAND(LOW_HALF)).alias("low"),
        F.sum(F.shiftrightunsigned("row_hash", 32)).alias("high"),
    )


def bucket_digests(frame, side, find_duplicates):
    """Per bucket of keys: rows, hash sums, whether keys are NULL or, where asked, duplicated."""
    null_keys = F.max("has_null_key").alias("has_null_keys")
    if find_duplicates:
        by_key = frame.groupBy("bucket", "key_hash").agg(
            F.count(F.lit(1)).alias("row_count"), *hash_sums(), F.max("has_null_key").alias("nulls")
        )
        digests = by_key.groupBy("bucket").agg(
            F.sum("row_count").alias("row_count"),
            F.sum("low").alias("low"),
            F.sum("high").alias("high"),
            F.max(F.col("row_count") > 1).alias("has_duplicates"),
            F.max("nulls").alias("has_null_keys"),
        )
    else:
        digests = frame.groupBy("bucket").agg(
            F.count(F.lit(1)).alias("row_count"),
            *hash_sums(),
            F.lit(False).alias("has_duplicates"),
            null_keys,
        )
    return digests.select(F.lit(side).alias("side"), "*")


def read_digests(session, plan, frames):
    """The first pass: {side: {bucket: row}} and {side: rows before the filter}, in one action.

    Equal buckets hold the same rows on both sides, so duplicates are looked for on one only.
    """
    parts = [
        bucket_digests(frames["source"], "source", find_duplicates=True),
        bucket_digests(frames["target"], "target", find_duplicates=False),
    ]
    parts += [
        unfiltered_count(session, plan, side)
        for side in ("source", "target")
        if plan[f"{side}_filter"]
    ]
    union = parts[0]
    for part in parts[1:]:
        union = union.unionByName(part)
    digests = {"source": {}, "target": {}}
    unfiltered = {}
    for row in union.collect():
        if row["side"] in digests:
            digests[row["side"]][row["bucket"]] = row
        else:
            unfiltered[row["side"].removesuffix("_unfiltered")] = row["row_count"]
    return digests, unfiltered


def open_buckets(digests):
    """Buckets whose rows must be looked at: unequal, or with duplicate or NULL keys."""
    found = []
    for bucket in sorted(digests["source"].keys() | digests["target"].keys()):
        source, target = (digests[side].get(bucket) for side in ("source", "target"))
        if source is None or target is None:
            found.append(bucket)
            continue
        is_unequal = any(source[name] != target[name] for name in ("row_count", "low", "high"))
        has_null_keys = source["has_null_keys"] or target["has_null_keys"]
        if is_unequal or has_null_keys or source["has_duplicates"]:
            found.append(bucket)
    return found


def side_totals(digests):
    """(rows, [low, high]) of one side, over all its buckets."""
    rows = list(digests.values())
    sums = [sum(row[name] for row in rows) for name in ("low", "high")]
    return sum(row["row_count"] for row in rows), sums


# --- second level: keys, then values ------------------------------------------------------------


def keyed_rows(frames, keys):
    """Rows of both sides grouped by key: rows and a row hash per side."""
    rows = None
    for side in ("source", "target"):
        part = frames[side].select(F.lit(side).alias("side"), *keys, "row_hash", "has_null_key")
        rows = part if rows is None else rows.unionByName(part)
    is_source = F.col("side") == "source"
    return rows.groupBy(*keys, "has_null_key").agg(
        F.sum(F.when(is_source, 1).otherwise(0)).alias("source_rows"),
        F.sum(F.when(is_source, 0).otherwise(1)).alias("target_rows"),
        F.max(F.when(is_source, F.col("row_hash"))).alias("source_hash"),
        F.max(F.when(~is_source, F.col("row_hash"))).alias("target_hash"),
    )


def key_json(plan):
    """SQL: the key as JSON array text, canonical."""
    parts = [
        f"coalesce({column['json_expression'].replace('$value', f'c{i}')}, 'null')"
        for i, column in enumerate(compared_columns(plan))
        if column["is_key"]
    ]
    return "concat('[', concat_ws(',', " + ", ".join(parts) + "), ']')"


# A difference while it is looked for; column_index counts compared columns, -1: none.
FOUND = (
    "named_struct('diff_type', {0}, 'side', cast({1} as string), 'column_index', {2},"
    " 'source_value', cast({3} as string), 'target_value', cast({4} as string),"
    " 'occurrences', cast({5} as bigint))"
)


def found(condition, diff_type, side, occurrences):
    """SQL: a difference of a whole key, or NULL where the condition does not hold."""
    struct = FOUND.format(f"'{diff_type}'", f"'{side}'", -1, "null", "null", occurrences)
    return f"if({condition}, {struct}, null)"


def key_differences(grouped, plan):
    """Keys missing, duplicated or NULL on a side: (record_key, differences)."""
    checks = [
        found("has_null_key and source_rows > 0", "null_key", "source", "source_rows"),
        found("has_null_key and target_rows > 0", "null_key", "target", "target_rows"),
        found("not has_null_key and source_rows = 0", "missing_in_source", "target", "target_rows"),
        found("not has_null_key and target_rows = 0", "missing_in_target", "source", "source_rows"),
        found("not has_null_key and source_rows > 1", "duplicate_key", "source", "source_rows"),
        found("not has_null_key and target_rows > 1", "duplicate_key", "target", "target_rows"),
    ]
    return grouped.where("has_null_key or source_rows <> 1 or target_rows <> 1").select(
        F.expr(key_json(plan)).alias("record_key"),
        F.expr(f"filter(array({', '.join(checks)}), d -> d is not null)").alias("differences"),
    )


def cell_difference(index, column):
    """SQL: the difference of one value column (s<i> against t<i>), or NULL where it is equal."""
    source, target = f"s{index}", f"t{index}"
    diff_type = "'value_mismatch'"
    if column["within_expression"]:
        within = column["within_expression"].replace("$source", source).replace("$target", target)
        diff_type = f"if({within}, 'within_tolerance', 'value_mismatch')"
    texts = [column["text_expression"].replace("$value", name) for name in (source, target)]
    struct = FOUND.format(diff_type, "null", index, *texts, 1)
    return f"if({source} <=> {target}, null, {struct})"


def cell_differences(grouped, frames, plan):
    """Keys that both sides hold once with other values: (record_key, differences)."""
    keys, values = names_of(plan)
    columns = compared_columns(plan)
    if not values:
        return None
    differing = grouped.where(
        "not has_null_key and source_rows = 1 and target_rows = 1 and source_hash <> target_hash"
    ).select(*keys)
    for side, prefix in (("source", "s"), ("target", "t")):
        side_values = (
            frames[side]
            .where("not has_null_key")
            .select(*keys, *[F.col(name).alias(prefix + name[1:]) for name in values])
        )
        differing = differing.join(side_values, keys)
    cells = [cell_difference(int(name[1:]), columns[int(name[1:])]) for name in values]
    return differing.select(
        F.expr(key_json(plan)).alias("record_key"),
        F.expr(f"filter(array({', '.join(cells)}), d -> d is not null)").alias("differences"),
    )


def with_identity(found_rows, plan):
    """Adds column names and mismatch_id to exploded differences."""
    columns = compared_columns(plan)
    spellings = {}
    for side in ("source", "target"):
        names = F.array(*[F.lit(column[f"{side}_column"]) for column in columns])
        spellings[f"{side}_column"] = F.when(
            F.col("column_index") >= 0, names[F.greatest(F.col("column_index"), F.lit(0))]
        )
    rows = found_rows.select("*", *[name.alias(alias) for alias, name in spellings.items()])
    identity = F.array(
        F.lit(plan["original_pair_id"]),
        F.col("diff_type"),
        F.col("side"),
        F.lower("target_column"),
        F.col("record_key"),
        F.lit(None).cast("string"),
    )
    return rows.withColumn("mismatch_id", F.sha2(F.to_json(identity), 256))


def cut(name, limit):
    """A value cut at the limit and marked, as a column."""
    marker = F.concat(F.lit("... (cut, "), F.length(name).cast("string"), F.lit(" characters)"))
    shortened = F.concat(F.substring(name, 1, limit), marker)
    return F.when(F.length(name) > limit, shortened).otherwise(F.col(name))


def examine(plan, frames, cap, max_value_chars):
    """The second pass, one action: (exact totals {(diff type, column index): n}, keys with a
    difference, recorded rows up to the cap per diff type and column, lowest ids first)."""
    keys, _ = names_of(plan)
    grouped = keyed_rows(frames, keys)
    per_key = key_differences(grouped, plan)
    cells = cell_differences(grouped, frames, plan)
    if cells is not None:
        per_key = per_key.unionByName(cells)
    # explode_outer: a key without any difference stays as a row, to be counted as unexplained
    exploded = per_key.select(
        "record_key",
        F.expr("get(filter(differences, d -> d.diff_type <> 'within_tolerance'), 0)").alias(
            "first"
        ),
        F.explode_outer("differences").alias("d"),
    ).select("record_key", "d.*", F.col("d").eqNullSafe(F.col("first")).alias("is_first"))
    lowest = Window.partitionBy("diff_type", "column_index").orderBy("mismatch_id")
    recorded = (
        with_identity(exploded.where("diff_type is not null"), plan)
        .withColumn("rank", F.row_number().over(lowest))
        .where(F.col("rank") <= cap)
        .select(
            F.lit(True).alias("is_row"),
            "diff_type",
            "side",
            "column_index",
            "record_key",
            "mismatch_id",
            cut("source_value", max_value_chars).alias("source_value"),
            cut("target_value", max_value_chars).alias("target_value"),
            F.sha2(F.to_json(F.array("source_value", "target_value")), 256).alias("value_digest"),
            "occurrences",
        )
    )
    totals = exploded.groupBy("diff_type", "column_index").agg(
        F.lit(False).alias("is_row"),
        F.count(F.lit(1)).alias("occurrences"),
        F.count_if("is_first").alias("key_count"),
    )
    union = recorded.unionByName(totals, allowMissingColumns=True).collect()
    groups = [row for row in union if not row["is_row"]]
    unexplained = sum(row["occurrences"] for row in groups if row["diff_type"] is None)
    if unexplained:
        raise PairError(
            "comparison_failed",
            f"pair {plan['pair_id']}: {unexplained} rows have unequal hashes but no "
            "unequal column. This is a fault of recon; please report it.",
        )
    exact = {(row["diff_type"], row["column_index"]): row["occurrences"] for row in groups}
    rows = [row.asDict() for row in union if row["is_row"]]
    return exact, sum(row["key_count"] for row in groups), rows


# --- records ------------------------------------------------------------------------------------


def difference_records(plan, exact, rows, cap):
    """Ledger records of what the second pass found, with a not_recorded one per capped group."""
    columns = compared_columns(plan)
    records = []
    for row in rows:
        record = {
            name: row[name] for name in row if name not in ("is_row", "column_index", "key_count")
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


def row_facts(digests, unfiltered):
    """Rows per side and their hash sums, as facts of the pair_result record."""
    facts = {}
    for side in ("source", "target"):
        rows, sums = side_totals(digests[side])
        facts[f"{side}_rows_compared"] = rows
        facts[f"{side}_rows"] = unfiltered.get(side, rows)
        facts[f"{side}_rows_filtered"] = facts[f"{side}_rows"] - rows
        facts[f"{side}_hash_sum"] = sums
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


def compare_pair(session, run, plan):
    """Compares one pair: its records, the pair_result first. Raises on any failure."""
    started, clock = datetime.now(timezone.utc), time.monotonic()
    cap = int(plan["settings"]["max_recorded_rows"])
    frames = {side: side_frame(session, plan, side) for side in ("source", "target")}
    digests, unfiltered = read_digests(session, plan, frames)
    buckets = open_buckets(digests)
    exact, keys, rows = {}, 0, []
    if buckets:
        if len(buckets) <= BUCKETS * MOST_BUCKETS:
            frames = {side: f.where(F.col("bucket").isin(buckets)) for side, f in frames.items()}
        exact, keys, rows = examine(plan, frames, cap, run["max_value_chars"])
    check_pins(session, plan)
    facts = row_facts(digests, unfiltered)
    records = difference_records(plan, exact, rows, cap) + schema_records(plan)
    notes = list(plan["notes"] or [])
    if any("... (cut, " in (row[f"{side}_value"] or "") for row in rows for side in digests):
        notes.append(f"values longer than {run['max_value_chars']} characters were cut")
    if facts["source_rows_compared"] == facts["target_rows_compared"] == 0:
        notes.append("empty on both sides")
        if plan["settings"]["fail_on_empty"] == "true":
            records.append(not_compared(plan))
    totals = totals_of(exact, records)
    mismatch_count = sum(totals.values())
    result = result_record(
        plan,
        "mismatch" if mismatch_count else "match",
        started,
        totals=totals,
        mismatch_count=mismatch_count,
        mismatched_row_count=keys,
        within_tolerance_count=sum(n for (kind, _), n in exact.items() if kind in OBSERVED_ONLY),
        compared_how="full",
        seconds=round(time.monotonic() - clock, 3),
        **facts | {"notes": notes},
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
        return [error_record(plan, error, started, round(time.monotonic() - clock, 3))]


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
        names = ", ".join("'" + name.replace("'", "''") + "'" for name in stale)
        session.sql(f"delete from {scratch} where pair_id in ({names})")
    return kept


def compare_all(session, run, plans, scratch):
    """Compares the plans in scope, biggest first, and appends each to scratch as it finishes."""
    kept = kept_from_scratch(session, scratch, run, plans)
    waiting = sorted(
        (plan for plan in plans if plan["pair_id"] not in kept),
        key=lambda plan: -(plan["estimated_bytes"] or 0),
    )
    done = len(kept)
    if kept:
        print(f"[{done}/{len(plans)}] kept from the interrupted attempt: {', '.join(sorted(kept))}")
    with ThreadPoolExecutor(max_workers=run["concurrency"]) as pool:
        running = {pool.submit(records_of_pair, session, run, plan): plan for plan in waiting}
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            results = [(running.pop(future), future.result()) for future in finished]
            append_to_scratch(session, scratch, run, results)
            for plan, records in results:
                done += 1
                print(progress_line(done, len(plans), plan, records[0]))


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
    }


def plan_records(plans, known_hashes):
    """A pair_plan record per plan whose hash the ledger does not hold yet."""
    return [
        identified(
            plan,
            {
                "record_type": "pair_plan",
                "plan_hash": plan["plan_hash"],
                "plan": json.dumps(plan, sort_keys=True, ensure_ascii=False),
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


def as_ledger_rows(session, run_frame, recorded, records, read_micros):
    """The run's records in the columns of the ledger: those in scratch and the given ones."""
    given = session.createDataFrame([(json.dumps(record),) for record in records], "record string")
    parsed = (
        recorded.select("record")
        .unionByName(given)
        .select(F.from_json("record", LEDGER_SCHEMA, {"mode": "FAILFAST"}).alias("r"))
    )
    stamp = run_frame.select("run_id", "run_ts", "run_date")
    stamped = ("run_id", "run_ts", "run_date", "recorded_ts")
    rows = parsed.select("r.*").drop(*stamped).crossJoin(stamp)
    rows = rows.withColumn("recorded_ts", F.timestamp_micros(F.lit(read_micros)))
    first = ["run_id", "run_ts", "run_date", "record_type", "recorded_ts"]
    return rows.select(*first, *[name for name in rows.columns if name not in first])


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
    compare_all(session, run, [plan for plan in plans if plan["in_scope"]], scratch)

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
    return as_ledger_rows(session, run_frame, recorded, records, knowledge["read_micros"])
