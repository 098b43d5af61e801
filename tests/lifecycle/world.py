"""Random histories of pairs: what runs recorded of each, and what people did in between.

Every pair is a small world of its own; all of them share the runs. Times are microseconds since
1970.
"""

import hashlib
import random
from dataclasses import dataclass, field, replace

MICROS = 1_000_000
HOUR = 3600 * MICROS
DAY = 24 * HOUR
START = 1_767_225_600 * MICROS  # 2026-01-01 00:00 UTC
CAP = 2
GROUPS = (("value_mismatch", "v"), ("value_mismatch", "w"), ("missing_in_target", None))
NAMES = ("ana", "bo")


def hexdigest(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Found:
    """A difference as a run recorded it."""

    mismatch_id: str
    group: tuple
    value_digest: str


@dataclass(frozen=True)
class Result:
    """What a run says of a pair: status and, of a comparison, what it recorded."""

    status: str
    found: tuple = ()
    rest: tuple = ()  # (group, how many more, largest id recorded)
    config_hash: str = "c1"
    plan_hash: str = "p1"
    compared_columns: tuple = ("v", "w")
    depends_on_time: bool = False
    within_tolerance: int = 0
    rows: int = 1000
    pair_id: str | None = None  # None: its oldest name

    @property
    def is_compared(self):
        return self.status in ("match", "mismatch")

    @property
    def mismatch_count(self):
        return len(self.found) + sum(more for _, more, _ in self.rest)


@dataclass(frozen=True)
class Run:
    run_id: str
    run_ts: int
    results: dict  # pair -> Result; a pair that is not enabled has none


@dataclass(frozen=True)
class Event:
    """A row of resolution_events."""

    event_id: str
    event_ts: int
    action: str
    pair: str
    mismatch_id: str | None = None
    group: tuple = (None, None)
    scope: str | None = None
    max_count: int | None = None
    expires_ts: int | None = None
    value_digest: str | None = None
    resolved_by: str | None = "ana"
    reason: str | None = "because"
    assignee: str | None = None


@dataclass
class Pair:
    """A pair's tables as time goes by: how steady they are depends on its name."""

    name: str
    present: dict = field(default_factory=dict)  # (group, key) -> value version
    config: int = 1
    renamed: int = 0

    def __post_init__(self):
        nature = random.Random(self.name)
        self.depends_on_time = nature.random() < 0.2
        self.noise = nature.choice((0.0, 0.1, 0.5, 0.9))

    def evolve(self, chance):
        """A day passes: differences appear, change and go."""
        for group in GROUPS:
            for key in range(4):
                roll, item = chance.random(), (group, key)
                if item in self.present:
                    if roll < 0.25:
                        del self.present[item]
                    elif roll < 0.35:
                        self.present[item] += 1
                elif roll < 0.25 * self.noise:
                    self.present[item] = 1
        if chance.random() < 0.06:
            self.config += 1
        if chance.random() < 0.04:
            self.renamed += 1

    def result(self, chance):
        """The pair's result of a run, or None where it is not enabled."""
        status = chance.choices(("compared", "error", "not_run", None), (75, 9, 9, 7))[0]
        pair_id = f"{self.name}_{self.renamed}" if self.renamed else None
        if status in ("error", "not_run"):
            return Result(status, pair_id=pair_id)
        if status is None:
            return None
        by_group = {}
        for (group, key), version in self.present.items():
            found = Found(hexdigest(self.name, group, key), group, hexdigest(key, version))
            by_group.setdefault(group, []).append(found)
        recorded, rest = [], []
        for group, items in by_group.items():
            items.sort(key=lambda found: found.mismatch_id)
            recorded += items[:CAP]
            if len(items) > CAP:
                rest.append((group, len(items) - CAP, items[CAP - 1].mismatch_id))
        columns = ("v",) if self.config % 3 == 0 else ("v", "w")
        return Result(
            "mismatch" if recorded else "match",
            tuple(recorded),
            tuple(rest),
            config_hash=f"c{self.config}",
            plan_hash=f"p{self.config}",
            compared_columns=columns,
            depends_on_time=self.depends_on_time,
            pair_id=pair_id,
            within_tolerance=chance.choice((0, 0, 0, 0, 5)) if self.noise else 0,
            rows=chance.choice((1000, 1000, 1001, 999, 1000, 500)) if self.noise > 0.4 else 1000,
        )


def rest_id(pair, group):
    """The id of a not_recorded row."""
    return hexdigest(pair, "not_recorded", group)


def random_events(pair, history, now, chance, serial):
    """What people do to one pair between two runs: mostly valid, some not."""
    results = [run.results[pair] for run in history if pair in run.results]
    known = {found.mismatch_id: found for result in results for found in result.found}
    events = []
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        now += chance.randrange(1, 30) * 60 * MICROS
        base = Event(f"e{next(serial)}", now, "", pair, resolved_by=chance.choice(NAMES))
        kind = chance.choices(
            ("resolve", "accept", "standing", "reopen", "note", "pair", "wrong"),
            (5, 4, 3, 3, 1, 2, 2),
        )[0]
        found = chance.choice(list(known.values())) if known else None
        known_id = found and found.mismatch_id
        end = now + chance.choice((1, 3, 20)) * DAY
        group = chance.choice(GROUPS)
        if kind == "pair":
            action = chance.choice(("accept_baseline", "mute_drift", "retire_pair"))
            events.append(replace(base, action=action, expires_ts=end))
        elif kind == "standing":
            extra = {
                "scope": "standing",
                "max_count": chance.choice((0, 1, 3, 9)),
                "expires_ts": end,
            }
            events.append(replace(base, action="accept", group=group, **extra))
        elif kind == "reopen" and chance.random() < 0.3:
            events.append(replace(base, action="reopen", group=group, scope="standing"))
        elif kind == "wrong":
            wrong = (
                replace(base, action="resolve", mismatch_id="0" * 64),
                replace(base, action="resolve", mismatch_id=rest_id(pair, group)),
                replace(base, action="close", mismatch_id=known_id),
                replace(base, action="resolve", mismatch_id=known_id, resolved_by=" "),
                replace(base, action="resolve", mismatch_id=known_id, reason=None),
                replace(
                    base, action="accept", scope="listed", mismatch_id=known_id,
                    value_digest=found and found.value_digest, expires_ts=now + 200 * DAY,
                ),
            )  # fmt: skip
            events.append(chance.choice(wrong))
        elif found:
            event = replace(base, action=kind, mismatch_id=found.mismatch_id)
            if kind == "accept":
                event = replace(
                    event, scope="listed", value_digest=found.value_digest, expires_ts=end
                )
            events.append(replace(event, assignee="cy") if kind == "note" else event)
    return events
