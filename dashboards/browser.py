"""The browser this machine has, driven by Playwright: for the screenshots and the tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class NoBrowser(Exception):
    """No Chromium or Chrome is on the machine; the message says how to get one."""


def find() -> str:
    """Return the path of Chromium or Chrome; NoBrowser without one."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise NoBrowser(
        f"No browser is on the PATH ({', '.join(NAMES)}). Debian: sudo apt-get install chromium"
    )


@contextmanager
def launched() -> Iterator[Browser]:
    """Yield the browser without a window; NoBrowser where there is none."""
    path = find()
    # Chromium refuses to sandbox itself for root, as in a container.
    arguments = ["--no-sandbox"] if os.getuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()
