"""The problem codes: stable, and each with its status."""

import re

import pytest

from contract.openapi import WHY
from contract.operations import OPERATIONS
from contract.problems import STATUS, Code, Problem

# Clients know these: one may be added, none changed or taken away.
STABLE = {
    "ask.closed": 409,
    "ask.agents_turn": 409,
    "ask.not_found": 404,
    "reply.invalid": 422,
    "idempotency.mismatch": 422,
    "upload.not_found": 404,
    "upload.used": 410,
    "upload.expired": 410,
    "upload.too_large": 413,
    "upload.wrong_type": 422,
    "upload.too_many_pixels": 422,
    "file.not_found": 404,
    "reload": 409,
    "revision.invalid": 422,
    "revision.newer": 503,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "too_large": 413,
    "unsupported_media_type": 415,
    "host.unknown": 421,
    "request.malformed": 400,
    "request.invalid": 422,
    "rate_limited": 429,
    "internal": 500,
    "unavailable": 503,
}
GENERAL = {400, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 500, 503}
"""What any operation may answer without listing it."""


@pytest.mark.parametrize("code", STABLE)
def test_a_stable_code_is_there_with_its_status(code: str):
    assert STATUS[Code(code)] == STABLE[code]


def test_every_code_has_a_status():
    assert set(STATUS) == set(Code)


def test_a_code_is_lower_case_words_with_at_most_one_dot():
    for code in Code:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?", code)


def test_every_status_that_any_operation_may_answer_has_a_code():
    assert set(STATUS.values()) >= GENERAL
    assert set(STATUS.values()) <= GENERAL | {401, 410}


def test_every_status_that_an_operation_lists_has_a_reason_and_a_code():
    listed = {status for operation in OPERATIONS for status in operation.refuses}
    assert listed == set(WHY)
    assert listed <= set(STATUS.values())


def test_a_problem_is_written_with_its_code_as_plain_text():
    assert Problem(code=Code.ASK_CLOSED, message="It is closed.").to_json() == '{"code":"ask.closed","message":"It is closed."}'
