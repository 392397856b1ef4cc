"""Every table, once. Capabilities write their own statements; this is what the migrations are checked against.

Documents (`doc`) are the contract's JSON as text, not `jsonb`: they go to the wire as they are, and `jsonb` would cost twice the
reading and refuse U+0000. Columns beside a document are copies that SQL needs, filled on every write.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_MOMENT = TIMESTAMP(timezone=True, precision=3)


def _created() -> Column[object]:
    return Column("created_at", _MOMENT, nullable=False, server_default=func.clock_timestamp())


instance = Table(
    "instance",
    metadata,
    Column("id", Text, primary_key=True),
    Column("signing_key", LargeBinary, nullable=False),
    _created(),
    comment="One row: this deployment's own name and the key it signs with.",
)

spaces = Table(
    "spaces",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text),
    Column("version", BigInteger, nullable=False, server_default="0"),
    Column("last_closed_at", _MOMENT),
    _created(),
    comment="An inbox. Every write in it takes this row first, so version order is commit order.",
)

actors = Table("actors", metadata, Column("id", Text, primary_key=True), Column("name", Text), _created())

memberships = Table(
    "memberships",
    metadata,
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("actor_id", Text, ForeignKey("actors.id"), nullable=False),
    Column("role", Text, nullable=False),
    _created(),
    PrimaryKeyConstraint("space_id", "actor_id"),
    CheckConstraint("role in ('owner', 'member', 'observer')", name="role"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("actor_id", Text, ForeignKey("actors.id"), nullable=False),
    Column("label", Text, nullable=False),
    Column("can_ask", Boolean, nullable=False),
    Column("can_reply", Boolean, nullable=False),
    Column("secret_sha256", LargeBinary, nullable=False, unique=True),
    _created(),
    Column("last_used_at", _MOMENT),
    Column("revoked_at", _MOMENT),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("actor_id", Text, ForeignKey("actors.id"), nullable=False),
    Column("cookie_sha256", LargeBinary, nullable=False, unique=True),
    Column("half_sha256", LargeBinary, nullable=False),
    Column("browser", Text),
    _created(),
    Column("expires_at", _MOMENT, nullable=False),
    Column("ended_at", _MOMENT),
    comment="A signed-in browser: a cookie, and a second half that the page keeps and sends itself.",
)

sign_in_links = Table(
    "sign_in_links",
    metadata,
    Column("secret_sha256", LargeBinary, primary_key=True),
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("actor_id", Text, ForeignKey("actors.id"), nullable=False),
    _created(),
    Column("expires_at", _MOMENT, nullable=False),
)

event_tickets = Table(
    "event_tickets",
    metadata,
    Column("secret_sha256", LargeBinary, primary_key=True),
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("credential", Text, nullable=False),
    Column("expires_at", _MOMENT, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("at", _MOMENT, nullable=False, server_default=func.clock_timestamp()),
    Column("space_id", Text),
    Column("actor_id", Text),
    Column("credential", Text),
    Column("action", Text, nullable=False),
    Column("subject", Text),
    Column("label", Text),
    Column("origin", Text),
    Index("ix_audit_space_id_id", "space_id", "id"),
    comment="Who did what, when, from where. Rows are only ever added: a trigger refuses the rest.",
)

asks = Table(
    "asks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("waiting", Boolean, nullable=False),
    Column("waiting_changed_at", _MOMENT, nullable=False, server_default=func.clock_timestamp()),
    Column("revision", Text, nullable=False),
    Column("doc", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("project", Text),
    Column("raised_by", Text, nullable=False),
    Column("credential", Text, nullable=False),
    Column("call_sha256", LargeBinary, nullable=False),
    Column("created_at", _MOMENT, nullable=False),
    Column("updated_at", _MOMENT, nullable=False),
    Column("closed_at", _MOMENT),
    CheckConstraint("kind in ('question', 'review', 'briefing')", name="kind"),
    CheckConstraint("status in ('awaiting_human', 'awaiting_agent', 'closed')", name="status"),
    CheckConstraint("(status = 'closed') = (closed_at is not null)", name="closed"),
    Index("ix_asks_open", "space_id", text("created_at desc"), text("id desc"), postgresql_where=text("closed_at is null")),
    Index("uq_asks_closed", "space_id", text("closed_at desc"), unique=True, postgresql_where=text("closed_at is not null")),
    Index("ix_asks_version", "space_id", "version"),
    Index("ix_asks_call", "space_id", "call_sha256", text("created_at desc")),
    Index("ix_asks_raised_by", "space_id", "raised_by", text("created_at desc")),
    Index("ix_asks_waiting", "id", postgresql_where=text("waiting")),
    comment="`doc` is the ask without `waiting`, which is a column of its own: it changes far more often than the ask.",
)

replies = Table(
    "replies",
    metadata,
    Column("ask_id", Text, ForeignKey("asks.id"), nullable=False),
    Column("entry", Integer, nullable=False),
    Column("space_id", Text, nullable=False),
    Column("actor_id", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("idempotency_key", Text),
    Column("body_sha256", LargeBinary, nullable=False),
    Column("at", _MOMENT, nullable=False),
    Column("delivered_at", _MOMENT),
    PrimaryKeyConstraint("ask_id", "entry"),
    Index(
        "ix_replies_key",
        "ask_id",
        "actor_id",
        "idempotency_key",
        postgresql_where=text("idempotency_key is not null"),
    ),
    comment="What is known of a reply beyond its words: where in the thread it stands, and whether its agent has it.",
)

replicas = Table(
    "replicas",
    metadata,
    Column("id", Text, primary_key=True),
    Column("expires_at", _MOMENT, nullable=False),
    comment="A running process and its lease. Followers that it holds live as long as the lease does.",
)

followers = Table(
    "followers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("ask_id", Text, ForeignKey("asks.id", ondelete="CASCADE"), nullable=False),
    Column("replica_id", Text, ForeignKey("replicas.id", ondelete="CASCADE")),
    Column("expires_at", _MOMENT),
    CheckConstraint("(replica_id is null) <> (expires_at is null)", name="lease"),
    Index(None, "ask_id"),
    Index(None, "replica_id"),
    comment="An agent that follows an ask: a held call, or for a while after one, a lease of its own.",
)

uploads = Table(
    "uploads",
    metadata,
    Column("id", Text, primary_key=True),
    Column("space_id", Text, ForeignKey("spaces.id"), nullable=False),
    Column("actor_id", Text, nullable=False),
    Column("secret_sha256", LargeBinary, nullable=False, unique=True),
    Column("content_type", Text, nullable=False),
    Column("max_bytes", Integer, nullable=False),
    _created(),
    Column("expires_at", _MOMENT, nullable=False),
    Column("object_key", Text, unique=True),
    Column("size", Integer),
    Column("sha256", LargeBinary),
    Column("stored_at", _MOMENT),
    CheckConstraint("(stored_at is null) = (object_key is null)", name="stored"),
)
