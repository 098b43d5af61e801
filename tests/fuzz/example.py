"""A pair example: two tables, the line of table_pairs.csv and the lines of column_rules.csv."""

import json
from dataclasses import dataclass, field, replace

from tests.fuzz.datatypes import Type, dump_type, dump_value, load_type, load_value


@dataclass(frozen=True)
class Table:
    """Columns as (name, type), rows as tuples of values in that order."""

    columns: tuple[tuple[str, Type], ...]
    rows: tuple[tuple, ...] = ()

    def index(self, name):
        """Position of a column, found without regard to case; None where there is none."""
        names = [column.lower() for column, _ in self.columns]
        return names.index(name.lower()) if name.lower() in names else None

    def type_of(self, name):
        return self.columns[self.index(name)][1]

    def values(self, name):
        """All values of a column."""
        return [row[self.index(name)] for row in self.rows]


@dataclass(frozen=True)
class Rule:
    """A line of column_rules.csv; is_pattern: pair_id is a pattern that only this pair meets."""

    column: str
    rule: str
    argument: str = ""
    side: str = ""
    is_pattern: bool = False


@dataclass(frozen=True)
class Example:
    """settings: columns of table_pairs.csv beyond id and relations, key_columns among them."""

    source: Table
    target: Table
    settings: dict[str, str] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    pair_id: str = "example"

    def side(self, name):
        return self.source if name == "source" else self.target

    def named(self, pair_id):
        return replace(self, pair_id=pair_id)

    def setting(self, name, default=""):
        return self.settings.get(name) or default

    @property
    def key_columns(self):
        """Names of the key columns as the pair writes them; empty: the rows are a bag."""
        return [name.strip() for name in self.setting("key_columns").split(";") if name.strip()]


def dump_table(table):
    return {
        "columns": [[name, dump_type(kind)] for name, kind in table.columns],
        "rows": [
            [dump_value(v, kind) for v, (_, kind) in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
    }


def load_table(form):
    columns = tuple((name, load_type(kind)) for name, kind in form["columns"])
    rows = tuple(
        tuple(load_value(v, kind) for v, (_, kind) in zip(row, columns, strict=True))
        for row in form["rows"]
    )
    return Table(columns, rows)


def dump_example(example):
    """An example as JSON-ready dict; load_example gives it back."""
    return {
        "pair_id": example.pair_id,
        "pair": example.settings,
        "rules": [vars(rule) for rule in example.rules],
        "source": dump_table(example.source),
        "target": dump_table(example.target),
    }


def load_example(form):
    return Example(
        source=load_table(form["source"]),
        target=load_table(form["target"]),
        settings=form["pair"],
        rules=tuple(Rule(**rule) for rule in form["rules"]),
        pair_id=form["pair_id"],
    )


def read_example(path):
    """The example of a saved file; what was expected and recorded then is left aside."""
    return load_example(json.loads(path.read_text()))
