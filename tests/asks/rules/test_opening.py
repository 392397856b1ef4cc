"""What agents send, and the ask it becomes."""

import pytest
from pydantic import ValidationError

from app.asks.rules.opening import check_images, check_input, check_revises, image_upload_ids, open_ask
from contract.agents import BriefingAnswerInput, BriefingInput, FollowUpInput, PointAnswer, QuestionInput, ReviewInput
from contract.asks import Actor, BriefingAsk, QuestionAsk, ReviewAsk
from contract.content import (
    BriefingPoint,
    BriefingSection,
    Choice,
    CodeBlock,
    DiffBlock,
    ImageBlock,
    MarkdownBlock,
)
from contract.people import Approved, ChangesRequested, Dismissed
from contract.problems import Code
from tests.asks.rules.making import (
    AGENT,
    RED_OR_BLUE,
    SOMETHING_ASKED_BACK,
    START,
    answers,
    briefing,
    briefing_input,
    broken_down,
    fields,
    opened,
    question,
    refused,
    replied,
    review,
)

STRANGE = "a\u200d\u202e\ufffd\U0001f600\u0301 \t\r\n\x7f\u2028 \ue000"


def test_an_ask_opens_as_the_persons_move_with_its_agent_following():
    ask = question()
    assert (ask.status, ask.waiting, ask.thread) == ("awaiting_human", True, ())
    assert (ask.created_at, ask.updated_at, ask.closed_at) == (START, START, None)


def test_an_ask_says_who_raised_it_from_which_client_and_project():
    ask = question()
    assert (ask.id, ask.project, ask.client, ask.raised_by) == ("ask-1", "loopback", "claude-code 2.1.0", AGENT)


def test_a_name_is_absent_until_a_gate_knows_one():
    assert question().to_dict()["raisedBy"] == {"id": AGENT.id}


def test_a_client_that_gave_no_name_is_absent():
    ask = open_ask(QuestionInput(question="?", project="p"), id="a", raised_by=Actor(id="x"), client=None, at=START)
    assert "client" not in ask.to_dict()


def test_a_prompt_holds_options_and_multiple_even_where_none_were_sent():
    assert question().to_dict()["prompt"] == {"question": "Which?", "options": [], "multiple": False}


def test_a_prompt_keeps_the_options_and_multiple_that_were_sent():
    prompt = question(*RED_OR_BLUE, multiple=True).prompt
    assert (prompt.options, prompt.multiple) == (RED_OR_BLUE, True)


def test_points_are_numbered_straight_through_every_section():
    ask = briefing(2, 1, 3)
    assert [[point.id for point in section.points] for section in ask.prompt.sections] == [["1", "2"], ["3"], ["4", "5", "6"]]


def test_a_briefing_keeps_its_headings_details_and_content():
    point = BriefingPoint(title="T", detail="", content=(ImageBlock(upload_id="u1", caption=""),))
    sections = (BriefingSection(title="Heading", points=(point,)),)
    ask = opened(BriefingInput(title="B", summary="S", sections=sections, project="p"))
    image = {"type": "image", "uploadId": "u1", "caption": ""}
    assert ask.to_dict()["prompt"] == {
        "title": "B",
        "summary": "S",
        "sections": [{"title": "Heading", "points": [{"id": "1", "title": "T", "detail": "", "content": [image]}]}],
    }


def test_a_prompt_never_gains_the_sub_points_of_an_answer():
    before = briefing(2)
    assert broken_down(before, "1", 3).prompt == before.prompt


def test_everything_of_unicode_is_kept_byte_for_byte():
    ask = opened(ReviewInput(title=STRANGE, content=(CodeBlock(code=STRANGE, language=STRANGE),), project=STRANGE))
    assert isinstance(ask, ReviewAsk)
    assert (ask.prompt.title, ask.prompt.content[0], ask.project) == (
        STRANGE,
        CodeBlock(code=STRANGE, language=STRANGE),
        STRANGE,
    )


def test_null_means_absent_and_what_is_sent_on_never_holds_null():
    sent = '{"question": "Which?", "options": null, "multiple": null, "context": null, "project": "p"}'
    input = QuestionInput.model_validate_json(sent)
    check_input(input)
    assert "null" not in opened(input).to_json()


@pytest.mark.parametrize("bad", ["\x00", "\ud83d"])
def test_a_nul_or_half_a_character_is_refused_with_its_field(bad: str):
    sent = {"title": "T", "content": [{"type": "code", "code": f"x{bad}"}], "project": "p"}
    with pytest.raises(ValidationError) as caught:
        ReviewInput.model_validate(sent)
    assert caught.value.errors()[0]["loc"] == ("content", 0, "code", "code")


def test_a_full_input_of_every_kind_passes():
    check_input(QuestionInput(question="?", options=RED_OR_BLUE, project="p"))
    check_input(ReviewInput(title="T", content=(MarkdownBlock(text="x"), DiffBlock(diff="-a\n+b")), project="p"))
    check_input(briefing_input(25, 25))
    check_input(FollowUpInput(ask_id="a", answer="Yes."))
    check_input(answers(["1"], sub_points=50))


def test_optional_words_may_be_blank():
    point = BriefingPoint(title="T", detail=" ")
    check_input(BriefingInput(title="T", summary="", sections=(BriefingSection(title=" ", points=(point,)),), project="p"))
    check_input(QuestionInput(question="?", context="\n", project="p"))


def test_every_required_word_of_a_question_is_named_when_blank():
    options = (Choice(label="Red"), Choice(label="\u2003"))
    message = refused(Code.REQUEST_INVALID, lambda: check_input(QuestionInput(question=" ", options=options, project="\n")))
    assert fields(message) == ["question", "options[1].label", "project"]


def test_every_required_word_of_a_review_is_named_when_blank():
    content = (MarkdownBlock(text=" "), CodeBlock(code="\n"), DiffBlock(diff="\t"), ImageBlock(upload_id=" "))
    message = refused(Code.REQUEST_INVALID, lambda: check_input(ReviewInput(title=" ", content=content, project=" ")))
    assert fields(message) == [
        "title",
        "project",
        "content[0].text",
        "content[1].code",
        "content[2].diff",
        "content[3].uploadId",
    ]


def test_every_required_word_of_a_briefing_is_named_when_blank():
    bad = BriefingPoint(title=" ", content=(CodeBlock(code="ok"), CodeBlock(code=" ")))
    sections = (BriefingSection(points=(BriefingPoint(title="T"), BriefingPoint(title="T"), bad)),)
    message = refused(Code.REQUEST_INVALID, lambda: check_input(BriefingInput(title=" ", sections=sections, project="p")))
    assert fields(message) == ["title", "sections[0].points[2].title", "sections[0].points[2].content[1].code"]


def test_every_required_word_of_an_answer_is_named_when_blank():
    bad = BriefingPoint(title=" ", content=(MarkdownBlock(text=" "),))
    on_points = BriefingAnswerInput(
        ask_id="a",
        answers=(PointAnswer(point="1", answer=" ", content=(DiffBlock(diff=" "),), points=(bad,)),),
    )
    assert fields(refused(Code.REQUEST_INVALID, lambda: check_input(on_points))) == [
        "answers[0].answer",
        "answers[0].points[0].title",
        "answers[0].content[0].diff",
        "answers[0].points[0].content[0].text",
    ]
    follow_up = FollowUpInput(ask_id="a", answer=" ", content=(MarkdownBlock(text=" "),))
    assert fields(refused(Code.REQUEST_INVALID, lambda: check_input(follow_up))) == ["answer", "content[0].text"]


def test_option_labels_are_unique_within_a_question():
    options = (Choice(label="Red"), Choice(label="red"), Choice(label="Red", description="again"))
    message = refused(Code.REQUEST_INVALID, lambda: check_input(QuestionInput(question="?", options=options, project="p")))
    assert fields(message) == ["options[2].label"]
    assert '"Red"' in message


def test_a_briefing_holds_fifty_points_over_all_sections():
    check_input(briefing_input(20, 30))
    message = refused(Code.REQUEST_INVALID, lambda: check_input(briefing_input(20, 31)))
    assert fields(message) == ["sections"]
    assert "51" in message
    assert "50" in message


def test_an_answer_adds_at_most_fifty_sub_points():
    message = refused(Code.REQUEST_INVALID, lambda: check_input(answers(["1", "2"], sub_points=51)))
    assert fields(message) == ["answers[0].points", "answers[1].points"]


def test_thousands_of_faults_still_make_a_message_of_bounded_length():
    content = tuple(CodeBlock(code=" ") for _ in range(5000))
    message = refused(Code.REQUEST_INVALID, lambda: check_input(ReviewInput(title="T", content=content, project="p")))
    assert message.count("\n") == 200
    assert message.endswith("and 4800 more like these")


def test_images_are_found_wherever_they_are_each_once():
    first, second, third = (ImageBlock(upload_id=f"u{n}") for n in range(3))
    assert image_upload_ids(QuestionInput(question="?", project="p")) == ()
    assert image_upload_ids(ReviewInput(title="T", content=(second, first, second), project="p")) == ("u1", "u0")
    point = BriefingPoint(title="T", content=(first,))
    assert image_upload_ids(BriefingInput(title="T", sections=(BriefingSection(points=(point,)),), project="p")) == ("u0",)
    assert image_upload_ids(FollowUpInput(ask_id="a", answer="A", content=(third,))) == ("u2",)
    on = PointAnswer(point="1", answer="A", content=(second,), points=(point,))
    assert set(image_upload_ids(BriefingAnswerInput(ask_id="a", answers=(on,)))) == {"u0", "u1"}


def test_images_that_are_stored_pass():
    check_images(ReviewInput(title="T", content=(ImageBlock(upload_id="u1"),), project="p"), {"u1"})


def test_every_image_that_is_not_a_stored_upload_is_named_with_its_path_and_id():
    content = (ImageBlock(upload_id="u1"), ImageBlock(upload_id="u2"), ImageBlock(upload_id="u3\n" + "x" * 500))
    input = ReviewInput(title="T", content=content, project="p")
    message = refused(Code.REQUEST_INVALID, lambda: check_images(input, {"u1"}))
    assert fields(message) == ["content[1].uploadId", "content[2].uploadId"]
    assert '"u2"' in message
    assert "request_upload" in message
    assert len(message) < 400


def test_a_review_that_was_closed_with_changes_requested_may_be_revised():
    check_revises(replied(review(), ChangesRequested(feedback="Shorter.")), "ask-1")


@pytest.mark.parametrize(
    ("revised", "what"),
    [
        (None, "is not an ask of this inbox"),
        (question(), "is a question"),
        (briefing(1), "is a briefing"),
        (review(), "still open"),
        (replied(review(), SOMETHING_ASKED_BACK), "awaits your answer_follow_up"),
        (replied(review(), Approved()), "it was approved"),
        (replied(review(), Dismissed()), "it was dismissed"),
    ],
)
def test_anything_else_that_is_to_be_revised_is_refused_with_what_it_is(
    revised: QuestionAsk | ReviewAsk | BriefingAsk | None, what: str
):
    message = refused(Code.REQUEST_INVALID, lambda: check_revises(revised, "ask-1"))
    assert message.startswith('revises: "ask-1" ')
    assert what in message
    assert "changes_requested" in message


def test_a_review_says_what_it_revises():
    input = ReviewInput(title="T", content=(MarkdownBlock(text="x"),), revises="ask-0", project="p")
    assert opened(input).to_dict()["revises"] == "ask-0"
