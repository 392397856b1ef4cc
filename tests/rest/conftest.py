"""A server for each module, with nothing left out of its log."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.support.house import House, Person, house_on
from tests.support.postgres import ThrowawayPostgres


@pytest.fixture(scope="module")
def house(postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with postgres.database() as url, house_on(url, tmp_path_factory.mktemp("house"), LOOPBACK_LOG_LEVEL="debug") as house:
        yield house


@pytest.fixture
async def person(house: House) -> AsyncIterator[Person]:
    async with house.person() as person:
        yield person


@pytest.fixture
async def http(person: Person) -> httpx.AsyncClient:
    """The person's client: paths are those of the contract."""
    return person.http


@pytest.fixture
async def nobody(house: House) -> AsyncIterator[httpx.AsyncClient]:
    """A client without a credential: paths are the server's."""
    async with httpx.AsyncClient(base_url=house.url, timeout=20) as http:
        yield http
