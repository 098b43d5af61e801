"""What a person reads when something fails: a sentence, never a stack."""

import pytest
from pyspark.errors import IllegalArgumentException, ParseException

from dbt.adapters.databricks_embedded.errors import plain_message
from dbt.adapters.databricks_embedded.session import SessionError, open_session


def _is_plain(text):
    return not any(mark in text for mark in ("Traceback", "\tat ", "JVM stacktrace", "'Project"))


def test_unknown_column_in_sql(message):
    text = message("bad_column.sql", "select nothing_like_it from {{ ref('people') }}")
    assert "[UNRESOLVED_COLUMN" in text and "nothing_like_it" in text
    assert _is_plain(text)


def test_syntax_error_shows_its_line_only(message):
    text = message("bad_syntax.sql", "select 1 as a,\n  2 as b\nfromm nowhere where x = 1")
    assert "[PARSE_SYNTAX_ERROR]" in text and "^^^" in text
    assert "2 as b" not in text
    assert _is_plain(text)


@pytest.mark.parametrize("hint", ["coalesce(1)", "repartition(8)"])
def test_failed_task(message, hint):
    """Spark wraps what a task raises in `TASK_WRITE_FAILED`, or does not."""
    text = message(
        "bad_cast.sql",
        f"{{{{ config(materialized='table') }}}} select /*+ {hint} */ cast(name as int) as n "
        "from {{ ref('people') }}",
    )
    assert "[CAST_INVALID_INPUT]" in text
    assert _is_plain(text)


def test_sentence_of_a_python_model(message):
    code = "def model(dbt, session):\n    raise ValueError('of another run')\n    return 1"
    text = message("says_why.py", code)
    assert text.split("\n")[-1].strip().endswith("of another run")
    assert "ValueError" not in text and _is_plain(text)


def test_other_exceptions_carry_their_class(message):
    text = message("no_key.py", "def model(dbt, session):\n    return {}['wanted']")
    assert "KeyError: 'wanted'" in text and _is_plain(text)


def test_spark_error_in_a_python_model(message):
    text = message(
        "no_table.py", "def model(dbt, session):\n    return session.table('recon.missing')"
    )
    assert "[TABLE_OR_VIEW_NOT_FOUND]" in text and _is_plain(text)


def test_error_of_a_python_worker(message):
    code = """
from pyspark.sql.functions import udf

def model(dbt, session):
    @udf("int")
    def fails(x):
        raise ArithmeticError("worker says no")

    return session.range(1).select(fails("id").alias("x"))
"""
    text = message("bad_udf.py", code)
    assert "ArithmeticError: worker says no" in text and _is_plain(text)


def test_misspelt_field_of_the_profile(project):
    result = project.dbt("parse", "--target", "misspelt")
    assert "'state_folder' was unexpected" in str(result.exception)


def test_another_folder_while_one_is_open(project, tmp_path):
    with pytest.raises(SessionError, match="already has a session on"):
        open_session(tmp_path)


@pytest.mark.parametrize("exc", [IllegalArgumentException(""), ParseException(" \n"), KeyError()])
def test_an_error_without_a_text_is_its_class(exc):
    assert plain_message(exc) == type(exc).__name__
