"""What models and clients get wrong: read all the same where it can be, else named, every field at once, in both eras."""

import asyncio
import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from contract.limits import INPUT_BYTES
from tests.support.agents import ERAS, agent, error_of, values_of
from tests.support.calls import ANSWERED, opening, question
from tests.support.house import House, Person, unique
from tests.support.raw import LEGACY, MODERN, held, message, post, result_in
from tests.support.waiting import soon

every_era = pytest.mark.parametrize("era", ERAS)
every_raw_era = pytest.mark.parametrize("era", [LEGACY, MODERN])

CAPPED = {"Loopback-Max-Wait": "1"}


async def refused(house: House, era: str, tool: str, arguments: dict[str, Any]) -> str:
    """What the tool says to a call that it refuses."""
    async with agent(house.url, house.token, era=era) as client:
        return error_of(await soon(client.call_tool(tool, arguments)))


@every_era
async def test_arrays_and_objects_sent_as_strings_are_read(house: House, person: Person, era: str):
    title = unique("Findings")
    sections = [{"title": "One", "points": [{"title": "a", "content": [{"type": "markdown", "text": "x"}]}]}]
    sent = [
        json.dumps(sections),
        [json.dumps(sections[0])],
        [{"title": "One", "points": json.dumps(sections[0]["points"])}],
        [{"title": "One", "points": [{"title": "a", "content": json.dumps([{"type": "markdown", "text": "x"}])}]}],
    ]
    async with agent(house.url, house.token, era=era, headers=CAPPED) as client:
        given = [
            values_of(await soon(client.call_tool("send_briefing", {"title": title, "project": "p", "sections": each})))
            for each in sent
        ]
    assert len({each["askId"] for each in given}) == 1
    ask = await person.opened(title)
    (section,) = ask["prompt"]["sections"]
    assert section["points"] == [{"id": "1", "title": "a", "content": [{"type": "markdown", "text": "x"}]}]


@every_era
async def test_a_text_that_looks_like_json_stays_a_text(house: House, person: Person, era: str):
    words = json.dumps(["not", unique("an array")])
    async with agent(house.url, house.token, era=era, headers=CAPPED) as client:
        await soon(client.call_tool("ask_question", {"question": words, "project": "p", "context": '{"a": 1}'}))
    ask = await person.opened(words)
    assert ask["prompt"]["context"] == '{"a": 1}'


@every_era
async def test_unknown_arguments_are_ignored_and_null_is_absent(house: House, person: Person, era: str):
    arguments, words = question(
        options=[{"label": "A", "description": None, "shortcut": 1}, {"label": "B"}],
        context=None,
        wait_for_previous=True,
        extra={},
    )
    async with agent(house.url, house.token, era=era, headers=CAPPED) as client:
        values_of(await soon(client.call_tool("ask_question", arguments)))
    ask = await person.opened(words)
    assert ask["prompt"] == {"question": words, "options": [{"label": "A"}, {"label": "B"}], "multiple": False}
    assert "null" not in json.dumps(ask)


@every_era
@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("ask_question", {}, ["question: is required", "project: is required"]),
        ("ask_question", {"question": None, "project": None}, ["question", "project"]),
        ("ask_question", {"question": 5, "project": [], "options": "A or B"}, ["question", "project", "options"]),
        ("ask_question", {"question": " ", "project": "\t"}, ["question", "project"]),
        (
            "ask_question",
            {"question": "x", "project": "p", "options": [{"label": "A"}, {"label": "A"}, {"label": " "}]},
            ["options[1].label", "options[2].label"],
        ),
        ("ask_question", {"question": "x", "project": "p", "options": [{"label": "A"}]}, ["options", "at least 2"]),
        (
            "request_review",
            {"title": "t" * 201, "content": [{"type": "markdown"}, {"type": "poem", "text": "x"}, {"text": "x"}]},
            ["title", "content[0].text", "content[1]", "poem", "content[2]", "project"],
        ),
        ("request_review", {"title": "t", "content": [], "project": "p"}, ["content", "at least 1"]),
        (
            "send_briefing",
            {"title": "t", "project": "p", "sections": [{"points": [{"detail": "x"}, {"title": 1}]}, {}]},
            ["sections[0].points[0].title", "sections[0].points[1].title", "sections[1].points"],
        ),
        (
            "send_briefing",
            {"title": "t", "project": "p", "sections": [{"points": [{"title": "x"}] * 51}]},
            ["sections", "51", "50"],
        ),
        ("answer_follow_up", {"answer": 1}, ["askId", "answer"]),
        ("answer_briefing", {"askId": "x", "answers": [{"point": 1}, {}]}, ["answers[0].answer", "answers[1].point"]),
        ("request_upload", {"contentType": "image/heic"}, ["contentType", "image/png"]),
        ("wait_for_reply", {}, ["askId"]),
        ("wait_for_reply", {"askId": "nobody's"}, ["nobody's", "list_asks"]),
        ("list_asks", {"status": "open", "project": 1}, ["status", "project"]),
        ("get_inbox", {"askId": "nobody's"}, ["nobody's"]),
    ],
)
async def test_a_mistake_names_every_field_at_fault(
    house: House, era: str, tool: str, arguments: dict[str, Any], named: list[str]
):
    said = await refused(house, era, tool, arguments)
    for words in named:
        assert words in said, said
    assert "pydantic" not in said.lower()


@every_era
@pytest.mark.parametrize("filler", ["x", "é", "🪜", '"', "\n"], ids=["ascii", "two bytes", "four bytes", "quotes", "newlines"])
async def test_over_the_limit_a_call_says_how_large_it_was_and_to_split_it(house: House, person: Person, era: str, filler: str):
    arguments, words = question()
    size = len(json.dumps({**arguments, "context": ""}, ensure_ascii=False, separators=(",", ":")).encode())
    each = len(json.dumps(filler, ensure_ascii=False).encode()) - 2
    fits = (INPUT_BYTES - size) // each
    over = size + (fits + 1) * each
    said = await refused(house, era, "ask_question", {**arguments, "context": filler * (fits + 1)})
    assert f"{over:,} bytes" in said
    assert f"{INPUT_BYTES:,}" in said
    assert "split" in said
    async with agent(house.url, house.token, era=era, headers=CAPPED) as client:
        values_of(await soon(client.call_tool("ask_question", {**arguments, "context": filler * fits, "ignored": "x" * 1000})))
    assert (await person.opened(words))["prompt"]["context"] == filler * fits


@every_raw_era
@pytest.mark.parametrize(
    ("character", "said"), [("\\u0000", "U+0000"), ("\\ud83e", "lone surrogate"), ("\\udc00", "lone surrogate")]
)
async def test_a_character_that_cannot_be_kept_is_refused_with_the_name_of_every_field(
    house: House, era: str, character: str, said: str
):
    arguments = {
        "title": "A@B",
        "project": "p",
        "summary": "fine",
        "sections": [{"points": [{"title": "x", "detail": "@"}, {"title": "x@"}]}],
    }
    headers, body = message(era, "send_briefing", arguments)
    answer = await post(house.url, house.token, headers, json.dumps(body).replace("@", character))
    assert answer.status_code == 200
    result = result_in(answer.text)["result"]
    assert result["isError"] is True
    for field in ("title", "sections[0].points[0].detail", "sections[0].points[1].title"):
        assert f"{field}: " in result["content"][0]["text"]
    assert "summary" not in result["content"][0]["text"]
    assert said in result["content"][0]["text"]


@every_raw_era
async def test_half_a_character_in_an_array_sent_as_a_string_is_refused_with_the_fields_name(house: House, era: str):
    content = json.dumps([{"type": "markdown", "text": "@"}]).replace("@", "\\ud800")
    headers, body = message(era, "request_review", {"title": "x", "project": "p", "content": content})
    result = result_in((await post(house.url, house.token, headers, body)).text)["result"]
    assert result["isError"] is True
    assert "content[0].text: a lone surrogate" in result["content"][0]["text"]


@every_raw_era
@pytest.mark.parametrize("kind", ["\\ud800", "\\u0000", "x" * 10_000], ids=["half a character", "nothing", "long"])
async def test_a_kind_of_block_that_cannot_be_said_is_refused_and_no_crash(house: House, era: str, kind: str):
    content = json.dumps([{"type": "@"}]).replace("@", kind)
    headers, body = message(era, "request_review", {"title": "x", "project": "p", "content": content})
    result = result_in((await post(house.url, house.token, headers, body)).text)["result"]
    assert result["isError"] is True
    assert "content[0]" in result["content"][0]["text"]


@every_era
async def test_every_other_character_is_kept(house: House, person: Person, era: str):
    strange = "\u0001\u000b\u001f\u007f\u0085\u2028\u2029\ufeff\ufffe\uffff\U0010ffff\r\n\t\\\"'<>&\u202e🪜"
    words = unique(strange)
    async with agent(house.url, house.token, era=era) as client:
        call = asyncio.create_task(
            client.call_tool("ask_question", {"question": words, "project": strange, "context": strange})
        )
        ask = await person.opened(words)
        assert (ask["prompt"]["question"], ask["project"], ask["prompt"]["context"]) == (words, strange, strange)
        await person.reply(ask["id"], {"outcome": "answered", "selected": [], "text": strange})
        assert values_of(await soon(call))["reply"]["text"] == strange


@every_era
async def test_an_unknown_tool_is_an_error_of_the_protocol_that_names_it(house: House, era: str):
    async with agent(house.url, house.token, era=era) as client:
        with pytest.raises(MCPError, match="there is no tool 'ask_nicely'"):
            await soon(client.call_tool("ask_nicely", {}))


@every_era
async def test_images_that_are_not_stored_are_named_each(house: House, person: Person, era: str):
    image = {"type": "image", "uploadId": "nobody's"}
    async with agent(house.url, house.token, era=era) as client:
        ticket = values_of(await soon(client.call_tool("request_upload", {"contentType": "image/png"})))
        unused = {"type": "image", "uploadId": ticket["uploadId"]}
        said = error_of(
            await soon(client.call_tool("request_review", {"title": "x", "project": "p", "content": [image, unused]}))
        )
        assert "content[0].uploadId" in said
        assert "content[1].uploadId" in said
        assert ticket["uploadId"] in said
        assert "request_upload" in said
        points = [{"title": "a", "content": [image]}]
        said = error_of(
            await soon(client.call_tool("send_briefing", {"title": "x", "project": "p", "sections": [{"points": points}]}))
        )
        assert "sections[0].points[0].content[0].uploadId" in said


@every_era
async def test_only_a_review_whose_changes_were_requested_can_be_revised(house: House, person: Person, era: str):
    async with agent(house.url, house.token, era=era) as client:

        async def asked(tool: str, reply: dict[str, Any], **changes: Any) -> str:
            arguments, _, words = opening(tool, **changes)
            call = asyncio.create_task(client.call_tool(tool, arguments))
            ask = await person.opened(words)
            await person.reply(ask["id"], reply)
            await soon(call)
            return ask["id"]

        async def said_of(revises: str) -> str:
            arguments, _, _ = opening("request_review", revises=revises)
            return error_of(await soon(client.call_tool("request_review", arguments)))

        assert "is not an ask of this inbox" in await said_of("nobody's")
        assert "is a question" in await said_of(await asked("ask_question", {"outcome": "dismissed"}))
        assert "it was approved" in await said_of(await asked("request_review", {"outcome": "approved"}))
        assert "still open" in await said_of(await asked("request_review", {"outcome": "follow_up", "question": "Why?"}))
        changed = await asked("request_review", {"outcome": "changes_requested", "feedback": "Shorter."})
        second = await asked("request_review", {"outcome": "approved"}, revises=changed)
        assert (await person.ask(second))["revises"] == changed


@every_era
async def test_the_inbox_has_an_address_and_so_has_an_ask(house: House, person: Person, era: str):
    arguments, words = question()
    headers, body = message(MODERN, "ask_question", arguments)
    async with held(house.url, house.token, headers, body):
        ask = await person.opened(words)
    async with agent(house.url, house.token, era=era) as client:
        assert values_of(await soon(client.call_tool("get_inbox", {})))["url"].startswith(house.url)
        assert values_of(await soon(client.call_tool("get_inbox", {"askId": ask["id"]}))) == {
            "url": f"{house.url}/asks/{ask['id']}"
        }


@every_era
async def test_own_asks_are_listed_newest_first_by_project_and_status(house: House, person: Person, era: str):
    project = unique("project")
    made: list[str] = []
    async with agent(house.url, house.token, era=era, headers=CAPPED) as client:
        for number in range(3):
            arguments, _ = question(f"Number {number}?", project=project)
            made.append(values_of(await soon(client.call_tool("ask_question", arguments)))["askId"])
        await person.reply(made[0], ANSWERED)
        await person.reply(made[1], {"outcome": "follow_up", "question": "Why?"})
        listed = values_of(await soon(client.call_tool("list_asks", {"project": project})))["asks"]
        assert [ask["askId"] for ask in listed] == made[::-1]
        assert [ask["status"] for ask in listed] == ["awaiting_human", "awaiting_agent", "closed"]
        assert [ask.get("outcome") for ask in listed] == [None, "follow_up", "answered"]
        assert [ask["delivered"] for ask in listed] == [True, False, False]
        for status, ask_id in zip(("awaiting_human", "awaiting_agent", "closed"), made[::-1], strict=True):
            some = values_of(await soon(client.call_tool("list_asks", {"project": project, "status": status})))["asks"]
            assert [ask["askId"] for ask in some] == [ask_id]
        assert len(values_of(await soon(client.call_tool("list_asks", {})))["asks"]) <= 50
