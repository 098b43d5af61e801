"""Reading a case file: what its form allows, and one sentence for what it does not."""

import json
import re
from dataclasses import dataclass
from decimal import Decimal

from tests.project_copy import PAIR_COLUMNS, RULE_COLUMNS

REQUIRED = ("id", "source_sql", "target_sql", "pair", "expected")
STATUSES = ("match", "mismatch", "error")
SIDES = ("source", "target")
# Set by whoever runs the file.
PAIR_SETTINGS = set(PAIR_COLUMNS) - {"pair_id", "source_relation", "target_relation"}
RULE_FIELDS = set(RULE_COLUMNS) - {"pair_id"}
MAX_PAIR_ID = 60


class MalformedCases(Exception):
    """The case file is not of the form README.md describes; the message says where."""


@dataclass(frozen=True)
class Case:
    """One case; `pair` and `rules` are lines of the seed files without the name of the pair."""

    id: str
    kind: str
    pair_id: str
    source_sql: str
    target_sql: str
    pair: dict[str, str]
    rules: list[dict[str, str]]
    expected: dict

    @property
    def compares_bags(self):
        """Whether rows without a partner are counted per key instead of once."""
        no_key = not self.pair.get("key_columns", "").strip()
        return no_key or self.pair.get("duplicate_keys", "").strip() == "multiset"


def read_cases(path):
    """The cases of a file, in its order; MalformedCases names the case and the field."""
    try:
        entries = json.loads(
            path.read_text(encoding="utf-8"), parse_float=Decimal, parse_constant=_no_constant
        )
    except OSError as failure:
        raise MalformedCases(f"cannot be read: {failure.strerror}") from failure
    except ValueError as failure:
        raise MalformedCases(f"is not JSON: {failure}") from failure
    if not isinstance(entries, list) or not entries:
        raise MalformedCases("is not a list of cases")
    cases, pair_ids = [], set()
    for number, entry in enumerate(entries, start=1):
        case = _case(entry, number, pair_ids)
        if any(case.id == other.id for other in cases):
            raise MalformedCases(f"has two cases with the id {case.id}")
        pair_ids.add(case.pair_id)
        cases.append(case)
    return cases


def _no_constant(name):
    raise ValueError(f'{name} is no JSON: write "{name}"')


def _case(entry, number, taken):
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
        raise MalformedCases(f"has no text `id` in case {number}")
    where = f"in case {entry['id']}"
    for name in REQUIRED:
        if name not in entry:
            raise MalformedCases(f"lacks `{name}` {where}")
    for name in ("source_sql", "target_sql"):
        if not isinstance(entry[name], str) or not entry[name].strip():
            raise MalformedCases(f"has no query in `{name}` {where}")
    rules = entry.get("rules") or []
    if not isinstance(rules, list):
        raise MalformedCases(f"has no list in `rules` {where}")
    return Case(
        id=entry["id"],
        kind=str(entry.get("kind", "")),
        pair_id=_pair_id(entry["id"], taken),
        source_sql=entry["source_sql"],
        target_sql=entry["target_sql"],
        pair=_seed_line(entry["pair"], PAIR_SETTINGS, f"`pair` {where}"),
        rules=[_seed_line(rule, RULE_FIELDS, f"`rules` {where}") for rule in rules],
        expected=_expected(entry["expected"], where),
    )


def _pair_id(case_id, taken):
    """A valid pair id that is not taken yet."""
    name = re.sub(r"[^a-z0-9]+", "_", case_id.lower()).strip("_")[:MAX_PAIR_ID]
    name = name if re.match("[a-z]", name) else f"case_{name}"
    candidates = (name if number == 1 else f"{name}_{number}" for number in range(1, 10**9))
    return next(candidate for candidate in candidates if candidate not in taken)


def _seed_line(fields, known, where):
    """Fields of a seed file as the text that stands in it."""
    if not isinstance(fields, dict):
        raise MalformedCases(f"has no object in {where}")
    for name, value in fields.items():
        if name not in known:
            raise MalformedCases(f"has an unknown field `{name}` in {where}")
        if isinstance(value, list | dict):
            raise MalformedCases(f"has no text in `{name}` of {where}")
    return {name: _text(value) for name, value in fields.items()}


def _text(value):
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_key(value):
    return value is None or isinstance(value, list)


def _is_cell(value):
    return (
        isinstance(value, list)
        and len(value) == 2
        and _is_key(value[0])
        and isinstance(value[1], str)
    )


def _is_counted_key(value):
    return (
        isinstance(value, list)
        and len(value) == 3
        and value[0] in SIDES
        and _is_key(value[1])
        and isinstance(value[2], int)
    )


# What an entry of each list of `expected` has to be; README.md says it in words.
ENTRIES = {
    "missing_in_source": _is_key,
    "missing_in_target": _is_key,
    "value_mismatch": _is_cell,
    "duplicate_key": _is_counted_key,
    "null_key": _is_counted_key,
    "schema_mismatch": lambda value: isinstance(value, str),
    "within_tolerance": _is_cell,
}


def _expected(expected, where):
    if not isinstance(expected, dict):
        raise MalformedCases(f"has no object in `expected` {where}")
    if expected.get("status") not in STATUSES:
        raise MalformedCases(f"has no status {', '.join(STATUSES)} in `expected` {where}")
    for name in set(expected) - {"status"}:
        if name not in ENTRIES:
            raise MalformedCases(f"has an unknown list `{name}` in `expected` {where}")
        fits = isinstance(expected[name], list) and all(map(ENTRIES[name], expected[name]))
        if not fits:
            raise MalformedCases(f"has an entry of another form in `{name}` of `expected` {where}")
    return {"status": expected["status"], **{n: expected.get(n, []) for n in ENTRIES}}
