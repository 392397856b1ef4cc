"""The audit: who did what, when, from where. A row is written in the transaction of what it tells of."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

_NOTE = text(
    "insert into audit (space_id, actor_id, credential, action, subject, label, origin) "
    "values (:space, :actor, :credential, :action, :subject, :label, :origin) returning id"
)


async def note(
    conn: AsyncConnection,
    action: str,
    *,
    space: str | None,
    actor: str | None,
    credential: str | None,
    origin: str | None,
    subject: str | None = None,
    label: str | None = None,
) -> int:
    """Write one row; its number. Never with a secret, nor with what agents and people wrote."""
    values = {
        "space": space,
        "actor": actor,
        "credential": credential,
        "action": action,
        "subject": subject,
        "label": label,
        "origin": origin,
    }
    return int((await conn.execute(_NOTE, values)).scalar_one())
