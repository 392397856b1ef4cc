"""Requests drawn from the contract, right ones and wrong ones, against the running service."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)

from contract.operations import OPERATIONS, READ_ASK, REPLY, Operation
from tests.support.asking import briefing, open_asks, question, review
from tests.support.house import House, make_token
from tests.support.wire import check_message, check_named

GENERAL = {400, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429}
"""What any operation may answer. That it may answer 500 and 503, too, is no excuse here."""

CHECKS = [not_a_server_error, response_schema_conformance, content_type_conformance, response_headers_conformance]
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]

drawn = settings(max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def api(house: House) -> Any:
    return schemathesis.openapi.from_url(f"{house.url}/api/v1/openapi.json")


@pytest.fixture(scope="module")
def session(house: House) -> Iterator[requests.Session]:
    """A client whose token may do everything."""
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {asyncio.run(make_token(house.database_url, can='both')).secret}"
        yield session


@pytest.fixture(scope="module")
def asks(house: House) -> list[str]:
    """Asks of every kind, for replies that reach one."""
    calls = [make() for make in (question, review, briefing) for _ in range(10)]
    return [ask["id"] for ask in asyncio.run(open_asks(house, calls))]


def conforms(case: Any, session: requests.Session, operation: Operation) -> int:
    """The answer is one that the contract has for the operation, or for all of them; its status."""
    answer = case.call(session=session)
    allowed = {operation.status, *operation.refuses} | GENERAL
    assert answer.status_code in allowed, (case.as_curl_command(), answer.status_code, answer.text)
    check_named({name.title(): values[0] for name, values in answer.headers.items()})
    if answer.status_code >= 400:
        check_message("Problem", answer.json())
    case.validate_response(answer, checks=CHECKS)
    return answer.status_code


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_answer_is_one_of_the_contract(
    api: Any, session: requests.Session, operation: Operation, mode: GenerationMode
) -> None:
    @drawn
    @given(case=api[operation.path][operation.method].as_strategy(generation_mode=mode))
    def each(case: Any) -> None:
        conforms(case, session, operation)

    each()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", [READ_ASK, REPLY], ids=lambda each: each.name)
def test_every_answer_about_an_ask_that_is_there_is_one_of_the_contract(
    api: Any, session: requests.Session, asks: list[str], operation: Operation, mode: GenerationMode
) -> None:
    statuses: set[int] = set()

    @drawn
    @given(case=api[operation.path][operation.method].as_strategy(generation_mode=mode))
    def each(case: Any) -> None:
        case.path_parameters = {"id": random.Random(repr(case.body)).choice(asks)}
        statuses.add(conforms(case, session, operation))

    each()
    if operation is REPLY and mode is GenerationMode.POSITIVE:
        assert statuses >= {200, 422}
