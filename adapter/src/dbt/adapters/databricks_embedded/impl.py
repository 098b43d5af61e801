"""The adapter: dbt-databricks' own, less what asks a workspace."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dbt.adapters.__about__ import version as base_adapter_version
from dbt.adapters.base import PythonJobHelper
from dbt.adapters.base.relation import AdapterTrackingRelationInfo
from dbt.adapters.contracts.relation import RelationConfig
from dbt.adapters.databricks.impl import DatabricksAdapter, DatabricksRelationInfo
from dbt.adapters.databricks.relation import DatabricksRelation

from dbt.adapters.databricks_embedded.__version__ import version
from dbt.adapters.databricks_embedded.connections import EmbeddedConnectionManager
from dbt.adapters.databricks_embedded.python_models import InProcessPythonJob

if TYPE_CHECKING:
    from agate import Table


class EmbeddedAdapter(DatabricksAdapter):
    """Every macro of dbt-databricks, on tables that have no catalog in front of the schema."""

    ConnectionManager = EmbeddedConnectionManager
    connections: EmbeddedConnectionManager

    @property
    def python_submission_helpers(self) -> dict[str, type[PythonJobHelper]]:
        """One way to run a Python model, whatever method the project names for production."""
        return dict.fromkeys((*super().python_submission_helpers, "in_process"), InProcessPythonJob)

    @property
    def default_python_submission_method(self) -> str:
        return "in_process"

    def get_relations_without_caching(
        self, relation: DatabricksRelation
    ) -> list[DatabricksRelationInfo]:
        """All tables and views of a schema, with their format, by one statement."""
        schema = relation.without_identifier().render()
        _, rows = self.execute(f"show table extended in {schema} like '*'", fetch=True)
        return [
            _relation_info(row["tableName"], row["information"])
            for row in rows
            if not row["isTemporary"]
        ]

    def check_schema_exists(self, database: str | None, schema: str) -> bool:
        return schema.lower() in self.list_schemas(None)

    def get_catalog_by_relations(
        self, used_schemas: frozenset[tuple[str, str]], relations: set[DatabricksRelation]
    ) -> tuple["Table", list[Exception]]:
        return self._catalog_of(relations)

    def get_catalog(
        self, relation_configs: Iterable[Any], used_schemas: frozenset[tuple[str, str]]
    ) -> tuple["Table", list[Exception]]:
        return self._catalog_of(
            {
                self.Relation.create_from(quoting=self.config, relation_config=config)
                for config in relation_configs
            }
        )

    @classmethod
    def get_adapter_run_info(cls, config: RelationConfig) -> AdapterTrackingRelationInfo:
        # dbt derives the name of the package from the name of the class, which has no underscore.
        return AdapterTrackingRelationInfo(
            adapter_name=EmbeddedConnectionManager.TYPE,
            base_adapter_version=base_adapter_version,
            adapter_version=version,
            model_adapter_details=cls._get_adapter_specific_run_info(config),
        )

    def debug_query(self) -> None:
        self.execute("select 1 as id")

    def _catalog_of(self, wanted: Iterable[DatabricksRelation]) -> tuple["Table", list[Exception]]:
        from agate import Table
        from dbt_common.clients.agate_helper import build_type_tester

        rows = []
        for relation in sorted(wanted, key=str):
            existing = self.get_relation(None, relation.schema, relation.identifier)
            if existing is None:
                continue
            described, columns = self._get_updated_relation(existing)
            for index, column in enumerate(columns):
                rows.append(
                    {
                        "table_database": None,
                        "table_schema": relation.schema,
                        "table_name": relation.identifier,
                        "table_type": str(existing.type),
                        "table_owner": described.owner,
                        "table_comment": (described.metadata or {}).get("Comment"),
                        "column_name": column.column,
                        "column_index": index,
                        "column_type": column.dtype,
                        "column_comment": column.comment,
                    }
                )
        texts = [name for name in self.CATALOG_TEXT_ONLY_COLUMNS if rows and name in rows[0]]
        return Table.from_object(rows, column_types=build_type_tester(texts)), []


def _relation_info(name: str, information: str) -> DatabricksRelationInfo:
    facts = dict(line.split(": ", 1) for line in information.splitlines() if ": " in line)
    kind = "view" if facts.get("Type") == "VIEW" else "table"
    # A format, even of a view, tells dbt-databricks that it need not describe the relation again.
    return DatabricksRelationInfo(name, kind, facts.get("Provider", kind), facts.get("Owner"), None)
