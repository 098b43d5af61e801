"""`python -m dashboards.screenshots`: the pictures of the README, from what the demo left."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dashboards import browser, render

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Picture to the page it shows and the height of the window, in pixels.
PICTURES = {
    "dashboard_parity.png": ("executive", 620),
    "dashboard_debugging.png": ("debugging", 1490),
}
FOLDER = render.PROJECT / "docs" / "images"
WIDTH = 1280


def take(on: Browser, address: str, page: str, height: int, name: str) -> None:
    """Write the picture of one page in the light theme."""
    context = on.new_context(
        viewport={"width": WIDTH, "height": height}, color_scheme="light", reduced_motion="reduce"
    )
    shown = context.new_page()
    shown.goto(f"{address}#page={page}")
    shown.wait_for_selector("body[data-drawn]")
    if page == "debugging":
        # The rows of one cell: the second pair, whose values differ, in the newest night.
        shown.locator(".heat").first.focus()
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("Enter")
        shown.locator(".chips li").wait_for()
        shown.wait_for_function("document.body.dataset.drawn !== '1'")
    FOLDER.mkdir(parents=True, exist_ok=True)
    shown.screenshot(path=FOLDER / name)
    context.close()
    print(FOLDER / name)


def main() -> int:
    """Take both pictures; 1, with a sentence, without a browser or the demo's dashboard."""
    file = render.PROJECT / ".recon" / "demo" / "dashboard.html"
    if not file.is_file():
        print("The demo has left no dashboard: run `make demo` first.", file=sys.stderr)
        return 1
    try:
        with browser.launched() as chromium:
            for name, (page, height) in PICTURES.items():
                take(chromium, file.as_uri(), page, height, name)
    except browser.NoBrowser as missing:
        print(f"No picture was taken. {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
