"""`loopback ask`, with a person who answers by `loopback answer`."""

import json
import uuid
from pathlib import Path

import pytest

from app.commands.ask import project_of
from tests.commands.shell import asked, ended, get, running, soon
from tests.support.ports import free_port
from tests.support.postgres import ThrowawayPostgres
from tests.support.server import Server, serving


def new(words: str) -> str:
    """Words that nobody has asked before."""
    return f"{words} {uuid.uuid4().hex[:8]}?"


def answer(server: Server, ask_id: str, *options: str) -> None:
    done = server.loopback("answer", ask_id, *options)
    assert done.returncode == 0, done.stderr


def test_the_reply_is_printed_in_words(server: Server) -> None:
    question = new("Which")
    with running(
        server, "ask", question, "--option", "left", "--option", "right", "--multiple", "--project", "roads"
    ) as asking:
        ask = asked(server, question)
        assert ask["project"] == "roads"
        assert ask["client"].startswith("loopback ")
        assert [option["label"] for option in ask["prompt"]["options"]] == ["left", "right"]
        answer(server, ask["id"], "--choose", "left", "--choose", "right", "--text", "both \x1b[31mways")
        assert ended(asking) == (0, "left\nright\nboth \\x1b[31mways\n", "Waiting for the reply.\n")


def test_the_reply_as_json_is_the_tools_result(server: Server) -> None:
    question = new("What")
    with running(server, "ask", question, "--json", "--context", "background") as asking:
        ask = asked(server, question)
        assert ask["prompt"]["context"] == "background"
        answer(server, ask["id"], "--text", "that")
        code, out, _ = ended(asking)
    result = json.loads(out)
    assert code == 0
    assert result["askId"] == ask["id"]
    assert result["reply"] == {"outcome": "answered", "selected": [], "text": "that"}


def test_a_question_may_come_from_standard_input(server: Server) -> None:
    question = new("From a pipe")
    done = server.loopback("ask", "-", "--max-wait", "1s", input=f"{question}\n")
    assert done.returncode == 3
    assert any(ask["prompt"]["question"] == question for ask in get(server, "/snapshot")["open"])


def test_dismissed_is_three_and_prints_no_reply(server: Server) -> None:
    question = new("Bother you")
    with running(server, "ask", question) as asking:
        answer(server, asked(server, question)["id"], "--dismiss")
        code, out, err = ended(asking)
    assert (code, out) == (3, "")
    assert "dismissed" in err


def test_the_longest_wait_is_three_and_the_same_command_goes_on_with_the_same_ask(server: Server) -> None:
    question = new("Later")
    over = server.loopback("ask", question, "--max-wait", "1s", "--json")
    assert over.returncode == 3
    result = json.loads(over.stdout)
    assert result["waiting"] is True
    with running(server, "ask", question) as asking:
        answer(server, result["askId"], "--text", "now")
        assert ended(asking)[:2] == (0, "now\n")


def test_a_reply_that_was_there_before_is_said_to_be(server: Server) -> None:
    question = new("Before")
    left = json.loads(server.loopback("ask", question, "--max-wait", "1s", "--json").stdout)
    answer(server, left["askId"], "--text", "old")
    again = server.loopback("ask", question)
    assert (again.returncode, again.stdout) == (0, "old\n")
    assert "given before, at 2" in again.stderr


def test_what_is_asked_back_is_answered_on_the_same_ask(server: Server) -> None:
    question = new("Go")
    with running(server, "ask", question) as asking:
        ask = asked(server, question)
        answer(server, ask["id"], "--ask-back", "Where to?")
        code, out, err = ended(asking)
    assert (code, out) == (0, "Asked back: Where to?\n")
    assert f"loopback ask --follow-up {ask['id']}" in err
    with running(server, "ask", "--follow-up", ask["id"], "North") as asking:
        again = asked(server, question)
        assert again["id"] == ask["id"]
        answer(server, ask["id"], "--text", "go")
        assert ended(asking)[:2] == (0, "go\n")


def test_a_token_that_may_not_ask_is_one_and_the_message_says_what_to_make(server: Server) -> None:
    server.environment["LOOPBACK_TOKEN"] = server.make_token("reply")
    try:
        refused = server.loopback("ask", new("May I"))
    finally:
        del server.environment["LOOPBACK_TOKEN"]
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "Error: this credential may not ask: make a token with `loopback token create --label NAME --can ask`\n"
    )


def test_a_token_that_is_none_is_one(server: Server) -> None:
    with running(server, "ask", new("Who am I"), LOOPBACK_TOKEN="lb_none") as asking:
        code, out, err = ended(asking)
    assert (code, out) == (1, "")
    assert "loopback token create" in err


def test_what_the_contract_does_not_allow_is_wrong_use(server: Server) -> None:
    refused = server.loopback("ask", "", "--option", "only one")
    assert refused.returncode == 2
    assert "question: " in refused.stderr or "options: " in refused.stderr


def test_a_server_that_is_not_there_is_four(tmp_path: Path, server: Server) -> None:
    with running(server, "ask", "Anybody?", LOOPBACK_URL=f"http://127.0.0.1:{free_port()}", LOOPBACK_TOKEN="lb_x") as asking:
        code, _, err = ended(asking)
    assert code == 4
    assert "LOOPBACK_URL" in err
    with running(server, "ask", "Anybody?", "--data-dir", str(tmp_path)) as asking:
        code, _, err = ended(asking)
    assert code == 4
    assert "loopback serve" in err


def test_asking_waits_through_a_server_that_is_killed_and_one_that_is_stopped(
    postgres: ThrowawayPostgres, own_folder: Path
) -> None:
    port, question = free_port(), new("Still there")
    with (
        postgres.database() as url,
        serving(own_folder, port=port, LOOPBACK_DATABASE_URL=url) as first,
        running(first, "ask", question) as asking,
    ):
        ask = asked(first, question)
        first.kill()
        with serving(own_folder, port=port, LOOPBACK_DATABASE_URL=url) as second:
            assert asked(second, question)["id"] == ask["id"]
            assert second.stop() == 0
        with serving(own_folder, port=port, LOOPBACK_DATABASE_URL=url) as third:
            assert asked(third, question)["id"] == ask["id"]
            answer(third, ask["id"], "--text", "still")
            code, out, err = ended(asking)
    assert (code, out) == (0, "still\n")
    assert "the ask stays open" in err


def test_a_wait_that_is_interrupted_leaves_the_ask_open(server: Server) -> None:
    question = new("Never mind")
    with running(server, "ask", question) as asking:
        ask = asked(server, question)
        asking.send_signal(2)
        code, out, err = ended(asking)
    assert (code, out) == (1, "")
    assert "stays open" in err
    assert "Traceback" not in err

    def left() -> bool:
        ask_now = get(server, f"/asks/{ask['id']}")
        return ask_now["status"] == "awaiting_human" and not ask_now["waiting"]

    soon(left, what="the end of waiting")


@pytest.mark.parametrize("mark", [".git/", ".git"])
def test_the_project_is_the_repositorys_folder(tmp_path: Path, mark: str) -> None:
    inner = tmp_path / "shop" / "src" / "cart"
    inner.mkdir(parents=True)
    assert project_of(inner) == "cart"
    git = tmp_path / "shop" / mark
    git.mkdir() if mark.endswith("/") else git.write_text("gitdir: elsewhere\n")
    assert project_of(inner) == "shop"


def test_a_folder_without_a_name_is_a_project_too() -> None:
    assert project_of(Path("/")) == "/"
