"""What a widget takes from outside itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Given:
    """The date that relative dates count from, the dates to show, the palette of the theme.

    `window` is (first, last) as ISO dates; None: those that the dashboard file opens with.
    """

    today: date
    window: tuple[str, str] | None = None
    palette: tuple[str, ...] = ()
