"""Python models, run in this process."""

import builtins
import os
import traceback
from typing import Any

from dbt.adapters.base import PythonJobHelper
from dbt.adapters.databricks.logging import logger
from dbt.events.types import JinjaLogInfo
from dbt_common.events.contextvars import get_node_info
from dbt_common.events.functions import fire_event
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.databricks_embedded.errors import plain_message
from dbt.adapters.databricks_embedded.session import open_session

# dbt-databricks' wrapper imports pandas-on-Spark, which otherwise warns on the console.
os.environ.setdefault("PYARROW_IGNORE_TIMEZONE", "1")


class InProcessPythonJob(PythonJobHelper):
    """Runs the compiled text of a model with `spark` and a `print` that dbt shows."""

    def __init__(self, parsed_model: dict, credentials: Any) -> None:
        self._file = parsed_model["original_file_path"]
        self._credentials = credentials

    def submit(self, compiled_code: str) -> None:
        """Run the model; any exception becomes one dbt error, its traceback goes to the log."""
        creds = self._credentials
        spark = open_session(creds.state_dir, creds.master, creds.remote, creds.spark_config)
        scope = {"__name__": "__dbt_model__", "spark": spark, "print": log_print}
        try:
            exec(compile(compiled_code, self._file, "exec"), scope)
        except DbtRuntimeError:
            raise
        except Exception as exc:
            logger.debug(traceback.format_exc())
            raise DbtRuntimeError(plain_message(exc)) from exc


def log_print(*values: Any, sep: str | None = " ", file: Any = None, **options: Any) -> None:
    """`print` as an INFO event of dbt at once; with a file of its own it is Python's print."""
    if file is not None:
        builtins.print(*values, sep=sep, file=file, **options)
        return
    text = (" " if sep is None else sep).join(map(str, values))
    fire_event(JinjaLogInfo(msg=text, node_info=get_node_info()))
