"""A migration team's week: what people do with run-operations or a SQL editor, and what it changes.

The runs' records are written as the comparing step would; everything after it is dbt's.
"""

import json
from dataclasses import replace

import pytest

from tests.lifecycle.record import at, record_run
from tests.lifecycle.world import DAY, HOUR, START, Found, Result, Run, hexdigest, rest_id

CELL = ("value_mismatch", "v")
ROW = ("missing_in_target", None)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def found(pair, key, value=1, group=CELL):
    return Found(hexdigest(pair, group, key), group, hexdigest(key, value))


def compared(*differences, rest=(), **facts):
    return Result("mismatch" if differences else "match", tuple(differences), tuple(rest), **facts)


class Week:
    """Runs of one schema, a day apart, and the run-operations between them."""

    def __init__(self, project):
        self.project, self.day, self.runs = project, 0, 0

    def night(self, **results):
        self.day += 1
        self.runs += 1
        run = Run(f"r{self.runs}", START + self.day * DAY, results)
        record_run(self.project, run, rest_id, is_first=self.runs == 1)

    def clock(self, hours=1):
        """UTC text so many hours after the last run."""
        return f"{at(START + self.day * DAY + hours * HOUR):%Y-%m-%d %H:%M:%S}"

    def call(self, operation, hours=1, **arguments):
        """Runs a run-operation at a time of the day; returns dbt's Outcome."""
        words = ["run-operation", operation, "--args", json.dumps(arguments)]
        return self.project.dbt(*words, recon_now=self.clock(hours))

    def done(self, operation, hours=1, **arguments):
        by = {"resolved_by": "Ana"} | (
            {} if operation == "note_mismatches" else {"reason": "because"}
        )
        outcome = self.call(operation, hours, **by | arguments)
        assert outcome.success, outcome.output
        return outcome.output

    def refused(self, sentence, operation, **arguments):
        """The call fails with a sentence, and nothing is written."""
        before = self.events()
        outcome = self.call(operation, **arguments)
        assert not outcome.success
        assert sentence in outcome.output + str(outcome.exception), outcome.output
        assert self.events() == before

    def events(self):
        return self.project.rows("select count(*) as n from {schema}.resolution_events")[0]["n"]

    def counter(self):
        return self.project.counter()

    def cells(self):
        """Per pair what its cells of the heat map say, by date."""
        query = """select pair_id, array_sort(collect_list(struct(run_date, cell))).cell as cells
            from {schema}.mismatch_heat_map group by pair_id"""
        return {row["pair_id"]: row["cells"] for row in self.project.rows(query)}

    def states(self, pair):
        """State of the last episode of every mismatch of a pair, by id."""
        query = f"""select mismatch_id, state, episode from {{schema}}.mismatch_lifecycle
            where is_current and original_pair_id = '{pair}'"""
        return {r["mismatch_id"]: (r["state"], r["episode"]) for r in self.project.rows(query)}


@pytest.fixture
def week(fresh_project):
    return Week(fresh_project)


def test_a_fix_is_a_claim_until_a_comparison_confirms_it(week):
    one, two = found("a", 1), found("a", 2)
    week.night(a=compared(one, two))
    assert week.counter() == 2
    said = week.done("resolve_mismatches", ids=[one.mismatch_id[:8]], ticket="T-1")
    assert "counter 2 before, 1 after" in said
    assert week.states("a")[one.mismatch_id] == ("closed_unverified", 1)
    # neither an error nor a night without the pair confirms anything
    week.night(a=Result("error"))
    assert week.states("a")[one.mismatch_id] == ("closed_unverified", 1)
    week.night(a=compared(two))
    assert week.counter() == 1
    assert week.states("a")[one.mismatch_id] == ("closed_verified", 1)
    # seen again, also by a comparison of unchanged tables: open, a new episode
    week.done("resolve_mismatches", ids=[two.mismatch_id])
    assert week.counter() == 0
    week.night(a=compared(two))
    assert week.counter() == 1
    assert week.states("a")[two.mismatch_id] == ("open", 2)


def test_an_acceptance_ends_with_its_value_its_date_or_by_name(week):
    one, two, three = (found("a", key) for key in (1, 2, 3))
    week.night(a=compared(one, two, three))
    for difference, until in (
        (one, week.clock(24 * 60)[:10]),
        (two, week.clock(36)),
        (three, week.clock(24 * 60)),
    ):
        week.done("accept_mismatches", ids=[difference.mismatch_id], expires=until)
    assert week.counter() == 0
    week.night(a=compared(one, two, three))
    assert week.counter() == 0
    week.night(a=compared(replace(one, value_digest=hexdigest("other")), two, three))
    assert {i: s for i, (s, _) in week.states("a").items()} == {
        one.mismatch_id: "open",
        two.mismatch_id: "open",
        three.mismatch_id: "accepted",
    }
    said = week.done("reopen_mismatches", ids=[three.mismatch_id])
    assert "counter 2 before, 3 after" in said
    why = {
        r["mismatch_id"]: r["open_because"]
        for r in week.project.rows("select mismatch_id, open_because from {schema}.open_mismatches")
    }
    assert "value" in why[one.mismatch_id]
    assert "expired" in why[two.mismatch_id]
    assert "by name" in why[three.mismatch_id]


def test_closing_what_is_listed_does_not_turn_a_capped_pair_green(week):
    listed = sorted((found("a", key) for key in range(2)), key=lambda f: f.mismatch_id)
    rest = ((CELL, 5, listed[-1].mismatch_id),)
    week.night(a=compared(*listed, rest=rest))
    until = week.clock(24 * 30)[:10]
    week.done("accept_mismatches", pair_id="a", expires=until)
    assert week.counter() == 1
    week.refused(
        "a standing acceptance",
        "resolve_mismatches",
        ids=[rest_id("a", CELL)],
        resolved_by="Ana",
        reason="r",
    )
    group = {
        "scope": "standing",
        "pair_id": "a",
        "diff_type": CELL[0],
        "column_name": "V",
        "expires": until,
    }
    week.done("accept_mismatches", max_count=6, **group)
    assert week.counter() == 1
    week.done("accept_mismatches", max_count=7, **group)
    assert week.counter() == 0
    # one more than accepted, and all of them are open
    week.night(a=compared(*listed, rest=((CELL, 6, listed[-1].mismatch_id),)))
    assert week.counter() == 1
    more = {s for s, _ in week.states("a").values()}
    assert more == {"accepted", "open"}
    why = "select distinct open_because, diff_type from {schema}.open_mismatches"
    assert week.project.rows(why) == [
        {
            "open_because": "there are more than the standing acceptance allows",
            "diff_type": "not_recorded",
        }
    ]
    week.done("reopen_mismatches", **{k: v for k, v in group.items() if k != "expires"})
    assert week.project.rows(why)[0]["open_because"] == "reopened by name"
    week.done("reopen_mismatches", pair_id="a", state="accepted")
    assert week.counter() == 3


def test_a_cell_is_closed_when_everything_its_run_found_is(week):
    one, two, three = found("a", 1), found("a", 2), found("b", 3)
    capped = compared(three, rest=((CELL, 3, three.mismatch_id),))
    week.night(a=compared(one, two), b=capped)
    until = week.clock(24 * 30)[:10]
    week.done("resolve_mismatches", ids=[one.mismatch_id])
    week.done("accept_mismatches", ids=[three.mismatch_id], expires=until)
    assert week.cells() == {"a": ["1-9"], "b": ["1-9"]}
    week.done("resolve_mismatches", ids=[two.mismatch_id])
    group = {"pair_id": "b", "diff_type": CELL[0], "column_name": "v"}
    week.done("accept_mismatches", scope="standing", max_count=4, expires=until, **group)
    assert week.cells() == {"a": ["closed"], "b": ["closed"]}
    # one fix was none, the other is verified; what is accepted at its run is closed, too
    week.night(a=compared(one), b=capped)
    assert week.cells() == {"a": ["1-9", "1-9"], "b": ["closed", "closed"]}
    # what only goes away closes nothing, a pair not compared is no zero
    week.night(a=compared(), b=Result("error"))
    assert week.cells() == {"a": ["1-9", "1-9", "0"], "b": ["closed", "closed", "error"]}
    week.done("resolve_mismatches", ids=[one.mismatch_id])
    week.night(b=capped)
    assert week.cells() == {
        "a": ["closed", "closed", "0", "no run"],
        "b": ["closed", "closed", "error", "closed"],
    }


def test_a_pair_leaves_by_name_only_and_comes_back_with_a_new_baseline(week):
    one = found("a", 1)
    week.night(a=compared(one), b=compared())
    week.refused(
        "was enabled in the last run", "retire_pair", pair_id="a", resolved_by="Ana", reason="r"
    )
    week.night(b=compared())
    assert week.counter() == 1
    week.done("retire_pair", pair_id="a")
    assert week.counter() == 0
    assert week.states("a")[one.mismatch_id] == ("retired", 1)
    week.night(b=compared())
    assert week.counter() == 0
    week.night(a=Result("error"), b=compared())
    assert week.counter() == 2
    week.night(a=compared(one), b=compared())
    assert week.states("a")[one.mismatch_id] == ("open", 2)
    [last] = week.project.rows(
        """select baseline_runs from {schema}.baseline_drift
        where pair_id = 'a' order by run_ts desc limit 1"""
    )
    assert last["baseline_runs"] == 0


def test_wrong_calls_say_what_is_wrong_and_write_nothing(week):
    many = [found("a", key) for key in range(25)]
    week.night(a=compared(*many), b=Result("error"))
    by = {"resolved_by": "Ana", "reason": "r"}
    one = many[0].mismatch_id
    week.refused("no recorded mismatch begins with", "resolve_mismatches", ids=["0" * 12], **by)
    week.refused("at least its first 8 digits", "resolve_mismatches", ids=["abc"], **by)
    week.refused("resolved_by is missing", "resolve_mismatches", ids=[one], reason="r")
    week.refused(
        "resolved_by is missing", "resolve_mismatches", ids=[one], resolved_by="  ", reason="r"
    )
    week.refused("reason is missing", "resolve_mismatches", ids=[one], resolved_by="Ana")
    week.refused("expires is missing", "accept_mismatches", ids=[one], **by)
    week.refused("which is past", "accept_mismatches", ids=[one], expires="2025-01-01", **by)
    week.refused(
        "recon_accept_max_days", "accept_mismatches", ids=[one], expires="2027-01-01", **by
    )
    week.refused("write a UTC date or time", "accept_mismatches", ids=[one], expires="soon", **by)
    week.refused("Nothing is selected", "resolve_mismatches", **by)
    week.refused("No mismatch is selected", "resolve_mismatches", pair_id="nobody", **by)
    week.refused("recon_bulk_limit", "resolve_mismatches", pair_id="a", **by)
    week.refused("no run knows a pair", "accept_baseline", pair_id="nobody", **by)
    week.refused("never compared", "accept_baseline", pair_id="b", **by)
    week.refused(
        "Give assignee, note or ticket", "note_mismatches", ids=[one], **{"resolved_by": "Ana"}
    )
    week.refused(
        "max_count is missing",
        "accept_mismatches",
        scope="standing",
        pair_id="a",
        expires="2026-02-01",
        **by,
    )
    assert not week.call("show_open", state="opne").success
    assert not week.call("show_open", pair_id="nobody").success
    before = week.events()
    listed = week.done("resolve_mismatches", pair_id="a", dry_run=True)
    assert "25 mismatches, nothing is written" in listed
    assert listed.count("value_mismatch") == 25
    assert week.events() == before
    week.done("resolve_mismatches", pair_id="a", confirm=True)
    assert week.counter() == 1  # the pair in error: closed by nobody
    week.refused("is closed_unverified", "resolve_mismatches", ids=[one], **by)
    late = week.project.dbt(
        "run-operation", "reopen_mismatches", "--args", json.dumps({"ids": [one], **by}),
        recon_now=week.clock(-2),
    )  # fmt: skip
    assert not late.success
    assert "lies before the last run" in late.output + str(late.exception)


def test_notes_and_lists(week):
    one, two = found("a", 1), found("b", 1, group=ROW)
    week.night(a=compared(one), b=compared(two))
    for _ in range(2):  # the same call twice is in the log once
        week.done("note_mismatches", ids=[one.mismatch_id], assignee="Cy", note="asked")
    assert week.events() == 1
    assert "1 listed; counter 2" in week.call("show_open", assignee="Cy").output
    listed = week.call("show_open").output
    assert "2 listed" in listed
    assert one.mismatch_id[:12] in listed
    assert "[1]" not in listed  # no key
    assert "0 listed" in week.call("show_open", state="accepted").output
    [row] = week.project.rows(
        "select assignee, note, closing_command from {schema}.open_mismatches where pair_id = 'a'"
    )
    assert (row["assignee"], row["note"]) == ("Cy", "asked")
    assert one.mismatch_id[:12] in row["closing_command"]


def test_a_sql_editor_is_enough_and_its_mistakes_count_for_nothing(week):
    one, two = found("a", 1), found("a", 2)
    rest = ((CELL, 3, max(one.mismatch_id, two.mismatch_id)),)
    week.night(a=compared(one, two, rest=rest), b=compared())
    inserts = {
        r["mismatch_id"]: r["closing_insert"]
        for r in week.project.rows(
            "select mismatch_id, closing_insert from {schema}.open_mismatches"
        )
    }
    week.project.spark.sql(inserts[one.mismatch_id].replace("WHY", "fixed").replace("NAME", "Bo"))
    assert week.counter() == 2
    until = "current_timestamp() + interval 30 days"
    mistakes = [
        ("resolved_by", {"resolved_by": "''"}),
        ("resolved_by", {"resolved_by": r"'\t\u00a0'"}),
        ("reason", {"reason": r"' \n'"}),
        ("lies in the future", {"event_ts": until, "recorded_ts": until}),
        ("no difference with this mismatch_id", {"mismatch_id": f"'{'0' * 64}'"}),
        ("not that of the mismatch", {"original_pair_id": "'b'"}),
        ("original_pair_id is missing", {"original_pair_id": "null"}),
        ("unknown action", {"action": "'closed'"}),
        ("standing acceptance only", {"mismatch_id": f"'{rest_id('a', CELL)}'"}),
        ("enabled in the last run", {"action": "'retire_pair'"}),
        ("nothing was closed", {"action": "'reopen'"}),
        (
            "none that the mismatch ever had",
            {
                "action": "'accept'",
                "scope": "'listed'",
                "expires_ts": until,
                "value_digest": "'beef'",
            },
        ),
    ]
    standing = {
        "action": "'accept'",
        "scope": "'standing'",
        "expires_ts": until,
        "max_count": "99",
        "mismatch_id": "null",
    }
    for said, diff_type in (
        ("was ever recorded", ROW[0]),
        ("is not of not_recorded", "not_recorded"),
        ("is not of not_compared", "not_compared"),
    ):
        mistakes.append((said, {**standing, "diff_type": f"'{diff_type}'"}))
    ready = {
        "event_id": "uuid()",
        "event_ts": "current_timestamp()",
        "recorded_ts": "current_timestamp()",
        "action": "'resolve'",
        "mismatch_id": f"'{two.mismatch_id}'",
        "original_pair_id": "'a'",
        "reason": "'because'",
        "resolved_by": "'Bo'",
    }
    for _, change in mistakes:
        row = {**ready, **change}
        week.project.spark.sql(
            f"insert into {week.project.schema}.resolution_events ({', '.join(row)}) "
            f"select {', '.join(row.values())}"
        )
    assert week.counter() == 2
    problems = week.project.rows("select problem from {schema}.event_findings")
    assert len(problems) == len(mistakes)
    for said, _ in mistakes:
        assert any(said in row["problem"] for row in problems), said
    state = week.states("a")[two.mismatch_id]
    assert state == ("open", 1)
    lives = week.project.rows(
        f"""select times_reopened, resolved_ts from {{schema}}.mismatch_lifecycle
        where mismatch_id = '{two.mismatch_id}'"""
    )
    assert lives == [{"times_reopened": 0, "resolved_ts": None}]
    assert inserts[rest_id("a", CELL)] is None
    tested = week.project.dbt("test", "--select", "event_findings")
    assert "warn" in tested.status.values()


def test_a_new_baseline_and_a_muted_feed(week):
    for _ in range(3):
        week.night(a=compared())
    week.night(a=compared(found("a", 1)))
    drift = """select drift, is_alarm, is_accepted, sentence
        from {schema}.baseline_drift order by run_ts desc limit 1"""
    assert week.project.rows(drift)[0]["drift"] == "broke_from_clean"
    alerts = "select is_open, is_muted, ended_by from {schema}.drift_alerts"
    assert week.project.rows(alerts) == [{"is_open": True, "is_muted": False, "ended_by": None}]
    week.done("accept_baseline", pair_id="a")
    assert week.project.rows(drift)[0]["is_accepted"]
    assert week.project.rows(alerts)[0]["ended_by"] == "accepted by Ana"
    week.night(a=compared(found("a", 1)))
    assert week.project.rows(drift)[0]["drift"] == "learning"
    assert "compared differently" not in week.project.rows(drift)[0]["sentence"]


def test_looking_back(week):
    one, two = found("a", 1), found("a", 2)
    week.night(a=compared(one, two))
    week.done("resolve_mismatches", hours=3, ids=[one.mismatch_id])
    known = {}
    for hours in (-1, 2, 4):
        row = week.project.answer("counter_as_of", moment=week.clock(hours))[0]
        known[hours] = row["open_mismatches"], row["closed_unverified"], row["open_pairs"]
    assert known == {-1: (0, 0, []), 2: (2, 0, ["a"]), 4: (1, 1, ["a"])}
    week.night(a=compared(two))
    everything, column = week.project.answer("retrospective")
    assert (everything["pair_id"], column["pair_id"]) == ("all pairs", "a")
    assert (column["diff_type"], column["target_column"]) == CELL
    for row in (everything, column):
        assert (row["episodes"], row["still_open"], row["closed_as_fixed"]) == (2, 1, 1)
        assert (row["median_hours_to_clear"], row["median_hours_to_close"]) == (24.0, 3.0)
