"""`loopback sign-in`, beside a running server."""

import httpx2

from tests.commands.shell import data_of
from tests.support.server import Server


def redeem(server: Server, link: str) -> int:
    """Press the button of the page that the link opens; the status."""
    address, _, code = link.partition("#")
    assert address == f"{server.url}/sign-in"
    pressed = httpx2.post(f"{server.url}/inbox/api/session", json={"code": code}, headers={"Origin": server.url})
    return pressed.status_code


def test_the_link_stands_alone_and_signs_a_browser_in_once(server: Server) -> None:
    printed = server.loopback("sign-in")
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout.count("\n") == 1
    assert redeem(server, printed.stdout.strip()) == 201
    assert redeem(server, printed.stdout.strip()) == 401


def test_a_fresh_link_ends_the_one_before_it(server: Server) -> None:
    first, second = data_of(server, "sign-in")["url"], data_of(server, "sign-in")["url"]
    assert redeem(server, first) == 401
    assert redeem(server, second) == 201
