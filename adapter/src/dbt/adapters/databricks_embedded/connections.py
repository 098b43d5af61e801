"""Connections of dbt that all lead to the one session of the process."""

from collections.abc import Iterator
from contextlib import contextmanager

from dbt.adapters.contracts.connection import AdapterResponse, Connection, ConnectionState
from dbt.adapters.databricks.connections import DatabricksConnectionManager
from dbt.adapters.databricks.dbr_capabilities import DBRCapabilities
from dbt.adapters.databricks.handle import DatabricksAdapterResponse
from dbt.adapters.databricks.logging import logger
from dbt_common.exceptions import DbtDatabaseError, DbtRuntimeError

from dbt.adapters.databricks_embedded.errors import SessionError, plain_message
from dbt.adapters.databricks_embedded.handle import DBR_VERSION, SessionHandle
from dbt.adapters.databricks_embedded.session import cancel_jobs, open_session


class EmbeddedConnectionManager(DatabricksConnectionManager):
    """dbt-databricks' manager with a SparkSession where it has a SQL connector."""

    TYPE = "databricks_embedded"

    @classmethod
    def open(cls, connection: Connection) -> Connection:
        """Attach the shared session; DbtRuntimeError in one sentence when it cannot start."""
        if connection.state == ConnectionState.OPEN:
            return connection
        creds = connection.credentials
        try:
            spark = open_session(creds.state_dir, creds.master, creds.remote, creds.spark_config)
        except SessionError as exc:
            raise DbtRuntimeError(str(exc)) from exc
        connection.handle = SessionHandle(spark)
        connection.state = ConnectionState.OPEN
        return connection

    @classmethod
    def _cache_dbr_capabilities(cls, creds, http_path: str) -> None:
        cls._dbr_capabilities_cache[http_path] = DBRCapabilities(dbr_version=DBR_VERSION)

    @contextmanager
    def exception_handler(self, sql: str) -> Iterator[None]:
        """Turn an error of Spark into its own message; the whole text goes to the log file."""
        try:
            yield
        except DbtRuntimeError:
            raise
        except Exception as exc:
            logger.debug(f"{exc}\nwhile running:\n{sql}")
            raise DbtDatabaseError(plain_message(exc)) from exc

    @classmethod
    def get_response(cls, cursor) -> AdapterResponse:
        return DatabricksAdapterResponse(_message="OK", query_id="N/A")

    def cancel_open(self) -> list[str]:
        """Stop all running jobs (Ctrl-C); dbt names the connections it returns."""
        cancel_jobs()
        this = self.get_if_exists()
        with self.lock:
            return [c.name for c in self.thread_connections.values() if c is not this and c.name]
