"""The few forms of filters and of rule `expression` that the oracle knows."""

import operator
import re
from datetime import date, datetime

from tests.fuzz.canonical import Undecided
from tests.fuzz.datatypes import INTEGERS, Type
from tests.fuzz.example import Table

NAME = r"(`(?:[^`]|``)+`|[A-Za-z_]\w*)"
LITERAL = r"(-?\d+|'[^'\\]*'|date'[^']+'|timestamp'[^']+')"
OPERATORS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def literal(text: str):
    """(value, type) of a literal. Raises Undecided for another form."""
    lower = text.lower()
    if re.fullmatch(r"-?\d+", text):
        return int(text), Type("int")
    if lower.startswith("date'"):
        return date.fromisoformat(text[5:-1]), Type("date")
    if lower.startswith("timestamp'"):
        return datetime.fromisoformat(text[10:-1].removesuffix("Z")), Type("timestamp")
    if text.startswith("'"):
        return text[1:-1], Type("string")
    raise Undecided(f"literal {text}")


def is_kept(predicate: str, table: Table, row: tuple) -> bool:
    """Whether a row meets a filter; NULL does not."""
    return not predicate or all(term_is_true(t, table, row) for t in predicate.split(" and "))


def term_is_true(term: str, table: Table, row: tuple) -> bool:
    def value(name):
        return row[table.index(unquoted(name))]

    if found := re.fullmatch(NAME, term):
        return value(found[1]) is True
    if found := re.fullmatch(rf"{NAME} is (not )?null", term):
        return (value(found[1]) is None) == (found[2] is None)
    if found := re.fullmatch(rf"{NAME} (<=|>=|<>|=|<|>) {LITERAL}", term, re.IGNORECASE):
        held = value(found[1])
        return held is not None and OPERATORS[found[2]](held, literal(found[3])[0])
    raise Undecided(f"filter {term}")


def evaluated(expression: str, table: Table):
    """(type, function of a row) of an expression. Raises Undecided for a form not known here."""
    if found := re.fullmatch(NAME, expression):
        index = table.index(unquoted(found[1]))
        return table.columns[index][1], lambda row: row[index]
    if found := re.fullmatch(rf"(coalesce|concat)\({NAME}, {LITERAL}\)", expression):
        index = table.index(unquoted(found[2]))
        value, kind = literal(found[3])
        own = table.columns[index][1]
        if own.name != kind.name and not {own.name, kind.name} <= set(INTEGERS):
            raise Undecided(f"expression over {own} and {kind}")
        if found[1] == "coalesce":
            return own, lambda row: value if row[index] is None else row[index]
        return own, lambda row: None if row[index] is None else row[index] + value
    value, kind = literal(expression)
    return kind, lambda row: value
