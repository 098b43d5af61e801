"""Who reads the marts: dbt's exposures agree with the dashboard file and the alerts."""

import json

import pytest

from dashboards.lint.sql import tables
from tests.bundle import load
from tests.project.conftest import DASHBOARD_URL


@pytest.fixture(scope="module")
def dashboard(root) -> dict:
    return json.loads((root / "dashboards/recon.lvdash.json").read_text())


def marts_of_pages(dashboard: dict) -> dict[str, set[str]]:
    """Page name to the tables that its datasets read; a page of filters alone shows none."""
    reads = {
        dataset["name"]: set(tables("".join(dataset["queryLines"])))
        for dataset in dashboard["datasets"]
    }
    return {
        page["name"]: {
            table
            for item in page["layout"]
            for query in item["widget"].get("queries", [])
            for table in reads[query["query"]["datasetName"]]
        }
        for page in dashboard["pages"]
        if page["pageType"] == "PAGE_TYPE_CANVAS"
    }


def marts_of_alerts(root) -> dict[str, set[str]]:
    """Name of an alert's exposure to the tables that its query reads."""
    return {
        f"{name}_alert": {table.split(".")[-1] for table in tables(alert["query_text"])}
        for name, alert in load(root)["resources"]["alerts"].items()
    }


def exposed(parsed, kind: str) -> dict[str, set[str]]:
    """Name of each exposure of a type to the models it depends on."""
    return {
        exposure["name"]: {name.split(".")[-1] for name in exposure["depends_on"]["nodes"]}
        for exposure in parsed.manifest["exposures"].values()
        if exposure["type"] == kind
    }


def test_every_exposure_is_described_and_owned(project):
    lacking = [
        exposure["name"]
        for exposure in project.manifest["exposures"].values()
        if not exposure["description"].strip()
        or not exposure["owner"]["name"]
        or not exposure["label"]
        or exposure["original_file_path"] != "models/marts/_marts__exposures.yml"
    ]
    assert lacking == []


def test_a_page_s_exposure_depends_on_what_its_datasets_read(project, dashboard):
    assert exposed(project, "dashboard") == marts_of_pages(dashboard)


def test_an_alert_s_exposure_depends_on_what_its_query_reads(project, root):
    assert exposed(project, "application") == marts_of_alerts(root)


def test_exposures_lead_to_the_dashboard_where_its_address_is_given(project, parsed_databricks):
    def urls(parsed):
        return {e["name"]: e["url"] for e in parsed.manifest["exposures"].values()}

    assert set(urls(project).values()) == {None}
    given = urls(parsed_databricks)
    assert given.pop("executive") == DASHBOARD_URL
    assert set(given.values()) == {f"{DASHBOARD_URL}/pages/debugging"}
