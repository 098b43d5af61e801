"""Makes a failing example small: each round tries many smaller ones in one run."""

from dataclasses import replace

from tests.fuzz.example import Example, Table, dump_example
from tests.fuzz.generator import is_decided

ROUNDS, CANDIDATES = 12, 60


def shrunk(batch, example, faults):
    """A smaller example with a fault of the same kind, and its faults."""
    for _ in range(ROUNDS):
        smaller = list(candidates(example))[:CANDIDATES]
        failing = [
            (candidate, found)
            for candidate, found in batch.faults(smaller)
            if found.keys() & faults.keys() and is_error(found) == is_error(faults)
        ]
        if not failing:
            break
        example, faults = min(failing, key=lambda pair: size(pair[0]))
    return example, faults


def is_error(faults):
    """Whether the pair was not compared at all."""
    return isinstance(faults.get("status", {}).get("recorded"), str) and len(faults) == 1


def size(example):
    return len(str(dump_example(example)))


def candidates(example):
    """Smaller examples that the contract decides, big steps first."""
    for candidate in (
        *without_rows(example),
        *without_columns(example),
        *(replace(example, rules=without(example.rules, i)) for i in range(len(example.rules))),
        *(without_setting(example, name) for name in example.settings),
        *with_null_cells(example),
    ):
        if is_decided(candidate):
            yield candidate


def without(items, i):
    return items[:i] + items[i + 1 :]


def without_rows(example):
    """Without one half of the rows, without one row of either side, without the same of both."""
    sides = {"source": example.source, "target": example.target}
    for side, table in sides.items():
        half = len(table.rows) // 2
        if half > 1:
            yield replace(example, **{side: replace(table, rows=table.rows[:half])})
            yield replace(example, **{side: replace(table, rows=table.rows[half:])})
    for row in {*map(repr, example.source.rows)} & {*map(repr, example.target.rows)}:
        fewer = {s: tuple(r for r in t.rows if repr(r) != row) for s, t in sides.items()}
        yield replace(example, **{s: replace(t, rows=fewer[s]) for s, t in sides.items()})
    for side, table in sides.items():
        for i in range(len(table.rows)):
            yield replace(example, **{side: replace(table, rows=without(table.rows, i))})


def without_columns(example):
    """Without a column of both sides, or of one."""
    names = {name.lower() for t in (example.source, example.target) for name, _ in t.columns}
    for name in sorted(names):
        dropped = {
            side: without_column(example.side(side), name)
            for side in ("source", "target")
            if example.side(side).index(name) is not None
        }
        rules = tuple(r for r in example.rules if r.column.lower().split(".")[0] != name)
        keys = [key for key in example.key_columns if key.lower() != name]
        settings = {**example.settings, "key_columns": ";".join(keys)}
        for tables in (dropped, *({side: table} for side, table in dropped.items())):
            if all(table.columns for table in tables.values()):
                yield Example(
                    **{"source": example.source, "target": example.target, **tables},
                    rules=rules,
                    settings={name: value for name, value in settings.items() if value},
                )


def without_column(table, name):
    i = table.index(name)
    return Table(without(table.columns, i), tuple(without(row, i) for row in table.rows))


def without_setting(example, name):
    return replace(example, settings={k: v for k, v in example.settings.items() if k != name})


def with_null_cells(example):
    """With a column of one side all NULL."""
    for side in ("source", "target"):
        table = example.side(side)
        for i in range(len(table.columns)):
            rows = tuple((*row[:i], None, *row[i + 1 :]) for row in table.rows)
            if rows != table.rows:
                yield replace(example, **{side: replace(table, rows=rows)})
