"""The browser, and pages opened in it; a complaint or a request of a page fails its test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from dashboards import browser as machine
from tests.dashboard import small

# Set by `make test-dashboard` and by CI: there, a missing browser is a failure.
REQUIRED = "RECON_REQUIRE_BROWSER"
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        machine.find()
    except machine.NoBrowser as missing:
        if os.environ.get(REQUIRED) or os.environ.get("CI"):
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(str(missing))
    with machine.launched() as launched:
        yield launched


@pytest.fixture
def open_file(browser: Browser) -> Iterator[Open]:
    """Open a file: `open_file(path, address="#...", width=1280, theme="light")`, once drawn."""
    contexts, complaints = [], []

    def complain(kind: str, what: object) -> None:
        complaints.append(f"{kind}: {what}")

    def open_file(
        path: Path, address: str = "", width: int = 1280, theme: str = "light", zone: str = "UTC",
        touch: bool = False,
    ) -> Page:  # fmt: skip
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, timezone_id=zone,
            has_touch=touch, is_mobile=touch, offline=True, reduced_motion="reduce",
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        own = path.as_uri()
        page.on("console", lambda message: complain("console", message.text))
        page.on("pageerror", lambda error: complain("error", error))
        page.on("dialog", lambda dialog: (complain("dialog", dialog.message), dialog.dismiss()))
        page.on(
            "request",
            lambda r: None if r.url.startswith((own, "data:,")) else complain("request", r.url),
        )
        page.goto(own + address)
        page.wait_for_selector("body[data-drawn]")
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def open_small(open_file: Open, tmp_path: Path) -> Open:
    """Open the small dashboard over given rows; datasets left out have their default rows."""

    def open_small(
        rows: dict[str, list[dict]] | None = None, page_size: int = 25, **how: Any
    ) -> Page:
        given = small.default_rows() | (rows or {})
        path = small.write(tmp_path / "page.html", small.dashboard(page_size), **given)
        return open_file(path, **how)

    return open_small
