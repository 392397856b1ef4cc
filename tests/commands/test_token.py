"""`loopback token`, beside a running server."""

import httpx2

from tests.commands.shell import data_of
from tests.support.server import Server


def whoami(server: Server, token: str) -> int:
    return httpx2.get(f"{server.url}/api/v1/whoami", headers={"Authorization": f"Bearer {token}"}).status_code


def described(server: Server, id: str, *options: str) -> dict[str, str] | None:
    return next((each for each in data_of(server, "token", "list", *options)["tokens"] if each["id"] == id), None)


def test_a_token_stands_alone_and_works(server: Server) -> None:
    made = server.loopback("token", "create", "--label", "mine")
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.count("\n") == 1
    assert whoami(server, made.stdout.strip()) == 200


def test_a_token_may_ask_unless_it_is_said_otherwise(server: Server) -> None:
    for can in ("ask", "reply", "both"):
        made = data_of(server, "token", "create", "--label", can, *(() if can == "ask" else ("--can", can)))
        assert (made["can"], made["space"], made["actor"]) == (can, "local", "local")
        listed = described(server, made["id"])
        assert listed is not None
        assert (listed["label"], listed["can"]) == (can, can)


def test_the_list_never_shows_what_opens_anything(server: Server) -> None:
    made = data_of(server, "token", "create", "--label", "hidden")
    for options in ((), ("--json",), ("--all", "--json")):
        shown = server.loopback("token", "list", *options).stdout
        assert made["id"] in shown
        assert made["token"] not in shown
        assert "lb_" not in shown


def test_a_revoked_token_opens_nothing_and_is_listed_only_when_asked_for(server: Server) -> None:
    made = data_of(server, "token", "create", "--label", "short-lived")
    assert whoami(server, made["token"]) == 200
    revoked = server.loopback("token", "revoke", made["id"])
    assert revoked.stdout == "Revoked: short-lived\n"
    assert whoami(server, made["token"]) == 401
    assert described(server, made["id"]) is None
    listed = described(server, made["id"], "--all")
    assert listed is not None
    assert "revokedAt" in listed


def test_what_cannot_be_revoked_is_named_with_the_way_to_find_what_can(server: Server) -> None:
    refused = server.loopback("token", "revoke", "nope")
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: there is no token 'nope'")
    assert "loopback token list" in refused.stderr


def test_an_actor_that_is_not_there_is_refused(server: Server) -> None:
    refused = server.loopback("token", "create", "--label", "x", "--actor", "nobody")
    assert refused.returncode == 1
    assert "'nobody'" in refused.stderr


def test_a_label_that_says_nothing_is_wrong_use(server: Server) -> None:
    for label in (" ", "bell \a", "long " * 30):
        refused = server.loopback("token", "create", "--label", label)
        assert refused.returncode == 2
        assert "--label" in refused.stderr
