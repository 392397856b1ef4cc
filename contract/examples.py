"""An example of each message that is stored, sent or taken: what every later revision must still be able to read."""

from datetime import UTC, datetime, timedelta

from contract import agents, asks, content, events, people, problems
from contract.base import Message

_AT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
_ADA = asks.Actor(id="local", name="Ada")


def _after(seconds: int) -> datetime:
    return _AT + timedelta(seconds=seconds)


_QUESTION = asks.QuestionAsk(
    id="0193a1b2-7c00-7000-8000-000000000001",
    status="awaiting_agent",
    waiting=True,
    project="api",
    client="claude-code 2.1.0",
    raised_by=_ADA,
    prompt=asks.QuestionPrompt(
        question="Which database should the new service use?",
        options=(content.Choice(label="Postgres"), content.Choice(label="SQLite", description="One file, one writer.")),
        multiple=False,
        context="It holds about **40 GB**.",
    ),
    thread=(asks.HumanEntry(reply=people.FollowUp(question="How many writers?"), by=_ADA, at=_after(60)),),
    created_at=_AT,
    updated_at=_after(60),
)

_REVIEW = asks.ReviewAsk(
    id="0193a1b2-7c00-7000-8000-000000000002",
    status="closed",
    waiting=False,
    project="api",
    client="codex-mcp-client 0.171.0",
    raised_by=_ADA,
    revises="0193a1b2-7c00-7000-8000-000000000000",
    prompt=asks.ReviewPrompt(
        title="The login page, second try",
        summary="The button is where you wanted it.",
        content=(
            content.MarkdownBlock(text="The page as it is now:"),
            content.ImageBlock(upload_id="0193a1b2-7c00-7000-8000-0000000000aa", caption="1280 × 800"),
            content.CodeBlock(code="export const login = () => 1;\n", language="ts", filename="login.ts"),
            content.DiffBlock(diff="--- a/login.ts\n+++ b/login.ts\n@@ -1 +1 @@\n-one\n+two\n", filename="login.ts"),
        ),
    ),
    thread=(
        asks.HumanEntry(reply=people.FollowUp(question="On a phone too?"), by=_ADA, at=_after(30)),
        asks.AgentEntry(answer="Yes, from 320 pixels up.", at=_after(90)),
        asks.HumanEntry(reply=people.Approved(note="Ship it."), by=_ADA, at=_after(120)),
    ),
    created_at=_AT,
    updated_at=_after(120),
    closed_at=_after(120),
)

_BRIEFING = asks.BriefingAsk(
    id="0193a1b2-7c00-7000-8000-000000000003",
    status="awaiting_human",
    waiting=False,
    project="api",
    client="gemini-cli-mcp-client 0.61.0",
    raised_by=_ADA,
    prompt=asks.BriefingPrompt(
        title="What the audit found",
        summary="Two findings.",
        sections=(
            asks.BriefingPromptSection(
                title="Security",
                points=(
                    asks.Point(
                        id="1",
                        title="Tokens are logged",
                        detail="In `log.py`, line 12.",
                        content=(content.CodeBlock(code="log.info(token)", language="python", filename="log.py"),),
                    ),
                    asks.Point(id="2", title="The cookie lacks a flag"),
                ),
            ),
        ),
    ),
    thread=(
        asks.HumanEntry(
            reply=people.Responded(
                points=(people.PointReply(point="1", text="Since when?"), people.PointReply(point="2", resolved=True))
            ),
            by=_ADA,
            at=_after(60),
        ),
        asks.AgentEntry(
            point="1",
            answer="Since two releases.",
            content=(content.DiffBlock(diff="--- a/log.py\n+++ b/log.py\n@@ -12 +12 @@\n-pass\n+log.info(token)\n"),),
            points=(asks.Point(id="1.1", title="Release 4"), asks.Point(id="1.2", title="Release 5")),
            at=_after(90),
        ),
    ),
    created_at=_AT,
    updated_at=_after(90),
)

_BY_KIND: dict[str, Message] = {"QuestionAsk": _QUESTION, "ReviewAsk": _REVIEW, "BriefingAsk": _BRIEFING}

_INPUTS: tuple[Message, ...] = (
    agents.QuestionInput(question="Ship it?", project="api"),
    agents.ReviewInput(title="The plan", content=(content.MarkdownBlock(text="1. Build"),), project="api"),
    agents.BriefingInput(
        title="Findings",
        sections=(content.BriefingSection(points=(content.BriefingPoint(title="Tokens are logged"),)),),
        project="api",
    ),
    agents.FollowUpInput(ask_id=_QUESTION.id, answer="Only one."),
    agents.BriefingAnswerInput(ask_id=_BRIEFING.id, answers=(agents.PointAnswer(point="1", answer="Since two releases."),)),
    agents.UploadRequest(content_type="image/png"),
    agents.InboxRequest(ask_id=_QUESTION.id),
)

_REPLIES: tuple[Message, ...] = (
    people.Answered(selected=("Postgres",), text="And keep it small."),
    people.Approved(note="Ship it."),
    people.ChangesRequested(feedback="The button is too far down."),
    people.FollowUp(question="How many writers?"),
    people.Dismissed(),
    people.Responded(points=(people.PointReply(point="1", text="Since when?"),)),
)

_OUTPUTS: tuple[Message, ...] = (
    agents.UploadTicket(
        upload_id="0193a1b2-7c00-7000-8000-0000000000aa",
        upload_url="http://127.0.0.1:8787/api/v1/uploads/local/TOKEN",
        expires_at=_after(900),
        max_bytes=10_485_760,
        command="curl -sS -T FILE -H 'Content-Type: image/png' 'http://127.0.0.1:8787/api/v1/uploads/local/TOKEN'",
    ),
    agents.InboxLink(url=f"http://127.0.0.1:8787/asks/{_QUESTION.id}"),
    asks.ToolReply(ask_id=_REVIEW.id, reply=people.Approved(note="Ship it.")),
    asks.Snapshot(open=(_BRIEFING, _QUESTION), recent=(_REVIEW,)),
    asks.AskPage(items=(_REVIEW,), next_before=_after(120)),
    events.EventTicket(ticket="TICKET", expires_at=_after(60)),
    events.Whoami(space="local", actor=_ADA),
    events.UploadReceipt(upload_id="0193a1b2-7c00-7000-8000-0000000000aa", content_type="image/png", size=48_211),
    events.SnapshotEvent(snapshot=asks.Snapshot(open=(_QUESTION,), recent=())),
    events.AskEvent(type="ask.opened", ask=_QUESTION),
    problems.Problem(code="ask.closed", message="The ask is closed: it was approved at 2026-12-01T09:32:00.000Z."),
)

EXAMPLES: dict[str, Message] = {
    **_BY_KIND,
    **{type(each).__name__: each for each in (*_INPUTS, *_REPLIES, *_OUTPUTS)},
}
