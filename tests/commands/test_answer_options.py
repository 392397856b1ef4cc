"""Which reply the options of `answer` say."""

from typing import Any

import click
import pytest

from app.commands.answer import reply_of
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, PointReply, Responded

NOTHING: dict[str, Any] = {
    "choose": (),
    "text": None,
    "approve": False,
    "note": None,
    "request_changes": None,
    "points": (),
    "resolve": (),
    "ask_back": None,
    "dismiss": False,
}


def said(**given: Any) -> Any:
    return reply_of(**{**NOTHING, **given})


def test_each_option_says_its_reply() -> None:
    assert said(choose=("yes", "no"), text="both") == Answered(selected=("yes", "no"), text="both")
    assert said(text="words") == Answered(selected=(), text="words")
    assert said(approve=True, note="well done") == Approved(note="well done")
    assert said(request_changes="shorter") == ChangesRequested(feedback="shorter")
    assert said(ask_back="why?") == FollowUp(question="why?")
    assert said(dismiss=True) == Dismissed()


def test_points_are_written_on_resolved_or_both() -> None:
    assert said(points=(("1", "why?"), ("3.1", "fine")), resolve=("3.1", "2")) == Responded(
        points=(
            PointReply(point="1", text="why?"),
            PointReply(point="3.1", text="fine", resolved=True),
            PointReply(point="2", resolved=True),
        )
    )


def test_several_replies_at_once_are_wrong_use() -> None:
    with pytest.raises(click.UsageError, match="--approve and --dismiss do not go together"):
        said(approve=True, dismiss=True)


def test_no_reply_is_wrong_use_and_the_message_names_what_there_is() -> None:
    with pytest.raises(click.UsageError, match=r"--choose or --text.*--approve.*--dismiss"):
        said()


def test_a_note_without_approval_is_wrong_use() -> None:
    with pytest.raises(click.UsageError, match="--approve"):
        said(note="well done", dismiss=True)


@pytest.mark.parametrize("given", [{"request_changes": ""}, {"ask_back": ""}, {"text": "half \udcff"}, {"resolve": ("",)}])
def test_words_that_cannot_be_sent_are_wrong_use(given: dict[str, Any]) -> None:
    with pytest.raises(click.UsageError, match=": "):
        said(**given)
