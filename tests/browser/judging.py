"""What is wrong with how a page stands: what sticks out of it, and what axe finds."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

UNGUARDED: dict[str, Any] = {"bypass_csp": True}
"""How a window is opened in which axe may be loaded: the page's own policy would not have it."""

WIDTHS = (1280, 800, 390, 320)

OUTSIDE = """() => {
    const contained = (e) => e && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX) || contained(e.parentElement));
    const outside = [...document.body.querySelectorAll('*')].filter((e) => {
        const { left, right, width } = e.getBoundingClientRect();
        return width > 1 && (right > innerWidth + 1 || left < -1) && !contained(e.parentElement);
    });
    const wide = document.scrollingElement.scrollWidth;
    return [...(wide > innerWidth ? [`the page is ${wide} wide`] : []), ...outside.map((e) => e.outerHTML.slice(0, 200))];
}"""

FAULTS = """async (tags) => (await axe.run({ runOnly: tags })).violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`)
)"""


async def outside(page: Page) -> list[str]:
    """What sticks out sideways, at every width."""
    found: list[str] = []
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 800})
        found += [f"{width}: {each}" for each in await page.evaluate(OUTSIDE)]
    return found


async def faults(page: Page) -> list[str]:
    """What axe finds, in light and in dark, on a wide window and on a phone."""
    await page.add_script_tag(path=AXE)
    found: list[str] = []
    for width, scheme in ((1280, "light"), (1280, "dark"), (390, "dark")):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{width} {scheme}: {each}" for each in await page.evaluate(FAULTS, TAGS)]
    return found
