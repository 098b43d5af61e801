"""Whether a run recorded exactly what a case expects."""

import json
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

MISSING = ("missing_in_source", "missing_in_target")
COUNTED_KEYS = ("duplicate_key", "null_key")
CELLS = ("value_mismatch", "within_tolerance")
# What may be recorded as an observation; of these within_tolerance may be nothing else.
OBSERVED = ("schema_mismatch", "within_tolerance")


@dataclass(frozen=True)
class Verdict:
    """A case and what was recorded otherwise than expected, a sentence each."""

    case_id: str
    problems: list[str]

    @property
    def is_right(self):
        return not self.problems

    def __str__(self):
        if self.is_right:
            return f"right {self.case_id}"
        return f"wrong {self.case_id}: {'; '.join(self.problems)}"


def judge(cases, ledger_rows, failures=None):
    """A verdict per case.

    `ledger_rows` are pair_result, difference and observation records of one run, as dicts;
    `failures` says of cases without tables why they have none.
    """
    ids = Counter(row["mismatch_id"] for row in ledger_rows if row["record_type"] != "pair_result")
    repeated = {mismatch_id for mismatch_id, count in ids.items() if count > 1}
    by_pair = {}
    for row in ledger_rows:
        by_pair.setdefault(row["pair_id"], []).append(row)
    verdicts = []
    for case in cases:
        failure = (failures or {}).get(case.id)
        problems = [failure] if failure else problems_of(case, by_pair.get(case.pair_id, []))
        problems += id_problems(by_pair.get(case.pair_id, []), repeated)
        verdicts.append(Verdict(case.id, problems))
    return verdicts


def problems_of(case, pair_rows):
    """What the records of a pair say otherwise than the case, a sentence each."""
    results = [row for row in pair_rows if row["record_type"] == "pair_result"]
    if len(results) != 1:
        return [f"expected one result, recorded {len(results)}"]
    found = [row for row in pair_rows if row["record_type"] != "pair_result"]
    return [
        *status_problems(case, results[0], found),
        *list_problems(case, results[0], found),
        *count_problems(results[0], found),
    ]


def status_problems(case, result, found):
    expected, status = case.expected["status"], result["status"]
    problems = []
    if status != expected:
        why = f" ({result['error_class']}: {result['error_message']})" if status == "error" else ""
        problems.append(f"status: expected {expected}, recorded {status}{why}")
    differs = any(row["record_type"] == "difference" for row in found)
    if differs != (status == "mismatch"):
        problems.append(f"status {status} with{'' if differs else 'out'} a difference")
    return problems


def list_problems(case, result, found):
    expected = {name: entries for name, entries in case.expected.items() if name != "status"}
    if implies_not_compared(case, result):
        expected["not_compared"] = ["pair"]
    recorded = {}
    for row in found:
        recorded.setdefault(list_name(row), []).append(row)
    return [
        f"{name}: expected {as_json(expected.get(name, []))}, "
        f"recorded {as_json([entry(row) for row in recorded.get(name, [])])}"
        for name in sorted({*expected, *recorded})
        if not is_same(case, name, expected.get(name, []), recorded.get(name, []))
    ]


def implies_not_compared(case, result):
    """Whether one not_compared belongs to the answer: no row on both sides, where that fails."""
    if case.pair.get("fail_on_empty", "").strip().lower() != "true":
        return False
    if case.expected["status"] != "mismatch":
        return False
    if any(case.expected[name] for name in (*MISSING, *COUNTED_KEYS, *CELLS)):
        return False
    # A column of one side alone makes a mismatch too; then only the rows tell.
    rows = (result["source_rows_compared"] or 0) + (result["target_rows_compared"] or 0)
    return not case.expected["schema_mismatch"] or rows == 0


def list_name(row):
    """The list of `expected` a record belongs to; a name of its own if it may not be one."""
    observed, diff_type = row["record_type"] == "observation", row["diff_type"]
    if observed == (diff_type == "within_tolerance") or diff_type == "schema_mismatch":
        return diff_type
    return f"{row['record_type']} {diff_type}"


def entry(row):
    """A record in the form of an entry of `expected`."""
    diff_type, column = row["diff_type"], row["source_column"] or row["target_column"]
    if diff_type == "not_compared":
        return "pair"
    if diff_type == "schema_mismatch":
        return column
    key = row["record_key"] and json.loads(row["record_key"], parse_float=Decimal)
    if diff_type in MISSING:
        return key
    if diff_type in COUNTED_KEYS:
        return [row["side"], key, row["occurrences"]]
    return [key, column]


def is_same(case, name, expected, rows):
    wanted = Counter(map(comparable, expected))
    recorded, copies = Counter(), Counter()
    for row in rows:
        recorded[comparable(entry(row))] += 1
        copies[comparable(entry(row))] += row["occurrences"] or 1
    # A key of a bag may stand there once per distinct row or once per copy.
    return wanted == recorded or (name in MISSING and case.compares_bags and wanted == copies)


def comparable(value):
    """The value for == : as JSON has it, numbers exactly; 1 is 1.0, neither "1" nor true."""
    if isinstance(value, list):
        return ("array", tuple(map(comparable, value)))
    if isinstance(value, dict):
        return ("object", frozenset((name, comparable(part)) for name, part in value.items()))
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return ("number", Decimal(value))
    return (type(value).__name__, value)


def as_json(value):
    """JSON text of a value whose numbers may be Decimals."""
    if isinstance(value, list):
        return f"[{', '.join(map(as_json, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{as_json(n)}: {as_json(part)}' for n, part in value.items())}}}"
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)


def count_problems(result, found):
    """Whether the totals of the pair are the number of its records."""
    types = Counter(row["diff_type"] for row in found if row["record_type"] == "difference")
    within = sum(row["diff_type"] == "within_tolerance" for row in found)
    totals = {name: count for name, count in (result["totals"] or {}).items() if count}
    counted = {
        "totals": (totals, dict(types)),
        "mismatch_count": (result["mismatch_count"] or 0, types.total()),
        "within_tolerance_count": (result["within_tolerance_count"] or 0, within),
    }
    return [
        f"{name} {said}, but recorded are {number}"
        for name, (said, number) in counted.items()
        if said != number
    ]


def id_problems(pair_rows, repeated):
    ids = [row["mismatch_id"] for row in pair_rows if row["record_type"] != "pair_result"]
    problems = [f"mismatch_id {name} more than once in the run" for name in {*ids} & repeated]
    return problems if all(ids) else [*problems, "a difference without mismatch_id"]
