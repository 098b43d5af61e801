"""Starting the JVM: which Java, where its output goes, and what a failed start means."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from py4j.java_gateway import JavaGateway
from pyspark import SparkConf
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway

from dbt.adapters.databricks_embedded.errors import SessionError
from dbt.adapters.databricks_embedded.settings import DELTA

SUPPORTED_JAVA = range(17, 22)
_INSTALL = (
    "install Java 17, for example with `apt-get install openjdk-17-jre-headless` or "
    "`brew install openjdk@17`, and set JAVA_HOME to it"
)
_MAX_LOG_BYTES = 10_000_000


def check_java() -> None:
    """Raise SessionError unless the Java that Spark will start is one that Spark supports."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not java or not os.access(java, os.X_OK):
        where = f"JAVA_HOME is {home}, which has no bin/java" if home else "no java is on the PATH"
        raise SessionError(f"Spark needs Java and found none ({where}): {_INSTALL}.")
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    found = re.search(r'version "(?:1\.)?(\d+)', shown.stderr + shown.stdout)
    if not found:
        raise SessionError(f"{java} does not tell its version: {_INSTALL}.")
    if int(found.group(1)) not in SUPPORTED_JAVA:
        raise SessionError(
            f"Spark 4.0 runs on Java 17 to 21 and {java} is Java {found.group(1)}: {_INSTALL}."
        )


def start_jvm(settings: dict[str, str], log: Path) -> JavaGateway:
    """Start the JVM with all its output in `log`; SessionError says why it did not start."""
    check_java()
    if log.exists() and log.stat().st_size > _MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    with log.open("ab") as out:
        start = out.tell()
        try:
            return launch_gateway(conf, {"stdout": out, "stderr": subprocess.STDOUT})
        except PySparkRuntimeError as exc:
            raise SessionError(_why_not_started(log, start)) from exc


def stop_jvm(gateway: JavaGateway) -> None:
    """End the JVM that `start_jvm` started and wait for it, so that its files are closed."""
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


def _why_not_started(log: Path, start: int) -> str:
    said = log.read_bytes()[start:].decode(errors="replace")
    if "unresolved dependency" in said or "download failed" in said:
        return (
            f"The Delta jars ({DELTA}) could not be downloaded: the first start needs access to "
            "Maven Central, or a mirror named by spark.jars.ivySettings in spark_config; where two "
            f"first starts met, start again ({log})."
        )
    errors = [line for line in said.splitlines() if re.match(r"(Error|Exception|Invalid)", line)]
    return f"Spark did not start: {errors[0] if errors else 'the reason is'} (see {log})."
