"""What a widget takes from outside itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Given:
    """The palette of the file's theme, and the time at which the page is made, in UTC."""

    palette: tuple[str, ...]
    now: datetime
