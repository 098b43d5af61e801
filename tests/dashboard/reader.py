"""What a person sees and does on the page."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page


def widget(page: Page, name: str, of: str = "debugging") -> Locator:
    return page.locator(f"#w-{of}-{name}")


def rows(page: Page, name: str, of: str = "debugging") -> list[list[str]]:
    """The texts of the rows that a table shows now."""
    script = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    return widget(page, name, of).locator("tbody tr").evaluate_all(script)


def counted(page: Page, name: str) -> str:
    """What a table says about its number of rows."""
    return widget(page, name).locator(".pager span").text_content()


def after_drawing(page: Page, act: Callable[[], object]) -> None:
    """Do something that draws the page again, and wait until it is drawn."""
    drawn = page.locator("body").get_attribute("data-drawn")
    act()
    page.wait_for_function("before => document.body.dataset.drawn !== before", arg=drawn)


def downloaded(page: Page, name: str) -> list[list[str]]:
    """The lines of the CSV file that a widget's button gives."""
    with page.expect_download() as waiting:
        widget(page, name).locator(".download").click()
    return read_csv(Path(waiting.value.path()))


def read_csv(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, strict=True))


def chips(page: Page) -> list[str]:
    return page.locator(".chips:visible li bdi").all_text_contents()


def cell_point(page: Page, heat_map: str, text: str) -> tuple[float, float]:
    """The place of the first cell of a heat map whose tooltip has the text; the mouse is there."""
    canvas = widget(page, heat_map).locator("canvas")
    canvas.scroll_into_view_if_needed()
    script = """(canvas, text) => {
        const box = canvas.getBoundingClientRect();
        for (let y = box.top + 3; y < box.bottom; y += 6) for (let x = box.left + 3; x < box.right; x += 6) {
            canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }));
            const tip = document.getElementById("vg-tooltip-element");
            if (tip?.classList.contains("visible") && tip.textContent.includes(text)) return [x, y];
        }
        return null;
    }"""  # noqa: E501
    point = canvas.evaluate(script, text)
    assert point is not None, f"no cell of {heat_map} says {text!r}"
    page.mouse.move(*point)
    assert text in page.locator("#vg-tooltip-element.visible").text_content()
    return tuple(point)


def pixel(page: Page, heat_map: str, point: tuple[float, float]) -> str:
    """The colour #rrggbb that is drawn at a place of the window."""
    script = """(canvas, [x, y]) => {
        const box = canvas.getBoundingClientRect();
        const scale = canvas.width / box.width;
        const copy = new OffscreenCanvas(1, 1).getContext("2d");
        copy.drawImage(canvas, -Math.round((x - box.left) * scale), -Math.round((y - box.top) * scale));
        return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }"""  # noqa: E501
    parts = widget(page, heat_map).locator("canvas").evaluate(script, list(point))
    return "#" + "".join(f"{part:02x}" for part in parts)


def color(element: Locator, of: str = "color") -> str:
    """A computed colour as #rrggbb."""
    shown = element.evaluate(f"element => getComputedStyle(element).{of}")
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", shown)[:3])
