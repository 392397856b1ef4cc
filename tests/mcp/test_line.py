"""The client's end of a request: what it is sent, and when what it was sent counts as taken."""

from typing import Any

from app.mcp.line import Line
from app.rest.protocol import ACKNOWLEDGED

START = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]}
STREAM = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}


class Client:
    """Notes what arrives, and acknowledges all of it."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.marks = 0
        self.line = Line(
            self._take, caller=None, client=None, longest=None, extensions={ACKNOWLEDGED: self._acknowledged}, fault=None
        )
        self.line.on_delivered(self._mark)

    async def _take(self, message: Any) -> None:
        self.sent.append(message)

    async def _acknowledged(self, seconds: float) -> bool:
        return True

    async def _mark(self) -> None:
        self.marks += 1

    @property
    def body(self) -> bytes:
        return b"".join(each.get("body", b"") for each in self.sent)


def more(body: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": True}


def last(body: bytes = b"{}") -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": False}


async def test_what_was_sent_to_its_end_and_acknowledged_is_delivered_once():
    client = Client()
    await client.line.send(START)
    await client.line.send(last())
    client.line.hang_up()
    await client.line.settle()
    assert client.marks == 1


async def test_what_is_sent_after_the_client_hung_up_is_not_delivered():
    client = Client()
    await client.line.commit()
    client.line.hang_up()
    await client.line.send(STREAM)
    await client.line.send(last())
    await client.line.settle()
    assert client.marks == 0


async def test_a_client_that_hangs_up_between_the_answer_and_the_streams_end_has_it():
    client = Client()
    await client.line.send(STREAM)
    await client.line.send(more(b"event: message\r\ndata: {}\r\n\r\n"))
    client.line.hang_up()
    await client.line.send(last(b""))
    await client.line.settle()
    assert client.marks == 1


async def test_a_comment_is_no_answer():
    client = Client()
    await client.line.send(STREAM)
    await client.line.send(more(b": ping\r\n\r\n"))
    client.line.hang_up()
    await client.line.send(last())
    await client.line.settle()
    assert client.marks == 0


async def test_a_plain_answer_after_the_stream_has_begun_becomes_its_one_event():
    client = Client()
    await client.line.commit()
    await client.line.send(START)
    await client.line.send(more(b'{"a":'))
    await client.line.send(last(b"1}"))
    assert [each["type"] for each in client.sent].count("http.response.start") == 1
    assert client.body.endswith(b'event: message\r\ndata: {"a":1}\r\n\r\n')


async def test_who_comes_to_a_line_that_has_hung_up_is_told_at_once():
    client = Client()
    told: list[str] = []
    client.line.on_gone(lambda: told.append("before"))
    client.line.hang_up()
    client.line.hang_up()
    client.line.on_gone(lambda: told.append("after"))
    assert told == ["before", "after"]
