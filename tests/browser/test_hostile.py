"""What an agent sends may be anything: nothing of it runs, nothing is fetched, nothing hides."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from mcp_types import Implementation
from playwright.async_api import Page, expect

from tests.support.agents import agent
from tests.support.inbox import Inbox, hold

pytestmark = pytest.mark.browser


@dataclass
class Canary:
    """A server that nothing may call."""

    url: str
    calls: int = 0


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    canary = Canary("")

    async def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        canary.calls += 1
        writer.close()

    server = await asyncio.start_server(called, "127.0.0.1", 0)
    canary.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield canary
    server.close()
    await server.wait_closed()


RUNS = "window.ran=true"
MARKDOWN = [
    f"<script>{RUNS}</script>",
    f"<img src=x onerror='{RUNS}'>",
    f'<svg onload="{RUNS}"><script>{RUNS}</script></svg>',
    f'<details open ontoggle="{RUNS}"><summary onclick="{RUNS}">more</summary>in it</details>',
    f"[press](javascript:{RUNS})",
    f"[press](JaVaScRiPt:{RUNS})",
    f"[press](java\tscript:{RUNS})",
    f"[press](&#106;avascript:{RUNS})",
    f"[press](&#x6A;avascript&colon;{RUNS})",
    f"[press](\x01javascript:{RUNS})",
    f"[press](vbscript:{RUNS})",
    f"[press](data:text/html,<script>{RUNS}</script>)",
    f"[press]( javascript:{RUNS} 'title')",
    f"[press][r]\n\n[r]: javascript:{RUNS}",
    f"<javascript:{RUNS}>",
    f"![press](javascript:{RUNS})",
    f'[a](https://example.com "onmouseover={RUNS}")',
    f'[a](https://example.com/"onmouseover="{RUNS})',
    f'<a href="javascript:{RUNS}">press</a>',
    f"<iframe srcdoc='<script>parent.{RUNS}</script>'></iframe>",
    "<base href='CANARY/'><link rel=stylesheet href='CANARY/a.css'><link rel=prefetch href='CANARY/b'>",
    "<meta http-equiv=refresh content='0;url=CANARY/'>",
    "<style>@import 'CANARY/c.css'; body { background: url(CANARY/d) }</style>",
    "<form action=CANARY><button formaction=CANARY autofocus>press</button></form>",
    "<video src=CANARY/e poster=CANARY/f></video><audio src=CANARY/g></audio><object data=CANARY/h></object><embed src=CANARY/i>",
    "![tracked](CANARY/j.png) ![t][k]\n\n[k]: CANARY/k.png",
    "<img src=CANARY/l.png srcset='CANARY/m.png 2x'> <picture><source srcset=CANARY/n></picture>",
    "<p style='background:url(CANARY/o)'>styled</p>",
    "| a |\n|---|\n| <img src=CANARY/p onerror='window.ran=true'> |",
    "```html\n<script>window.ran=true</script><img src=CANARY/q>\n```",
    "[![a](CANARY/r)](CANARY/s)",
    "https://example.com@127.0.0.1/ and [https://your-bank.example](https://evil.example/)",
    "<div id=app></div><a name=location>x</a><img name=body>",
    '<kbd onclick="window.ran=true">k</kbd><br onclick="window.ran=true"><sub style="position:fixed">s</sub>',
]
BIDI = "access = 'user\u202e \u2066# admin only\u2069 \u2066'"

LOOK = """() => ({
    ran: window.ran === true,
    elements: [...document.querySelectorAll(
        'script:not([src*="/assets/"]), iframe, object, embed, form, style, base, video, audio, meta[http-equiv], svg script, [style]'
    )].map((each) => each.outerHTML),
    handlers: [...document.querySelectorAll('*')].flatMap((each) => [...each.attributes].map((a) => a.name)).filter((n) => n.startsWith('on')),
    pictures: [...document.images].map((image) => image.src).filter((src) => !src.startsWith(location.origin + '/api/v1/files/')),
    links: [...document.querySelectorAll('a[href]')].filter((a) => !['http:', 'https:', 'mailto:'].includes(a.protocol)).map((a) => a.href),
    opened: [...document.querySelectorAll('.md a[href^="http"]')].filter((a) => a.target !== '_blank' || !a.rel.includes('noopener')).length,
})"""
HARMLESS: dict[str, Any] = {"ran": False, "elements": [], "handlers": [], "pictures": [], "links": [], "opened": 0}


async def read_through(page: Page) -> None:
    """Scroll to the end of the ask, so that everything in it has been drawn."""
    body = page.locator(".ask-body")
    for _ in range(30):
        at_end = await body.evaluate(
            "e => { const s = e.scrollHeight > e.clientHeight ? e : document.scrollingElement; const was = s.scrollTop;"
            " s.scrollBy(0, innerHeight); return new Promise(r => requestAnimationFrame(() => r(s.scrollTop === was))) }"
        )
        if at_end:
            return


async def each_is_harmless(page: Page, canary: Canary) -> None:
    await read_through(page)
    assert await page.evaluate(LOOK) == HARMLESS
    assert canary.calls == 0


def texts(canary: Canary) -> list[str]:
    return [text.replace("CANARY", canary.url) for text in MARKDOWN]


async def test_hostile_markdown_is_shown_and_does_nothing(inbox: Inbox, canary: Canary, project: str):
    blocks = [{"type": "markdown", "text": text} for text in texts(canary)]
    async with inbox.agent() as caller, inbox.person(f"/?project={project}") as someone:
        page = someone.page
        hold(
            caller, "request_review", {"title": "The list", "content": blocks, "summary": blocks[1]["text"], "project": project}
        )
        await page.get_by_role("link", name="The list").click()
        await expect(page.locator(".ask-body > .md")).to_have_count(len(blocks))
        await each_is_harmless(page, canary)
        for press in await page.get_by_text("press", exact=True).all():
            if await press.is_visible():
                await press.click()
        await each_is_harmless(page, canary)
        await expect(page.get_by_text("Image not loaded").first).to_be_visible()
        await expect(page.locator(".md-host", has_text="evil.example")).to_be_visible()


async def test_every_other_text_of_an_agent_is_only_text(inbox: Inbox, canary: Canary, project: str):
    bad = f"<img src={canary.url} onerror=window.ran=true><script>ran=1</script>"
    client = Implementation(name=f"{bad} client", version=bad)
    everywhere: dict[str, Any] = {
        "question": {"question": bad, "context": bad, "options": [{"label": bad, "description": bad}, {"label": "b"}]},
        "review": {
            "title": bad,
            "content": [
                {"type": "code", "code": bad, "filename": bad, "language": bad},
                {"type": "diff", "diff": f"--- a/{bad}\n+++ b/{bad}\n@@ -1 +1 @@\n-{bad}\n+{bad}\n", "filename": bad},
                {"type": "diff", "diff": bad},
            ],
        },
        "briefing": {
            "title": bad,
            "sections": [{"title": bad, "points": [{"title": bad, "detail": bad, "content": [{"type": "code", "code": bad}]}]}],
        },
    }
    tools = {"question": "ask_question", "review": "request_review", "briefing": "send_briefing"}
    async with (
        agent(inbox.url, inbox.house.token, client_info=client) as caller,
        inbox.person(f"/?project={project}") as someone,
    ):
        page = someone.page
        for kind, arguments in everywhere.items():
            hold(caller, tools[kind], {**arguments, "project": project})
        await expect(page.locator(".row")).to_have_count(3)
        for place in range(3):
            await page.locator(".row").nth(place).click()
            await page.locator(".ask-foot").wait_for()
            if await page.get_by_role("button", name="Open all").is_visible():
                await page.get_by_role("button", name="Open all").click()
            await each_is_harmless(page, canary)
            await expect(page.locator(".ask-meta")).to_contain_text("<script>ran=1</script>")


async def test_characters_that_turn_text_around_are_named_where_they_stand(inbox: Inbox, project: str):
    content = [
        {"type": "code", "code": BIDI, "language": "python", "filename": "safe\u202egnp.py"},
        {"type": "diff", "diff": f"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+{BIDI}\n"},
        {"type": "markdown", "text": f"Run `{BIDI}`."},
    ]
    async with inbox.agent() as caller, inbox.person(f"/?project={project}") as someone:
        page = someone.page
        hold(caller, "request_review", {"title": "A pay\u200bment \u202efdp.exe", "content": content, "project": project})
        row = page.locator(".row")
        await expect(row.locator(".hidden-character")).to_have_text(["U+200B", "U+202E"])
        await row.click()
        await expect(page.locator("h1 .hidden-character")).to_have_text(["U+200B", "U+202E"])
        await expect(page.locator("figure.code figcaption .hidden-character").first).to_have_text("U+202E")
        for place in (
            page.get_by_role("group", name="safe"),
            page.get_by_role("group", name="a.py", exact=True),
            page.locator(".md"),
        ):
            await place.scroll_into_view_if_needed()
            await expect(place.locator(".hidden-character").first).to_have_text("U+202E")


async def test_a_text_made_to_freeze_the_page_leaves_it_alive(inbox: Inbox, project: str):
    bombs = [
        "**a" * 40_000,
        ">" * 60_000,
        "[" * 60_000,
        "|a" * 20_000 + "\n" + "|-" * 20_000,
        "`" * 50_000 + "a",
        "<details>" * 10_000,
    ]
    async with inbox.agent() as caller, inbox.person(f"/?project={project}") as someone:
        page = someone.page
        for number, bomb in enumerate(bombs):
            content = [{"type": "markdown", "text": bomb}]
            hold(caller, "request_review", {"title": f"Number {number}", "content": content, "project": project})
        await expect(page.locator(".row")).to_have_count(len(bombs))
        for number in range(len(bombs)):
            await page.get_by_role("link", name=f"Number {number}").click()
            await expect(page.locator("h1")).to_have_text(f"Number {number}", timeout=15_000)
            await page.locator(".ask-foot").wait_for()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(page.evaluate("new Promise(requestAnimationFrame)"), 15)
        await page.get_by_label("Your reply").fill("Still here")
        await page.get_by_role("button", name="Approve").click()
        await expect(page.get_by_text("Approved: Number")).to_be_visible()
