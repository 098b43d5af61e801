"""What staging makes of the two seed files: every legal line handed on, every fault a sentence."""

import re

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# pair_id: (fields of its line, the fields with a problem, fragments of the sentences)
FAULTY_PAIRS = {
    "Orders": ({}, ["pair_id"], ["not an id"]),
    "no_target": ({"target_relation": ""}, ["target_relation"], ["is blank"]),
    "itself": (
        {"source_relation": "a.t", "target_relation": "A.T"},
        ["source_relation", "target_relation"],
        ["name two tables"],
    ),
    "no_var": (
        {"source_relation": "${nowhere}.t", "target_relation": "${catalog}.${}"},
        ["source_relation", "target_relation"],
        ["no var is given for ${nowhere};", "'main.${}': no var is given for ${};"],
    ),
    "bad_filter": (
        {"source_filter": "d = date'${run_date}' or d > ${since}", "target_filter": "x > ${"},
        ["source_filter", "target_filter"],
        ["source_filter has ${since}:", "target_filter has ${:", "but ${run_date};"],
    ),
    "bad_choice": (
        {"duplicate_keys": "keep", "store_values": "hash", "hash_algorithm": "md5"},
        ["duplicate_keys", "hash_algorithm", "store_values"],
        ["report or multiset", "xxhash64 or sha256", "full or hashed or none"],
    ),
    "bad_limit": (
        {
            "max_mismatched_rows": "-1",
            "max_mismatched_pct": "101",
            "severity": "warning",
            "timeout_minutes": "0",
        },
        ["max_mismatched_pct", "max_mismatched_rows", "severity", "timeout_minutes"],
        ["at least 0", "from 0 to 100", "error or warn", "a number above 0"],
    ),
    "bad_number": (
        {"max_recorded_rows": "0", "max_age_hours": "soon", "fail_on_empty": "yes"},
        ["fail_on_empty", "max_age_hours", "max_recorded_rows"],
        ["whole number of at least 1", "number above 0", "write true or false"],
    ),
    "bad_lag": (
        {"watermark_column": "ts", "watermark_lag": "2 fortnights"},
        ["watermark_lag"],
        ["such as 2 hours"],
    ),
    "lone_lag": ({"watermark_lag": "1 day"}, ["watermark_lag"], ["without a watermark_column"]),
    "bad_name": ({"renamed_from": "Old Name"}, ["renamed_from"], ["which is no id"]),
    "name_in_use": ({"renamed_from": "ora_a"}, ["renamed_from"], ["the id of a pair"]),
    "twin_a": ({"renamed_from": "womb"}, ["renamed_from"], ["for each of twin_a, twin_b"]),
    "twin_b": ({"renamed_from": "womb"}, ["renamed_from"], ["for each of twin_a, twin_b"]),
    "oldest": ({}, ["pair_id"], ["is a former id of pair newest"]),
}

# pair_id: (fields of its line, its identity)
LEGAL_PAIRS = {
    "plain": ({}, "plain"),
    "ora_a": ({}, "ora_a"),
    "ora_b": ({}, "ora_b"),
    "every_setting": (
        {
            "source_relation": "${catalog}.`${odd}`.t",
            "target_relation": "${catalog}_new.s.${catalog}",
            "key_columns": "id; part",
            "source_filter": "d < date'${run_date}'",
            "watermark_column": "ts",
            "watermark_lag": "2 hours",
            "duplicate_keys": "MULTISET",
            "null_keys": "match",
            "hash_algorithm": "sha256",
            "store_values": "hashed",
        },
        "every_setting",
    ),
    "number_lag": ({"watermark_column": "n", "watermark_lag": "10.5"}, "number_lag"),
    "never_seen": ({"renamed_from": "unheard_of"}, "unheard_of"),
    "renamed_tonight": ({"renamed_from": "yesterday"}, "yesterday"),
    "renamed_twice": ({"renamed_from": "second"}, "first"),
    "newest": ({}, "oldest"),
    "renamed_late": ({"renamed_from": "forgotten"}, "forgotten"),
}

# (pair_id, original_pair_id, night) of the results in the ledger
LEDGER = [
    ("yesterday", "yesterday", 1),
    ("first", "first", 1),
    ("second", "first", 2),
    ("oldest", "oldest", 1),
    ("newest", "oldest", 2),
    ("forgotten", "forgotten", 1),
    ("renamed_late", "renamed_late", 2),
]

# One column each of pair `plain`: (rule, argument, side)
LEGAL_RULES = [
    ("ignore", "", ""),
    ("EXACT", "", ""),
    ("source_column", "old name", ""),
    ("expression", "concat(a, ',', b)", "source"),
    ("strip_invisible", "", "target"),
    ("trim", "right_ws", ""),
    ("unicode_normalize", "NFKC", ""),
    ("case_insensitive", "", ""),
    ("empty_as_null", "", ""),
    ("json_canonical", "", ""),
    ("value_map", '{"Y": "true", "it\'s": null, "": "\\"x\\""}', "source"),
    ("compare_as", "Decimal(18, 2)", ""),
    ("compare_as", "target", ""),
    ("time_zone", "America/New_York", "source"),
    ("date_only", "", ""),
    ("timestamp_precision", "min", ""),
    ("array_unordered", "", ""),
    ("round", "-2", ""),
    ("abs_tolerance", "1e-06", ""),
    ("rel_tolerance", ".5", ""),
    ("abs_tolerance_seconds", "0", ""),
    ("mask", "", ""),
]

# One column each of pair `ora_a`: (rule, argument, side, fragment of the sentence)
FAULTY_RULES = [
    ("", "", "", "it names no rule"),
    ("abs_tolerence", "0.1", "", "the nearest is abs_tolerance"),
    ("ignore", "yes", "", "it takes no argument"),
    ("ignore", "", "source", "it takes no side"),
    ("expression", "a + b", "", "side is blank"),
    ("expression", "", "source", "argument is blank; write one Spark SQL expression"),
    ("trim", "both", "left", "side is 'left'"),
    ("trim", "left", "", "write right or both or right_ws"),
    ("trim", "a; b", "", "argument is 'a; b'; write right or both"),
    ("unicode_normalize", "NFX", "", "NFC or NFD"),
    ("source_column", "", "", "the source's name"),
    ("value_map", "Y=true", "", "JSON object"),
    ("value_map", '{"Y": 1}', "", "JSON object"),
    ("value_map", '{"Y": "1"} and more', "", "JSON object"),
    ("value_map", '["Y"]', "", "JSON object"),
    ("compare_as", "array<int>", "", "not nested"),
    ("time_zone", "Nowhere/Land", "", "time zone"),
    ("time_zone", "", "", "argument is blank"),
    ("timestamp_precision", "hour", "", "us or ms or s or min"),
    ("round", "2.5", "", "whole number of digits"),
    ("abs_tolerance", "-1", "", "number of at least 0"),
    ("abs_tolerance", "NaN", "", "number of at least 0"),
    ("rel_tolerance", "5%", "", "number of at least 0"),
]

# Lines of column_rules.csv with a pattern or `*`, all without a fault
WIDE_RULES = [
    {"pair_id": "ora_*", "column_name": "s.a", "rule": "case_insensitive"},
    {"pair_id": "ORA_*", "column_name": "*", "rule": "trim", "argument": "right"},
    {"pair_id": "ora_b", "column_name": "*", "rule": "trim", "argument": "both"},
    {"pair_id": "ora_b", "column_name": "v", "rule": "trim", "argument": "both", "side": "source"},
    {"pair_id": "ora_b", "column_name": "V", "rule": "trim", "argument": "right", "side": "target"},
]


def column(number):
    """The column of pair `plain` or `ora_a` that the rule of that number is for."""
    return f"c{number}"


def rules():
    """All lines of column_rules.csv."""
    lines = [
        {"pair_id": pair, "column_name": column(number), "rule": r, "argument": a, "side": s}
        for pair, known in (("plain", LEGAL_RULES), ("ora_a", FAULTY_RULES))
        for number, (r, a, s, *_) in enumerate(known)
    ]
    return [
        *lines,
        *WIDE_RULES,
        {"pair_id": "", "column_name": "v", "rule": "ignore"},
        {"pair_id": "o?a", "column_name": "v", "rule": "ignore"},
        {"pair_id": "nothing_*", "column_name": "v", "rule": "ignore"},
        {"pair_id": "ora_a", "column_name": "", "rule": "ignore"},
        {"pair_id": "ora_a", "column_name": "*", "rule": "source_column", "argument": "x"},
        # blank counts for both sides
        {"pair_id": "number_lag", "column_name": "v", "rule": "trim", "argument": "both"},
        {"pair_id": "number_lag", "column_name": "V", "rule": "trim", "argument": "right"}
        | {"side": "target"},
        # a finding of each pair that the pattern fits
        {"pair_id": "twin_*", "column_name": "v", "rule": "round", "argument": "many"},
    ]


@pytest.fixture(scope="module")
def configured(project):
    """Seeds and staging built once, over a ledger that knows earlier names."""
    nights = ", ".join(
        f"('pair_result', '{pair}', '{original}', '{night}',"
        f" timestamp'2024-01-0{night} 02:00:00 UTC', 'match', cast(null as string), 1D, 'x')"
        for pair, original, night in LEDGER
    )
    columns = "record_type, pair_id, original_pair_id, run_id, run_ts, status"
    columns += ", error_class, seconds, plan_hash"
    project.table("audit_ledger", f"select * from values {nights} as t({columns})")
    pairs = {p: fields for p, (fields, *_) in {**FAULTY_PAIRS, **LEGAL_PAIRS}.items()}
    lines = [
        {"pair_id": pair, "source_relation": f"old.{pair}", "target_relation": f"new.{pair}"}
        | fields
        for pair, fields in pairs.items()
    ]
    project.write_seeds([*lines, {"source_relation": "old.x", "target_relation": "new.x"}], rules())
    outcome = project.dbt(
        *("build", "--select", "path:seeds", "path:models/staging"), catalog="main", odd="it's\\a"
    )
    assert outcome.success, outcome.output
    return project


@pytest.fixture(scope="module")
def findings(configured):
    """Rows of stg_recon__config_findings, with their whole sentence."""
    rows = configured.rows("select * from {schema}.stg_recon__config_findings")
    return [row | {"sentence": f"{row['problem']}; {row['remedy']}"} for row in rows]


@pytest.fixture(scope="module")
def pairs(configured):
    """Rows of stg_recon__pairs by pair id."""
    return {
        row["pair_id"]: row for row in configured.rows("select * from {schema}.stg_recon__pairs")
    }


def of_pair(findings, pair_id, file_name):
    return [f for f in findings if f["pair_id"] == pair_id and f["file_name"].endswith(file_name)]


@pytest.mark.parametrize("pair_id", FAULTY_PAIRS)
def test_a_fault_of_a_pair_is_named(findings, pairs, pair_id):
    _, fields, fragments = FAULTY_PAIRS[pair_id]
    found = of_pair(findings, pair_id, "table_pairs.csv")
    assert sorted(f["field"] for f in found) == fields
    text = "\n".join(f["sentence"] for f in found)
    assert [fragment for fragment in fragments if fragment not in text] == []
    assert pairs[pair_id]["findings"]


def test_a_remedy_stands_alone(findings):
    """It says what to write, and quotes nothing of what was written."""
    remedies = {f["remedy"] for f in findings}
    assert all(re.match("(?!or )[a-z]+ ", remedy) for remedy in remedies), remedies
    assert not [r for r in remedies if ";" in r]
    assert all(f["problem"] for f in findings)


def test_a_legal_pair_has_no_finding(pairs):
    faulty_by_rule = {"ora_a", "number_lag"}
    assert {p: pairs[p]["findings"] for p in LEGAL_PAIRS if p not in faulty_by_rule} == {
        p: [] for p in LEGAL_PAIRS if p not in faulty_by_rule
    }


def test_settings_are_handed_on_with_placeholders_filled(pairs):
    pair = pairs["every_setting"]
    assert pair["source_relation"] == "main.`it's\\a`.t"
    assert pair["target_relation"] == "main_new.s.main"
    fields = LEGAL_PAIRS["every_setting"][0]
    assert pair["settings"] == {
        **dict.fromkeys(pair["settings"]),
        **{name: value for name, value in fields.items() if not name.endswith("_relation")},
        "duplicate_keys": "multiset",
        "type_differences": "list",
        "one_sided_columns": "fail",
        "fail_on_empty": "false",
        "max_mismatched_rows": "0",
        "max_recorded_rows": "100",
        "timeout_minutes": "240",
        "max_age_hours": "25",
        "severity": "error",
    }
    assert pairs["plain"]["settings"]["key_columns"] is None


def test_a_pair_keeps_its_identity_and_shares_it_with_none(pairs):
    assert {p: pairs[p]["original_pair_id"] for p in LEGAL_PAIRS} == {
        p: identity for p, (_, identity) in LEGAL_PAIRS.items()
    }
    identities = [row["original_pair_id"] for row in pairs.values()]
    assert len(identities) == len(set(identities)) == len(FAULTY_PAIRS) + len(LEGAL_PAIRS)


@pytest.mark.parametrize("number", range(len(FAULTY_RULES)))
def test_a_fault_of_a_rule_is_named(findings, number):
    rule, _, _, fragment = FAULTY_RULES[number]
    found = [
        f["sentence"]
        for f in of_pair(findings, "ora_a", "column_rules.csv")
        if f"on column '{column(number)}'" in f["sentence"]
    ]
    assert len(found) == 1 and fragment in found[0]
    assert found[0].startswith(f"rule '{rule}'")


def test_legal_rules_are_handed_on_as_written(pairs):
    found = {
        (r["column_name"], r["rule"], r["argument"], r["side"]) for r in pairs["plain"]["rules"]
    }
    assert found == {
        (column(number), rule.lower(), argument or None, side or None)
        for number, (rule, argument, side) in enumerate(LEGAL_RULES)
    }


def test_patterns_reach_the_pairs_they_fit_at_their_level(pairs):
    assert [
        (r["column_name"], r["side"], r["rule"], r["argument"], r["level"], r["pattern"])
        for r in pairs["ora_b"]["rules"]
    ] == [
        ("*", None, "trim", "both", 2, "ora_b"),
        ("*", None, "trim", "right", 4, "ora_*"),
        ("V", "target", "trim", "right", 1, "ora_b"),
        ("s.a", None, "case_insensitive", None, 3, "ora_*"),
        ("v", "source", "trim", "both", 1, "ora_b"),
    ]
    assert {"ora_*"} < {r["pattern"] for r in pairs["ora_a"]["rules"]}
    assert pairs["every_setting"]["rules"] == []


def test_rules_for_no_pair_are_findings_of_no_pair(findings):
    problems = sorted(f["sentence"] for f in findings if f["pair_id"] is None)
    fragments = ["has no pair_id; give it one", "'nothing_*' fits no pair"]
    fragments += ["'o?a' is no id and no pattern", "it has no pair_id"]
    assert len(problems) == len(fragments)
    assert [f for f in fragments if not any(f in problem for problem in problems)] == []


def test_what_only_the_other_lines_tell_is_named(findings):
    def problems(pair_id):
        return [f["sentence"] for f in of_pair(findings, pair_id, "column_rules.csv")]

    assert sorted(problems("number_lag")) == [
        f"rule 'trim' on column '{name}': it is given 2 times for this column and side; keep one"
        for name in ("V", "v")
    ]
    for pair_id in ("twin_a", "twin_b"):
        assert problems(pair_id) == [
            "rule 'round' on column 'v' of pairs 'twin_*': argument is 'many'; "
            "write a whole number of digits from -99 to 99, such as 2"
        ]
    assert any("it names no column" in problem for problem in problems("ora_a"))
    assert any("it is for one column" in problem for problem in problems("ora_a"))
    assert problems("plain") == problems("ora_b") == []


def test_config_hash_tells_rules_and_settings_apart(pairs):
    hashes = [row["config_hash"] for row in pairs.values()]
    assert len(set(hashes)) == len(hashes)
