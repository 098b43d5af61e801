"""The project as `dbt parse` sees it; no Spark is started."""

import json
import re
import shutil
import subprocess
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from dbt.cli.main import dbtRunner

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD_URL = "https://example.com/dashboardsv3/1/published"


@dataclass(repr=False)
class Parsed:
    """What one `dbt parse` said and made."""

    manifest: dict = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def of_type(self, *resource_types: str) -> list[dict]:
        """The nodes of this project of the given types."""
        return [
            node
            for node in self.manifest["nodes"].values()
            if node["package_name"] == "recon" and node["resource_type"] in resource_types
        ]

    @property
    def macros(self) -> list[dict]:
        """The macros of this project."""
        return [m for m in self.manifest["macros"].values() if m["package_name"] == "recon"]

    def children(self, unique_id: str, resource_type: str) -> list[str]:
        """What reads a node, of one resource type."""
        names = self.manifest["child_map"].get(unique_id, [])
        return [name for name in names if name.startswith(f"{resource_type}.")]


def parse(folder: Path, target: str, **run_vars) -> Parsed:
    """Parse from scratch with the example profile, so that a person's own files play no part."""
    shutil.copy(ROOT / "profiles.yml.example", folder / "profiles.yml")
    parsed = Parsed()

    def listen(event) -> None:
        if event.info.level in ("warn", "error"):
            parsed.complaints.append(f"{event.info.name}: {event.info.msg}")

    options = ["--project-dir", str(ROOT), "--profiles-dir", str(folder), "--target", target]
    options += ["--target-path", str(folder / "target"), "--log-path", str(folder / "logs")]
    options += ["--vars", json.dumps(run_vars)]
    options += ["--no-partial-parse", "--show-all-deprecations", "--quiet"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = dbtRunner(callbacks=[listen]).invoke(["parse", *options])
    # Jinja's own complaint about our text; what libraries say of each other is theirs.
    parsed.complaints += {str(w.message) for w in caught if "jinja2" in w.filename}
    if result.exception:
        parsed.complaints.append(str(result.exception))
    if result.success:
        parsed.manifest = json.loads((folder / "target" / "manifest.json").read_text())
    return parsed


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def files(root) -> list[Path]:
    """Files that git has, or would take."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git work tree")
    paths = [root / name for name in listed.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.fixture(scope="session")
def dbt_project(root) -> dict:
    return yaml.safe_load((root / "dbt_project.yml").read_text())


@pytest.fixture(scope="session")
def locked(root) -> dict[str, str]:
    """Package name to the version in the lock."""
    text = (root / "requirements.lock").read_text()
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[\w,-]+\])?==(\S+)", text, flags=re.MULTILINE))


@pytest.fixture(scope="session")
def parsed_embedded(tmp_path_factory) -> Parsed:
    return parse(tmp_path_factory.mktemp("embedded"), "embedded")


@pytest.fixture(scope="session")
def parsed_databricks(tmp_path_factory) -> Parsed:
    folder = tmp_path_factory.mktemp("databricks")
    return parse(folder, "databricks", recon_dashboard_url=DASHBOARD_URL)


@pytest.fixture(scope="session")
def project(parsed_embedded) -> Parsed:
    """The parsed project; what is wrong where parsing failed is told by one test, not by all."""
    if not parsed_embedded.manifest:
        pytest.fail("dbt parse failed: see test_parsing_gives_no_warning", pytrace=False)
    return parsed_embedded
