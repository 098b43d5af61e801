"""What a small pair costs at least: a night of so many pairs of a hundred equal rows each.

    python -m benchmarks.small_pairs [--pairs 20,120]

Prints the seconds of both steps and, from the first to the last number of pairs, what one more
costs in each; beside it the ratio to the floor: reading all tables of the same pairs once, in as
many threads, and adding up a hash of every row, in the same process.
"""

import argparse
import json
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dbt.adapters.databricks_embedded.session import close_session, open_session

from tests.project_copy import Project, copy_project

ROWS = "select id, id as v, cast(id as string) as name from range(100)"
CONCURRENCY = 4
STEPS = ("int_recon__pair_plans", "int_recon__comparisons")


def floor(spark, lines):
    """Seconds to read both tables of each pair once and add up a hash of every row."""

    def read(table):
        spark.sql(
            f"select count(*), sum(cast(xxhash64(*) as decimal(38, 0))) from {table}"
        ).collect()

    tables = [line[f"{side}_relation"] for line in lines for side in ("source", "target")]
    started = time.monotonic()
    with ThreadPoolExecutor(CONCURRENCY) as pool:
        list(pool.map(read, tables))
    return time.monotonic() - started


def steps(project):
    """{step: seconds} of the last dbt command."""
    results = json.loads((project.root / "target/run_results.json").read_text())["results"]
    names = {result["unique_id"].rsplit(".", 1)[-1]: result for result in results}
    return {name: names[name]["execution_time"] for name in STEPS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--pairs", default="20,120")
    numbers = sorted(map(int, parser.parse_args().pairs.split(",")))
    root = Path(tempfile.mkdtemp(prefix="recon-bench-"))
    copy_project(root)
    try:
        spark = open_session(str(root / "state"))
        project = Project(root, "small_pairs", spark)
        lines = [project.pair(f"p{number}", ROWS, ROWS) for number in range(numbers[-1])]
        measured = []
        for number in (numbers[0], *numbers):  # the first warms up
            project.write_seeds(lines[:number])
            outcome = project.dbt("--quiet", "build", "--select", "+int_recon__comparisons")
            if not outcome.success:
                raise SystemExit(outcome.failure)
            measured.append(steps(project) | {"floor": floor(spark, lines[:number])})
        more = numbers[-1] - numbers[0]
        for number, found in zip(numbers, measured[1:], strict=True):
            told = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in found.items())
            print(f"{number} pairs: {told}")
        each = {name: (measured[-1][name] - measured[1][name]) / more for name in measured[0]}
        for name, seconds in each.items():
            print(f"one more pair: {name} {seconds:.2f} s, {seconds / each['floor']:.1f} x floor")
    finally:
        close_session()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
