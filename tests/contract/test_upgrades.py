"""Revisions: an older document is walked forward, a newer one is left alone."""

from typing import Any

import pytest

from contract.upgrades import CURRENT, REVISIONS, STEPS, NewerRevision, UnknownRevision, is_newer, upgrade
from tests.contract.making import MESSAGES

THREE = ("1", "2", "3")


def renamed(document: dict[str, Any]) -> dict[str, Any]:
    """1 → 2: `words` became `text`."""
    return {"text" if name == "words" else name: value for name, value in document.items()}


def counted(document: dict[str, Any]) -> dict[str, Any]:
    """2 → 3: `length` is new; it needs what the first step made."""
    return {**document, "length": len(document["text"])}


def never(document: dict[str, Any]) -> dict[str, Any]:
    """3 → 4: a step to a revision that is not there yet."""
    raise AssertionError(document)


INVENTED = {("Note", "1"): renamed, ("Note", "2"): counted, ("Note", "3"): never}


def walked(message: str, revision: str, document: dict[str, Any]) -> dict[str, Any]:
    return upgrade(message, revision, document, revisions=THREE, steps=INVENTED)


def test_a_document_is_walked_forward_one_step_per_revision():
    assert walked("Note", "1", {"words": "yes", "id": "7"}) == {"text": "yes", "id": "7", "length": 3}


def test_a_document_between_starts_where_it_is():
    assert walked("Note", "2", {"text": "yes", "words": "kept"}) == {"text": "yes", "words": "kept", "length": 3}


def test_a_document_of_the_current_revision_is_left_as_it_is():
    document = {"words": "no step of an older revision touches this"}
    assert walked("Note", "3", document) is document


@pytest.mark.parametrize("revision", THREE)
def test_a_message_without_steps_did_not_change(revision: str):
    assert walked("Other", revision, {"words": "yes"}) == {"words": "yes"}


def test_a_message_that_changed_once_needs_one_step():
    steps = {("Note", "2"): counted}
    assert upgrade("Note", "1", {"text": "yes"}, revisions=THREE, steps=steps) == {"text": "yes", "length": 3}


def test_the_document_that_was_read_is_not_changed():
    document = {"words": "yes"}
    walked("Note", "1", document)
    assert document == {"words": "yes"}


@pytest.mark.parametrize("revision", ["4", "10", "999999999"])
def test_a_newer_document_is_left_alone_and_the_error_names_both_revisions(revision: str):
    with pytest.raises(NewerRevision, match=rf"a Note of revision {revision}; this code knows up to 3"):
        walked("Note", revision, {"words": "yes"})


def test_revisions_are_compared_as_numbers():
    assert is_newer("10", current="9")
    assert not is_newer("9", current="10")
    assert not is_newer("9", current="9")


def test_the_next_revision_is_newer_than_this_code():
    assert not is_newer(CURRENT)
    assert is_newer(str(int(CURRENT) + 1))
    with pytest.raises(NewerRevision):
        upgrade("Ask", str(int(CURRENT) + 1), {})


RUBBISH = [
    "",
    " ",
    "0",
    "01",
    "00",
    "1.0",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1\n",
    "1_0",
    "1e3",
    "0x1",
    "r1",
    "one",
    "１",
    "٣",
    "²",
    "1\x00",
    "9" * 10,
    "9" * 10_000,
]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=lambda each: ascii(each)[:20])
def test_what_is_no_revision_is_said_to_be_none(rubbish: str):
    with pytest.raises(UnknownRevision):
        is_newer(rubbish)
    with pytest.raises(UnknownRevision):
        walked("Note", rubbish, {})


def test_revisions_count_up_from_one_and_the_last_is_current():
    assert tuple(str(number + 1) for number in range(len(REVISIONS))) == REVISIONS
    assert REVISIONS[-1] == CURRENT


def test_every_step_belongs_to_a_message_and_to_a_revision_with_one_after_it():
    for message, revision in STEPS:
        assert message in {*MESSAGES, "Ask", "Reply", "Entry", "Block"}
        assert revision in REVISIONS[:-1]
