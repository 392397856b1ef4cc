"""Text: U+0000 and lone surrogates are refused by field, in all that agents and people send; the rest of Unicode is kept."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from contract.agents import QuestionInput, ReviewInput
from contract.base import Message
from contract.people import Approved, ChangesRequested, Responded
from tests.contract.making import REPLIES, SENT, UNICODE, alternatives, full, item, within

MESSAGES = sorted({each for sent in (*SENT, *REPLIES) for each in within(sent)}, key=lambda each: each.__name__)


def texts() -> list[tuple[type[Message], str, bool]]:
    """Every field of every message sent that holds text, and whether it holds a list of texts."""
    found: list[tuple[type[Message], str, bool]] = []
    for message in MESSAGES:
        for name, field in message.model_fields.items():
            kinds = alternatives(field.annotation)
            if str in kinds:
                found.append((message, field.alias or name, False))
            elif any(item(kind) is not None and str in alternatives(item(kind)) for kind in kinds):
                found.append((message, field.alias or name, True))
    return found


every_text = pytest.mark.parametrize(
    ("message", "field", "many"), texts(), ids=[f"{message.__name__}.{field}" for message, field, _ in texts()]
)


def test_the_texts_of_what_is_sent_are_all_found():
    assert len(texts()) == 38


@every_text
@pytest.mark.parametrize("bad", ["\x00", "before\x00after", "\ud800", "a\udfff", "\ude00\ud83d"], ids=ascii)
def test_what_cannot_be_stored_is_refused_with_the_name_of_its_field(message: type[Message], field: str, many: bool, bad: str):
    with pytest.raises(ValidationError) as refused:
        message.model_validate({**full(message), field: [bad] if many else bad})
    (error,) = refused.value.errors()
    assert error["loc"] == ((field, 0) if many else (field,))
    assert ("U+0000" if "\x00" in bad else "surrogate") in error["msg"]


@every_text
@settings(max_examples=8, deadline=None)
@given(text=st.text(UNICODE, min_size=1, max_size=80))
def test_every_other_unicode_is_kept_byte_for_byte(message: type[Message], field: str, many: bool, text: str):
    sent = json.dumps({**full(message), field: [text] if many else text})
    written = message.model_validate_json(sent).to_json()
    assert written == message.model_validate(json.loads(sent)).to_json()
    kept = json.loads(written.encode())[field]
    assert (kept[0] if many else kept).encode() == text.encode()


@pytest.mark.parametrize(
    "text",
    ["\u0001", "\x7f", "\r\n", " a ", "e\u0301", "é", "\ufeff", "\u202e", "\uffff", "\U0010ffff", "👩‍👩‍👧", "\u2028"],
    ids=ascii,
)
def test_nothing_is_trimmed_joined_or_normalised(text: str):
    assert Approved.model_validate_json(json.dumps({"outcome": "approved", "note": text})).note == text


def test_the_name_of_the_field_leads_to_the_place():
    with pytest.raises(ValidationError) as refused:
        Responded.model_validate({"outcome": "responded", "points": [{"point": "1"}, {"point": "2", "text": "\x00"}]})
    assert [error["loc"] for error in refused.value.errors()] == [("points", 1, "text")]


def test_every_field_at_fault_is_named():
    block = {"type": "code", "code": "\ud800", "language": "\x00"}
    with pytest.raises(ValidationError) as refused:
        ReviewInput.model_validate({"title": "\x00", "content": [block], "project": "p"})
    named = [error["loc"] for error in refused.value.errors()]
    for place in (("title",), ("content", 0, "code", "code"), ("content", 0, "code", "language")):
        assert place in named


def test_an_escaped_null_character_is_refused_too():
    with pytest.raises(ValidationError) as refused:
        ChangesRequested.model_validate_json('{"outcome": "changes_requested", "feedback": "a\\u0000"}')
    assert refused.value.errors()[0]["loc"] == ("feedback",)


def test_a_pair_of_surrogates_is_one_character():
    sent = '{"question": "\\ud83d\\ude00", "project": "p"}'
    assert QuestionInput.model_validate_json(sent).question == QuestionInput.model_validate(json.loads(sent)).question == "😀"


@pytest.mark.parametrize("tag", ["\x00", "answered\x00", "\ud800"], ids=ascii)
def test_a_tag_with_them_is_no_tag(tag: str):
    document: dict[str, Any] = {"title": "t", "content": [{"type": tag}], "project": "p"}
    with pytest.raises(ValidationError):
        ReviewInput.model_validate(document)


def test_a_limit_counts_characters_not_bytes():
    title = "😀" * 200
    document: dict[str, Any] = {"title": title, "content": [{"type": "markdown", "text": "x"}], "project": "p"}
    assert ReviewInput.model_validate(document).title == title
    with pytest.raises(ValidationError):
        ReviewInput.model_validate({**document, "title": title + "😀"})
