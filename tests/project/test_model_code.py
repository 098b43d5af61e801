"""What the text of models may not hold."""

import ast
import re
import sys

import pytest

STRING_OR_COMMENT = re.compile(
    r"(?P<string>'(?:[^'\\]|\\.|'')*')|--[^\n]*|/\*.*?\*/", flags=re.DOTALL
)
TABLE = re.compile(r"\b(?:from|join)\s+([`\w.]++)(?!\s*\()", flags=re.IGNORECASE)
CTE = re.compile(r"\b(\w+)\s+as\s*\(", flags=re.IGNORECASE)
CALL = re.compile(r"\b(cast|try_cast|date|to_date|date_format|string|concat|concat_ws)\s*\(")
CAST_TO = re.compile(r"(.*)\bas\s+(string|date|varchar|char)\b", flags=re.DOTALL)
TIMESTAMP = re.compile(r"\b(\w+_ts|current_timestamp|now|timestamp\w*)\b")
ONLY_A_TIMESTAMP = re.compile(r"\s*(?:\w+\.)*\w+_ts\s*")

# Not there on serverless compute, or a change of the session that all threads share.
FORBIDDEN = {
    "rdd", "sparkContext", "persist", "unpersist", "cache", "checkpoint", "_jvm", "_jsc", "_sc",
    "_jdf", "_jsparkSession", "SparkContext", "RDD",
}  # fmt: skip
# A Python model is sent to the cluster as one file: nothing of this project can be imported.
IMPORTABLE = {*sys.stdlib_module_names, "pyspark", "delta", "pandas", "pyarrow"}


def without_jinja(sql: str) -> str:
    """The SQL with a plain word for each Jinja expression."""
    sql = re.sub(r"\{#.*?#\}", " ", sql, flags=re.DOTALL)
    sql = re.sub(r"\{%.*?%\}", " ", sql, flags=re.DOTALL)
    return re.sub(r"\{\{.*?\}\}", " jinja ", sql, flags=re.DOTALL)


def outline(sql: str) -> str:
    """The SQL without Jinja, comments and the insides of string literals."""
    return STRING_OR_COMMENT.sub(lambda m: "''" if m["string"] else " ", without_jinja(sql))


def named_tables(sql: str) -> list[str]:
    """Names after FROM and JOIN that are neither Jinja, nor a CTE, nor a function."""
    text = re.sub(r"\bdistinct\s+from\b", "distinct_from", outline(sql), flags=re.IGNORECASE)
    known = {"jinja", "lateral", *(name.lower() for name in CTE.findall(text))}
    return [name for name in TABLE.findall(text) if name.lower() not in known]


def inside(text: str, start: int) -> str:
    """What stands between the parenthesis that opens before `start` and its partner."""
    depth = 1
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return text[start:position]
    return text[start:]


def timestamp_casts(sql: str) -> list[str]:
    """Calls that turn a timestamp into text or a date: their answer hangs on the session's zone."""
    text = outline(sql).lower()
    found = []
    for call in CALL.finditer(text):
        name, arguments = call[1], inside(text, call.end())
        if name in ("cast", "try_cast"):
            cast = CAST_TO.fullmatch(arguments.strip())
            bad = bool(cast and TIMESTAMP.search(cast[1]))
        elif name.startswith("concat"):
            bad = any(ONLY_A_TIMESTAMP.fullmatch(part) for part in arguments.split(","))
        else:
            bad = bool(TIMESTAMP.search(arguments))
        if bad:
            found.append(f"{name}({' '.join(arguments.split())})")
    found += re.findall(r"\b\w+_ts\s*(?:::\s*(?:string|date)\b|\|\|)|\|\|\s*\w+_ts\b", text)
    return found


def sql_nodes(project, *resource_types):
    return [n for n in project.of_type(*resource_types) if n.get("language", "sql") == "sql"]


def python_models(project):
    return [n for n in project.of_type("model") if n["language"] == "python"]


def test_sql_names_no_table_of_its_own(project):
    found = {
        node["original_file_path"]: names
        for node in sql_nodes(project, "model", "analysis")
        + [t for t in project.of_type("test") if not t.get("test_metadata")]
        if (names := named_tables(node["raw_code"]))
    }
    assert found == {}, "use ref()"


def test_sql_has_no_semicolon_at_its_end(project):
    nodes = sql_nodes(project, "model", "analysis", "test")
    ended = [n["name"] for n in nodes if outline(n["raw_code"]).rstrip().endswith(";")]
    assert ended == [], "dbt adds to a query: a semicolon breaks it"


def test_views_and_marts_cast_no_timestamp(project):
    found = {
        node["name"]: casts
        for node in sql_nodes(project, "model")
        if node["config"]["materialized"] == "view" or node["fqn"][1] in ("audit", "marts")
        if (casts := timestamp_casts(node["raw_code"]))
    }
    assert found == {}, "the reader's session has a time zone of its own"


def test_python_models_hold_nothing_that_reads_as_jinja(root):
    """dbt renders their text too: a doubled brace of an f-string breaks the parse."""
    found = [
        f"{path.name}:{number}"
        for path in sorted((root / "models").glob("**/*.py"))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if re.search(r"\{\{|\{%|\{#", line)
    ]
    assert found == []


def test_python_models_use_what_spark_connect_has(project):
    found = []
    for node in python_models(project):
        for part in ast.walk(ast.parse(node["raw_code"])):
            name = getattr(part, "attr", None) or getattr(part, "id", None)
            of = getattr(getattr(part, "value", None), "id", None)
            text = ast.unparse(part)
            # a setting of the session would be one of every thread; `own` is a copy for one pair
            sets = text.endswith("conf.set") and text != "own.conf.set"
            if (name in FORBIDDEN and of != "functools") or sets:
                found.append(f"{node['name']}:{part.lineno} {text}")
    assert found == []


def test_python_models_are_whole_in_one_file(project):
    problems = []
    for node in python_models(project):
        tree = ast.parse(node["raw_code"])
        for part in ast.walk(tree):
            modules = [alias.name for alias in part.names] if isinstance(part, ast.Import) else []
            modules += [part.module or "."] if isinstance(part, ast.ImportFrom) else []
            problems += [
                f"{node['name']} imports {m}" for m in modules if m.split(".")[0] not in IMPORTABLE
            ]
        functions = [part.name for part in tree.body if isinstance(part, ast.FunctionDef)]
        if functions[-1:] != ["model"]:
            problems.append(f"{node['name']}: model(dbt, session) comes last")
    assert problems == []


# --- the guards themselves -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "sql, names",
    [
        ("select * from {{ ref('a') }} join {{ x }} on 1 = 1", []),
        ("with a as (select 1) select * from a inner join b on true", ["b"]),
        ("select 'from nowhere' -- from comment\nfrom {{ ref('a') }}", []),
        ("select a is distinct from b from explode(array(1))", []),
        ("select * from recon.audit_log", ["recon.audit_log"]),
    ],
)
def test_guard_against_table_names(sql, names):
    assert named_tables(sql) == names


@pytest.mark.parametrize(
    "sql, is_found",
    [
        ("cast(run_ts as string)", True),
        ("cast(max(r.run_ts) as date)", True),
        ("to_date(run_ts)", True),
        ("date_format(now(), 'yyyy')", True),
        ("concat('since ', r.run_ts)", True),
        ("'since ' || run_ts", True),
        ("cast(null as date)", False),
        ("cast(run_ts as timestamp)", False),
        ("concat('since ', run_date)", False),
        ("{{ local_date('run_ts') }}", False),
    ],
)
def test_guard_against_timestamp_casts(sql, is_found):
    assert bool(timestamp_casts(f"select {sql} from a")) is is_found


def test_what_both_python_models_hold_of_sessions_is_the_same(project):
    """They cannot import: one piece stands in both."""
    copies = [
        ast.unparse(part)
        for node in python_models(project)
        for part in ast.parse(node["raw_code"]).body
        if getattr(part, "name", None) == "interruptible"
    ]
    assert len(copies) == 2 and copies[0] == copies[1]
