"""When something is wrong with the server."""

from typing import Any

import asyncpg
import httpx

from contract.operations import OPERATIONS, WHOAMI
from contract.problems import Code
from tests.support.asking import ANSWERED, open_ask, question
from tests.support.house import House, unique
from tests.support.waiting import eventually
from tests.support.wire import check_named, done, refused


async def test_a_bug_is_500_without_a_word_of_what_happened(house: House, http: httpx.AsyncClient) -> None:
    canary = unique("canary")
    ask = await open_ask(house, question(context=canary))
    await house.rows('update asks set doc = replace(doc, \'"kind":"question"\', \'"kind":"riddle"\') where id = $1', ask["id"])
    answer = await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED)
    message = refused(answer, Code.INTERNAL)
    assert "log" in message
    assert not any(word in answer.text for word in ("pydantic", "File ", "riddle", canary))


async def test_the_log_says_where_a_bug_is_but_not_what_agents_wrote(house: House, http: httpx.AsyncClient) -> None:
    canary = unique("canary")
    ask = await open_ask(house, question(context=canary))
    words = f'"{canary}"'
    await house.rows("update asks set doc = replace(doc, $2, $3) where id = $1", ask["id"], words, f"[{words}]")
    refused(await http.post(f"/asks/{ask['id']}/reply", json=ANSWERED), Code.INTERNAL)
    log = house.server.log()
    assert "unhandled, answering 500" in log
    assert "ValidationError" in log
    assert "service.py" in log
    assert canary not in log


async def test_what_the_database_refuses_is_not_repeated_in_the_log(house: House, http: httpx.AsyncClient) -> None:
    canary = unique("canary")
    ask = await open_ask(house)
    await house.rows("alter table asks add constraint never check (status <> 'closed') not valid")
    try:
        reply = {**ANSWERED, "text": canary}
        refused(await http.post(f"/asks/{ask['id']}/reply", json=reply), Code.INTERNAL)
    finally:
        await house.rows("alter table asks drop constraint never")
    assert "CheckViolation" in house.server.log() or "IntegrityError" in house.server.log()
    assert canary not in house.server.log()
    assert done(await http.get("/whoami"), WHOAMI)
    assert (await http.get(f"/asks/{ask['id']}")).json()["thread"] == []


async def test_while_the_database_is_away_everything_says_so_and_comes_back(
    house: House, http: httpx.AsyncClient, nobody: httpx.AsyncClient
) -> None:
    assert (await nobody.get("/readyz")).json() == {"status": "ready"}
    admin = await asyncpg.connect(house.database_url.replace(_name(house), "postgres", 1))
    try:
        await admin.execute(f"alter database {_name(house)} allow_connections false")
        await admin.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", _name(house))

        async def away() -> Any:
            answer = await nobody.get("/readyz")
            return answer.status_code == 503 and answer.json()["missing"] == ["database", "bus"] and answer

        check_named((await eventually(away, 15, "not ready")).headers)
        assert (await nobody.get("/healthz")).json() == {"status": "alive"}

        async def forgotten() -> bool:
            return (await http.get("/whoami")).status_code == 503

        await eventually(forgotten, 5, "the credential is no longer taken at its word")
        for operation in OPERATIONS:
            path = operation.path.format(id="a", uploadId="a", spaceId="a", token="a")
            body = '{"outcome": "dismissed"}' if operation.method == "POST" else None
            headers = {"Content-Type": "application/json"}
            refused(await http.request(operation.method, path, content=body, headers=headers), Code.UNAVAILABLE)
    finally:
        await admin.execute(f"alter database {_name(house)} allow_connections true")
        await admin.close()

    async def back() -> bool:
        return (await nobody.get("/readyz")).status_code == 200

    await eventually(back, 20, "ready again")
    assert done(await http.get("/whoami"), WHOAMI)


def _name(house: House) -> str:
    return house.database_url.partition("@/")[2].partition("?")[0]
