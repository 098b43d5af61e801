"""What one run must record of a pair, worked out in plain Python from the contract alone.

expected(example) -> Result. Raises Undecided where the contract leaves the answer open; such an
example is no test of anything.
"""

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from tests.fuzz import expressions
from tests.fuzz.canonical import (
    EXACT,
    Common,
    OtherFamily,
    Undecided,
    common_type,
    family,
    fragment,
    instant,
    is_composite,
    json_text,
    map_entries,
    one_sided_fields,
    types_differ,
    value_text,
)
from tests.fuzz.datatypes import Type
from tests.fuzz.example import Example
from tests.fuzz.rules import TOLERANCES, SideRules, is_within, kind_fits

SIDES = ("source", "target")
UNCAPPED = {"schema_mismatch", "not_compared"}


@dataclass(frozen=True)
class Record:
    """A difference or observation as the ledger shows it."""

    record_type: str
    diff_type: str
    mismatch_id: str
    side: str | None = None
    record_key: str | None = None
    source_column: str | None = None
    target_column: str | None = None
    source_value: str | None = None
    target_value: str | None = None
    occurrences: int = 1
    row_hash: str | None = None
    recorded_up_to: str | None = None
    not_recorded_diff_type: str | None = None


@dataclass
class Result:
    """What the ledger must hold of a pair; rows maps e.g. source_rows_compared to a number."""

    status: str
    totals: dict[str, int]
    mismatch_count: int
    mismatched_row_count: int
    within_tolerance_count: int
    rows: dict[str, int]
    hash_sums_are_equal: bool
    records: list[Record]


@dataclass
class Column:
    """A column of one or both sides: spellings, types, rules and what it is compared as.

    declared, read and effective are types by side: of the table's column; of what is read, which
    rule expression may change; after all rules. values: by side a function of a row.
    """

    source: str | None
    target: str | None
    is_key: bool = False
    declared: dict[str, Type] = field(default_factory=dict)
    read: dict[str, Type] = field(default_factory=dict)
    effective: dict[str, Type] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    rules: dict[str, SideRules] = field(default_factory=dict)
    tolerances: dict[tuple, dict[str, str]] = field(default_factory=dict)
    common: Common | None = None
    has_compare_as: bool = False
    finding: str | None = None

    @property
    def name(self):
        return self.target or self.source

    @property
    def step(self):
        """The first step of this column's paths."""
        return self.name.lower()

    def cell(self, row, side):
        """The value of a row's cell after all rules."""
        raw = self.values[side](row)
        return self.rules[side].value_after(raw, self.read[side], (self.step,))

    def canonical(self, value, side):
        """JSON of a cell for comparing and for keys; None for NULL."""
        if value is None:
            return None
        if self.common is None:
            return json_text(self.shown(value, side))
        return fragment(value, self.common, self.rules[side].unordered())

    def shown(self, value, side):
        """The text that the record shows of a cell."""
        if value is None:
            return None
        own = self.effective[side]
        common = self.common or common_type(own, own)
        return value_text(value, common, self.rules[side].unordered())


# --- which rule applies where --------------------------------------------------------------------


def level(rule) -> int:
    """0 is the most specific: pair and column, pair and *, pattern and column, pattern and *."""
    return 2 * rule.is_pattern + (rule.column == "*")


def place_of(rule, column: Column, known: set[str]) -> tuple | None:
    """The path in a column that a rule names; None where it does not concern the column."""
    name = rule.column.lower()
    if name in ("*", column.step):
        return (column.step,)
    steps = tuple(name.split("."))
    if name not in known and len(steps) > 1 and steps[0] == column.step:
        return steps
    return None


def lines_of(example: Example, column: Column) -> list[tuple[int, tuple]]:
    """(index, place) of every line of rules that concerns a column, `exact` applied."""
    known = {name.lower() for side in SIDES for name, _ in example.side(side).columns}
    places = [place_of(rule, column, known) for rule in example.rules]
    lines = [(i, place) for i, place in enumerate(places) if place]
    exact = [level(example.rules[i]) for i, _ in lines if example.rules[i].rule == "exact"]
    return [(i, place) for i, place in lines if not exact or level(example.rules[i]) <= min(exact)]


def rules_in_force(example: Example, column: Column, side: str) -> dict[tuple, dict]:
    """By place and rule the argument and line that win for a side."""
    best = {}
    for i, place in lines_of(example, column):
        rule = example.rules[i]
        if rule.side not in ("", side):
            continue
        slot = (place, rule.rule)
        if slot in best and level(example.rules[best[slot]]) == level(rule):
            raise Undecided("the same rule twice at one level")
        if slot not in best or level(rule) < level(example.rules[best[slot]]):
            best[slot] = i
    by_place = defaultdict(dict)
    for (place, name), i in best.items():
        by_place[place][name] = (example.rules[i].argument, i)
    return by_place


def first_rule(example: Example, column: Column, name: str, side: str = "target"):
    """Argument of a rule on the whole column; None where it has none."""
    found = rules_in_force(example, column, side).get((column.step,), {}).get(name)
    return found[0] if found else None


# --- columns -------------------------------------------------------------------------------------


def matched_columns(example: Example) -> list[Column]:
    """All columns of both sides, matched by rule source_column or by name."""
    source, target = example.source, example.target
    for table in (source, target):
        if len({name.lower() for name, _ in table.columns}) < len(table.columns):
            raise Undecided("two names that differ by case only")
    renamed = {}
    for name, _ in target.columns:
        old = first_rule(example, Column(None, name), "source_column")
        if old is not None:
            renamed[name] = old.lower()
    columns, taken = [], set(renamed.values())
    for name, _ in target.columns:
        old = renamed.get(name, name.lower())
        if name not in renamed and old in taken:
            raise Undecided("a source column that is named by rule and by name")
        index = source.index(old)
        columns.append(Column(None if index is None else source.columns[index][0], name))
    used = {column.source for column in columns}
    return columns + [Column(name, None) for name, _ in source.columns if name not in used]


def planned_columns(example: Example) -> list[Column]:
    """The columns that are not ignored, ready to be compared. Raises Undecided."""
    used, columns = set(), []
    keys = {name.lower() for name in example.key_columns}
    for column in matched_columns(example):
        column.is_key = column.target is not None and column.step in keys
        if is_ignored(example, column, used):
            continue
        columns.append(column)
        read_sides(example, column, used)
        if all(side in column.values for side in SIDES):
            plan_both_sides(example, column, used)
        elif column.is_key:
            raise Undecided("a key column of one side")
        column.finding = finding_of(example, column)
    found = {c.step for c in columns if c.is_key}
    if found != keys:
        raise Undecided("a key column that is not there")
    if not any(column.rules for column in columns):
        raise Undecided("no column that both have")
    check_every_rule_applies(example, used, columns)
    return columns


def is_ignored(example: Example, column: Column, used: set[int]) -> bool:
    """Whether rule ignore takes the column out; `*` spares keys."""
    found = rules_in_force(example, column, "target").get((column.step,), {}).get("ignore")
    if not found:
        return False
    if column.is_key:
        if example.rules[found[1]].column == "*":
            return False
        raise Undecided("a key that is ignored")
    used.add(found[1])
    return True


def read_sides(example: Example, column: Column, used: set[int]) -> None:
    """How each side's values are had: from its column, or by rule expression."""
    for side in SIDES:
        table, name = example.side(side), getattr(column, side)
        in_force = rules_in_force(example, column, side)
        if name is not None:
            index = table.index(name)
            column.declared[side] = table.columns[index][1]
            column.read[side] = table.columns[index][1]
            column.values[side] = lambda row, index=index: row[index]
        if "expression" in in_force.get((column.step,), {}):
            if column.target is None:
                raise Undecided("an expression for a column that the target lacks")
            argument, line = in_force[(column.step,)]["expression"]
            used.add(line)
            kind, values = expressions.evaluated(argument, table)
            column.read[side], column.values[side] = kind, values


def plan_both_sides(example: Example, column: Column, used: set[int]) -> None:
    """Rules, effective types and what the column is compared as."""
    declared_target = column.declared.get("target") or column.read["target"]
    place = (column.step,)
    for side in SIDES:
        rules = SideRules(rules_in_force(example, column, side), declared_target)
        check_places(rules, column.read[side])
        column.rules[side] = rules
        column.effective[side] = rules.kind_after(column.read[side], place)
        used |= rules.used
        found = rules.by_place.get(place, {})
        column.has_compare_as |= "compare_as" in found and found["compare_as"][1] in rules.used
    if "source_column" in found:
        used.add(found["source_column"][1])
    column.common = common_or_none(column.effective)
    if column.common is not None:
        plan_tolerances(example, column, used)
    elif column.has_compare_as or not column.declared.keys() >= set(SIDES):
        raise Undecided("two families in spite of compare_as or expression")
    elif common_or_none(declared_types(column)) is not None:
        raise Undecided("two families by a rule")


def common_or_none(kinds: dict[str, Type]) -> Common | None:
    """What two types are compared as; None where they are of two families."""
    try:
        return common_type(kinds["source"], kinds["target"])
    except OtherFamily:
        return None


def declared_types(column: Column) -> dict[str, Type]:
    """The declared types by side, without ignored fields."""
    return {
        side: column.rules[side].declared_without_ignored(column.declared[side], (column.step,))
        for side in SIDES
    }


def check_places(rules: SideRules, kind: Type) -> None:
    """Raises Undecided for combinations of rules on paths that the contract leaves open."""
    places = rules.by_place
    for place, found in places.items():
        below = [other for other in places if other[: len(place)] == place and other != place]
        under = place[1:]
        if under and {"expression", "source_column", "mask", "exact"} & found.keys():
            raise Undecided("a rule that takes no path")
        if "unicode_normalize" in found and {"element", "key", "value"} & set(under):
            raise Undecided("unicode_normalize below an array or map")
        if "empty_as_null" in found and any("value_map" in places[other] for other in below):
            raise Undecided("values mapped below empty_as_null")
        if "array_unordered" in found and any(set(TOLERANCES) & places[o].keys() for o in below):
            raise Undecided("a tolerance below array_unordered")
        if below and kind.name not in ("array", "map", "struct"):
            raise Undecided("a path into a scalar")
        if below and {"value_map", "compare_as"} & found.keys():
            raise Undecided("a nested value that is read as another")


def type_at(kind: Type, path: tuple) -> Type | None:
    for step in path:
        kind = kind and kind.field(step)
    return kind


def plan_tolerances(example: Example, column: Column, used: set[int]) -> None:
    """The tolerances of a column by path, where both sides' types fit them."""
    for place, rules in column.rules["source"].by_place.items():
        kinds = [type_at(column.effective[side], place[1:]) for side in SIDES]
        for name, (argument, line) in rules.items():
            if name not in TOLERANCES:
                continue
            rule = example.rules[line]
            fits = all(kind is not None and kind_fits(name, argument, kind) for kind in kinds)
            allowed = not column.is_key and bool(example.key_columns) and "key" not in place[1:]
            if fits and allowed:
                column.tolerances.setdefault(place[1:], {})[name] = argument
                used.add(line)
            elif level(rule) == 0:
                raise Undecided("a tolerance where none can be")


def check_every_rule_applies(example: Example, used: set[int], columns: list[Column]) -> None:
    """A line that applies nowhere is a finding, and the pair an error: no example of ours."""
    for i, rule in enumerate(example.rules):
        if rule.rule == "exact" and rule.column.lower() in {c.step for c in columns}:
            continue
        if i not in used:
            raise Undecided(f"{rule.rule} applies nowhere")


# --- findings of the schema ----------------------------------------------------------------------


def finding_of(example: Example, column: Column) -> str | None:
    """What the types of a column, or its lack on a side, make: difference, observation, None."""
    allowed = allowed_sides(example)
    if not column.rules:
        return "observation" if set(column.values) <= allowed else "difference"
    if not column.declared.keys() >= set(SIDES):
        return None
    if column.common is None:
        return "difference"
    declared = declared_types(column).values()
    lacking = one_sided_fields(*declared)
    differ = types_differ(*declared)
    if lacking - allowed:
        return "difference"
    if (
        differ
        and example.setting("type_differences", "list") == "fail"
        and not column.has_compare_as
    ):
        if any("compare_as" in found for found in column.rules["source"].by_place.values()):
            raise Undecided("compare_as on a path, and type_differences")
        return "difference"
    return "observation" if differ or lacking else None


def allowed_sides(example: Example) -> set[str]:
    """The sides that may have a column of their own without failing the pair."""
    return {
        "fail": set(),
        "ignore_source_only": {"source"},
        "ignore_target_only": {"target"},
        "ignore": {"source", "target"},
    }[example.setting("one_sided_columns", "fail")]


# --- rows ----------------------------------------------------------------------------------------


@dataclass
class Row:
    """A row that is compared: cells and their JSON by column name, key as JSON array text."""

    cells: dict[str, object]
    json: dict[str, str | None]
    key: str | None
    has_null_key: bool
    raw: tuple

    @property
    def bag(self) -> str:
        """The row's identity among rows: NULL is not JSON's null."""
        return json_text(sorted(self.json.items()))


def canonical_rows(example: Example, columns: list[Column], side: str, rows) -> list[Row]:
    return [canonical_row(example, columns, side, raw) for raw in rows]


def canonical_row(example: Example, columns: list[Column], side: str, raw: tuple) -> Row:
    shared = [c for c in columns if c.rules and (c.common or c.is_key)]
    cells = {c.name: c.cell(raw, side) for c in shared}
    texts = {c.name: c.canonical(cells[c.name], side) for c in shared}
    by_step = {c.step: c.name for c in shared}
    parts = [texts[by_step[name.lower()]] for name in example.key_columns]
    key = "[" + ",".join("null" if p is None else p for p in parts) + "]" if parts else None
    return Row(cells, texts, key, None in parts, raw)


def compared_rows(example: Example, columns: list[Column]):
    """(rows by side, counts by name) after filter and watermark."""
    rows, counts = {}, {}
    for side in SIDES:
        table = example.side(side)
        predicate = example.setting(f"{side}_filter")
        kept = [raw for raw in table.rows if expressions.is_kept(predicate, table, raw)]
        rows[side] = canonical_rows(example, columns, side, kept)
        counts[f"{side}_rows"] = len(table.rows)
        counts[f"{side}_rows_filtered"] = len(table.rows) - len(kept)
    below = rows_below_watermark(example, columns, rows)
    for side in SIDES:
        counts[f"{side}_rows_after_watermark"] = len(rows[side]) - len(below[side])
        counts[f"{side}_rows_compared"] = len(below[side])
    return below, counts


def rows_below_watermark(example: Example, columns: list[Column], rows):
    """Without the rows above the watermark, nor any row with the key of one."""
    name = example.setting("watermark_column")
    if not name:
        return rows
    column = watermark_column(example, name)
    held = [v for v in example.source.values(column.source) if v is not None]
    if not held:
        return rows
    mark = lagged(max(map(comparable, held)), example.setting("watermark_lag", "0"))

    def is_above(row, side):
        value = row.raw[example.side(side).index(getattr(column, side))]
        return value is not None and comparable(value) > mark

    above = {
        row.key
        for side in SIDES
        for row in rows[side]
        if is_above(row, side) and has_matchable_key(example, row)
    }
    return {
        side: [
            row
            for row in rows[side]
            if not is_above(row, side)
            and not (has_matchable_key(example, row) and row.key in above)
        ]
        for side in SIDES
    }


def watermark_column(example: Example, name: str) -> Column:
    """The column of the watermark, on both sides. Raises Undecided for one that cannot be it."""
    column = next((c for c in matched_columns(example) if c.step == name.lower()), None)
    if column is None or None in (column.source, column.target):
        raise Undecided("a watermark on a column of one side")
    kinds = [example.side(side).type_of(getattr(column, side)) for side in SIDES]
    if family(kinds[0]) != family(kinds[1]) or family(kinds[0]) not in ("number", "time"):
        raise Undecided("a watermark on a column of this type")
    named = {
        rule for side in SIDES for rule in rules_in_force(example, column, side)[(column.step,)]
    }
    if {"float", "double"} & {kind.name for kind in kinds} or {"time_zone", "expression"} & named:
        raise Undecided("a watermark on floats, or on what rules read in another way")
    return column


def comparable(value):
    """A number or time such that values of either side's type can be compared."""
    return Decimal(value) if isinstance(value, int | Decimal) else instant(value)


def has_matchable_key(example: Example, row: Row) -> bool:
    """Whether rows of the other side can have this row's key."""
    matches = example.setting("null_keys", "report") == "match"
    return row.key is not None and (matches or not row.has_null_key)


def lagged(latest, lag: str):
    """The watermark: the latest value minus a number, or minus a span of time."""
    if isinstance(latest, Decimal):
        return EXACT.subtract(latest, Decimal(lag))
    amount, unit = re.fullmatch(r"(\d+) ?(second|minute|hour|day|)s?", lag).groups()
    try:
        return latest - timedelta(**{f"{unit or 'second'}s": int(amount)})
    except OverflowError as error:
        raise Undecided("a watermark before year 1") from error


# --- differences ---------------------------------------------------------------------------------


class Findings:
    """Collects the records of a pair."""

    def __init__(self, example: Example, columns: list[Column]):
        self.example, self.columns = example, columns
        self.records: list[Record] = []

    def add(self, record_type, diff_type, side=None, key=None, column=None, row_hash=None, **more):
        """One record; its id is made of what says which difference it is."""
        name = column.step if column else None
        parts = [self.example.pair_id, diff_type, side, name, key, row_hash]
        self.records.append(
            Record(
                record_type,
                diff_type,
                hashlib.sha256(json_text(parts).encode()).hexdigest(),
                side=side,
                record_key=key,
                source_column=column and column.source,
                target_column=column and column.target,
                row_hash=row_hash,
                **more,
            )
        )


def expected(example: Example) -> Result:
    """What a run over the example's tables must record. Raises Undecided."""
    columns = planned_columns(example)
    rows, counts = compared_rows(example, columns)
    found = Findings(example, columns)
    add_schema_findings(found)
    if example.setting("fail_on_empty") == "true" and not rows["source"] and not rows["target"]:
        found.add("difference", "not_compared")
    if example.key_columns:
        compare_keys(found, rows)
    else:
        compare_bags(found, rows)
    differences = [r for r in found.records if r.record_type == "difference"]
    totals = Counter(record.diff_type for record in differences)
    keys = {r.record_key for r in differences if r.record_key and not r.row_hash}
    return Result(
        status="mismatch" if differences else "match",
        totals=dict(totals),
        mismatch_count=len(differences),
        mismatched_row_count=len(keys) + sum(r.occurrences for r in differences if r.row_hash),
        within_tolerance_count=sum(r.diff_type == "within_tolerance" for r in found.records),
        rows=counts,
        hash_sums_are_equal=Counter(r.bag for r in rows["source"])
        == Counter(r.bag for r in rows["target"]),
        records=capped(found, int(example.setting("max_recorded_rows", "100"))),
    )


def add_schema_findings(found: Findings) -> None:
    for column in found.columns:
        if column.finding is None:
            continue
        one_sided = next(iter(column.values)) if not column.rules else None
        shown = {f"{side}_value": str(kind) for side, kind in column.declared.items()}
        found.add(column.finding, "schema_mismatch", side=one_sided, column=column, **shown)


def compare_keys(found: Findings, rows) -> None:
    """Rows with a NULL key set aside, then key by key."""
    report_nulls = found.example.setting("null_keys", "report") == "report"
    by_key = {side: defaultdict(list) for side in SIDES}
    for side in SIDES:
        null_keys = Counter()
        for row in rows[side]:
            if row.has_null_key and report_nulls:
                null_keys[row.key] += 1
            else:
                by_key[side][row.key].append(row)
        for key, count in null_keys.items():
            found.add("difference", "null_key", side, key, occurrences=count)
    is_multiset = found.example.setting("duplicate_keys", "report") == "multiset"
    for key in sorted({*by_key["source"], *by_key["target"]}):
        held = {side: by_key[side].get(key, []) for side in SIDES}
        if is_multiset and any(len(some) > 1 for some in held.values()):
            compare_bags(found, held, key)
        else:
            compare_key(found, key, held)


def compare_key(found: Findings, key: str, held: dict[str, list[Row]]) -> None:
    """One key: missing, duplicate, or its cells."""
    counts = {side: len(held[side]) for side in SIDES}
    for side, other in (("source", "target"), ("target", "source")):
        if counts[side] > 1:
            found.add("difference", "duplicate_key", side, key, occurrences=counts[side])
        if counts[side] and not counts[other]:
            found.add("difference", f"missing_in_{other}", side, key, occurrences=counts[side])
    if counts == {"source": 1, "target": 1}:
        for column in found.columns:
            if column.rules and column.common and not column.is_key:
                compare_cells(found, key, column, held["source"][0], held["target"][0])


def compare_cells(found: Findings, key: str, column: Column, source: Row, target: Row) -> None:
    if source.json[column.name] == target.json[column.name]:
        return
    values = {"source": source.cells[column.name], "target": target.cells[column.name]}
    within = are_within(column, values["source"], values["target"])
    found.add(
        *(("observation", "within_tolerance") if within else ("difference", "value_mismatch")),
        key=key,
        column=column,
        **{f"{side}_value": column.shown(value, side) for side, value in values.items()},
    )


def compare_bags(found: Findings, rows, key: str | None = None) -> None:
    """Rows as a bag: one record per distinct row and side that has more of it."""
    counts = {side: Counter(row.bag for row in rows[side]) for side in SIDES}
    texts = {row.bag: bag_text(found.columns, row) for side in SIDES for row in rows[side]}
    if len(set(texts.values())) < len(texts):
        raise Undecided("rows that only JSON null tells apart")
    for side, other in (("source", "target"), ("target", "source")):
        for bag, surplus in (counts[side] - counts[other]).items():
            found.add(
                "difference",
                f"missing_in_{other}",
                side,
                key,
                row_hash=hashlib.sha256(texts[bag].encode()).hexdigest(),
                occurrences=surplus,
                **{f"{side}_value": texts[bag]},
            )


def bag_text(columns: list[Column], row: Row) -> str:
    """The canonical JSON of a row, columns in lower-case order, the target's spelling."""
    ordered = sorted((c for c in columns if c.name in row.json), key=lambda c: c.step)
    fields = (f"{json_text(c.name)}:{row.json[c.name] or 'null'}" for c in ordered)
    return "{" + ",".join(fields) + "}"


def are_within(column: Column, source, target) -> bool:
    """Whether two cells that differ are within the column's tolerances."""
    unordered = {side: column.rules[side].unordered() for side in SIDES}

    def agree(s, t, common, path):
        texts = [
            fragment(value, common, unordered[side], path)
            for side, value in zip(SIDES, (s, t), strict=True)
        ]
        if (s is None) == (t is None) and texts[0] == texts[1]:
            return True
        if path in column.tolerances:
            return is_within(s, t, column.tolerances[path])
        if s is None or t is None or not is_composite(common) or common.kind == "variant":
            return False
        return parts_agree(s, t, common, path)

    def parts_agree(s, t, common, path):
        if common.kind == "struct":
            steps = [(name.lower(), part) for name, part in common.parts]
            return all(agree(s[n], t[n], part, (*path, n)) for n, part in steps)
        if common.kind == "array":
            part, below = common.part("element"), (*path, "element")
            return len(s) == len(t) and all(
                agree(*items, part, below) for items in zip(s, t, strict=True)
            )
        keys = [[k for k, _ in map_entries(m, common, frozenset(), path)] for m in (s, t)]
        if sorted(keys[0]) != sorted(keys[1]) or len(set(keys[0])) < len(keys[0]):
            return False
        held = [dict(zip(keys[i], (v for _, v in m), strict=True)) for i, m in enumerate((s, t))]
        part = common.part("value")
        return all(agree(held[0][k], held[1][k], part, (*path, "value")) for k in keys[0])

    return agree(source, target, column.common, ())


# --- the cap -------------------------------------------------------------------------------------


def capped(found: Findings, limit: int) -> list[Record]:
    """The records that are listed: the lowest ids of each group, one row for the rest of it."""
    groups = defaultdict(list)
    for record in found.records:
        column = record.target_column or record.source_column
        groups[record.record_type, record.diff_type, column].append(record)
    columns = {column.name: column for column in found.columns}
    found.records = []
    for (record_type, diff_type, column), records in groups.items():
        records.sort(key=lambda record: record.mismatch_id)
        if diff_type in UNCAPPED or len(records) <= limit:
            found.records += records
            continue
        found.records += records[:limit]
        if record_type == "difference":
            found.add(
                "difference",
                "not_recorded",
                column=columns.get(column),
                row_hash=diff_type,
                occurrences=len(records) - limit,
                recorded_up_to=records[limit - 1].mismatch_id,
                not_recorded_diff_type=diff_type,
            )
    return [
        record if record.diff_type != "not_recorded" else without_row_hash(record)
        for record in found.records
    ]


def without_row_hash(record: Record) -> Record:
    """Of not_recorded the diff type stands in the id for the row hash, and nowhere else."""
    return Record(**{**vars(record), "row_hash": None})
