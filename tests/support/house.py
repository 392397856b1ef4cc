"""A server, a person who replies over REST, and a look into the database: what tests of asking need."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from app.database.database import Database
from app.database.engine import make_engine
from app.gate.service import Gate, NewToken
from tests.support.postgres import ThrowawayPostgres
from tests.support.server import Server, serving
from tests.support.waiting import eventually

STRANGER = "stranger"
"""Another actor of the same space."""


@dataclass
class House:
    """A server on a database of its own."""

    server: Server
    database_url: str
    reply_token: str

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def token(self) -> str:
        """The agents' token."""
        return self.server.token

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    @contextlib.asynccontextmanager
    async def person(self) -> AsyncIterator["Person"]:
        """The person, at their inbox."""
        async with httpx.AsyncClient(
            base_url=f"{self.url}/api/v1", headers={"Authorization": f"Bearer {self.reply_token}"}, timeout=20
        ) as http:
            yield Person(http)

    async def rows(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        """What the database says."""
        connection = await asyncpg.connect(self.database_url)
        try:
            return await connection.fetch(statement, *values)
        finally:
            await connection.close()

    async def is_delivered(self, ask_id: str) -> bool:
        """Whether the latest reply of an ask is marked as delivered."""
        rows = await self.rows("select delivered_at from replies where ask_id = $1 order by entry desc limit 1", ask_id)
        return rows[0]["delivered_at"] is not None

    async def count(self, words: str) -> int:
        """How many asks of these words there are."""
        return len(await self.rows("select 1 from asks where title = $1", words))

    async def followers(self, ask_id: str) -> list[asyncpg.Record]:
        """Who follows an ask."""
        return await self.rows("select * from followers where ask_id = $1", ask_id)


class Person:
    """Reads the inbox and replies."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def snapshot(self) -> dict[str, Any]:
        answer = await self.http.get("/snapshot")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def ask(self, ask_id: str) -> dict[str, Any]:
        answer = await self.http.get(f"/asks/{ask_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def opened(self, words: str, *, waiting: bool | None = None) -> dict[str, Any]:
        """The open ask of these words, as soon as it is there."""

        async def look() -> dict[str, Any] | None:
            for ask in (await self.snapshot())["open"]:
                if title_of(ask) == words and waiting in (None, ask["waiting"]):
                    return ask
            return None

        return await eventually(look, what=f"the ask {words!r}")

    async def turned(self, ask_id: str, *, waiting: bool, seconds: float) -> dict[str, Any]:
        """The ask once its `waiting` is this."""

        async def look() -> dict[str, Any] | None:
            ask = await self.ask(ask_id)
            return ask if ask["waiting"] is waiting else None

        return await eventually(look, seconds, what=f"waiting {waiting} of {ask_id}")

    async def reply(self, ask_id: str, reply: dict[str, Any], status: int = 200) -> dict[str, Any]:
        """Reply, and what the server answers."""
        answer = await self.http.post(f"/asks/{ask_id}/reply", json=reply)
        assert answer.status_code == status, answer.text
        return answer.json()


def title_of(ask: dict[str, Any]) -> str:
    """Its title, or its question."""
    prompt = ask["prompt"]
    return prompt.get("title") or prompt["question"]


def unique(words: str) -> str:
    """Words that no other ask has."""
    return f"{words} {uuid.uuid4().hex[:12]}"


async def make_token(database_url: str, *, can: str, actor: str = "local") -> NewToken:
    """A token, made as the command makes one: `ask`, `reply` or `both`. An actor that is not there yet becomes a member."""
    database = Database(make_engine(database_url))
    try:
        async with database.begin() as conn:
            await conn.exec_driver_sql(f"insert into actors (id) values ('{actor}') on conflict do nothing")
            await conn.exec_driver_sql(
                f"insert into memberships (space_id, actor_id, role) values ('local', '{actor}', 'member') on conflict do nothing"
            )
        return await Gate(database).create_token(
            label="test",
            can_ask=can in ("ask", "both"),
            can_reply=can in ("reply", "both"),
            space="local",
            actor=actor,
            by="cli",
            origin="cli",
        )
    finally:
        await database.close()


async def revoke_token(database_url: str, token_id: str) -> None:
    """Revoke a token, as the command does."""
    database = Database(make_engine(database_url))
    try:
        await Gate(database).revoke_token(token_id, by="cli", origin="cli")
    finally:
        await database.close()


@contextlib.contextmanager
def house_on(database_url: str, folder: Path, *, port: int = 0, **settings: str) -> Iterator[House]:
    """A server on this database."""
    with serving(folder, port=port, LOOPBACK_DATABASE_URL=database_url, **settings) as server:
        yield House(server, database_url, asyncio.run(make_token(database_url, can="reply")).secret)


@pytest.fixture(scope="session")
def house(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for every test that leaves it running."""
    with postgres.database() as url, house_on(url, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
async def person(house: House) -> AsyncIterator[Person]:
    """The person of that server."""
    async with house.person() as person:
        yield person
