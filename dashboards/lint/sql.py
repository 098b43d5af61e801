"""What a dataset's query says of itself, read from its text: no engine, no parser of all of SQL.

It reads the habits of this project: every query ends in one SELECT that names its columns.
"""

from __future__ import annotations

import re

# Comments and quoted texts go first: nothing inside them counts.
TOKEN = re.compile(
    r"--[^\n]*|/\*.*?\*/"
    r"|(?P<text>'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>`[^`]+`|[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<parameter>:[A-Za-z_]\w*(?:\.\w+)?)"
    r"|(?P<mark>\{\{|\}\}|::|\S)",
    re.DOTALL,
)


def tokens(query: str) -> list[str]:
    """The tokens of a query; a quoted text becomes ''."""
    found = []
    for match in TOKEN.finditer(query):
        if match["text"]:
            found.append("''")
        elif match.lastgroup:
            found.append(match[match.lastgroup])
    return found


def named(token: str) -> str:
    return token.strip("`")


def parameters(query: str) -> set[str]:
    """Names after a colon: `wave`, and of a range `dates.min`."""
    return {token[1:] for token in tokens(query) if re.match(r":[A-Za-z_]", token)}


def depths(words: list[str]) -> list[int]:
    """How many parentheses are open at each token."""
    depth, found = 0, []
    for word in words:
        depth -= word in ")]"
        found.append(depth)
        depth += word in "(["
    return found


def columns(query: str) -> list[str] | None:
    """Names of the columns of the last SELECT; None where it takes them from a `*`."""
    words = tokens(query)
    depth = depths(words)
    outer = [i for i, word in enumerate(words) if depth[i] == 0]
    starts = [i for i in outer if words[i].lower() == "select"]
    if not starts:
        return None
    ends = [i for i in outer if i > starts[-1] and words[i].lower() == "from"]
    last = ends[0] if ends else len(words)
    names, item = [], []
    for i in [*range(starts[-1] + 1, last), None]:
        if i is None or (words[i] == "," and depth[i] == 0):
            names.append(item[-1])
            item = []
        else:
            item.append(words[i])
    if "*" in names:
        return None
    return [named(name) for name in names]


def tables(query: str) -> list[str]:
    """Names after FROM and JOIN that no CTE of the query has, as they are written."""
    words = tokens(query)
    lower = [word.lower() for word in words]
    defined = {
        named(lower[i])
        for i in range(len(words) - 2)
        if lower[i + 1] == "as"
        and lower[i + 2] == "("
        and (i == 0 or lower[i - 1] in ("with", ","))
    }
    found = []
    for i, word in enumerate(lower[:-1]):
        if word not in ("from", "join") or not re.match(r"[`A-Za-z_]", words[i + 1]):
            continue
        name, place = words[i + 1], i + 2
        while place + 1 < len(words) and words[place] == ".":
            name, place = f"{name}.{words[place + 1]}", place + 2
        if named(name).lower() not in defined:
            found.append(name)
    return found
