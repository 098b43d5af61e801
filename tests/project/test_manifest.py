"""The rules of dbt-checkpoint and of this project's layout, over the manifest."""

import re
from collections import defaultdict
from pathlib import PurePath

import pytest
from dbt_common.clients.jinja import get_environment
from jinja2 import nodes as jinja_nodes

GATE_TAG = "cutover_gate"
GATE_MODEL = "model.recon.gate_findings"
NAME_CONTRACT = {"staging": r"stg_recon__[a-z0-9_]+", "compare": r"int_recon__[a-z0-9_]+"}
# Other folders hold what people read: plain names.
PLAIN_NAME = r"(?!stg_|int_)[a-z][a-z0-9_]*"
# A test that must stop everything downstream says why under this key of its meta.
BLOCKS_BECAUSE = "blocks_because"


def tags(node: dict) -> list[str]:
    return node["config"].get("tags") or []


def gate_tests(project) -> list[dict]:
    return [test for test in project.of_type("test") if GATE_TAG in tags(test)]


@pytest.mark.parametrize("target", ["embedded", "databricks"])
def test_parsing_gives_no_warning_and_no_deprecation(request, target):
    parsed = request.getfixturevalue(f"parsed_{target}")
    assert not parsed.complaints, "\n".join(parsed.complaints)


def test_every_model_seed_and_analysis_is_described(project):
    nodes = project.of_type("model", "seed", "analysis")
    assert [n["name"] for n in nodes if not n["description"].strip()] == []


def test_every_singular_test_is_described(project):
    singular = [t for t in project.of_type("test") if not t.get("test_metadata")]
    assert [t["name"] for t in singular if not t["description"].strip()] == []


def test_every_column_is_described(project):
    bare = [
        f"{node['name']}.{name}"
        for node in project.of_type("model", "seed")
        for name, column in node["columns"].items()
        if not column["description"].strip()
    ]
    assert bare == []


def test_every_model_and_seed_lists_its_columns(project):
    assert [n["name"] for n in project.of_type("model", "seed") if not n["columns"]] == []


def test_a_column_of_several_models_is_described_once(project):
    said = defaultdict(lambda: defaultdict(list))
    for node in project.of_type("model"):
        for name, column in node["columns"].items():
            said[name.lower()][column["description"].strip()].append(node["name"])
    differing = {name: list(texts.values()) for name, texts in said.items() if len(texts) > 1}
    assert differing == {}, "describe the column in one docs block"


def test_every_macro_is_described(project):
    assert [m["name"] for m in project.macros if not m["description"].strip()] == []


def macro_arguments(macro: dict) -> list[str]:
    """The argument names in a macro's signature."""
    tree = get_environment(None).parse(macro["macro_sql"])
    return [argument.name for node in tree.find_all(jinja_nodes.Macro) for argument in node.args]


def test_every_macro_argument_is_described_and_exists(project):
    problems = []
    for macro in project.macros:
        documented = {a["name"]: (a.get("description") or "") for a in macro["arguments"]}
        for name in macro_arguments(macro):
            if not documented.pop(name, "").strip():
                problems.append(f"{macro['name']}({name}) is not described")
        problems += [f"{macro['name']} has no argument {name}" for name in documented]
    assert problems == []


def test_one_public_macro_per_file_named_like_it(project):
    public = [m for m in project.macros if not m["name"].startswith(("_", "default__", "test_"))]
    odd = [
        f"{m['name']} in {m['original_file_path']}"
        for m in public
        if PurePath(m["original_file_path"]).stem != m["name"]
    ]
    assert odd == []


def test_model_names_keep_their_contract(project):
    odd = [
        node["original_file_path"]
        for node in project.of_type("model")
        if not re.fullmatch(NAME_CONTRACT.get(node["fqn"][1], PLAIN_NAME), node["name"])
    ]
    assert odd == []


def test_one_properties_file_per_folder(project):
    """models/<folder>/_<folder>__models.yml for models, seeds/_seeds.yml for seeds."""
    problems = []
    for node in project.of_type("model", "seed"):
        folder = PurePath(node["original_file_path"]).parent
        name = "_seeds.yml" if node["resource_type"] == "seed" else f"_{folder.name}__models.yml"
        patch = (node["patch_path"] or "nowhere").removeprefix("recon://")
        if patch != str(folder / name):
            problems.append(f"{node['name']} is described in {patch}, not in {folder / name}")
    assert problems == []


def test_only_tests_carry_the_gate_tag(project):
    others = [
        node["unique_id"]
        for node in project.manifest["nodes"].values()
        if GATE_TAG in tags(node) and node["resource_type"] != "test"
    ]
    assert others == []


def test_every_test_of_the_gate_folder_is_a_gate_test(project):
    in_folder = {
        t["name"]
        for t in project.of_type("test")
        if t["original_file_path"].startswith("tests/gate/")
    }
    assert in_folder - {t["name"] for t in gate_tests(project)} == set()


def test_gate_tests_read_only_gate_findings(project):
    read = {t["name"]: t["depends_on"]["nodes"] for t in gate_tests(project)}
    assert {name: nodes for name, nodes in read.items() if nodes != [GATE_MODEL]} == {}


def test_nothing_but_tests_reads_gate_findings(project):
    """A failing gate test makes dbt skip whatever is downstream of its model."""
    readers = [
        node["unique_id"]
        for node in project.of_type("model", "snapshot", "analysis")
        if GATE_MODEL in node["depends_on"]["nodes"]
    ]
    assert readers == []


def test_data_tests_above_a_reader_only_warn(project):
    """For the same reason: a night must end with its evidence complete, red or clean."""
    blocking = [
        f"{test['name']} on {parent}"
        for test in project.of_type("test")
        if test["config"]["severity"].lower() != "warn"
        and not (test["config"].get("meta") or {}).get(BLOCKS_BECAUSE)
        for parent in test["depends_on"]["nodes"]
        if project.children(parent, "model")
    ]
    assert blocking == [], f"set severity: warn, or say why in meta.{BLOCKS_BECAUSE}"
