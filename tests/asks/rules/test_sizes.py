"""How much an agent may send in one call."""

import json

import pytest

from app.asks.rules.opening import check_input
from app.asks.rules.sizes import check_size, input_bytes
from contract.agents import BriefingAnswerInput, FollowUpInput, PointAnswer, QuestionInput, ReviewInput
from contract.content import CodeBlock
from contract.limits import INPUT_BYTES
from contract.problems import Code
from tests.asks.rules.making import refused

EMPTY = len('{"question":"","project":"p"}')


def of_size(bytes: int) -> QuestionInput:
    return QuestionInput(question="x" * (bytes - EMPTY), project="p")


def test_the_size_is_that_of_compact_json_with_nothing_escaped_that_need_not_be():
    sent = {"question": 'é😀\u2028\x7f</script>"\\\n\x01', "project": "p"}
    input = QuestionInput.model_validate(sent)
    assert input_bytes(input) == len(json.dumps(sent, separators=(",", ":"), ensure_ascii=False).encode())


def test_nulls_and_unknown_arguments_do_not_count():
    lean = QuestionInput.model_validate({"question": "?", "project": "p"})
    full = QuestionInput.model_validate(
        {"question": "?", "project": "p", "context": None, "options": None, "extra": "x" * 300_000}
    )
    assert input_bytes(full) == input_bytes(lean) == len('{"question":"?","project":"p"}')
    check_input(full)


def test_the_names_on_the_wire_count():
    assert input_bytes(FollowUpInput(ask_id="a", answer="A")) == len('{"askId":"a","answer":"A"}')


def test_an_input_of_exactly_the_limit_passes():
    assert input_bytes(of_size(INPUT_BYTES)) == 262_144
    check_input(of_size(INPUT_BYTES))


def test_one_byte_more_is_refused_with_the_size_and_to_split_it():
    message = refused(Code.TOO_LARGE, lambda: check_input(of_size(262_145)))
    assert "262,145" in message
    assert "262,144" in message
    assert "split" in message


def test_bytes_count_and_not_characters():
    refused(Code.TOO_LARGE, lambda: check_size(QuestionInput(question="é" * 131_100, project="p")))


@pytest.mark.parametrize(
    "input",
    [
        ReviewInput(title="T", content=(CodeBlock(code="x" * 300_000),), project="p"),
        FollowUpInput(ask_id="a", answer="x" * 300_000),
        BriefingAnswerInput(ask_id="a", answers=(PointAnswer(point="1", answer="x" * 300_000),)),
    ],
)
def test_reviews_and_answers_have_the_same_limit(input: ReviewInput | FollowUpInput | BriefingAnswerInput):
    refused(Code.TOO_LARGE, lambda: check_input(input))
