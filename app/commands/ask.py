"""`loopback ask`: a question to the person, from a shell."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.commands.failures import NotReached
from app.commands.options import Duration, data_dir_option, json_option, read_settings, saying_what_is_wrong
from app.commands.words import json_text

if TYPE_CHECKING:
    from app.settings import Settings
    from contract.base import Message

NOT_ANSWERED = 3
NOT_REACHED = 4

MOST_BYTES = 1_000_000


@click.command(
    epilog="Example: loopback ask 'Deploy now?' --option yes --option no --max-wait 30m",
)
@click.argument("question")
@click.option("--option", "options", multiple=True, metavar="LABEL", help="A choice; two to six of them. Repeat it.")
@click.option("--multiple", is_flag=True, help="More than one choice may be picked.")
@click.option("--context", metavar="TEXT", help="The background that is needed to answer, as markdown.")
@click.option("--project", metavar="NAME", help="The project. [the repository's folder, or the working directory]")
@click.option("--follow-up", metavar="ASK_ID", help="QUESTION is the answer to what the person asked back on this ask.")
@click.option("--max-wait", type=Duration(), metavar="SPAN", help="Wait at most so long: 90s, 30m, 1h30m.")
@data_dir_option
@json_option
def ask(
    question: str,
    options: tuple[str, ...],
    multiple: bool,
    context: str | None,
    project: str | None,
    follow_up: str | None,
    max_wait: float | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Ask the person a QUESTION, or the one on standard input with `-`, and wait for the reply.

    Asking waits through restarts and lost connections, and asks nothing twice: the same command again goes on waiting.
    It prints the reply: the choices that were picked, each on a line, then the words.

    It ends with 0 when there is a reply, 1 when the server said no, 2 when used wrongly, 3 when the ask was dismissed or
    --max-wait is over, 4 when the server cannot be reached.
    """
    if question == "-":
        question = _standard_input()
    settings = read_settings(data_dir=data_dir)
    if follow_up is not None:
        if options or multiple or context or project:
            raise click.UsageError("--follow-up takes the answer alone")
        tool, input = "answer_follow_up", _follow_up(follow_up, question)
    else:
        tool, input = "ask_question", _question(question, options, multiple, context, project or project_of(Path.cwd()))
    began = datetime.now(UTC)
    try:
        result = _wait(settings, tool, input.to_dict(), max_wait)
    except NotReached as failure:
        failure.show()
        raise SystemExit(NOT_REACHED) from None
    except KeyboardInterrupt:
        click.echo("The ask stays open: the same command again goes on waiting.", err=True)
        raise click.Abort from None
    raise SystemExit(_show(result, began, as_json=as_json))


def project_of(folder: Path) -> str:
    """The name of the repository's folder, or of this one where there is none."""
    root = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
    return root.name.encode("utf-8", "replace").decode() or "/"


def _standard_input() -> str:
    data = sys.stdin.buffer.read(MOST_BYTES)
    try:
        return data.decode().strip()
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8 text") from None


def _question(question: str, options: tuple[str, ...], multiple: bool, context: str | None, project: str) -> "Message":
    from contract.agents import QuestionInput
    from contract.content import Choice

    with saying_what_is_wrong():
        return QuestionInput(
            question=question,
            options=tuple(Choice(label=label) for label in options) or None,
            multiple=multiple or None,
            context=context,
            project=project,
        )


def _follow_up(ask_id: str, answer: str) -> "Message":
    from contract.agents import FollowUpInput

    with saying_what_is_wrong():
        return FollowUpInput(ask_id=ask_id, answer=answer)


def _wait(settings: "Settings", tool: str, arguments: dict[str, Any], max_wait: float | None) -> dict[str, Any]:
    import asyncio

    from app.commands.asking import Waiting
    from app.commands.reaching import asking_token, find_server

    target = find_server(settings)
    waiting = Waiting(
        target.url, asking_token(settings, target), longest=max_wait, tell=lambda line: click.echo(line, err=True)
    )
    return asyncio.run(waiting.reply_to(tool, arguments))


def _show(result: dict[str, Any], began: datetime, *, as_json: bool) -> int:
    """Print the result; the exit code."""
    from pydantic import TypeAdapter

    from app.commands.showing import reply_words
    from contract.people import Dismissed, FollowUp, Reply

    if as_json:
        click.echo(json_text(result))
    if "reply" not in result:
        click.echo("No reply yet; the ask stays open. The same command again goes on waiting.", err=True)
        return NOT_ANSWERED
    if "next" in result and datetime.fromisoformat(result["repliedAt"]) < began:
        click.echo(f"This reply was given before, at {result['repliedAt']}, to the same ask made earlier.", err=True)
    reply: Reply = TypeAdapter[Reply](Reply).validate_python(result["reply"])
    if isinstance(reply, Dismissed):
        click.echo("The ask was dismissed: closed without an answer.", err=True)
        return NOT_ANSWERED
    if not as_json:
        click.echo(reply_words(reply))
    if isinstance(reply, FollowUp):
        click.echo(f"Answer it with: loopback ask --follow-up {result['askId']} 'ANSWER'", err=True)
    return 0
