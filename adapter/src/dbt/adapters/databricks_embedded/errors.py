"""What an error of Spark or of a Python model says to the person who reads it."""

import re

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

# Where Spark's own sentence ends and the logical plan, the stack or the whole statement begins.
_PLAN = re.compile(r";\n['!+:*\w].*", re.DOTALL)
_STACK = re.compile(
    r"\n+(JVM stacktrace:|Driver stacktrace:|Caused by:|\s+at [\w.$]+[(/]).*", re.DOTALL
)
_STATEMENT = re.compile(r"\n+== SQL ==\n(.*)", re.DOTALL)
_WORKER = re.compile(r".*Traceback \(most recent call last\):\n(?:[ \t].*\n)*", re.DOTALL)
_PLAIN = (RuntimeError, ValueError)


class SessionError(RuntimeError):
    """The engine cannot start: one sentence with the remedy."""


def plain_message(exc: BaseException) -> str:
    """The message of `exc` without stack, logical plan or the text of the whole statement.

    An exception of a Python model that is not a plain RuntimeError or ValueError is prefixed by
    its class, because `KeyError: 'a'` says more than `'a'`.
    """
    if isinstance(exc, Py4JJavaError):
        return _without_noise(str(_root_cause(exc.java_exception).toString()))
    if isinstance(exc, PySparkException):
        return _without_noise(str(exc)) or type(exc).__name__
    text = str(exc).strip()
    if type(exc) in _PLAIN and text:
        return text
    return f"{type(exc).__name__}: {text}" if text else type(exc).__name__


def _root_cause(java_exception):
    """What went wrong, behind `[TASK_WRITE_FAILED]` and the like that only say where.

    Spark wraps the error of a task or hands it over as it is, by the shape of its plan.
    """
    while (cause := java_exception.getCause()) is not None:
        java_exception = cause
    return java_exception


def _without_noise(text: str) -> str:
    text = _STACK.sub("", text.strip())
    text = _WORKER.sub("", text)
    text = _PLAN.sub("", text)
    return _STATEMENT.sub(lambda found: _marked_line(found.group(1)), text).strip()


def _marked_line(statement: str) -> str:
    """The line of the statement that Spark's `^^^` points at, with the pointer."""
    lines = statement.splitlines()
    for number, line in enumerate(lines):
        if line.endswith("^^^") and not line.strip("-^") and number:
            return f"\n{lines[number - 1]}\n{line}"
    return ""
