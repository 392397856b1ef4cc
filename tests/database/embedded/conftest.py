"""Who uses the embedded Postgres."""

import os
import pwd
from collections.abc import Iterator

import pytest

from tests.support.embedded import Person, person_with_folder, python_for

USERS = ["ourselves", "a normal user"] if os.geteuid() == 0 else ["ourselves"]


@pytest.fixture
def ourselves() -> Iterator[Person]:
    """The user who runs the tests."""
    with person_with_folder() as person:
        yield person


@pytest.fixture
def somebody() -> Iterator[Person]:
    """A normal user, where we are root."""
    if os.geteuid() != 0:
        pytest.skip("only root can act for another user")
    user = pwd.getpwnam("daemon")
    python = python_for(user)
    if python is None:
        pytest.skip("no Python 3.11 that another user could run: install Debian's python3")
    with person_with_folder(user, python) as person:
        yield person


@pytest.fixture(params=USERS)
def person(request: pytest.FixtureRequest) -> Person:
    """Both, one after the other."""
    return request.getfixturevalue("ourselves" if request.param == "ourselves" else "somebody")
