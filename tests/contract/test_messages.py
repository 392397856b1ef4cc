"""Messages: written without null, read with null as absent, unchanged by a round trip, and what their schema says."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from contract.agents import FollowUpInput, QuestionInput
from contract.asks import Actor, Ask
from contract.base import Message
from contract.people import Answered, Approved, Dismissed, PointReply, Reply
from contract.schema import schema_of
from tests.contract.making import MESSAGES, full, messages, optional, tagged
from tests.contract.schemas import component

few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
each_message = pytest.mark.parametrize("name", sorted(MESSAGES))


def holds_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(holds_null(each) for each in value.values())
    if isinstance(value, list):
        return any(holds_null(each) for each in value)
    return value is None


def with_nulls(value: Any) -> Any:
    """The message as JSON values with null for all that is absent, and fields that nobody knows."""
    if isinstance(value, Message):
        fields = {field.alias: getattr(value, name) for name, field in type(value).model_fields.items()}
        written = value.to_dict()
        return {
            **{
                name: with_nulls(each) if isinstance(each, Message | tuple) else written.get(name)
                for name, each in fields.items()
            },
            "nobodyKnowsIt": {"a": [1]},
        }
    if isinstance(value, tuple):
        return [with_nulls(each) for each in value]
    return value


@each_message
@few
@given(data=st.data())
def test_what_is_written_never_holds_null_and_reads_as_it_was(name: str, data: st.DataObject):
    message = data.draw(messages(MESSAGES[name]))
    written = message.to_json()
    assert not holds_null(json.loads(written))
    assert json.loads(written) == message.to_dict()
    assert type(message).model_validate_json(written) == message
    assert type(message).model_validate(json.loads(written)) == message
    assert type(message).model_validate_json(written).to_json() == written


@each_message
@few
@given(data=st.data())
def test_null_and_unknown_fields_are_absent_on_reading(name: str, data: st.DataObject):
    message = data.draw(messages(MESSAGES[name]))
    assert type(message).model_validate(with_nulls(message)) == message


@each_message
@few
@given(data=st.data())
def test_what_is_written_is_what_its_schema_says(name: str, data: st.DataObject):
    message = data.draw(messages(MESSAGES[name]))
    Draft202012Validator(schema_of(MESSAGES[name])).validate(message.to_dict())


@each_message
def test_a_field_that_is_needed_cannot_be_left_out_nor_be_null(name: str):
    message = MESSAGES[name]
    document = full(message)
    assert message.model_validate(document).to_dict() == document
    for field in message.model_fields.values():
        if field.alias and field.is_required():
            for wrong in (
                {key: value for key, value in document.items() if key != field.alias},
                {**document, field.alias: None},
            ):
                with pytest.raises(ValidationError) as refused:
                    message.model_validate(wrong)
                assert refused.value.errors()[0]["loc"] == (field.alias,)


@each_message
def test_every_field_that_may_be_absent_may(name: str):
    message = MESSAGES[name]
    needed = {
        field.alias or key: full(message)[field.alias or key]
        for key, field in message.model_fields.items()
        if not optional(field)
    }
    assert message.model_validate(needed).to_dict() == needed


@each_message
def test_a_tag_is_written_without_being_given(name: str):
    message = MESSAGES[name]
    for key, field in message.model_fields.items():
        if tagged(field):
            untagged = {alias: value for alias, value in full(message).items() if alias != field.alias}
            assert message.model_validate(untagged).to_dict()[field.alias or key] == field.default


def test_json_is_compact_and_escapes_nothing_that_need_not_be():
    assert Approved(note="é\u2028😀</script>").to_json() == '{"outcome":"approved","note":"é\u2028😀</script>"}'


def test_fields_are_camel_case_on_the_wire():
    assert FollowUpInput(ask_id="7", answer="Yes.").to_dict() == {"askId": "7", "answer": "Yes."}


def test_a_message_cannot_be_changed_and_changed_gives_another():
    actor = Actor(id="local")
    with pytest.raises(ValidationError, match="frozen"):
        actor.name = "Ada"  # pyright: ignore[reportAttributeAccessIssue]
    assert actor.changed(name="Ada") == Actor(id="local", name="Ada")
    assert actor == Actor(id="local")


def test_an_id_is_kept_as_it_came():
    for id in ("0193A1B2-7C00-7000-8000-000000000001", " 7 ", "007", "1e3", "2026-12-01T09:30:00+01:00", "é"):
        assert Actor.model_validate({"id": id}).to_dict() == {"id": id}


@pytest.mark.parametrize(
    "wrong", [{}, {"outcome": None}, {"outcome": "maybe"}, {"outcome": ["approved"]}, {"note": "x"}, [], "approved", None]
)
def test_a_reply_needs_its_tag(wrong: Any):
    with pytest.raises(ValidationError):
        TypeAdapter[Any](Reply).validate_python(wrong)
    assert list(Draft202012Validator(component("Reply")).iter_errors(wrong))


def test_the_tag_says_which_reply_it_is():
    reply = TypeAdapter[Any](Reply)
    assert reply.validate_python({"outcome": "dismissed"}) == Dismissed()
    assert reply.validate_json('{"outcome":"answered","selected":["a","b"]}') == Answered(selected=("a", "b"))


def test_the_tag_says_which_ask_it_is():
    for name in ("QuestionAsk", "ReviewAsk", "BriefingAsk"):
        assert type(TypeAdapter[Any](Ask).validate_python(full(MESSAGES[name]))).__name__ == name


@pytest.mark.parametrize(
    ("message", "document", "field"),
    [
        (QuestionInput, {"question": 1, "project": "p"}, "question"),
        (QuestionInput, {"question": "", "project": "p"}, "question"),
        (QuestionInput, {"question": "?", "project": "p", "options": [{"label": "a"}]}, "options"),
        (QuestionInput, {"question": "?", "project": "p", "options": [{"label": str(n)} for n in range(7)]}, "options"),
        (QuestionInput, {"question": "?", "project": "p", "options": "ab"}, "options"),
        (PointReply, {"point": ""}, "point"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_field(message: type[Message], document: dict[str, Any], field: str):
    with pytest.raises(ValidationError) as refused:
        message.model_validate(document)
    assert refused.value.errors()[0]["loc"] == (field,)
    assert list(Draft202012Validator(schema_of(message)).iter_errors(document))
