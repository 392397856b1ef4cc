"""How long a call may wait, by its client."""

import pytest

from app.mcp.caps import longest_wait


@pytest.mark.parametrize(
    ("client", "seconds"),
    [
        ("claude-code 2.1.0", None),
        ("Claude-Code 3", None),
        ("codex-mcp-client 0.171.0", 240),
        ("gemini-cli-mcp-client 0.61.0", 540),
        ("gemini-cli-mcp-client-loopback 0.61.0", 540),
        ("Visual Studio Code 1.120", 240),
        ("claude-ai 1", 50),
        ("something else", 50),
        (None, 50),
    ],
)
def test_a_client_is_answered_before_its_own_limit(client: str | None, seconds: float | None):
    assert longest_wait(client, None) == seconds


@pytest.mark.parametrize(("said", "seconds"), [("3600", 3600), ("0.2", 1), ("0", 1), ("-5", 1), ("90.5", 90.5)])
@pytest.mark.parametrize("client", ["claude-code 2", "codex-mcp-client 1", None])
def test_what_the_clients_configuration_says_comes_first(client: str | None, said: str, seconds: float):
    assert longest_wait(client, said) == seconds


@pytest.mark.parametrize("said", ["", "soon", "nan", "inf", "1h"])
def test_a_limit_that_is_no_number_is_none(said: str):
    assert longest_wait("codex-mcp-client 1", said) == 240
