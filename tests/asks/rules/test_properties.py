"""Whatever is replied and answered, in whatever order: the ask stays lawful, or the move is refused and changes nothing."""

from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from app.asks.rules.answers import answer, repeats_last_answers
from app.asks.rules.opening import check_input
from app.asks.rules.points import fold
from app.asks.rules.turns import already_given, latest_reply, reply_to
from app.core.refusal import Refusal
from contract.agents import BriefingAnswerInput, BriefingInput, FollowUpInput, PointAnswer, QuestionInput, ReviewInput
from contract.asks import Actor, AgentEntry, Ask, BriefingAsk, HumanEntry, QuestionAsk
from contract.content import BriefingPoint, BriefingSection, Choice, CodeBlock, ImageBlock, MarkdownBlock
from contract.people import Answered, Approved, ChangesRequested, Dismissed, FollowUp, PointReply, Reply, Responded
from contract.problems import Code
from tests.asks.rules.making import PERSON, minutes, opened, resolved

ASK: TypeAdapter[Ask] = TypeAdapter(Ask)
MOVES = 10

words = st.sampled_from(["Why?", 'é😀\u2028\x7f"\\', " padded "])
any_words = st.one_of(words, st.sampled_from([" ", "\n\u2003"]))
blocks = st.one_of(
    st.builds(MarkdownBlock, text=words),
    st.builds(CodeBlock, code=words, language=st.none() | st.just("python")),
    st.just(ImageBlock(upload_id="u1")),
)
content = st.none() | st.lists(blocks, max_size=2).map(tuple)
points = st.builds(BriefingPoint, title=words, detail=st.none() | words, content=content)
sections = st.builds(
    BriefingSection,
    title=st.none() | words,
    points=st.lists(points, min_size=1, max_size=3).map(tuple),
)
labels = st.lists(st.sampled_from("ABCD"), min_size=2, max_size=4, unique=True)
options = st.none() | labels.map(lambda names: tuple(Choice(label=name) for name in names))
questions = st.builds(QuestionInput, question=words, options=options, multiple=st.none() | st.booleans(), project=words)
reviews = st.builds(ReviewInput, title=words, content=st.lists(blocks, min_size=1, max_size=2).map(tuple), project=words)
briefings = st.builds(BriefingInput, title=words, sections=st.lists(sections, min_size=1, max_size=2).map(tuple), project=words)
asks = st.one_of(questions, reviews, briefings).map(opened)
actors = st.sampled_from([PERSON, Actor(id="grace", name="Grace")])


def mostly(usual: st.SearchStrategy[Any], odd: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from([usual, usual, usual, odd]).flatmap(lambda chosen: chosen)


def some_of(usual: st.SearchStrategy[Any], least: int, most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(usual, min_size=least, max_size=most).map(tuple)


def points_of(ask: Ask) -> tuple[str, ...]:
    return fold(ask).ids if isinstance(ask, BriefingAsk) else ("1",)


def replies_on_points(ids: tuple[str, ...]) -> st.SearchStrategy[Responded]:
    """Mostly each point once, with words or resolved."""
    said = st.builds(PointReply, point=st.sampled_from(ids), text=words)
    done = st.builds(PointReply, point=st.sampled_from(ids), text=st.none() | any_words, resolved=st.just(True))
    once = st.lists(said | said | done, min_size=1, max_size=4, unique_by=lambda on: on.point).map(tuple)
    anything = st.builds(
        PointReply,
        point=st.sampled_from([*ids, "0", "7.1", "x"]),
        text=st.none() | any_words,
        resolved=st.none() | st.booleans(),
    )
    return st.builds(Responded, points=mostly(once, some_of(anything, 1, 4)))


def replies_to(ask: Ask) -> st.SearchStrategy[Reply]:
    """Mostly a reply of the ask's kind, and more often one that leaves it open."""
    offered = [choice.label for choice in ask.prompt.options] if isinstance(ask, QuestionAsk) else []
    picked = some_of(st.sampled_from([*offered, "Z"]), 0, 2)
    asked_back = st.builds(FollowUp, question=mostly(words, any_words))
    on_points = replies_on_points(points_of(ask))
    decided = st.one_of(
        st.builds(Answered, selected=picked, text=st.none() | any_words),
        st.builds(Approved, note=st.none() | any_words),
        st.builds(ChangesRequested, feedback=any_words),
        st.just(Dismissed()),
    )
    usual = on_points if ask.kind == "briefing" else asked_back
    return mostly(usual, decided | on_points | asked_back)


@st.composite
def answers_to(draw: st.DrawFn, ask: Ask) -> FollowUpInput | BriefingAnswerInput:
    """Mostly an answer by the tool that fits, on the points that await one."""
    on_points = isinstance(ask, BriefingAsk) != draw(mostly(st.just(False), st.just(True)))
    if not on_points:
        return FollowUpInput(ask_id=ask.id, answer=draw(mostly(words, any_words)), content=draw(content))
    owed = fold(ask).unanswered if isinstance(ask, BriefingAsk) else ()
    anything = some_of(st.sampled_from([*points_of(ask), "7.1"]), 1, 3)
    ids = draw(mostly(st.permutations(owed), anything)) or draw(anything)
    sub_points = st.none() | some_of(points, 0, 2)
    return BriefingAnswerInput(
        ask_id=ask.id,
        answers=tuple(PointAnswer(point=id, answer=draw(words), content=draw(content), points=draw(sub_points)) for id in ids),
    )


def play(data: st.DataObject, ask: Ask) -> list[Ask]:
    """Every state of an ask over some moves, checked one by one."""
    states = [ask]
    for n in range(1, data.draw(st.integers(1, MOVES) | st.just(MOVES)) + 1):
        in_turn = data.draw(mostly(st.just(True), st.just(False)))
        move = agent_moves if (ask.status == "awaiting_agent") == in_turn else person_moves
        ask = move(data, ask, minutes(n))
        states.append(ask)
    return states


def person_moves(data: st.DataObject, before: Ask, at: datetime) -> Ask:
    reply, by = data.draw(replies_to(before)), data.draw(actors)
    after = attempted(before, lambda: reply_to(before, reply, by=by, at=at))
    if isinstance(after, Code):
        out_of_turn = {"awaiting_agent": Code.ASK_AGENTS_TURN, "closed": Code.ASK_CLOSED}
        assert after is out_of_turn.get(before.status, Code.REPLY_INVALID)
        return before
    assert before.status == "awaiting_human" or (before.status == "awaiting_agent" and isinstance(reply, Dismissed))
    assert after.thread == (*before.thread, HumanEntry(reply=reply, by=by, at=at))
    assert latest_reply(after) == (len(before.thread), after.thread[-1])
    assert already_given(after, reply, by)
    assert not already_given(after, reply, Actor(id="somebody else"))
    assert_lawful(after, at)
    return after


def agent_moves(data: st.DataObject, before: Ask, at: datetime) -> Ask:
    input = data.draw(answers_to(before))
    after = attempted(before, lambda: answer(before, input, at=at))
    if isinstance(after, Code):
        assert after is (Code.ASK_CLOSED if before.status == "closed" else Code.REQUEST_INVALID)
        return before
    assert before.status == "awaiting_agent"
    given = [input.answer] if isinstance(input, FollowUpInput) else [one.answer for one in input.answers]
    added = after.thread[len(before.thread) :]
    assert after.thread[: len(before.thread)] == before.thread
    assert [entry.answer for entry in added if isinstance(entry, AgentEntry)] == given
    assert len(added) == len(given)
    assert repeats_last_answers(after, input)
    assert latest_reply(after) is None
    assert_lawful(after, at)
    return after


def attempted(before: Ask, move: Callable[[], Ask]) -> Ask | Code:
    """The ask after a move, or why it was refused; either way the ask before it is as it was."""
    as_it_was = before.to_json()
    try:
        return move()
    except Refusal as refusal:
        return refusal.code
    finally:
        assert before.to_json() == as_it_was


def assert_lawful(ask: Ask, at: datetime) -> None:
    assert ask.updated_at == at
    assert (ask.closed_at == at) if ask.status == "closed" else (ask.closed_at is None)
    agents_word_is_last = isinstance(ask.thread[-1], AgentEntry)
    assert (ask.status == "awaiting_human") == agents_word_is_last == ask.waiting
    assert ASK.validate_json(ask.to_json()) == ask
    assert "null" not in ask.to_json()
    if isinstance(ask, BriefingAsk):
        assert_points_are_lawful(ask)


def assert_points_are_lawful(ask: BriefingAsk) -> None:
    points = fold(ask)
    listed = [point.id for section in ask.prompt.sections for point in section.points]
    listed += [point.id for entry in ask.thread if isinstance(entry, AgentEntry) for point in entry.points or ()]
    assert len(set(listed)) == len(listed)
    assert sorted(listed, key=lambda id: [int(part) for part in id.split(".")]) == list(points.ids)
    for id in points.ids:
        above, _, number = id.rpartition(".")
        assert number == "1" or f"{above}.{int(number) - 1}".lstrip(".") in listed
        assert id.count(".") < 3
        assert not above or above in points.open or id not in points.open
    assert set(points.unanswered) <= set(points.open)
    if ask.status == "awaiting_agent":
        assert points.unanswered
    if ask.status == "awaiting_human":
        assert points.open
        assert not points.unanswered
    if ask.status == "closed":
        assert points.all_resolved or ask.thread[-1].to_dict()["reply"] == {"outcome": "dismissed"}


@settings(deadline=None, max_examples=120)
@given(asks, st.data())
def test_any_sequence_of_replies_and_answers_leaves_a_lawful_ask_or_is_refused_and_changes_nothing(
    ask: Ask, data: st.DataObject
):
    states = play(data, ask)
    for before, after in pairwise(states):
        assert after.thread[: len(before.thread)] == before.thread
        assert (after.id, after.prompt, after.created_at) == (before.id, before.prompt, before.created_at)


@settings(deadline=None, max_examples=40)
@given(asks, st.data())
def test_whoever_has_the_move_can_always_make_one_until_the_ask_is_closed(ask: Ask, data: st.DataObject):
    ask = play(data, ask)[-1]
    if ask.status == "awaiting_agent":
        if isinstance(ask, BriefingAsk):
            owed = tuple(PointAnswer(point=id, answer="So.") for id in fold(ask).unanswered)
            ask = answer(ask, BriefingAnswerInput(ask_id=ask.id, answers=owed), at=minutes(20))
        else:
            ask = answer(ask, FollowUpInput(ask_id=ask.id, answer="So."), at=minutes(20))
    if ask.status == "awaiting_human":
        outermost = [id for id in fold(ask).ids if "." not in id] if isinstance(ask, BriefingAsk) else []
        ask = reply_to(ask, resolved(*outermost) if outermost else Dismissed(), by=PERSON, at=minutes(21))
    assert ask.status == "closed"


@settings(deadline=None, max_examples=80)
@given(briefings.map(opened), st.data())
def test_points_stand_where_the_rules_told_one_by_one_put_them(ask: Ask, data: st.DataObject):
    assert isinstance(ask, BriefingAsk)
    told = play(data, ask)[-1]
    assert isinstance(told, BriefingAsk)
    open_ones, owed = told_one_by_one(told)
    assert set(fold(told).open) == open_ones
    assert set(fold(told).unanswered) == owed


def told_one_by_one(ask: BriefingAsk) -> tuple[set[str], set[str]]:
    """The open points and those that await an answer, by the sentences of the rules in their order."""
    everything = {point.id for section in ask.prompt.sections for point in section.points}
    open_ones, owed = set(everything), set[str]()
    for entry in ask.thread:
        if isinstance(entry, AgentEntry):
            owed.clear()
            new = {point.id for point in entry.points or ()}
            everything |= new
            open_ones |= new
        elif isinstance(entry.reply, Responded):
            for on in entry.reply.points:
                if on.resolved:
                    open_ones -= {id for id in everything if f"{id}.".startswith(f"{on.point}.")}
            for on in entry.reply.points:
                if on.text and on.text.strip() and not on.resolved:
                    open_ones |= {id for id in everything if f"{on.point}.".startswith(f"{id}.")}
            owed |= {on.point for on in entry.reply.points if on.text and on.text.strip()} & open_ones
    return open_ones, owed


@settings(deadline=None, max_examples=40)
@given(briefings.map(opened), st.data())
def test_the_order_in_which_a_reply_names_points_says_nothing(ask: Ask, data: st.DataObject):
    ask = play(data, ask)[-1]
    assert isinstance(ask, BriefingAsk)
    known = st.sampled_from(fold(ask).ids)
    on = data.draw(
        st.lists(
            st.builds(PointReply, point=known, text=st.none() | words, resolved=st.booleans()), unique_by=lambda on: on.point
        )
    )
    shuffled = data.draw(st.permutations(on))
    points = fold(ask)
    assert points.responded(Responded.model_construct(points=tuple(on))) == points.responded(
        Responded.model_construct(points=tuple(shuffled))
    )


@settings(deadline=None)
@given(st.one_of(questions, reviews, briefings))
def test_what_passes_its_checks_opens_as_an_ask_that_the_contract_reads_back(
    input: QuestionInput | ReviewInput | BriefingInput,
):
    check_input(input)
    ask = opened(input)
    assert ASK.validate_json(ask.to_json()) == ask
    assert "null" not in ask.to_json()
