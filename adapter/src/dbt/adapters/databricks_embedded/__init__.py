"""dbt adapter `databricks_embedded`: dbt-databricks over one in-process SparkSession."""

from dbt.adapters.base import AdapterPlugin

from dbt.adapters.databricks_embedded.credentials import EmbeddedCredentials
from dbt.adapters.databricks_embedded.impl import EmbeddedAdapter
from dbt.include import databricks_embedded

Plugin = AdapterPlugin(
    adapter=EmbeddedAdapter,
    credentials=EmbeddedCredentials,
    include_path=databricks_embedded.PACKAGE_PATH,
    dependencies=["databricks"],
)
