"""DESIGN 3.2 to 3.4 in plain Python, slow and by the letter; shares nothing with the SQL."""

from dataclasses import dataclass
from statistics import median

DAY = 24 * 3600 * 1_000_000
ACTIONS = ("resolve", "accept", "reopen", "note", "accept_baseline", "mute_drift", "retire_pair")


def is_valid(event):
    """Whether an event counts, by its row alone."""
    if event.action not in ACTIONS or not (event.resolved_by or "").strip():
        return False
    if event.action != "note" and not (event.reason or "").strip():
        return False
    return event.action != "accept" or event.expires_ts <= event.event_ts + 90 * DAY


@dataclass
class Item:
    """A difference known after a run: rules 2 and 3 of audit_log."""

    mismatch_id: str | None  # None: the pair is not compared
    diff_type: str
    group: tuple
    seen_ts: int
    counted: int
    value_digest: str | None


class PairModel:
    """One pair: its results by run, and the events on it."""

    def __init__(self, name, rest_id):
        self.name, self.rest_id = name, rest_id
        self.runs = []  # (run_ts, Result or None), from the pair's first on
        self.events = []

    # --- what is known ---------------------------------------------------------------------------

    def comparisons(self, until=None):
        return [
            (t, r) for t, r in self.runs if r and r.is_compared and (until is None or t <= until)
        ]

    def verdict(self, mismatch_id, group, result):
        """seen, absent or None of a difference in a comparison."""
        if any(found.mismatch_id == mismatch_id for found in result.found):
            return "seen"
        capped = {g: largest for g, _, largest in result.rest}
        if group not in capped or mismatch_id <= capped[group]:
            return "absent"
        return None

    def items(self, run_ts):
        """Every Item known after a run, before anybody's closing."""
        compared, found_items = self.comparisons(run_ts), []
        base = compared[-1][1] if compared else None
        capped = {g: largest for g, _, largest in base.rest} if base else {}
        known = {}
        for ts, result in compared:
            for found in result.found:
                known[found.mismatch_id] = (ts, found)
            for group, more, _ in result.rest:
                known[self.rest_id(self.name, group)] = (ts, (group, more))
        for mismatch_id, (ts, found) in known.items():
            if isinstance(found, tuple):
                if ts == compared[-1][0]:
                    group, more = found
                    found_items.append(Item(mismatch_id, "not_recorded", group, ts, more, "rest"))
                continue
            later = [r for t, r in compared if t > ts]
            if any(self.verdict(mismatch_id, found.group, r) == "absent" for r in later):
                continue
            is_behind = found.group in capped and mismatch_id > capped[found.group]
            counted = 0 if is_behind else 1
            found_items.append(
                Item(mismatch_id, found.group[0], found.group, ts, counted, found.value_digest)
            )
        listed = [(t, r) for t, r in self.runs if t <= run_ts and r]
        attempts = [(t, r) for t, r in listed if r.status != "not_run"]
        last_ts, last = (attempts or listed[:1])[-1]
        if base is None or last.status == "error":
            found_items.append(Item(None, "not_compared", (None, None), last_ts, 1, None))
        return found_items

    # --- closings --------------------------------------------------------------------------------

    def retirement(self, run_ts=None, moment=None):
        """The first event by which the pair has left, as of a run or now; None while it is here."""
        enabled = max(t for t, r in self.runs if r and (run_ts is None or t <= run_ts))
        left = [
            e for e in self.events
            if e.action == "retire_pair" and e.event_ts > enabled
            and (moment is None or e.event_ts <= moment)
        ]  # fmt: skip
        return min(left, key=lambda e: e.event_ts, default=None)

    def covering(self, item, run_ts, total, moment=None):
        """(resolved_ts, resolution, resolved_by) of the earliest closing in force, or None."""
        events = [e for e in self.events if moment is None or e.event_ts <= moment]
        reopened = [
            e.event_ts for e in events if e.action == "reopen" and e.mismatch_id == item.mismatch_id
        ]
        group_reopened = [
            e.event_ts for e in events
            if e.action == "reopen" and e.scope == "standing" and e.group == item.group
        ]  # fmt: skip
        found = []
        for event in events:
            is_cancelled = any(t >= event.event_ts for t in reopened)
            is_of_item = event.mismatch_id == item.mismatch_id and item.diff_type != "not_recorded"
            is_in_time = not is_cancelled and item.seen_ts <= event.event_ts
            if event.action == "resolve" and is_of_item and is_in_time:
                found.append((event.event_ts, "fixed", event.resolved_by))
            if event.action == "accept" and run_ts <= event.expires_ts and not is_cancelled:
                if event.scope == "listed" and event.mismatch_id == item.mismatch_id:
                    if event.value_digest == item.value_digest:
                        found.append((event.event_ts, "accepted", event.resolved_by))
                elif event.scope == "standing" and event.group == item.group:
                    lapsed = any(t >= event.event_ts for t in group_reopened)
                    if not lapsed and total <= event.max_count:
                        found.append((event.event_ts, "accepted", event.resolved_by))
        if item.mismatch_id is None:
            found = []
        retired = self.retirement(run_ts if moment else None, moment)
        if retired:
            found.append((retired.event_ts, "retired", retired.resolved_by))
        return min(found, default=None)

    def log(self, run_ts, moment=None):
        """[(Item, closing or None)] of one run; a retired pair has no not_compared."""
        if run_ts < self.runs[0][0]:
            return []
        items, totals = self.items(run_ts), {}
        for item in items:
            totals[item.group] = totals.get(item.group, 0) + item.counted
        judged = [(i, self.covering(i, run_ts, totals[i.group], moment)) for i in items]
        return [
            (item, closing) for item, closing in judged
            if not (item.mismatch_id is None and closing and closing[1] == "retired")
        ]  # fmt: skip

    # --- lifecycle -------------------------------------------------------------------------------

    def episodes(self, mismatch_id, group, is_rest):
        """The episodes of one difference, as dicts."""
        steps = [(t, 1, "run", r) for t, r in self.comparisons()]
        steps += [
            (e.event_ts, 0, e.action, e) for e in self.events
            if e.mismatch_id == mismatch_id or e.action == "retire_pair"
        ]  # fmt: skip
        episodes, current, is_closed = [], None, False
        for ts, _, what, subject in sorted(steps, key=lambda s: (s[0], s[1])):
            if what == "run":
                if is_rest:
                    is_seen = any(g == group for g, _, _ in subject.rest)
                    verdict = "seen" if is_seen else "absent"
                else:
                    verdict = self.verdict(mismatch_id, group, subject)
                if verdict == "seen":
                    if current is None or current["fixed"] or current["retired"]:
                        current = {
                            "first": ts, "runs": 0, "reappeared": 0,
                            "reopened": int(bool(current and current["fixed"])),
                            "absent": None, "fixed": None, "retired": False,
                        }  # fmt: skip
                        episodes.append(current)
                    if current["absent"]:
                        current["reappeared"] += 1
                    current |= {"last": ts, "absent": None, "result": subject}
                    current["runs"] += 1
                elif verdict == "absent" and current and not current["absent"]:
                    current["absent"] = (ts, subject)
            elif current is None:
                continue
            elif what == "reopen":
                current["fixed"] = None
                current["reopened"] += int(is_closed)
                is_closed = False
            elif what in ("resolve", "accept"):
                is_closed = True
                if what == "resolve" and current["fixed"] is None and not is_rest:
                    current["fixed"] = subject
            elif what == "retire_pair":
                current["retired"] = True
        return episodes

    def state(self, episode, is_last, closing, group):
        """The state of an episode; `closing`: what covers it in the last run, where it is known."""
        absent, fixed = episode["absent"], episode["fixed"]
        if not is_last and not fixed:
            return "retired"
        if fixed and absent:
            return "closed_verified"
        if not is_last:
            return "reopened"
        if not absent:
            kind = closing[1] if closing else None
            return {None: "open", "fixed": "closed_unverified"}.get(kind, kind)
        then, now = episode["result"], absent[1]
        is_same = then.config_hash == now.config_hash and not now.depends_on_time
        if is_same and (group[0] != "value_mismatch" or group[1] in now.compared_columns):
            return "cleared"
        return "left_scope" if now.depends_on_time else "ended_by_configuration"

    # --- heat map --------------------------------------------------------------------------------

    def cells(self, days, counts):
        """Day -> (cell, differences still open); counts: what a run shows, by its time."""
        last = {t // DAY: (t, r) for t, r in self.runs if r and r.status != "not_run"}
        is_open = {i.mismatch_id for i, closing in self.log(self.runs[-1][0]) if not closing}
        found = {}
        for day in days:
            run_ts, result = last.get(day, (None, None))
            if result is None or not result.is_compared:
                found[day] = ("error" if result else "no run", 0)
                continue
            ids = self.found_in(result)
            still_open = sum(more for i, (_, more, _) in ids.items() if i in is_open)
            is_closed = ids and all(
                self.is_closed(i, group, is_rest, run_ts) for i, (group, _, is_rest) in ids.items()
            )
            found[day] = ("closed" if is_closed else bin_of(counts[run_ts]), still_open)
        return found

    def found_in(self, result):
        """What a result found: id -> (group, how many, whether it stands for the unrecorded)."""
        found = {f.mismatch_id: (f.group, 1, False) for f in result.found}
        return found | {self.rest_id(self.name, g): (g, more, True) for g, more, _ in result.rest}

    def is_closed(self, mismatch_id, group, is_rest, run_ts):
        """Whether a difference found in a run was accepted then, or is closed by name by now."""

        def closing(at, moment):
            return {i.mismatch_id: c for i, c in self.log(at, moment)}.get(mismatch_id)

        then = closing(run_ts, run_ts)
        if then and then[1] == "accepted":
            return True
        episode = self.episodes(mismatch_id, group, is_rest)[-1]
        judged = ("rest", group[1]) if is_rest else group
        now = closing(self.runs[-1][0], None)
        closed = ("accepted", "closed_unverified", "closed_verified", "retired")
        return self.state(episode, True, now, judged) in closed

    # --- drift -----------------------------------------------------------------------------------

    def drift(self, settings):
        """One dict per comparison, by a loop over them in order of time."""
        nights, verdicts, compared = [], [], self.comparisons()
        for place, (ts, result) in enumerate(compared):
            accepted = sum(
                item.counted for item, closing in self.log(ts, ts)
                if item.seen_ts == ts and closing and closing[1] == "accepted"
            )  # fmt: skip
            night = {
                "date": ts // DAY, "count": result.mismatch_count - accepted,
                "tolerance": result.within_tolerance, "rows": result.rows,
            }  # fmt: skip
            nights = [n for n in nights if n["date"] < night["date"] and not n["alarm"]]
            nights = nights[-settings["runs"] :]
            judged = judge(night, nights, settings)
            verdicts.append(
                {"run_ts": ts, "count": night["count"], "nights": len(nights), **judged}
            )
            until = compared[place + 1][0] if place + 1 < len(compared) else float("inf")
            between = {e.action for e in self.events if ts <= e.event_ts < until}
            if "retire_pair" in between:
                nights = []
            elif "accept_baseline" in between:
                nights = [night | {"alarm": False}]
            else:
                nights = [*nights, night | {"alarm": judged["alarm"]}]
            verdicts[-1]["accepted"] = "accept_baseline" in between
        return verdicts


def bin_of(count):
    """What a cell says of a number of differences."""
    if count == 0:
        return "0"
    bins = ((10, "1-9"), (100, "10-99"), (1000, "100-999"))
    return next((name for limit, name in bins if count < limit), "1000+")


def spread(values):
    middle = median(values)
    return middle, median([abs(v - middle) for v in values])


def judge(night, nights, settings):
    """The drift of one night against those before it."""
    if not nights:
        return {"drift": "learning", "alarm": False}
    is_learning = len(nights) < settings["min_runs"]

    def of(name):
        values = [n[name] for n in nights]
        middle, mad = spread(values)
        band = max(3.5 * 1.4826 * mad, 0.1 * middle, 1)
        if max(values) == 0 and night[name] > 0 and len(nights) >= min(settings["min_runs"], 3):
            return "broke_from_clean"
        if is_learning:
            return "learning"
        if max(values) > 0 and night[name] > middle + band:
            return "above_band"
        if night[name] < middle - band or (night[name] == 0 and middle > 0):
            return "improved"
        return "within_band"

    middle, mad = spread([n["rows"] for n in nights])
    has_shift = not is_learning and (
        abs(night["rows"] - middle) > max(3.5 * 1.4826 * mad, 0.01 * middle, 1)
        or (night["rows"] == 0 and middle > 0)
    )
    alarms = ("broke_from_clean", "above_band")
    drift, tolerance = of("count"), of("tolerance")
    if has_shift and drift not in alarms:
        drift = "volume_shift"
    return {"drift": drift, "alarm": drift in (*alarms, "volume_shift") or tolerance in alarms}
