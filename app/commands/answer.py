"""`loopback answer`: a reply to an ask, as the person gives it."""

import signal
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.commands.options import data_dir_option, json_option, read_settings, saying_what_is_wrong
from app.commands.words import json_text

if TYPE_CHECKING:
    from app.commands.reaching import Target
    from app.settings import Settings
    from contract.people import Reply


@click.command(
    epilog="Example: loopback answer 01979a1e-7c1e-7e50-a3f0-0a3b0c5d9e11 --choose yes --text 'after lunch'",
)
@click.argument("ask_id")
@click.option("--choose", multiple=True, metavar="LABEL", help="A question: pick this choice. Repeat it for more.")
@click.option("--text", metavar="TEXT", help="A question: answer in words.")
@click.option("--approve", is_flag=True, help="A review: approve it.")
@click.option("--note", metavar="TEXT", help="With --approve: a note.")
@click.option("--request-changes", metavar="TEXT", help="A review: send it back, with what should change.")
@click.option("--point", "points", nargs=2, multiple=True, metavar="ID TEXT", help="A briefing: write on a point. Repeat it.")
@click.option("--resolve", multiple=True, metavar="ID", help="A briefing: resolve a point and all beneath it. Repeat it.")
@click.option("--ask-back", metavar="TEXT", help="A question or review: ask something back before deciding.")
@click.option("--dismiss", is_flag=True, help="Turn it down without an answer.")
@data_dir_option
@json_option
def answer(ask_id: str, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Reply to an ask; `loopback asks` lists them.

    On the server's own machine it makes a token for this one reply and revokes it afterwards. Elsewhere it needs
    LOOPBACK_TOKEN, a token that may reply.
    """
    from app.commands.asks import path_of
    from app.commands.client import Client
    from app.commands.reaching import find_server
    from app.commands.showing import STANDS

    reply = reply_of(**given)
    settings = read_settings(data_dir=data_dir)
    target = find_server(settings)
    with replying_token(settings, target) as token, Client(target.url, token) as client:
        ask: dict[str, Any] = client.post(f"{path_of(ask_id)}/reply", reply.to_dict(), key=uuid.uuid4().hex)
    click.echo(json_text(ask) if as_json else f"Replied: {reply.outcome}. The ask is {STANDS[ask['status']]}.")


def reply_of(
    *,
    choose: tuple[str, ...],
    text: str | None,
    approve: bool,
    note: str | None,
    request_changes: str | None,
    points: tuple[tuple[str, str], ...],
    resolve: tuple[str, ...],
    ask_back: str | None,
    dismiss: bool,
) -> "Reply":
    """The one reply that the options say. Several, or none, is wrong use."""
    from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, Responded

    said: dict[str, tuple[bool, Callable[[], Reply]]] = {
        "--choose or --text": (
            bool(choose) or text is not None,
            lambda: Answered(selected=choose, text=text),
        ),
        "--approve": (approve, lambda: Approved(note=note)),
        "--request-changes": (request_changes is not None, lambda: ChangesRequested(feedback=request_changes or "")),
        "--point or --resolve": (bool(points or resolve), lambda: Responded(points=_on_points(points, resolve))),
        "--ask-back": (ask_back is not None, lambda: FollowUp(question=ask_back or "")),
        "--dismiss": (dismiss, Dismissed),
    }
    chosen = [name for name, (is_given, _) in said.items() if is_given]
    if not chosen:
        raise click.UsageError(f"say what the reply is: {', '.join(said)}")
    if len(chosen) > 1:
        raise click.UsageError(f"one reply at a time: {' and '.join(chosen)} do not go together")
    if note is not None and not approve:
        raise click.UsageError("--note goes with --approve")
    with saying_what_is_wrong():
        return said[chosen[0]][1]()


def _on_points(points: tuple[tuple[str, str], ...], resolve: tuple[str, ...]) -> Any:
    from contract.people import PointReply

    replies = [PointReply(point=id, text=text, resolved=True if id in resolve else None) for id, text in points]
    written = {id for id, _ in points}
    return (*replies, *(PointReply(point=id, resolved=True) for id in resolve if id not in written))


@contextmanager
def replying_token(settings: "Settings", target: "Target") -> Generator[str]:
    """A token that may reply: one of this block's own on the server's machine, revoked at its end; else LOOPBACK_TOKEN."""
    from app.commands.reaching import missing_token

    if not target.is_ours:
        if not settings.token:
            raise missing_token(target, can="reply")
        yield settings.token
        return
    from app.commands.passing import passing_token

    before = signal.signal(signal.SIGTERM, _end)
    try:
        with passing_token(settings) as token:
            yield token
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)
