"""Runs of a part of the pairs: what each selector takes, and what is refused."""

import random

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SAME = "select id, id as v from range(5)"
OTHER = "select id, id + 1 as v from range(5)"
ROWS = 9


@pytest.fixture(scope="module")
def night(project):
    """One night of five pairs, then a sixth that is new."""
    pairs = [
        project.pair("ora_clean", SAME, SAME, wave="w1"),
        project.pair("ora_open", SAME, OTHER, wave="w2"),
        project.pair("pg_clean", SAME, SAME, wave="w2"),
        project.pair("pg_old", SAME, SAME, max_age_hours="0.000001"),
        project.pair("pg_error", SAME, SAME, source_filter="w > 1"),
    ]
    project.write_seeds(pairs)
    outcome = project.night()
    assert outcome.success, outcome.failure
    project.write_seeds([*pairs, project.pair("pg_new", SAME, SAME, wave="w3")])
    assert project.dbt("seed").success
    return outcome


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ({"recon_pairs": ["pg_clean"]}, {"pg_clean"}),
        ({"recon_pairs": ["ora_*", "pg_clean"]}, {"ora_clean", "ora_open", "pg_clean"}),
        ({"recon_pairs": ["*_clean"]}, {"ora_clean", "pg_clean"}),
        ({"recon_pairs": ["@error"]}, {"pg_error"}),
        ({"recon_pairs": ["@open"]}, {"ora_open", "pg_error"}),
        ({"recon_pairs": ["@new"]}, {"pg_new"}),
        ({"recon_pairs": ["@stale"]}, {"pg_old", "pg_error", "pg_new"}),
        ({"recon_wave": "w2"}, {"ora_open", "pg_clean"}),
        ({"recon_wave": "w2", "recon_pairs": ["@open"]}, {"ora_open"}),
    ],
)
def test_a_selection_takes_these_pairs(project, night, selection, expected):
    outcome = project.dbt("build", "--select", "+int_recon__pair_plans", **selection)
    assert outcome.success, outcome.failure
    run = project.rows("select * from {schema}.int_recon__run")[0]
    assert run["scope"] == "partial"
    plans = project.rows("select pair_id, in_scope from {schema}.int_recon__pair_plans")
    assert {row["pair_id"] for row in plans if row["in_scope"]} == expected


@pytest.mark.parametrize(
    ("selection", "sentence"),
    [
        ({"recon_pairs": []}, "with at least one id"),
        ({"recon_pairs": "pg_clean"}, "must be a list"),
        ({"recon_pairs": ["pg_cleen"]}, "names 'pg_cleen', which fits no enabled pair"),
        ({"recon_pairs": ["mysql_*"]}, "names 'mysql_*', which fits no enabled pair"),
        ({"recon_pairs": ["@broken"]}, "@error, @open, @stale, @new"),
        ({"recon_wave": "w9"}, "The waves are: w1, w2, w3"),
        ({"recon_wave": ""}, "recon_wave is ''"),
        ({"recon_wave": "w1", "recon_pairs": ["@error"]}, "selects no pair now"),
    ],
)
def test_an_unknown_or_empty_selection_is_refused(project, night, selection, sentence):
    outcome = project.dbt("build", "--select", "int_recon__run", **selection)
    assert not outcome.success
    assert sentence in outcome.output


def test_a_partial_run_says_what_it_changed(project, night):
    project.table("ora_open_new", SAME)
    outcome = project.night(recon_pairs=["@open"])
    assert outcome.success, outcome.failure
    assert "ora_open: 5 open before, 0 now" in outcome.output
    assert "pg_error: 1 open before, 1 now" in outcome.output
    assert project.counter() == 2


class Installation:
    """Five pairs whose tables and settings change, and what the counter has to be then."""

    def __init__(self, project, chance):
        self.project, self.chance = project, chance
        self.pairs = {name: Known(name) for name in "abcde"}

    def change(self):
        """What people do between two runs: to a table, a filter, the seed, or by name."""
        for pair in self.pairs.values():
            match self.chance.randrange(9):
                case 0 | 1:
                    pair.differences = self.chance.randrange(ROWS)
                case 2:
                    pair.is_broken = not pair.is_broken
                case 3:
                    pair.presence = self.chance.choice(["enabled", "enabled", "disabled", "gone"])
                case 4 if pair.presence == "enabled":
                    pair.names.append(f"{pair.names[0]}{len(pair.names)}")
                case 5 if pair.is_known and pair.was_enabled is False:
                    self.retire(pair)
        self.project.write_seeds(
            [self.line(pair) for pair in self.pairs.values() if pair.presence != "gone"]
        )

    def line(self, pair):
        first = pair.names[0]
        target = f"select id, id + if(id < {pair.differences}, 1, 0) as v from range({ROWS})"
        source = f"select id, id as v from range({ROWS})"
        settings = {"source_filter": "no_column > 1"} if pair.is_broken else {}
        if len(pair.names) > 1:
            settings["renamed_from"] = pair.names[-2]
        line = self.project.pair(first, source, target, enabled=str(pair.is_enabled), **settings)
        return line | {"pair_id": pair.names[-1]}

    def retire(self, pair):
        arguments = f"{{pair_id: {pair.recorded_name}, reason: gone, by: ana}}"
        outcome = self.project.dbt("run-operation", "retire_pair", "--args", arguments)
        assert outcome.success, outcome.output
        pair.is_retired = True

    def run(self):
        """A run of all pairs or of some; what it has to leave is noted."""
        enabled = [pair for pair in self.pairs.values() if pair.is_enabled]
        some = [pair for pair in enabled if self.chance.random() < 0.5]
        is_partial = bool(some) and self.chance.random() < 0.6
        chosen = {"recon_pairs": [pair.names[-1] for pair in some]} if is_partial else {}
        outcome = self.project.night(**chosen)
        assert outcome.success, outcome.failure
        for pair in self.pairs.values():
            pair.was_enabled = pair.is_enabled
        for pair in enabled:
            pair.is_known, pair.is_retired, pair.recorded_name = True, False, pair.names[-1]
        for pair in some if is_partial else enabled:
            pair.is_error = pair.is_broken
            if not pair.is_broken:
                pair.found, pair.is_compared = pair.differences, True

    def counter(self):
        return sum(pair.open_count for pair in self.pairs.values())


class Known:
    """A pair as it is, and as the runs left it."""

    def __init__(self, name):
        self.names, self.presence, self.differences = [name], "enabled", 0
        self.is_broken = self.is_known = self.is_retired = self.is_error = self.is_compared = False
        self.was_enabled, self.found, self.recorded_name = None, 0, name

    @property
    def is_enabled(self):
        return self.presence == "enabled"

    @property
    def open_count(self):
        if not self.is_known or self.is_retired:
            return 0
        return self.found + (self.is_error or not self.is_compared)


def test_the_counter_is_true_after_any_sequence_of_runs(fresh_project):
    place = Installation(fresh_project, random.Random(5))
    for _ in range(12):
        place.change()
        place.run()
        assert fresh_project.counter() == place.counter()
        found = fresh_project.rows("""
            select original_pair_id as pair, count_if(not resolved) as open_count
            from {schema}.audit_log
            where run_ts = (select max(run_ts) from {schema}.audit_log) and pair_id is not null
            group by original_pair_id
        """)
        expected = {name: pair.open_count for name, pair in place.pairs.items()}
        counts = {row["pair"]: row["open_count"] for row in found}
        assert {name: counts.get(name, 0) for name in expected} == expected
