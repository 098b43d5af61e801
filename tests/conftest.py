"""Fixtures that drive recon through its front door: dbt commands on real Spark and Delta.

One process, one Spark session, one copy of the project; every test has a schema of its own.
"""

import re

import pytest
from dbt.adapters.databricks_embedded.session import close_session, open_session

from tests.project_copy import QUICK, Project, copy_project


@pytest.fixture(scope="session")
def project_root(tmp_path_factory):
    """A copy of the dbt project, one per test process."""
    root = tmp_path_factory.mktemp("recon")
    copy_project(root)
    return root


@pytest.fixture(scope="session")
def spark(project_root):
    """The one Spark session of this process."""
    yield open_session(str(project_root / "state"), spark_config=QUICK)
    close_session()


@pytest.fixture(scope="module")
def project(project_root, spark, request):
    """A project with a schema named after the test module, empty at its first test."""
    schema = request.module.__name__.rsplit(".", 1)[-1]
    return Project(project_root, schema, spark)


@pytest.fixture
def fresh_project(project_root, spark, request):
    """A project with a schema named after the test."""
    return Project(project_root, re.sub(r"\W+", "_", request.node.name), spark)
