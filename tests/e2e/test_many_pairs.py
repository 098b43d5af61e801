"""Three hundred small pairs, some broken in every way: one run, a result and a cell for each."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

PAIRS = 300
# kind: (its target, its settings, how it ends)
KINDS = {
    "clean": ("same", {}, "match"),
    "filtered": ("same", {"source_filter": "id < 5", "target_filter": "id < 5"}, "match"),
    "bag": ("same", {"key_columns": ""}, "match"),
    "differs": ("other", {}, "mismatch"),
    "shorter": ("shorter", {}, "mismatch"),
    "one_sided": ("wider", {}, "mismatch"),
    "missing": ("nowhere", {}, "error"),
    "bad_filter": ("same", {"target_filter": "nothing > 1"}, "error"),
    "bad_key": ("same", {"key_columns": "ident"}, "error"),
    "bad_setting": ("same", {"null_keys": "perhaps"}, "error"),
    "raising": ("raising", {}, "error"),
    "disabled": ("other", {"enabled": "false"}, None),
}
TARGETS = {
    "same": "select id, id as v from range(9)",
    "other": "select id, id + 1 as v from range(9)",
    "shorter": "select id, id as v from range(8)",
    "wider": "select id, id as v, 1 as w from range(9)",
    "raising": "select id, cast(raise_error('no') as bigint) as v from range(9)",
}


def kind_of(number):
    """Every fifth pair is of these kinds in turn; the others are clean."""
    others = list(KINDS)
    return others[number // 5 % len(others)] if number % 5 == 0 else "clean"


@pytest.fixture(scope="module")
def night(project):
    project.table("old", TARGETS["same"])
    for name, query in TARGETS.items():
        if name == "raising":
            project.spark.sql(f"create view {project.schema}.raising as {query}")
        else:
            project.table(name, query)
    lines = []
    for number in range(PAIRS):
        target, settings, _ = KINDS[kind_of(number)]
        lines.append(
            {
                "pair_id": f"p{number:03}",
                "source_relation": f"{project.schema}.old",
                "target_relation": f"{project.schema}.{target}",
                "key_columns": "id",
                **settings,
            }
        )
    project.write_seeds(lines)
    outcome = project.night()
    assert outcome.success, outcome.failure
    return outcome


def test_each_enabled_pair_has_one_result(project, night):
    expected = {f"p{n:03}": KINDS[kind_of(n)][2] for n in range(PAIRS)}
    expected = {pair: status for pair, status in expected.items() if status}
    rows = project.rows(
        "select pair_id, status from {schema}.audit_ledger where record_type = 'pair_result'"
    )
    assert len(rows) == len(expected)
    assert {row["pair_id"]: row["status"] for row in rows} == expected


def test_the_heat_map_has_a_cell_for_each(project, night):
    cells = project.rows("select pair_id, status, bin from {schema}.mismatch_heat_map")
    results = project.results()
    assert {cell["pair_id"]: cell["status"] for cell in cells} == {
        pair: row["status"] for pair, row in results.items()
    }
    assert len(cells) == len(results)


def test_the_summary_lists_what_is_not_clean_first(project, night):
    states = project.rows(
        "select pair_id, state from {schema}.pair_status order by sort_order, pair_id"
    )
    names = [row["pair_id"] for row in states]
    kinds = [kind_of(int(name[1:])) for name in names]
    broken = [kind for kind in kinds if KINDS[kind][2] != "match"]
    assert kinds[: len(broken)] == broken
    lines = [m for m in night.messages if m.startswith("recon: p")]
    assert 0 < len(lines) <= 20
    assert [line.split()[1] for line in lines] == names[: len(lines)]
    assert "recon: and more, see pair_status" in night.output
