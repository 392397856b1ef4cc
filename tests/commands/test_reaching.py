"""Which server the commands talk to."""

import os
from pathlib import Path

import click
import pytest

from app.commands.failures import NotReached
from app.commands.reaching import Target, asking_token, find_server
from app.commands.running import Running, announce
from app.settings import Settings

NEAR = "http://127.0.0.1:20001"
PUBLIC = "https://inbox.example.com/team"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in list(os.environ):
        if name.startswith("LOOPBACK_"):
            monkeypatch.delenv(name)
    return Settings(data_dir=tmp_path)


@pytest.fixture
def running(settings: Settings) -> Settings:
    announce(settings.data_dir, Running(NEAR, PUBLIC, os.getpid()))
    return settings


def with_url(settings: Settings, url: str) -> Settings:
    return settings.model_copy(update={"url": url})


def test_without_an_address_it_is_the_server_of_the_data_folder(running: Settings) -> None:
    assert find_server(running) == Target(NEAR, is_ours=True)


def test_without_an_address_and_a_server_it_says_how_to_get_one(settings: Settings) -> None:
    with pytest.raises(NotReached, match=r"loopback serve.*LOOPBACK_URL"):
        find_server(settings)


def test_an_address_leads_elsewhere_whatever_runs_here(running: Settings) -> None:
    assert find_server(with_url(running, "http://127.0.0.1:20002")) == Target("http://127.0.0.1:20002", is_ours=False)
    assert find_server(with_url(running, "https://other.example.com/")) == Target("https://other.example.com", is_ours=False)


@pytest.mark.parametrize("url", [NEAR, f"{NEAR}/", f"{NEAR}/mcp", "http://localhost:20001", PUBLIC, f"{PUBLIC}/mcp/"])
def test_an_address_of_our_own_server_is_ours_and_reached_without_a_detour(running: Settings, url: str) -> None:
    assert find_server(with_url(running, url)) == Target(NEAR, is_ours=True)


@pytest.mark.parametrize("url", ["inbox", "ftp://inbox.example.com", "http://", "http://[::1", "http://x:99999"])
def test_what_is_no_address_is_wrong_use(settings: Settings, url: str) -> None:
    with pytest.raises(click.UsageError, match="LOOPBACK_URL"):
        find_server(with_url(settings, url))


def test_a_server_elsewhere_needs_a_token_and_the_message_says_how_to_make_one(settings: Settings) -> None:
    with pytest.raises(click.UsageError, match=r"LOOPBACK_TOKEN.*loopback token create"):
        asking_token(settings, Target("https://other.example.com", is_ours=False))


def test_a_token_that_is_given_is_used(settings: Settings) -> None:
    given = settings.model_copy(update={"token": "lb_x"})
    assert asking_token(given, Target(NEAR, is_ours=True)) == "lb_x"
