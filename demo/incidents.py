"""The seven nights as data: what happened on the new side during the day before each run.

Nothing here says what recon will find. The statements change tables, the nights compare them, and
people say by name what they did about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from demo.migration import rebuild, select

# December 31st, the day whose partition is late, and then loaded twice.
LATE_DAY = "month = 12 AND day = 31"
LOAD_LATE_DAY = f"INSERT INTO migrated.flights BY NAME {select('flights')} WHERE {LATE_DAY}"
# The clean-up works through the carriers in the order of their codes, and stops at US.
CLEANED_UP = f"{LATE_DAY} AND carrier < 'US'"


def noise(night: int) -> str:
    """Return the SQL by which four days' corrections are on the new side alone for one night."""
    here, before = (f"(month = 1 AND CEIL(day / 4) = {n})" for n in (night, night - 1))
    return (
        f"UPDATE migrated.weather SET humid = humid + IF({here}, 1, -1) "
        f"WHERE origin = 'JFK' AND ({here} OR {before})"
    )


@dataclass(frozen=True)
class Act:
    """What somebody does the morning after a night: a run-operation with its arguments."""

    story: str
    operation: str
    arguments: dict[str, Any]
    days: int | None = None  # how long an acceptance lasts


@dataclass(frozen=True)
class Night:
    """One night: how many days before the demo starts, what happened, and the SQL that did it."""

    days_ago: int
    title: str
    story: str
    statements: tuple[str, ...] = ()
    acts: tuple[Act, ...] = field(default=())


NIGHTS = (
    Night(
        6,
        "first night",
        "The migration is done. First comparison of all five tables. The weather's corrections "
        "reach the old side a day later than the new one: some of them differ every night.",
    ),
    Night(
        5,
        "a quiet day",
        "The planes' job ran again, as it does every day. Nothing else moved.",
        (rebuild("planes"),),
    ),
    Night(
        4,
        "decimals cut",
        "A new release of the airports' job declares lat and lon DECIMAL(6, 3).",
        (
            rebuild(
                "airports",
                lat="CAST(lat AS DECIMAL(6, 3))",
                lon="CAST(lon AS DECIMAL(6, 3))",
            ),
        ),
        (
            Act(
                "Ana gives the airports their type back, and closes what is listed.",
                "resolve_mismatches",
                {
                    "pair_id": "airports",
                    "resolved_by": "Ana",
                    "reason": "lat and lon have all their digits again",
                    "confirm": True,
                },
            ),
        ),
    ),
    Night(
        3,
        "an hour late, and padded codes",
        "The airports' type is back. October's flights were reloaded with a fixed offset of "
        "-05:00, blind to daylight saving. The airlines' job now writes CHAR(4) codes.",
        (
            rebuild("airports"),
            "UPDATE migrated.flights SET time_hour = time_hour + INTERVAL 1 HOUR WHERE month = 10",
            rebuild("airlines", carrier="RPAD(carrier, 4, ' ')"),
        ),
        (
            Act(
                "Ben closes the airlines: he believes that the job is repaired.",
                "resolve_mismatches",
                {
                    "pair_id": "airlines",
                    "resolved_by": "Ben",
                    "reason": "the job writes two letters again",
                    "confirm": True,
                },
            ),
        ),
    ),
    Night(
        2,
        "a late partition, a dropped column",
        "October has its hour back. The partition of 31 December has not arrived. "
        "Somebody took seats out of the planes' job.",
        (
            "UPDATE migrated.flights SET time_hour = time_hour - INTERVAL 1 HOUR WHERE month = 10",
            f"DELETE FROM migrated.flights WHERE {LATE_DAY}",
            rebuild("planes", without=("seats",)),
        ),
        (
            Act(
                "Cleo accepts that the planes have no seats, for a month.",
                "accept_mismatches",
                {
                    "pair_id": "planes",
                    "diff_type": "schema_mismatch",
                    "resolved_by": "Cleo",
                    "reason": "nobody reads seats before the next release",
                },
                days=30,
            ),
        ),
    ),
    Night(
        1,
        "a double load, a table gone",
        "31 December arrived, and was loaded twice. The airlines' codes are two letters again. "
        "The planes' job dropped its table to bring seats back, and failed before it made it anew.",
        (
            LOAD_LATE_DAY,
            LOAD_LATE_DAY,
            rebuild("airlines"),
            "DROP TABLE migrated.planes",
        ),
    ),
    Night(
        0,
        "repairs, one of them half done",
        "The planes are back, seats included. The clean-up of 31 December goes carrier by carrier "
        "and stopped before US.",
        (
            rebuild("planes"),
            f"DELETE FROM migrated.flights WHERE {CLEANED_UP}",
            f"INSERT INTO migrated.flights BY NAME {select('flights')} WHERE {CLEANED_UP}",
        ),
    ),
)
