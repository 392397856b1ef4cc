"""Open asks to reply to, put into the database in one go: opening them is not what is measured."""

from collections.abc import Iterator

import asyncpg

from contract.asks import Actor, QuestionAsk, QuestionPrompt

CONTEXT = "It holds what was agreed on, and why, in the words of those who were there. " * 48
"""About four kilobytes."""

BODY = b'{"outcome":"answered","selected":[],"text":"Yes, as you say."}'


async def fill(dsn: str, count: int, *, tag: str) -> list[str]:
    """So many open questions; their ids."""
    from app.asks.store.rows import document
    from app.core.clock import system_clock

    at = system_clock()
    ask = QuestionAsk(
        id="ID",
        status="awaiting_human",
        waiting=False,
        project="bench",
        client="bench 1",
        raised_by=Actor(id="local"),
        prompt=QuestionPrompt(question="Shall we?", options=(), multiple=False, context=CONTEXT),
        thread=(),
        created_at=at,
        updated_at=at,
    )
    conn = await asyncpg.connect(dsn)
    try:
        await conn.execute(
            "insert into asks (id, space_id, version, kind, status, waiting, revision, doc, title, project, raised_by, credential, "
            "call_sha256, created_at, updated_at) select $1 || n, 'local', 0, 'question', 'awaiting_human', false, '1', "
            "replace($2, '\"ID\"', '\"' || $1 || n || '\"'), 'Shall we?', 'bench', 'local', 'token:bench', sha256(($1 || n)::bytea), $3, $3 "
            "from generate_series(1, $4::int) n",
            tag,
            document(ask),
            at,
            count,
        )
        await conn.execute("analyze asks")
    finally:
        await conn.close()
    return [f"{tag}{number}" for number in range(1, count + 1)]


def requests(ids: list[str], prefix: str) -> Iterator[tuple[str, bytes]]:
    """A reply to each ask, once."""
    for ask_id in ids:
        yield f"{prefix}/asks/{ask_id}/reply", BODY
