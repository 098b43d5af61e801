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


def read_csv(path: Path, separator: str = ",") -> list[list[str]]:
    """The lines of a file as a spreadsheet reads it that separates by that sign."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=separator, strict=separator == ","))


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
    hit = "(canvas, [x, y]) => document.elementFromPoint(x, y) === canvas"
    assert canvas.evaluate(hit, point), "something lies above the cell"
    page.mouse.move(*point)
    assert text in page.locator("#vg-tooltip-element.visible").text_content()
    return tuple(point)


def pixels(
    page: Page, heat_map: str, point: tuple[float, float], size: tuple[float, float] = (1, 1)
) -> list[tuple[int, ...]]:
    """Red, green and blue of what is drawn right of and below a place of the window."""
    script = """(canvas, [x, y, width, height]) => {
        const box = canvas.getBoundingClientRect();
        const scale = canvas.width / box.width;
        const copy = new OffscreenCanvas(width, height).getContext("2d");
        copy.drawImage(canvas, -Math.round((x - box.left) * scale), -Math.round((y - box.top) * scale));
        return [...copy.getImageData(0, 0, width, height).data];
    }"""  # noqa: E501
    canvas = widget(page, heat_map).locator("canvas")
    parts = canvas.evaluate(script, [*point, *map(round, size)])
    return [tuple(parts[at : at + 3]) for at in range(0, len(parts), 4)]


def pixel(page: Page, heat_map: str, point: tuple[float, float]) -> str:
    """The colour #rrggbb that is drawn at a place of the window."""
    (parts,) = pixels(page, heat_map, point)
    return "#" + "".join(f"{part:02x}" for part in parts)


def color(element: Locator, of: str = "color") -> str:
    """A computed colour as #rrggbb."""
    shown = element.evaluate(f"element => getComputedStyle(element).{of}")
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", shown)[:3])
