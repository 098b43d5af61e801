"""What a widget takes from outside itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Given:
    """The time at which the page is made (UTC), the dates to show, and the palette of the theme.

    `window` is (first, last) as ISO dates; None: those that the dashboard file opens with.
    """

    now: datetime
    window: tuple[str, str] | None = None
    palette: tuple[str, ...] = ()
