"""The Spark settings of a session: where its state lives, and what makes small data quick."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DELTA = "io.delta:delta-spark_2.13:4.0.1"
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
LOG4J2 = Path(__file__).parent / "log4j2.properties"

# Semantics that the production engine has too; a Connect server is told them as well.
SESSION_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
}

# A server of our own: any free port, so that two projects do not meet on the default one.
CONNECT_SERVER = {
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
    "spark.connect.grpc.binding.address": "localhost",
    "spark.connect.grpc.binding.port": "0",
}


def spark_settings(
    state_dir: Path, master: str, spark_config: Mapping[str, Any] | None
) -> dict[str, str]:
    """All settings of a local session; `spark_config` has the last word."""
    metastore = state_dir / "metastore"
    settings = {
        "spark.master": master,
        "spark.app.name": "dbt-databricks-embedded",
        "spark.jars.packages": DELTA,
        "spark.driver.memory": "3g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(state_dir / "spark-local"),
        "spark.sql.warehouse.dir": str(state_dir / "warehouse"),
        "spark.sql.catalogImplementation": "hive",
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={metastore};create=true"
        ),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        # By default a task that lacks memory takes the JVM with it, and every other pair.
        "spark.executor.killOnFatalError.depth": "0",
        # By default every join and sort takes 32 MB of the heap, whatever it holds.
        "spark.buffer.pageSize": "1m",
        "spark.databricks.delta.snapshotPartitions": "1",
        # Looking for files to skip costs more than reading them; partitions are pruned anyway.
        "spark.databricks.delta.stats.skipping": "false",
        # Delta keeps megabytes of every table it has read: hundreds of pairs would fill the heap.
        "spark.databricks.delta.delta.log.cacheSize": "150",
        **SESSION_SETTINGS,
    }
    settings.update({key: _text(value) for key, value in (spark_config or {}).items()})
    options = _java_options(state_dir / "logs"), settings.get(JAVA_OPTIONS, "")
    settings[JAVA_OPTIONS] = " ".join(options).strip()
    return settings


def _java_options(logs: Path) -> str:
    """Ours come first: of two that contradict each other the JVM takes the last."""
    options = [
        f"-Dlog4j2.configurationFile={LOG4J2.as_uri()}",
        f"-Dderby.stream.error.file={logs / 'derby.log'}",
        # Spark's generated classes fill what the JVM reserves; then it compiles nothing more.
        "-XX:ReservedCodeCacheSize=512m",
        "-XX:+UseParallelGC",
        # Spark loads more classes than the JVM expects; it would collect everything to make room.
        "-XX:MetaspaceSize=256m",
    ]
    return " ".join(f'"{option}"' for option in options)


def prepare_folder(state_dir: str | os.PathLike) -> Path:
    """The absolute state folder, with what Spark expects to find in it."""
    folder = Path(state_dir).expanduser().absolute()
    for name in ("logs", "warehouse", "spark-local"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
