"""The one SparkSession of this process."""

import atexit
import os
import sys
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaGateway
from pyspark import SparkConf, SparkContext
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from dbt.adapters.databricks_embedded.errors import SessionError
from dbt.adapters.databricks_embedded.jvm import start_jvm, stop_jvm
from dbt.adapters.databricks_embedded.lock import StateLock
from dbt.adapters.databricks_embedded.settings import (
    CONNECT_SERVER,
    SESSION_SETTINGS,
    prepare_folder,
    spark_settings,
)

__all__ = ["SessionError", "cancel_jobs", "close_session", "open_session"]


@dataclass
class _Open:
    """What `close_session` has to undo; a session on a remote server has no JVM and no lock."""

    state_dir: Path
    spark: SparkSession
    lock: StateLock | None = None
    server: SparkSession | None = None
    gateway: JavaGateway | None = None


# PySpark prints every failed statement, with its values, to the console; the caller gets the error.
PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
PySparkLogger.getLogger("DataFrameQueryContextLogger").disabled = True

# How long a server elsewhere may take to answer its first call.
CONNECT_SECONDS = 20

_guard = threading.RLock()
_open: _Open | None = None


def open_session(
    state_dir: str | os.PathLike,
    master: str = "local[*]",
    remote: str | None = None,
    spark_config: Mapping[str, Any] | None = None,
) -> SparkSession:
    """The process's session, created on the first call.

    `remote` is a Spark Connect address: `sc://host:port` of a server that runs elsewhere, or a
    master such as `local[2]` for which a server is started in the background.
    Raises SessionError in one sentence: folder in use, another folder open here, no Java, no jars,
    no server at the address.
    """
    global _open
    with _guard:
        folder = Path(state_dir).expanduser().absolute()
        if _open is None:
            _open = _start(folder, master, remote, spark_config)
        elif _open.state_dir != folder:
            raise SessionError(
                f"This process already has a session on {_open.state_dir}: "
                f"close it with close_session() before opening one on {folder}."
            )
        return _open.spark


def close_session() -> None:
    """Stop the session and its JVM; without a session nothing happens."""
    global _open
    with _guard:
        if _open is None:
            return
        opened, _open = _open, None
        opened.spark.stop()
        os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)
        if opened.server is not None:
            opened.server.stop()
        if opened.gateway is not None:
            _forget_jvm(opened.gateway)
        if opened.lock is not None:
            opened.lock.release()


def cancel_jobs() -> None:
    """Stop what Spark runs at this moment; the session stays usable."""
    if _open is None:
        return
    if _is_connect(_open.spark):
        _open.spark.interruptAll()
    else:
        _open.spark.sparkContext.cancelAllJobs()


def _start(
    folder: Path, master: str, remote: str | None, spark_config: Mapping[str, Any] | None
) -> _Open:
    if remote and remote.startswith("sc://"):
        spark = _connect(remote)
        for key, value in {**SESSION_SETTINGS, **(spark_config or {})}.items():
            spark.conf.set(key, value)
        return _Open(folder, spark)
    prepare_folder(folder)
    lock = StateLock(folder)
    gateway = local = None
    try:
        settings = spark_settings(folder, remote or master, spark_config)
        if remote:
            settings |= CONNECT_SERVER
            # Only this process may talk to its server; server and client both read the token here.
            os.environ.setdefault("SPARK_CONNECT_AUTHENTICATE_TOKEN", str(uuid.uuid4()))
        gateway = start_jvm(settings, folder / "logs" / "spark.log")
        local = _local_session(gateway, settings)
        if not remote:
            return _Open(folder, local, lock, None, gateway)
        return _Open(folder, _connect(_server_url(gateway)), lock, local, gateway)
    except BaseException:
        if local is not None:
            local.stop()
        if gateway is not None:
            _forget_jvm(gateway)
        lock.release()
        raise


def _local_session(gateway: JavaGateway, settings: Mapping[str, str]) -> SparkSession:
    # Python workers must be this interpreter, whatever python3 the PATH names.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    SparkContext._ensure_initialized(gateway=gateway)
    conf = SparkConf(loadDefaults=False, _jvm=gateway.jvm).setAll(list(settings.items()))
    if settings["spark.master"].startswith("local-cluster"):
        # Executors of their own do not have the jars that the launcher found for this JVM.
        conf.set("spark.jars", gateway.jvm.System.getProperty("spark.jars"))
    return SparkSession(SparkContext(conf=conf, gateway=gateway))


def _server_url(gateway: JavaGateway) -> str:
    services = gateway.jvm.org.apache.spark.sql.connect.service
    service = getattr(getattr(services, "SparkConnectService$"), "MODULE$")
    return f"sc://localhost:{service.localPort()}"


def _connect(url: str) -> SparkSession:
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    try:
        builder = DefaultChannelBuilder(url)
    except ValueError as invalid:
        raise SessionError(
            f"remote {url} is no address of a Spark Connect server: write it as sc://host:port."
        ) from invalid
    # PySpark itself would ask a server that is not there again and again, for minutes.
    with builder.toChannel() as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=CONNECT_SECONDS)
        except grpc.FutureTimeoutError:
            raise SessionError(
                f"No Spark Connect server answers at {builder.endpoint}: start one there, or "
                "correct `remote` of this target in profiles.yml."
            ) from None
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    return ConnectSession.builder.remote(url).getOrCreate()


def _is_connect(spark: SparkSession) -> bool:
    return not isinstance(spark, SparkSession)


def _forget_jvm(gateway: JavaGateway) -> None:
    stop_jvm(gateway)
    SparkContext._gateway = None
    SparkContext._jvm = None


atexit.register(close_session)
