"""Seed files that cannot be read as such stop a run in one sentence; make check finds the rest."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

HEADER = "pair_id,source_relation,target_relation,key_columns"
LINE = "orders,a.orders,b.orders,id"
# file: (bytes of table_pairs.csv, fragments of the sentence)
BROKEN = {
    "semicolons": (
        f"{HEADER}\n{LINE}\n".replace(",", ";"),
        ["seeds/table_pairs.csv, line 1", "separated by semicolons", "commas"],
    ),
    "tabs": (
        f"{HEADER}\n{LINE}\n".replace(",", "\t"),
        ["seeds/table_pairs.csv, line 1", "separated by tabs"],
    ),
    "unknown header": (
        f"{HEADER},keycolumns\n{LINE},x\n",
        ["line 1", "'keycolumns'", "does not know", "key_columns"],
    ),
    "missing header": (
        "pair_id,source_relation,key_columns\norders,a.orders,id\n",
        ["line 1", "target_relation is missing"],
    ),
    "no header": (f"{LINE}\n", ["line 1"]),
    "a column twice": (f"{HEADER},wave,wave\n{LINE},w1,w1\n", ["line 1", "wave stands twice"]),
    "a column without a name": (
        f"{HEADER},\n{LINE},\n",
        ["line 1", "column 5 has no name", "a comma too many"],
    ),
    "a field too many": (
        f"{HEADER}\n{LINE}\ncustomers,a.c,b.c,id,extra\n",
        ["seeds/table_pairs.csv, line 3", "5 fields", "the header 4", "double quotes"],
    ),
    "empty": ("", ["seeds/table_pairs.csv is empty", "pair_id"]),
}


def sentences(outcome):
    """What a person is told, without dbt's own report of its nodes."""
    return "\n".join([*outcome.messages, outcome.failure])


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_stops_the_run_in_a_sentence(project, name):
    content, fragments = BROKEN[name]
    project.write_seeds([], [])
    (project.root / "seeds/table_pairs.csv").write_text(content)
    outcome = project.night()
    assert not outcome.success
    said = sentences(outcome)
    assert all(fragment in said for fragment in fragments), said
    assert "Traceback" not in said
    assert outcome.status.get("int_recon__comparisons", "skipped") == "skipped"
    assert outcome.status.get("audit_ledger", "skipped") == "skipped"


def test_a_file_of_a_spreadsheet_is_read(project):
    """Byte order mark, CRLF, quotes around every field, a blank line at the end."""
    orders = project.pair("orders", "select 1 as id", "select 1 as id")
    fields = [orders["pair_id"], orders["source_relation"], orders["target_relation"], "id"]
    lines = [",".join(f'"{field}"' for field in row) for row in (HEADER.split(","), fields)]
    project.write_seeds([], [])
    (project.root / "seeds/table_pairs.csv").write_bytes(
        b"\xef\xbb\xbf" + "\r\n".join([*lines, "", ""]).encode()
    )
    outcome = project.night()
    assert outcome.success, outcome.failure
    assert project.results()["orders"]["status"] == "match"


def test_a_quote_that_is_not_closed_loses_no_line_unseen(fresh_project):
    project = fresh_project
    project.write_seeds([], [])
    line = "{},a.orders,b.orders,id"
    lines = [HEADER + ",wave", line.format("one") + ',"w1', line.format("two") + ",w2", ""]
    (project.root / "seeds/table_pairs.csv").write_text("\n".join(lines))
    rules = ["pair_id,column_name,side,rule,argument,reason", 'one,v,,trim,right,"ticket']
    rules += ["two,v,,trim,right,", ""]
    (project.root / "seeds/column_rules.csv").write_text("\n".join(rules))
    output = project.check().output
    assert "seeds/table_pairs.csv, pair one: wave holds other lines of the file" in output
    assert "seeds/column_rules.csv: rule 'trim' on column 'v' of pairs 'one' holds other" in output


PAIRS_FILE, RULES_FILE = "seeds/table_pairs.csv", "seeds/column_rules.csv"


def test_check_finds_mistakes_and_compares_nothing(fresh_project):
    project = fresh_project
    good = project.pair("good", "select 1 as id, 2 as v", "select 1 as id, 3 as v")
    nowhere = f"{project.schema}.nowhere"
    other = project.pair("renamed", "select 1 as id, 2 as v", "select 1 as ident, 2 as v")
    pairs = [
        good,
        other,
        good | {"pair_id": "lost", "source_relation": nowhere, "target_relation": nowhere + "2"},
        good | {"pair_id": "many", "key_columns": "idd;id;id", "source_filter": "w > 1"},
        # mistakes in the file do not hide those that the tables tell
        good
        | {
            "pair_id": "odd",
            "key_columns": "idd",
            "duplicate_keys": "multisett",
            "timeout_minutes": "soon",
            "watermark_column": "w",
        },
    ]
    rules = [
        ("many", "vv", "trim", "right"),
        ("many", "v", "trim", "right"),
        ("odd", "v", "round", "two"),
        ("oddd", "v", "trim", "right"),
        ("g*", "v", "case_insensitive", ""),
        ("*", "v", "tirm", "right"),
    ]
    names = "pair_id", "column_name", "rule", "argument"
    project.write_seeds(pairs, [dict(zip(names, rule, strict=True)) for rule in rules[:5]])
    outcome = project.check()
    assert outcome.status["has_no_rows_config_findings_"] == "fail"
    # a row per problem, with what to write instead
    expected = [
        (PAIRS_FILE, "lost", "source_relation", nowhere, "create the table or ask for permission"),
        (PAIRS_FILE, "lost", "target_relation", nowhere + "2", "create the table"),
        (
            PAIRS_FILE,
            "many",
            "key_columns",
            "idd;id;id",
            "the nearest is id; its columns are: id, v",
        ),
        (PAIRS_FILE, "many", "key_columns", "idd;id;id", "id twice"),
        (PAIRS_FILE, "many", "source_filter", "w > 1", "such as id > 10"),
        (
            PAIRS_FILE,
            "renamed",
            "key_columns",
            "id",
            "a rule source_column for it with argument id",
        ),
        (PAIRS_FILE, "odd", "duplicate_keys", "multisett", "the nearest is multiset"),
        (PAIRS_FILE, "odd", "timeout_minutes", "soon", "write a number above 0"),
        (PAIRS_FILE, "odd", "key_columns", "idd", "the nearest is id; its columns are: id, v"),
        (PAIRS_FILE, "odd", "watermark_column", "w", "columns are: id, v"),
        (RULES_FILE, "odd", "rule", "round", "argument is 'two'; write a whole number"),
        (RULES_FILE, "many", "rule", "trim", "column vv"),
        (RULES_FILE, "many", "rule", "trim", "source int"),
        (RULES_FILE, None, "rule", "trim", "fits no pair of table_pairs.csv, the nearest is odd"),
        (RULES_FILE, None, "rule", "case_insensitive", "none of them has such a column"),
    ]
    found = project.rows("select * from {schema}.config_findings")
    for file, pair, field, value, fragment in expected:
        facts = {"file_name": file, "pair_id": pair, "field": field, "value": value}
        told = [
            f"{row['problem']}; {row['remedy']}" for row in found if row.items() >= facts.items()
        ]
        assert any(fragment in problem for problem in told), (facts, told)
    assert len(found) == len(expected)
    for row in found:
        pair = f", pair {row['pair_id']}" if row["pair_id"] else ""
        sentence = f"recon: {row['file_name']}{pair}: {row['problem']}; {row['remedy']}"
        assert sentence in outcome.output
    # nothing was compared, and a run that was under way is not touched
    tables = {row["tableName"] for row in project.rows("show tables in {schema}")}
    assert not tables & {"audit_ledger", "int_recon__comparisons", "int_recon__pair_plans"}
    # an unknown rule is named with the nearest, and costs every pair it is for
    project.write_seeds(pairs[:1], [dict(zip(names, rules[5], strict=True))])
    assert "the nearest is trim" in project.check().output
    project.write_seeds(pairs[:1], [])
    outcome = project.check()
    assert outcome.success
    assert "nothing is wrong with the configuration" in outcome.output
