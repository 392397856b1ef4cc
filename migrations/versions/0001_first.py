"""The first tables."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    create table instance (
        id text constraint pk_instance primary key,
        signing_key bytea not null,
        created_at timestamptz(3) not null default clock_timestamp()
    )
    """,
    "comment on table instance is 'One row: this deployment''s own name and the key it signs with.'",
    """
    create table spaces (
        id text constraint pk_spaces primary key,
        name text,
        version bigint not null default '0',
        last_closed_at timestamptz(3),
        created_at timestamptz(3) not null default clock_timestamp()
    )
    """,
    "comment on table spaces is 'An inbox. Every write in it takes this row first, so version order is commit order.'",
    """
    create table actors (
        id text constraint pk_actors primary key,
        name text,
        created_at timestamptz(3) not null default clock_timestamp()
    )
    """,
    """
    create table memberships (
        space_id text not null constraint fk_memberships_space_id references spaces,
        actor_id text not null constraint fk_memberships_actor_id references actors,
        role text not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        constraint pk_memberships primary key (space_id, actor_id),
        constraint ck_memberships_role check (role in ('owner', 'member', 'observer'))
    )
    """,
    """
    create table tokens (
        id text constraint pk_tokens primary key,
        space_id text not null constraint fk_tokens_space_id references spaces,
        actor_id text not null constraint fk_tokens_actor_id references actors,
        label text not null,
        can_ask boolean not null,
        can_reply boolean not null,
        secret_sha256 bytea not null constraint uq_tokens_secret_sha256 unique,
        created_at timestamptz(3) not null default clock_timestamp(),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3)
    )
    """,
    """
    create table sessions (
        id text constraint pk_sessions primary key,
        space_id text not null constraint fk_sessions_space_id references spaces,
        actor_id text not null constraint fk_sessions_actor_id references actors,
        cookie_sha256 bytea not null constraint uq_sessions_cookie_sha256 unique,
        half_sha256 bytea not null,
        browser text,
        created_at timestamptz(3) not null default clock_timestamp(),
        expires_at timestamptz(3) not null,
        ended_at timestamptz(3)
    )
    """,
    "comment on table sessions is 'A signed-in browser: a cookie, and a second half that the page keeps and sends itself.'",
    """
    create table sign_in_links (
        secret_sha256 bytea constraint pk_sign_in_links primary key,
        space_id text not null constraint fk_sign_in_links_space_id references spaces,
        actor_id text not null constraint fk_sign_in_links_actor_id references actors,
        created_at timestamptz(3) not null default clock_timestamp(),
        expires_at timestamptz(3) not null
    )
    """,
    """
    create table event_tickets (
        secret_sha256 bytea constraint pk_event_tickets primary key,
        space_id text not null constraint fk_event_tickets_space_id references spaces,
        credential text not null,
        expires_at timestamptz(3) not null
    )
    """,
    """
    create table audit (
        id bigint generated always as identity constraint pk_audit primary key,
        at timestamptz(3) not null default clock_timestamp(),
        space_id text,
        actor_id text,
        credential text,
        action text not null,
        subject text,
        label text,
        origin text
    )
    """,
    "comment on table audit is 'Who did what, when, from where. Rows are only ever added: a trigger refuses the rest.'",
    "create index ix_audit_space_id_id on audit (space_id, id)",
    """
    create table asks (
        id text constraint pk_asks primary key,
        space_id text not null constraint fk_asks_space_id references spaces,
        version bigint not null,
        kind text not null,
        status text not null,
        waiting boolean not null,
        waiting_changed_at timestamptz(3) not null default clock_timestamp(),
        revision text not null,
        doc text not null,
        title text not null,
        project text,
        raised_by text not null,
        credential text not null,
        call_sha256 bytea not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        closed_at timestamptz(3),
        constraint ck_asks_closed check ((status = 'closed') = (closed_at is not null)),
        constraint ck_asks_kind check (kind in ('question', 'review', 'briefing')),
        constraint ck_asks_status check (status in ('awaiting_human', 'awaiting_agent', 'closed'))
    )
    """,
    """
    comment on table asks is
    '`doc` is the ask without `waiting`, which is a column of its own: it changes far more often than the ask.'
    """,
    "create index ix_asks_call on asks (space_id, call_sha256, created_at desc)",
    "create index ix_asks_open on asks (space_id, created_at desc, id desc) where closed_at is null",
    "create index ix_asks_raised_by on asks (space_id, raised_by, created_at desc)",
    "create index ix_asks_version on asks (space_id, version)",
    "create index ix_asks_waiting on asks (id) where waiting",
    "create unique index uq_asks_closed on asks (space_id, closed_at desc) where closed_at is not null",
    """
    create table replies (
        ask_id text not null constraint fk_replies_ask_id references asks,
        entry integer not null,
        space_id text not null,
        actor_id text not null,
        outcome text not null,
        idempotency_key text,
        body_sha256 bytea not null,
        at timestamptz(3) not null,
        delivered_at timestamptz(3),
        constraint pk_replies primary key (ask_id, entry)
    )
    """,
    """
    comment on table replies is
    'What is known of a reply beyond its words: where in the thread it stands, and whether its agent has it.'
    """,
    "create index ix_replies_key on replies (ask_id, actor_id, idempotency_key) where idempotency_key is not null",
    """
    create table replicas (
        id text constraint pk_replicas primary key,
        expires_at timestamptz(3) not null
    )
    """,
    "comment on table replicas is 'A running process and its lease. Followers that it holds live as long as the lease does.'",
    """
    create table followers (
        id text constraint pk_followers primary key,
        ask_id text not null constraint fk_followers_ask_id references asks on delete cascade,
        replica_id text constraint fk_followers_replica_id references replicas on delete cascade,
        expires_at timestamptz(3),
        constraint ck_followers_lease check ((replica_id is null) <> (expires_at is null))
    )
    """,
    "comment on table followers is 'An agent that follows an ask: a held call, or for a while after one, a lease of its own.'",
    "create index ix_followers_ask_id on followers (ask_id)",
    "create index ix_followers_replica_id on followers (replica_id)",
    """
    create table uploads (
        id text constraint pk_uploads primary key,
        space_id text not null constraint fk_uploads_space_id references spaces,
        actor_id text not null,
        secret_sha256 bytea not null constraint uq_uploads_secret_sha256 unique,
        content_type text not null,
        max_bytes integer not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        expires_at timestamptz(3) not null,
        object_key text constraint uq_uploads_object_key unique,
        size integer,
        sha256 bytea,
        stored_at timestamptz(3),
        constraint ck_uploads_stored check ((stored_at is null) = (object_key is null))
    )
    """,
    # The record of who did what only ever grows.
    """
    create function refuse_change() returns trigger language plpgsql as $$
    begin
        raise exception 'rows of % are only ever added', tg_table_name using errcode = 'restrict_violation';
    end
    $$
    """,
    """
    create trigger audit_only_grows before update or delete or truncate on audit
    for each statement execute function refuse_change()
    """,
)


def upgrade() -> None:
    """As plain SQL: what has run once must not change with the code around it."""
    for statement in STATEMENTS:
        op.execute(statement)
