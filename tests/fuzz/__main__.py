"""python -m tests.fuzz: compares random pairs with the oracle, until a fault or for ever."""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from dbt.adapters.databricks_embedded.session import open_session

from tests.fuzz.batch import Batch
from tests.fuzz.example import dump_example
from tests.fuzz.generator import drawn
from tests.fuzz.shrink import shrunk
from tests.project_copy import ROOT, Project, copy_project

FOUND = ROOT / ".recon/fuzz"
# Every pair has code of its own, which runs once: the best compiler is not worth its time.
QUICK_TO_START = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1"}


def save(example, faults, name):
    """Writes an example with what was expected and recorded; returns its path."""
    FOUND.mkdir(parents=True, exist_ok=True)
    path = FOUND / f"{name}.json"
    form = {**dump_example(example.named("example")), "faults": faults}
    path.write_text(json.dumps(form, ensure_ascii=False, indent=1, default=str) + "\n")
    return path


def opened_batch(root):
    """A batch over a copy of the project in the folder `root`."""
    copy_project(root)
    spark = open_session(str(root / "state"), spark_config=QUICK_TO_START)
    return Batch(Project(root, "fuzz", spark), root / "data")


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", default="", help="default: another one each time")
    parser.add_argument("--batches", default="", help="default: until a fault")
    parser.add_argument("--size", type=int, default=150, help="examples per batch")
    parser.add_argument("--keep-going", action="store_true", help="save all faults, shrink none")
    given = parser.parse_args()
    seed = int(given.seed or random.randrange(10**6))
    with tempfile.TemporaryDirectory() as folder:
        batch, count, failed = opened_batch(Path(folder)), 0, 0
        while not given.batches or count < int(given.batches):
            started = time.monotonic()
            faults = batch.faults(drawn(f"{seed}.{count}", given.size))
            count += 1
            seconds = time.monotonic() - started
            print(f"seed {seed}: {count * given.size} examples, {seconds:.0f} s", flush=True)
            failed += len(faults)
            for i, (example, found) in enumerate(faults):
                if not given.keep_going:
                    print(f"{len(faults)} of the batch are at fault; making one small", flush=True)
                    print(f"Saved {save(*shrunk(batch, example, found), f'{seed}_{count}_{i}')}")
                    return 1
                save(example, found, f"{seed}_{count}_{i}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
