"""Rows that another revision of the code wrote."""

import httpx
import pytest

from contract.problems import Code
from tests.support.asking import ANSWERED, DISMISSED, open_ask
from tests.support.house import House, Person
from tests.support.wire import refused


async def test_an_ask_of_a_newer_revision_is_left_alone_loudly(house: House, person: Person, http: httpx.AsyncClient) -> None:
    ask, other = await open_ask(house), await open_ask(house)
    before = await house.rows("select * from asks where id = $1", ask["id"])
    await house.rows("update asks set revision = '2', doc = '{\"shape\": \"of tomorrow\"}' where id = $1", ask["id"])
    snapshot = await http.get("/snapshot")
    assert ask["id"] not in snapshot.text
    assert other["id"] in snapshot.text
    assert f"ask {ask['id']} is left alone" in house.server.log()
    refused(await http.get(f"/asks/{ask['id']}"), Code.REVISION_NEWER)
    refused(await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED), Code.REVISION_NEWER)
    (row,) = await house.rows("select * from asks where id = $1", ask["id"])
    assert (row["doc"], row["version"]) == ('{"shape": "of tomorrow"}', before[0]["version"])


async def test_a_closed_ask_of_a_newer_revision_is_absent_from_pages_and_breaks_none(
    house: House, person: Person, http: httpx.AsyncClient
) -> None:
    asks = [await open_ask(house) for _ in range(4)]
    for ask in asks:
        await person.reply(ask["id"], DISMISSED)
    await house.rows("update asks set revision = '12' where id = any($1)", [asks[3]["id"], asks[1]["id"]])
    first = (await http.get("/asks", params={"limit": 2})).json()
    assert [ask["id"] for ask in first["items"]] == [asks[2]["id"]]
    second = (await http.get("/asks", params={"limit": 2, "before": first["nextBefore"]})).json()
    assert [ask["id"] for ask in second["items"]] == [asks[0]["id"]]
    recent = [ask["id"] for ask in (await person.snapshot())["recent"]]
    assert recent[:2] == [asks[2]["id"], asks[0]["id"]]


@pytest.mark.parametrize("path", ["/asks/{}", "/snapshot"])
async def test_a_document_of_this_revision_passes_through_to_the_byte(house: House, http: httpx.AsyncClient, path: str) -> None:
    ask = await open_ask(house)
    (row,) = await house.rows("select doc from asks where id = $1", ask["id"])
    strange = row["doc"].replace('"thread":[]', '"thread":[ ],\n"kept": 1.50e+01, "kept": "\\u00e9"')
    assert strange != row["doc"]
    await house.rows("update asks set doc = $2, version = version + 1 where id = $1", ask["id"], strange)
    await house.rows("update spaces set version = version + 1")
    assert f'{{"waiting":false,{strange[1:]}' in (await http.get(path.format(ask["id"]))).text
