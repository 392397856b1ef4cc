"""Every address the server makes."""

import pytest

from app.core.addresses import Addresses

LOCAL = Addresses("http://127.0.0.1:8787")
PREFIXED = Addresses("https://team.example/deep/inbox/")


def test_every_address_begins_with_the_public_url() -> None:
    assert LOCAL.inbox() == "http://127.0.0.1:8787/"
    assert LOCAL.inbox("a b") == "http://127.0.0.1:8787/asks/a%20b"
    assert LOCAL.mcp == "http://127.0.0.1:8787/mcp"
    assert PREFIXED.prefix == "/deep/inbox"
    assert PREFIXED.inbox("1") == "https://team.example/deep/inbox/asks/1"
    assert PREFIXED.upload("local", "SECRET") == "https://team.example/deep/inbox/api/v1/uploads/local/SECRET"
    assert PREFIXED.sign_in("CODE") == "https://team.example/deep/inbox/sign-in#CODE"
    assert PREFIXED.mcp == "https://team.example/deep/inbox/mcp"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8787", "localhost:1", "[::1]:8787", "TEAM.example", "team.example:443"]
)
def test_the_public_name_and_this_machine_are_ours(host: str) -> None:
    assert PREFIXED.is_ours(host)


@pytest.mark.parametrize("host", ["", "evil.example", "team.example.evil.example", "127.0.0.1.evil.example", "[::2]:1", "["])
def test_no_other_name_is_ours(host: str) -> None:
    assert not PREFIXED.is_ours(host)


def test_a_name_that_is_listened_on_is_ours() -> None:
    assert Addresses("http://127.0.0.1:1", frozenset({"192.0.2.7"})).is_ours("192.0.2.7:1")


def test_a_page_of_the_public_origin_or_of_the_called_host_is_ours() -> None:
    assert PREFIXED.is_same_origin("https://team.example", "127.0.0.1:8787")
    assert PREFIXED.is_same_origin("http://localhost:8787", "localhost:8787")
    assert not PREFIXED.is_same_origin("http://localhost:9999", "localhost:8787")
    assert not PREFIXED.is_same_origin("http://evil.example", "evil.example")
    assert not PREFIXED.is_same_origin("null", "localhost:8787")


@pytest.mark.parametrize("url", ["", "team.example", "ftp://team.example", "https://", "https://a/?q", "https://a/#f"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="not a public address"):
        Addresses(url)
