"""Migrations: each is applied once, whoever else is starting, and they make exactly the tables that the code declares."""

import asyncio
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from app.database.database import Database
from app.database.engine import make_engine
from app.database.migrate import LOCK, MIGRATIONS, MigrationError, known_revisions, migrate
from app.database.tables import metadata
from tests.support.postgres import ThrowawayPostgres

DESCRIPTION = """
select 'column', table_name || '.' || column_name,
       concat_ws(' ', data_type, datetime_precision, is_nullable, column_default, identity_generation)
from information_schema.columns where table_schema = 'public' and table_name <> 'alembic_version'
union all
select 'constraint', conname, conrelid::regclass || ' ' || pg_get_constraintdef(oid)
from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> coalesce(to_regclass('alembic_version'), 0)
union all
select 'index', indexname, indexdef from pg_indexes where schemaname = 'public' and tablename <> 'alembic_version'
union all
select 'comment', relname, obj_description(oid, 'pg_class')
from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'alembic_version'
"""


@pytest.fixture
def empty_url(postgres: ThrowawayPostgres) -> Iterator[str]:
    """A database with nothing in it."""
    with postgres.database("template0") as url:
        yield url


async def describe(url: str) -> set[tuple[str, str, str]]:
    connection = await asyncpg.connect(url)
    try:
        return {tuple(row) for row in await connection.fetch(DESCRIPTION)}
    finally:
        await connection.close()


async def revision(url: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("select version_num from alembic_version")
    finally:
        await connection.close()


async def test_the_migrations_make_exactly_the_declared_tables(database_url: str, empty_url: str) -> None:
    engine = make_engine(empty_url, pool=1)
    async with engine.begin() as conn:
        await conn.run_sync(metadata.create_all)
    await engine.dispose()
    assert await describe(database_url) == await describe(empty_url)


async def test_alembic_finds_nothing_to_add(database_url: str) -> None:
    def check(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.check(config)

    engine = make_engine(database_url, pool=1)
    async with engine.connect() as conn:
        await conn.run_sync(check)
    await engine.dispose()


async def test_six_simultaneous_migrators_apply_each_migration_once(empty_url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "alembic")
    await asyncio.gather(*(migrate(empty_url) for _ in range(6)))
    applied = re.findall(r"Running upgrade .*?-> (\d+)", caplog.text)
    assert applied == known_revisions()
    assert await revision(empty_url) == known_revisions()[-1]


async def test_migrating_again_changes_nothing(database_url: str) -> None:
    before = await describe(database_url)
    await migrate(database_url)
    assert await describe(database_url) == before


async def test_while_another_migrates_one_waits_and_then_says_so(empty_url: str) -> None:
    other = await asyncpg.connect(empty_url)
    await other.execute(f"select pg_advisory_lock({LOCK})")
    with pytest.raises(MigrationError, match="another process has been migrating"):
        await migrate(empty_url, timeout=0.3)
    waiting = asyncio.create_task(migrate(empty_url))
    await other.close()
    await waiting
    assert await revision(empty_url) == known_revisions()[-1]


async def test_a_database_migrated_by_newer_code_is_left_alone_with_a_warning(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute("update alembic_version set version_num = '9999'")
    await connection.close()
    await migrate(database_url)
    assert "migrated to 9999 by newer code" in caplog.text
    assert await revision(database_url) == "9999"


async def test_a_table_in_use_holds_a_migration_up_for_seconds_only(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.database.migrate.LOCK_TIMEOUT", "100ms")
    connection = await asyncpg.connect(empty_url)
    await connection.execute("create table alembic_version (version_num varchar(32) not null)")
    async with connection.transaction():
        await connection.execute("lock table alembic_version in share mode")
        with pytest.raises(MigrationError, match="a table that is in use"):
            await migrate(empty_url)
    await connection.close()
    await migrate(empty_url)
    assert await revision(empty_url) == known_revisions()[-1]


async def test_an_older_server_is_refused() -> None:
    async def pretend_to_be_17(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big") - 4)
        setting = b"server_version\x0017.5\x00"
        writer.write(b"R\x00\x00\x00\x08\x00\x00\x00\x00")
        writer.write(b"S" + (len(setting) + 4).to_bytes(4, "big") + setting)
        writer.write(b"K\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00" + b"Z\x00\x00\x00\x05I")
        await reader.readexactly(5)  # the client's farewell
        writer.close()

    async with await asyncio.start_server(pretend_to_be_17, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(MigrationError, match="is PostgreSQL 17 and Loopback needs 18 or newer"):
            await migrate(f"postgresql://x@127.0.0.1:{port}/x?sslmode=disable")


def test_the_file_names_say_the_order_that_alembic_sees() -> None:
    """What decides whether there is anything to do, without loading Alembic, must agree with it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert [script.revision for script in scripts.walk_revisions()][::-1] == known_revisions()


def test_the_migrations_lie_beside_the_package(request: pytest.FixtureRequest) -> None:
    assert (Path(request.config.rootpath) / "migrations" / "env.py").samefile(MIGRATIONS / "env.py")


@pytest.mark.parametrize("change", ["update audit set action = 'none'", "delete from audit", "truncate audit"])
async def test_the_audit_only_grows(database: Database, change: str) -> None:
    async with database.begin() as conn:
        await conn.execute(text("insert into audit (action) values ('ask.opened')"))
    with pytest.raises(Exception, match="rows of audit are only ever added"):
        async with database.begin() as conn:
            await conn.execute(text(change))
