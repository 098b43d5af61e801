"""The profile of the embedded engine."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from dbt.adapters.contracts.connection import Credentials
from dbt_common.dataclass_schema import dbtMashConfig


@dataclass
class EmbeddedCredentials(Credentials):
    """One target of type `databricks_embedded`; a field it does not know is refused."""

    database: str | None = None  # type: ignore[assignment]
    schema: str = "recon"
    state_dir: str = ".recon/state"
    master: str = "local[*]"
    remote: str | None = None
    spark_config: dict[str, Any] = field(default_factory=dict)

    # dbt-databricks asks for these three; a cluster id makes it look at the runtime version.
    http_path: ClassVar[str] = ""
    cluster_id: ClassVar[str] = "embedded"
    compute: ClassVar[None] = None

    class Config(dbtMashConfig):
        # dbt's base class lets unknown fields pass; a misspelt one must not.
        json_schema = {"additionalProperties": False}  # noqa: RUF012

    @property
    def type(self) -> str:
        return "databricks_embedded"

    @property
    def unique_field(self) -> str:
        return "embedded"

    def _connection_keys(self) -> tuple[str, ...]:
        return ("database", "schema", "state_dir", "master", "remote", "spark_config")
