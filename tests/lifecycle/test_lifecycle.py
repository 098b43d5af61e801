"""Random histories of runs and events against a plain-Python reading of the design."""

import random
from itertools import count, pairwise

import pytest
from hypothesis import HealthCheck, Phase, assume, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.lifecycle.model import PairModel, is_valid
from tests.lifecycle.record import append_events, record_run, replay
from tests.lifecycle.world import DAY, HOUR, START, Pair, Result, Run, random_events, rest_id

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SETTINGS = {"runs": 28, "min_runs": 7}
ITEMS = """
    select original_pair_id, if(diff_type = 'not_compared', null, mismatch_id) as mismatch_id,
        resolved, resolution, unix_micros(resolved_ts) as resolved_ts, resolved_by,
        unix_micros(coalesce(carried_from_run_ts, run_ts)) as seen_ts,
        unix_micros(run_ts) as run_ts, counted_differences
    from {schema}.audit_log where record_type = 'difference'
"""
LAST = " and run_ts = (select max(run_ts) from {schema}.audit_log)"
EPISODES = """
    select mismatch_id, episode, state, unix_micros(first_seen_ts) as first_seen,
        unix_micros(last_seen_ts) as last_seen, runs_seen, unix_micros(cleared_ts) as cleared,
        times_reopened, times_reappeared
    from {schema}.mismatch_lifecycle
"""
HISTORY = """
    select unix_micros(run_ts) as run_ts, open_mismatches, open_exact_total
    from {schema}.parity_counter_history
"""
DRIFT = """
    select original_pair_id, unix_micros(run_ts) as run_ts, drift, judged_count, baseline_runs,
        is_alarm, is_accepted
    from {schema}.baseline_drift
"""
CELLS = """
    select original_pair_id, unix_date(run_date) as day, cell, still_open_count
    from {schema}.mismatch_heat_map
"""
MARTS = (
    "audit_log",
    "open_mismatches",
    "parity_counter",
    "parity_counter_history",
    "mismatch_heat_map",
    "mismatch_lifecycle",
    "baseline_drift",
    "drift_alerts",
    "pair_status",
    "event_findings",
)


class History:
    """The same history twice: in the tables of a project, and in the model."""

    def __init__(self, project, pairs):
        self.project, self.pairs = project, [Pair(f"p{i}") for i in range(pairs)]
        self.models, self.runs, self.serial = {}, [], count(1)
        self.now, self.counts = START, []

    def night(self, chance, hours, share):
        """Time passes, a run of that share of the pairs is recorded."""
        self.now += hours * HOUR
        results = {}
        for pair in self.pairs:
            pair.evolve(chance)
            if result := pair.result(chance):
                in_scope = chance.random() < share
                results[pair.name] = (
                    result if in_scope else Result("not_run", pair_id=result.pair_id)
                )
        run = Run(f"run{len(self.runs)}", self.now, results)
        self.runs.append(run)
        for pair in self.pairs:
            if pair.name in results:
                self.models.setdefault(pair.name, PairModel(pair.name, rest_id))
            if pair.name in self.models:
                self.models[pair.name].runs.append((run.run_ts, results.get(pair.name)))
        record_run(self.project, run, rest_id, is_first=len(self.runs) == 1)
        open_items = [
            item
            for model in self.models.values()
            for item, closing in model.log(run.run_ts, run.run_ts)
            if not closing
        ]
        total = sum(item.counted for item in open_items)
        self.counts.append((run.run_ts, len(open_items), total))

    def act(self, chance):
        """People append events, within an hour; one row is appended twice."""
        events = []
        self.now += HOUR
        for name, model in self.models.items():
            new = random_events(name, self.runs, self.now, chance, self.serial)
            is_enabled = name in self.runs[-1].results
            events += new
            # a pair that was enabled in the last run does not leave
            model.events += [
                e for e in new if is_valid(e) and not (e.action == "retire_pair" and is_enabled)
            ]
        append_events(self.project, events)
        append_events(self.project, events[:1])

    def expected_items(self, run_ts):
        return {
            (name, item.mismatch_id): (
                closing is not None,
                closing and closing[1],
                closing and closing[0],
                closing and closing[2],
                item.seen_ts,
                item.counted,
            )
            for name, model in self.models.items()
            for item, closing in model.log(run_ts)
        }

    def recorded_items(self, query):
        found = {}
        for row in self.project.rows(query):
            key = row["run_ts"], row["original_pair_id"], row["mismatch_id"]
            assert key not in found, f"{key} is there twice"
            found[key] = tuple(
                row[name]
                for name in (
                    "resolved",
                    "resolution",
                    "resolved_ts",
                    "resolved_by",
                    "seen_ts",
                    "counted_differences",
                )
            )
        return found

    def check_last_run(self):
        """The log's rows of the last run, and the counter."""
        run_ts = self.runs[-1].run_ts
        expected = {(run_ts, *key): item for key, item in self.expected_items(run_ts).items()}
        assert_same(self.recorded_items(ITEMS + LAST), expected)
        assert self.project.counter() == sum(not item[0] for item in expected.values())

    def check_every_run(self):
        """Every row of every run says what is known now."""
        expected = {
            (run.run_ts, *key): item
            for run in self.runs
            for key, item in self.expected_items(run.run_ts).items()
        }
        assert_same(self.recorded_items(ITEMS), expected)

    def check_counts(self):
        """The counter's history stays as it was committed."""
        query = HISTORY + " order by run_ts"
        assert [tuple(row.values()) for row in self.project.rows(query)] == self.counts

    def by_first_two(self, query):
        """The rows of a query: the other columns by the first two."""
        rows = [tuple(row.values()) for row in self.project.rows(query)]
        return {row[:2]: row[2:] for row in rows}

    def check_episodes(self):
        expected = {}
        for name, model in self.models.items():
            ids = {f.mismatch_id: f.group for _, r in model.comparisons() for f in r.found}
            rests = {rest_id(name, g): g for _, r in model.comparisons() for g, _, _ in r.rest}
            closings = {i.mismatch_id: c for i, c in model.log(self.runs[-1].run_ts)}
            for mismatch_id, group in {**ids, **rests}.items():
                is_rest = mismatch_id in rests
                found = model.episodes(mismatch_id, group, is_rest)
                for number, episode in enumerate(found, 1):
                    is_last = number == len(found)
                    judged = ("rest", group[1]) if is_rest else group
                    expected[mismatch_id, number] = (
                        model.state(episode, is_last, closings.get(mismatch_id), judged),
                        episode["first"],
                        episode["last"],
                        episode["runs"],
                        episode["absent"] and episode["absent"][0],
                        episode["reopened"],
                        episode["reappeared"],
                    )
        assert_same(self.by_first_two(EPISODES), expected)

    def check_cells(self):
        times = [run.run_ts // DAY for run in self.runs]
        days = range(min(times), max(times) + 1)
        expected = {}
        for name, model in self.models.items():
            counts = {v["run_ts"]: v["count"] for v in model.drift(SETTINGS)}
            for day, cell in model.cells(days, counts).items():
                expected[name, day] = cell
        assert_same(self.by_first_two(CELLS), expected)

    def check_drift(self):
        expected = {
            (name, v["run_ts"]): (v["drift"], v["count"], v["nights"], v["alarm"], v["accepted"])
            for name, model in self.models.items()
            for v in model.drift(SETTINGS)
        }
        assert_same(self.by_first_two(DRIFT), expected)

    def check_append_only(self):
        """No version of ledger or events lacks a row of an earlier one."""
        for table in ("audit_ledger", "resolution_events"):
            name = f"{self.project.schema}.{table}"
            last = self.project.spark.sql(f"describe history {name}").first()["version"]
            versions = [
                f"select to_json(struct(*)) as row from {name} version as of {version}"
                for version in range(last + 1)
            ]
            for earlier, later in pairwise(versions):
                assert self.project.rows(f"{earlier} except all {later}") == []


def assert_same(recorded, expected):
    missing = {k: v for k, v in expected.items() if k not in recorded}
    extra = {k: v for k, v in recorded.items() if k not in expected}
    other = {k: (recorded[k], v) for k, v in expected.items() if k in recorded and recorded[k] != v}
    problems = {"missing": missing, "extra": extra, "recorded, expected": other}
    assert not any(problems.values()), "\n".join(
        f"{what}: {key} {value}"
        for what, found in problems.items()
        for key, value in list(found.items())[:5]
    )


class Life(RuleBasedStateMachine):
    """Hypothesis chooses what happens and when; after every step log and counter agree.

    Step by step it draws a seed for the details: a run of ten pairs has more of them than it bears.
    """

    project, serial = None, count(1)

    @initialize(is_wanted=st.booleans())
    def begin(self, is_wanted):
        # The simplest history, always tried first, is none.
        assume(is_wanted)
        self.project.schema = f"history_{next(self.serial)}"
        self.told = History(self.project, 10)
        self.told.night(random.Random(1), 24, 1)

    @rule(
        chance=st.randoms(use_true_random=True),
        hours=st.sampled_from((3, 24, 24, 24, 48)),
        share=st.sampled_from((1, 1, 1, 0.5)),
        is_busy=st.sampled_from((True, True, False)),
    )
    def day(self, chance, hours, share, is_busy):
        self.told.night(chance, hours, share)
        if is_busy:
            self.told.act(chance)

    @invariant()
    def agree(self):
        self.told.check_last_run()

    def teardown(self):
        if not hasattr(self, "told"):
            return
        self.told.check_every_run()
        self.told.check_counts()
        self.told.check_episodes()
        self.told.check_cells()
        self.told.check_drift()
        self.told.check_append_only()


def test_a_history_means_what_the_design_says(project):
    Life.project = project
    machine = seed(11)(Life)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=1,
            stateful_step_count=25,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_ledger_and_events_in_an_empty_schema_give_the_same_marts(project):
    project.schema = "told"
    told, chance = History(project, 10), random.Random(7)
    for _ in range(4):
        told.night(chance, 24, 1)
        told.act(chance)
    marts = {name: everything(project, name) for name in MARTS}
    project.schema = "told_again"
    project.spark.sql("create schema told_again")
    for table in ("audit_ledger", "resolution_events"):
        project.spark.sql(f"create table told_again.{table} using delta as table told.{table}")
    replay(project, told.runs[0])
    for name, rows in marts.items():
        assert everything(project, name) == rows, name


def everything(project, name):
    """All rows of a table or view, whatever their order."""
    rows = project.rows(f"select to_json(struct(*)) as row from {{schema}}.{name}")
    return sorted(row["row"].replace("told_again", "told") for row in rows)
