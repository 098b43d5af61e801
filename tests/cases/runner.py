"""Runs a case file: each case a pair, all of them in one real run of recon, then its ledger.

    python -m tests.cases.runner [FILE] [--help]

Exits with 0 when every case is right, 1 when one is wrong, 2 when the file could not be run.
"""

import argparse
import os
import secrets
import shutil
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path

from dbt.adapters.databricks_embedded.errors import SessionError
from dbt.adapters.databricks_embedded.lock import StateLock
from dbt.adapters.databricks_embedded.session import close_session, open_session

from tests.cases.case_file import MalformedCases, read_cases
from tests.cases.tables import make_relations, relation_names
from tests.cases.verdicts import judge
from tests.project_copy import QUICK, ROOT, Project, copy_project

CASES = Path(__file__).with_name("rows.json")
FOLDER = ROOT / ".recon" / "cases"
# More than any case lists: nothing of an answer is left out of the ledger.
MAX_RECORDED_ROWS = 100_000
RECORDED = """
    select record_type, pair_id, status, error_class, error_message, totals, mismatch_count,
        within_tolerance_count, source_rows_compared, target_rows_compared, mismatch_id, diff_type,
        side, record_key, source_column, target_column, occurrences
    from {schema}.audit_ledger
    where run_ts = (select max(run_ts) from {schema}.audit_ledger)
        and record_type in ('pair_result', 'difference', 'observation')
"""


class RunFailed(Exception):
    """The run recorded nothing; the message holds what dbt said."""


def run_cases(project, cases, say=lambda line: None, defaults=None):
    """Makes the tables, runs recon over all cases and returns a verdict for each.

    `defaults`: pair settings of every case that does not give them itself.

    RunFailed when the run did not reach the ledger.
    """
    started = time.monotonic()

    def report(done, of):
        if done % 40 == 0 or done == of:
            say(f"tables: {done} of {of}, {time.monotonic() - started:.0f} s")

    failures = make_relations(project, cases, report)
    lines = [{**(defaults or {}), **pair_line(project, case)} for case in cases]
    project.write_seeds(lines, list(rule_lines(cases)))
    # Rules that mask need a key; its value is in no answer.
    os.environ.setdefault("RECON_MASK_KEY", secrets.token_hex(32))
    started = time.monotonic()
    say(f"run: {len(cases)} pairs")
    outcome = project.night("--no-use-colors", recon_max_recorded_rows=MAX_RECORDED_ROWS)
    say(f"run: {time.monotonic() - started:.0f} s")
    if not outcome.success:
        raise RunFailed(outcome.failure)
    return judge(cases, project.rows(RECORDED), failures)


def pair_line(project, case):
    """The case's line of table_pairs.csv."""
    names = relation_names(project, case)
    return {
        "pair_id": case.pair_id,
        "source_relation": names["source"],
        "target_relation": names["target"],
        **case.pair,
    }


def rule_lines(cases):
    """The lines of column_rules.csv of all cases."""
    for case in cases:
        for rule in case.rules:
            yield {"pair_id": case.pair_id, **rule}


def start_afresh(folder):
    """Empties the folder and copies the project into it.

    SessionError when another process uses it, or when it holds something else.
    """
    state = folder / "state"
    if folder.exists() and any(folder.iterdir()) and not (state / "lock").exists():
        raise SessionError(f"{folder} holds something else than cases: name another folder.")
    state.mkdir(parents=True, exist_ok=True)
    StateLock(state).release()
    shutil.rmtree(folder)
    state.mkdir(parents=True)
    copy_project(folder)


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog="python -m tests.cases.runner",
        description="Makes each case of a file a pair of tables, compares all of them in one real "
        "run and checks that exactly what the case expects was recorded.",
        epilog="Exits with 0 when every case is right, 1 when one is wrong, 2 when the file is "
        "malformed or could not be run.",
    )
    add = parser.add_argument
    add("file", nargs="?", type=Path, default=CASES, help="the case file (default: %(default)s)")
    names = "ids or kinds of cases, with commas between; * and ? match: K01,N*,time"
    add("--only", metavar="NAMES", default="*", help=names)
    folder = "for tables, ledger and a copy of the project; made anew (default: %(default)s)"
    add("--folder", type=Path, default=FOLDER, help=folder)
    add("--master", help="Spark master, such as local-cluster[2,1,1024]")
    add("--remote", help="Spark Connect: sc://host:port, or local[2] to start a server")
    given = "a pair setting of every case that does not give it itself; may be repeated"
    add("--pair", metavar="SETTING=VALUE", type=setting, action="append", help=given)
    config = "a Spark setting of the run; may be repeated"
    add("--spark-config", metavar="KEY=VALUE", type=setting, action="append", help=config)
    return parser.parse_args(words)


def setting(text):
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text} is not KEY=VALUE")
    return name, value


def chosen(cases, names):
    """The cases with one of the names; MalformedCases when one of them names none."""
    for name in names:
        if not any(fnmatchcase(case.id, name) or fnmatchcase(case.kind, name) for case in cases):
            raise MalformedCases(f"has no case of the id or kind {name}")
    return [c for c in cases if any(fnmatchcase(n, name) for n in (c.id, c.kind) for name in names)]


def main(words=None):
    arguments = parse_arguments(words)
    engine = {"master": arguments.master, "remote": arguments.remote}
    engine = {name: value for name, value in engine.items() if value}
    engine["spark_config"] = {**QUICK, **dict(arguments.spark_config or [])}
    folder = arguments.folder.absolute()
    try:
        cases = chosen(read_cases(arguments.file), arguments.only.split(","))
        start_afresh(folder)
        spark = open_session(folder / "state", **engine)
        project = Project(folder, "recon", spark, **engine)
        defaults = dict(arguments.pair or [])
        verdicts = run_cases(project, cases, lambda line: print(line, flush=True), defaults)
    except MalformedCases as failure:
        return stopped(f"{arguments.file} {failure}.")
    except (SessionError, RunFailed) as failure:
        return stopped(failure)
    finally:
        close_session()
    for verdict in verdicts:
        print(verdict)
    right = sum(verdict.is_right for verdict in verdicts)
    print(f"{right} right, {len(verdicts) - right} wrong")
    return 0 if right == len(verdicts) else 1


def stopped(why):
    print(why, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
