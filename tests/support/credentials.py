"""Everything that opens the door: tokens are made by `house`, browsers are signed in here."""

from dataclasses import dataclass

import httpx

from app.database.database import Database
from app.database.engine import make_engine
from app.gate.service import Gate

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says of a request from the inbox's own page."""


@dataclass(frozen=True)
class Browser:
    """A signed-in browser: its cookie, and the half that the page keeps."""

    name: str
    secret: str
    half: str

    @property
    def cookie(self) -> dict[str, str]:
        """What the browser sends by itself."""
        return {"Cookie": f"{self.name}={self.secret}"}

    @property
    def reading(self) -> dict[str, str]:
        """What the page's requests carry."""
        return {**self.cookie, **SAME_ORIGIN, "Loopback-Session": self.half}

    @property
    def writing(self) -> dict[str, str]:
        """And those that write."""
        return {**self.reading, "Loopback-Revision": "1"}


async def sign_in_code(database_url: str) -> str:
    """The code of a fresh sign-in link, as the command makes one."""
    database = Database(make_engine(database_url))
    try:
        return await Gate(database).sign_in_link()
    finally:
        await database.close()


async def redeem(url: str, code: str, **headers: str) -> httpx.Response:
    """Press the button of the sign-in page."""
    async with httpx.AsyncClient(timeout=20) as http:
        return await http.post(f"{url}/inbox/api/session", json={"code": code}, headers={**SAME_ORIGIN, **headers})


async def sign_in(url: str, database_url: str) -> Browser:
    """Sign a browser in."""
    answer = await redeem(url, await sign_in_code(database_url))
    assert answer.status_code == 201, answer.text
    ((name, secret),) = answer.cookies.items()
    return Browser(name, secret, answer.json()["half"])
