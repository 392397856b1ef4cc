"""What every response must be: named by its code, and of the contract's shape."""

from datetime import datetime
from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator

from contract.operations import Operation
from contract.problems import STATUS, Code
from contract.upgrades import CURRENT
from tests.contract.schemas import EVENTS, component


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(component(name))


def check_message(name: str, value: Any) -> Any:
    """The value, which is a message of the frozen contract."""
    _validator(name).validate(value)
    return value


def check_frame(value: Any) -> Any:
    """The value, which is a frame of the frozen contract."""
    Draft202012Validator(EVENTS).validate(value)
    return value


def check_named(headers: Any) -> None:
    """The headers, which say what code answered."""
    assert headers["Loopback-Revision"] == CURRENT
    assert datetime.fromisoformat(headers["Loopback-Build"]).tzinfo is not None


def done(answer: httpx.Response, operation: Operation) -> Any:
    """The body of an answer that went well."""
    check_named(answer.headers)
    assert answer.status_code == operation.status, answer.text
    assert answer.headers["content-type"] == "application/json"
    return check_message(getattr(operation.gives, "__name__", str(operation.gives)), answer.json())


def refused(answer: httpx.Response, code: Code) -> str:
    """The words of an answer that was refused with this code."""
    check_named(answer.headers)
    assert (answer.status_code, answer.headers["content-type"]) == (STATUS[code], "application/json"), answer.text
    problem = check_message("Problem", answer.json())
    assert problem["code"] == code, problem
    assert "Traceback" not in answer.text
    return problem["message"]
