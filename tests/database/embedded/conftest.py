"""Who uses the embedded Postgres."""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.embedded import Person, person_with_folder, python_for

OURSELVES, SOMEBODY = "ourselves", "a normal user"
USERS = [OURSELVES, SOMEBODY] if os.geteuid() == 0 else [OURSELVES]


@contextmanager
def acting(who: str) -> Iterator[Person]:
    """The user who runs the tests, or where that is root, a normal one."""
    if who == OURSELVES:
        with person_with_folder() as person:
            yield person
        return
    if os.geteuid() != 0:
        pytest.skip("only root can act for another user")
    user = pwd.getpwnam("daemon")
    python = python_for(user)
    if python is None:
        pytest.skip("no Python 3.11 that another user could run: install Debian's python3")
    with person_with_folder(user, python) as person:
        yield person


@pytest.fixture
def ourselves() -> Iterator[Person]:
    """The user who runs the tests."""
    with acting(OURSELVES) as person:
        yield person


@pytest.fixture
def somebody() -> Iterator[Person]:
    """A normal user, where we are root."""
    with acting(SOMEBODY) as person:
        yield person


@pytest.fixture(params=USERS)
def person(request: pytest.FixtureRequest) -> Iterator[Person]:
    """Both, one after the other."""
    with acting(request.param) as person:
        yield person
