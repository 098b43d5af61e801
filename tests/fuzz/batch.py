"""Compares many examples in one real run, and what it recorded with what the oracle expects."""

from collections import defaultdict

from tests.fuzz.oracle import SIDES, expected
from tests.fuzz.tables import write_pairs

RECORD_FIELDS = (
    "record_type",
    "diff_type",
    "mismatch_id",
    "side",
    "record_key",
    "source_column",
    "target_column",
    "source_value",
    "target_value",
    "occurrences",
    "row_hash",
    "recorded_up_to",
    "not_recorded_diff_type",
)
RESULT_FIELDS = (
    "status",
    "totals",
    "mismatch_count",
    "mismatched_row_count",
    "within_tolerance_count",
)


class Batch:
    """Runs lists of examples against one project; every run's pairs have ids of their own."""

    def __init__(self, project, data_folder):
        self.project, self.folder = project, data_folder
        self.spark, self.runs = project.spark, 0

    def faults(self, examples):
        """(example, faults) of the examples whose record is not as expected.

        Faults are a dict: what, to its expected and its recorded form. Raises RuntimeError when
        the run itself fails.
        """
        self.runs += 1
        named = [e.named(f"r{self.runs}_{i}_x") for i, e in enumerate(examples)]
        recorded = self.run(named)
        found = ((example, differences(example, recorded[example.pair_id])) for example in named)
        return [(example, faults) for example, faults in found if faults]

    def run(self, examples):
        """One night over the examples; by pair id its result with its records."""
        schema = f"{self.project.schema}_{self.runs}"
        self.spark.sql(f"create schema {schema}")
        pairs, rules = [], []
        for example, relations in write_pairs(self.spark, schema, self.folder / schema, examples):
            named = {f"{side}_relation": relations[side] for side in SIDES}
            pairs.append({"pair_id": example.pair_id, **named, **example.settings})
            rules += rule_lines(example)
        self.project.write_seeds(pairs, rules)
        outcome = self.project.dbt("build", "--select", "+audit_ledger", "--quiet")
        if not outcome.success:
            raise RuntimeError(outcome.failure or outcome.output)
        return self.read_back()

    def read_back(self):
        """The pair results of the last run, each with its differences and observations."""
        query = """select * from {schema}.audit_ledger
            where run_ts = (select max(run_ts) from {schema}.audit_ledger)
            and record_type in ('pair_result', 'difference', 'observation')"""
        results, records = {}, defaultdict(list)
        for row in self.project.rows(query):
            if row["record_type"] == "pair_result":
                results[row["pair_id"]] = row
            else:
                records[row["pair_id"]].append(row)
        return {pair: {**result, "records": records[pair]} for pair, result in results.items()}


def rule_lines(example):
    """The example's lines of column_rules.csv."""
    return [
        {
            "pair_id": f"{example.pair_id[:-1]}*" if rule.is_pattern else example.pair_id,
            "column_name": rule.column,
            "side": rule.side,
            "rule": rule.rule,
            "argument": rule.argument,
        }
        for rule in example.rules
    ]


def differences(example, recorded):
    """What was recorded otherwise than expected; empty where nothing was."""
    oracle = expected(example)
    faults = {}

    def check(what, expects, records):
        if expects != records:
            faults[what] = {"expected": expects, "recorded": records}

    if recorded["status"] == "error":
        message = f"{recorded['error_class']}: {recorded['error_message']}"
        return {"status": {"expected": oracle.status, "recorded": message}}
    for name in RESULT_FIELDS:
        check(name, getattr(oracle, name), recorded[name])
    for name, count in oracle.rows.items():
        check(name, count, recorded[name] or 0)
    sums_are_equal = recorded["source_hash_sum"] == recorded["target_hash_sum"]
    check("hash_sums_are_equal", oracle.hash_sums_are_equal, sums_are_equal)
    expects = {tuple(vars(r)[name] for name in RECORD_FIELDS) for r in oracle.records}
    records = [tuple(r[name] for name in RECORD_FIELDS) for r in recorded["records"]]
    if len(set(records)) < len(records):
        faults["records"] = {"expected": "each once", "recorded": "a record twice"}
    only_expected, only_recorded = expects - set(records), set(records) - expects
    if only_expected or only_recorded:
        faults["records"] = {
            "expected": readable(only_expected),
            "recorded": readable(only_recorded),
        }
    return faults


def readable(records):
    """Records as dicts of what they hold, in a stable order."""
    named = [dict(zip(RECORD_FIELDS, record, strict=True)) for record in records]
    held = [{name: value for name, value in r.items() if value is not None} for r in named]
    return sorted(held, key=lambda record: (record["diff_type"], record["mismatch_id"]))
