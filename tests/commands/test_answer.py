"""`loopback answer` and `loopback asks`, on asks that agents opened."""

import json
import signal
import socket
import uuid
from typing import Any

import pytest

from app.commands.passing import LABEL
from tests.commands.shell import data_of, ended, get, running, soon
from tests.support.agents import agent
from tests.support.server import Server

ARGUMENTS: dict[str, dict[str, Any]] = {
    "ask_question": {"question": "Ship\x1b it?", "options": [{"label": "yes"}, {"label": "no", "description": "not yet"}]},
    "request_review": {
        "title": "A plan",
        "summary": "what is new",
        "content": [{"type": "markdown", "text": "# Plan"}, {"type": "diff", "diff": "-old\n+new", "filename": "a.txt"}],
    },
    "send_briefing": {
        "title": "Findings",
        "sections": [{"title": "Slow", "points": [{"title": "The query", "detail": "It scans."}, {"title": "The page"}]}],
    },
}


async def opened(server: Server, tool: str) -> str:
    """The id of an ask that an agent has opened and no longer waits for."""
    project = uuid.uuid4().hex
    async with agent(server.url, server.token, headers={"Loopback-Max-Wait": "1"}) as client:
        result = await client.call_tool(tool, {**ARGUMENTS[tool], "project": project})
    assert result.structured_content is not None
    return str(result.structured_content["askId"])


def read(server: Server, ask_id: str) -> dict[str, Any]:
    return get(server, f"/asks/{ask_id}")


def left_open(server: Server) -> list[dict[str, Any]]:
    """The tokens for one reply that were not revoked."""
    return [each for each in data_of(server, "token", "list")["tokens"] if each["label"] == LABEL]


async def test_a_reply_on_the_servers_own_machine_needs_no_token_and_leaves_none(server: Server) -> None:
    ask_id = await opened(server, "ask_question")
    before = len(data_of(server, "token", "list", "--all")["tokens"])
    done = server.loopback("answer", ask_id, "--choose", "yes")
    assert (done.returncode, done.stdout) == (0, "Replied: answered. The ask is closed.\n"), done.stderr
    assert read(server, ask_id)["thread"][0]["reply"] == {"outcome": "answered", "selected": ["yes"]}
    assert len(data_of(server, "token", "list", "--all")["tokens"]) == before + 1
    assert left_open(server) == []


async def test_every_kind_of_ask_takes_its_replies(server: Server) -> None:
    review, other, briefing = [await opened(server, tool) for tool in ("request_review", "request_review", "send_briefing")]
    approved = data_of(server, "answer", review, "--approve", "--note", "well done")
    assert (approved["status"], approved["thread"][0]["reply"]["note"]) == ("closed", "well done")
    changes = data_of(server, "answer", other, "--request-changes", "shorter")
    assert changes["thread"][0]["reply"] == {"outcome": "changes_requested", "feedback": "shorter"}
    responded = server.loopback("answer", briefing, "--point", "1", "Why?", "--resolve", "2")
    assert responded.stdout == "Replied: responded. The ask is the agent's move.\n"
    assert read(server, briefing)["thread"][0]["reply"]["points"] == [
        {"point": "1", "text": "Why?"},
        {"point": "2", "resolved": True},
    ]


async def test_a_reply_that_is_refused_says_why_and_leaves_no_token(server: Server) -> None:
    ask_id = await opened(server, "ask_question")
    for id, options, said in (
        (ask_id, ("--choose", "maybe"), '"maybe" is not offered'),
        (ask_id, ("--approve",), "approved does not fit a question"),
        ("nope", ("--dismiss",), "there is no ask 'nope'"),
        ("../whoami", ("--dismiss",), "there is no"),
    ):
        refused = server.loopback("answer", id, *options)
        assert (refused.returncode, refused.stdout) == (1, ""), refused.stderr
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr
    assert left_open(server) == []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_reply_that_is_interrupted_leaves_no_token(server: Server, sent: signal.Signals) -> None:
    """The server that is asked never answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = json.loads((server.data_dir / "server.json").read_text())
        mute = {**where, "url": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        (server.data_dir / "server.json").write_text(json.dumps(mute))
        try:
            with running(server, "answer", "some", "--dismiss") as answering:
                silent.settimeout(30)
                caller, _ = silent.accept()
                with caller:
                    answering.send_signal(sent)
                    code, _, err = ended(answering)
        finally:
            (server.data_dir / "server.json").write_text(json.dumps(where))
    assert code == (1 if sent is signal.SIGINT else 143)
    assert "Traceback" not in err
    assert left_open(server) == []


async def test_elsewhere_a_reply_needs_a_token_that_may_reply(server: Server) -> None:
    ask_id = await opened(server, "ask_question")
    elsewhere = {"LOOPBACK_URL": server.url, "LOOPBACK_DATA_DIR": str(server.data_dir / "nothing")}
    replying = server.make_token("reply", "elsewhere")
    for token, code, said in (
        ("", 2, "LOOPBACK_TOKEN is not set"),
        (server.token, 1, "this credential may not reply"),
        (replying, 0, ""),
    ):
        with running(server, "answer", ask_id, "--choose", "yes", **elsewhere, LOOPBACK_TOKEN=token) as answering:
            ended_with, _, err = ended(answering)
        assert ended_with == code, err
        assert said in err
    assert read(server, ask_id)["status"] == "closed"
    assert not (server.data_dir / "nothing").exists()


async def test_asks_are_listed_by_where_they_stand_and_by_project(server: Server) -> None:
    open_one, closed_one = await opened(server, "ask_question"), await opened(server, "ask_question")
    server.loopback("answer", closed_one, "--dismiss")
    project = read(server, open_one)["project"]

    def ids(*options: str) -> list[str]:
        return [ask["id"] for ask in data_of(server, "asks", *options)["asks"]]

    assert open_one in ids()
    assert closed_one not in ids()
    assert ids("--project", project) == [open_one]
    assert ids("--project", project, "--status", "awaiting_agent") == []
    assert ids("--status", "closed", "--limit", "1") == [closed_one]


async def test_an_ask_is_shown_whole_with_nothing_that_moves_the_cursor(server: Server) -> None:
    question, briefing, review = [await opened(server, tool) for tool in ("ask_question", "send_briefing", "request_review")]
    server.loopback("answer", question, "--ask-back", "When?")
    shown = {id: server.loopback("asks", id).stdout for id in (question, briefing, review)}
    for line in ("Ship\\x1b it?", "  - no: not yet", "  Asked back: When?"):
        assert line in shown[question]
    for line in ("Slow", "1. The query", "   It scans.", "2. The page"):
        assert line in shown[briefing]
    for line in ("# Plan", "a.txt:", "  -old", "  what is new"):
        assert line in shown[review]
    assert "\x1b" not in "".join(shown.values()) + server.loopback("asks").stdout


def test_what_answers_and_is_no_loopback_is_said_to_be_none(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}"
        with running(server, "asks", LOOPBACK_URL=url, LOOPBACK_TOKEN="lb_x") as asking:
            other.settimeout(30)
            caller, _ = other.accept()
            with caller:
                soon(lambda: b"\r\n\r\n" in caller.recv(65536), what="the request")
                caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
                code, _, err = ended(asking)
    assert code == 1
    assert "not a Loopback server" in err
