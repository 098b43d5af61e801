"""dbt adapter `databricks_embedded`: dbt-databricks over one in-process SparkSession."""

import warnings

from dbt.adapters.base import AdapterPlugin

from dbt.adapters.databricks_embedded.credentials import EmbeddedCredentials
from dbt.adapters.databricks_embedded.impl import EmbeddedAdapter
from dbt.include import databricks_embedded

# A seed may leave out columns that its properties name: dbt's CSV reader warns of each on stderr.
warnings.filterwarnings("ignore", ".* does not match the name of any column", RuntimeWarning)

Plugin = AdapterPlugin(
    adapter=EmbeddedAdapter,
    credentials=EmbeddedCredentials,
    include_path=databricks_embedded.PACKAGE_PATH,
    dependencies=["databricks"],
)
