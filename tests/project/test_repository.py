"""What the files of the repository must agree on, and what none of them may hold."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

MEGABYTE = 1024 * 1024
# Written so that this file does not hold what it forbids.
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:root|tmp|work|home/[a-z][\w.-]*|opt/wheels)/"
    r"|(?<!Workspace)/Users/[A-Za-z]|\b[A-Z]:\\Users"
)
REGISTRY_HOST = re.compile(
    r"(?:pypi|files\.pythonhosted|repo1?\.maven(?:\.apache)?|registry\.npmjs|static\.crates"
    r"|index\.crates|proxy\.golang|deb\.debian|archive\.ubuntu)\.(?:org|io|com)\b"
)
CHECKPOINT = "https://github.com/dbt-checkpoint/dbt-checkpoint"
# The hooks of dbt-checkpoint v2.0.10 that fit this project; pre-commit refuses an id it lacks.
CHECKPOINT_HOOKS = {
    "check-model-has-description", "check-model-columns-have-desc", "check-model-has-all-columns",
    "check-model-has-properties-file", "check-model-has-tests", "check-model-name-contract",
    "check-model-parents-name-prefix", "check-model-has-meta-keys", "check-column-desc-are-same",
    "check-column-name-contract", "check-model-materialization-by-childs", "check-model-tags",
    "check-script-semicolon", "check-script-has-no-table-name", "check-script-ref-and-source",
    "check-macro-has-description", "check-macro-arguments-have-desc",
    "check-exposure-has-meta-keys", "check-seed-has-meta-keys", "check-test-has-meta-keys",
    "check-test-tags", "check-database-casing-consistency",
    "unify-column-description", "generate-model-properties-file", "remove-script-semicolon",
}  # fmt: skip


def lines_with(pattern: re.Pattern, paths: list[Path], root: Path) -> list[str]:
    found = []
    for path in paths:
        text = path.read_bytes().decode(errors="ignore")
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(root)}:{number} {line.strip()[:100]}")
    return found


def test_versions_of_the_project_agree(root, dbt_project):
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert str(dbt_project["version"]) == version
    assert str(dbt_project["vars"]["recon_project_version"]) == version
    assert f"## [{version}]" in (root / "CHANGELOG.md").read_text()


def test_recorded_adapter_version_is_the_locked_one(dbt_project, locked):
    assert str(dbt_project["vars"]["recon_dbt_databricks_version"]) == locked["dbt-databricks"]


def test_lock_holds_every_dependency_with_hashes(root, locked):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    named = [d for extra in project["optional-dependencies"].values() for d in extra]
    names = {re.match(r"[A-Za-z0-9-]+", dependency)[0].lower() for dependency in named}
    assert names - set(locked) == set(), "run `make lock`"
    text = (root / "requirements.lock").read_text()
    pins = re.findall(r"^[a-z0-9].*?==.*?(?=^[a-z0-9]|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert [pin.split()[0] for pin in pins if "--hash=sha256:" not in pin] == []


def test_no_file_names_a_path_of_one_machine(files, root):
    assert lines_with(MACHINE_PATH, files, root) == []


def test_no_file_names_a_registry_host(files, root):
    assert lines_with(REGISTRY_HOST, files, root) == []


def test_no_file_is_over_a_megabyte(files, root):
    assert [str(p.relative_to(root)) for p in files if p.stat().st_size > MEGABYTE] == []


def test_profile_and_state_stay_out_of_git(files, root):
    names = {str(path.relative_to(root)) for path in files}
    stray = [n for n in names if n == "profiles.yml" or n.startswith((".recon/", "target/"))]
    assert stray == []


def test_checkpoint_hooks_exist(root):
    config = yaml.safe_load((root / ".pre-commit-config.yaml").read_text())
    used = [h["id"] for r in config["repos"] if r["repo"] == CHECKPOINT for h in r["hooks"]]
    assert used, "the dbt-checkpoint hooks are gone"
    assert set(used) - CHECKPOINT_HOOKS == set()


@pytest.mark.parametrize(
    "line, is_found",
    [
        ("see /home" + "/anna/recon", True),
        ("see /Users" + "/anna/recon", True),
        ("/Workspace/Users/" + "anna/recon", False),
        ("state_dir: .recon/state", False),
        ("models/work/of.sql", False),
    ],
)
def test_guard_against_machine_paths(line, is_found):
    assert bool(MACHINE_PATH.search(line)) is is_found


def test_every_reason_of_the_gate_has_its_test_and_its_line_in_the_docs(root):
    def written(folder, pattern):
        text = "".join(path.read_text() for path in sorted((root / folder).glob("*.sql")))
        return re.findall(pattern, text)

    given = set(written("models/marts", r"'reason', '([a-z_]+)'"))
    given |= set(written("models/marts", r"'([a-z_]+)'(?:, findings\.found\.reason\))? as reason"))
    lists = written("tests/gate", r"gate_reasons\(\[([^]]*)\]\)")
    tested = [name for names in lists for name in re.findall(r"'([a-z_]+)'", names)]
    assert sorted(tested) == sorted(given)
    table = (root / "docs/gate.md").read_text()
    assert set(re.findall(r"^\| `([a-z_]+)` \|.*`assert_", table, re.MULTILINE)) == given
