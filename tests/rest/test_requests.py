"""What a request may be, and what is said to the rest."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from contract.operations import OPERATIONS, Operation
from contract.problems import Code
from tests.support.asking import ANSWERED, briefing, open_ask, question, review
from tests.support.house import House
from tests.support.wire import check_named, refused

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("path", ["", "/", "/nothing", "/asks/a/b", "/snapshot/", "/events", "/uploads/local", "/files/"])
async def test_an_unknown_path_is_404_with_a_problem(http: httpx.AsyncClient, path: str) -> None:
    refused(await http.get(path), Code.NOT_FOUND)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
async def test_a_wrong_method_is_405_and_names_the_right_ones(http: httpx.AsyncClient, operation: Operation) -> None:
    path = operation.path.format(id="a", uploadId="a", spaceId="a", token="a")
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - {operation.method}:
        answer = await http.request(method, path)
        assert operation.method in refused(answer, Code.METHOD_NOT_ALLOWED)
        expected = ["GET", "HEAD"] if operation.method == "GET" else [operation.method]
        assert answer.headers["allow"].split(", ") == expected


async def test_an_address_with_several_methods_names_them_all(nobody: httpx.AsyncClient) -> None:
    answer = await nobody.put("/inbox/api/session")
    refused(answer, Code.METHOD_NOT_ALLOWED)
    assert answer.headers["allow"] == "DELETE, GET, HEAD, POST"


NOT_JSON = {
    "nothing": b"",
    "half an object": b'{"outcome": "dismissed"',
    "words": b"dismissed",
    "one quote": b"'",
    "two values": b"{} {}",
    "a trailing comma": b'{"outcome": "dismissed",}',
    "NaN": b'{"outcome": "dismissed", "x": NaN}',
    "Infinity": b'{"outcome": "dismissed", "x": -Infinity}',
    "a number over all bounds": b'{"outcome": "dismissed", "x": 1e999}',
    "a number of 6000 digits": b'{"outcome": "dismissed", "x": ' + b"9" * 6000 + b"}",
    "100,000 brackets": b"[" * 100_000,
    "100,000 objects": b'{"a":' * 100_000,
    "100,000 brackets, closed": b'{"outcome": "dismissed", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "bytes that are no UTF-8": b'{"outcome": "answered", "selected": [], "text": "\xff"}',
    "half a character in UTF-8": b'{"outcome": "answered", "selected": [], "text": "\xed\xa0\x80"}',
    "UTF-16": '{"outcome": "dismissed"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"outcome": "dismissed"}',
    "a raw control character": b'{"outcome": "answered", "selected": [], "text": "\x01"}',
}


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
async def test_a_body_that_is_not_json_is_400(http: httpx.AsyncClient, body: bytes) -> None:
    message = refused(await http.post("/asks/none/reply", content=body, headers=JSON), Code.REQUEST_MALFORMED)
    assert len(message) < 300


NOT_A_REPLY: dict[str, tuple[Any, str]] = {
    "null": (None, "the whole"),
    "a list": ([], "the whole"),
    "a string": ("dismissed", "the whole"),
    "no outcome": ({}, "outcome"),
    "an outcome that is none": ({"outcome": "maybe"}, "outcome"),
    "an outcome that is a number": ({"outcome": 1}, "outcome"),
    "a field that is missing": ({"outcome": "answered"}, "selected"),
    "a list that is a string": ({"outcome": "answered", "selected": "a"}, "selected"),
    "a number for text": ({"outcome": "answered", "selected": [], "text": 5}, "text"),
    "an empty question": ({"outcome": "follow_up", "question": ""}, "question"),
    "no points": ({"outcome": "responded", "points": []}, "points"),
    "a word for true": ({"outcome": "responded", "points": [{"point": "1", "resolved": "true"}]}, "points[0].resolved"),
    "an item deep inside": ({"outcome": "answered", "selected": ["a", 2]}, "selected[1]"),
    "U+0000": ({"outcome": "answered", "selected": [], "text": "a\0b"}, "text"),
    "U+0000 in a list": ({"outcome": "answered", "selected": ["\0"]}, "selected[0]"),
    "a lone surrogate": ({"outcome": "approved", "note": "\ud83d"}, "note"),
    "a lone surrogate in a list": ({"outcome": "responded", "points": [{"point": "1", "text": "\udc00"}]}, "points[0].text"),
    "a lone surrogate for an outcome": ({"outcome": "\ud83d"}, "outcome"),
}


@pytest.mark.parametrize(("body", "field"), NOT_A_REPLY.values(), ids=NOT_A_REPLY)
async def test_a_body_that_does_not_fit_is_422_and_names_the_field(http: httpx.AsyncClient, body: Any, field: str) -> None:
    answer = await http.post("/asks/none/reply", content=json.dumps(body), headers=JSON)
    assert refused(answer, Code.REQUEST_INVALID).startswith(f"{field}:" if field != "outcome" else ("outcome", "the whole"))


async def test_every_field_at_fault_is_named(http: httpx.AsyncClient) -> None:
    points = [{"point": 1}, {"text": "x"}, {"point": "3", "resolved": 0}]
    message = refused(
        await http.post("/asks/none/reply", json={"outcome": "responded", "points": points}), Code.REQUEST_INVALID
    )
    assert all(field in message for field in ("points[0].point", "points[1].point", "points[2].resolved"))


async def test_null_is_absent_and_unknown_fields_are_ignored(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house, review())
    reply = {"outcome": "approved", "note": None, "later": {"a": [1]}, "more\ud800": "\udfff"}
    answer = await http.post(f"/asks/{ask['id']}/reply", content=json.dumps(reply), headers=JSON)
    assert answer.status_code == 200, answer.text
    assert answer.json()["thread"][0]["reply"] == {"outcome": "approved"}


async def test_a_whole_character_written_as_two_escapes_is_kept(house: House, http: httpx.AsyncClient) -> None:
    ask = await open_ask(house)
    body = b'{"outcome": "answered", "selected": [], "text": "\\ud83e\\ude9c \\\\ud83e"}'
    answer = await http.post(f"/asks/{ask['id']}/reply", content=body, headers=JSON)
    assert answer.json()["thread"][0]["reply"]["text"] == "🪜 \\ud83e"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json-seq"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip, identity"},
        {"Content-Type": "application/json", "Content-Encoding": "br"},
    ],
    ids=str,
)
async def test_what_is_not_plain_json_by_its_headers_is_415(http: httpx.AsyncClient, headers: dict[str, str]) -> None:
    answer = await http.post("/asks/none/reply", content=json.dumps(ANSWERED).encode(), headers=headers)
    refused(answer, Code.UNSUPPORTED_MEDIA_TYPE)


async def test_a_charset_and_capitals_in_the_content_type_are_fine(http: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = await http.post("/asks/none/reply", content=json.dumps(ANSWERED), headers=headers)
    refused(answer, Code.ASK_NOT_FOUND)


@pytest.mark.parametrize("size", [1_048_577, 8 * 1_048_576])
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_over_a_mebibyte_is_413_and_the_client_reads_the_answer(
    http: httpx.AsyncClient, size: int, chunked: bool
) -> None:
    def chunks() -> Iterator[bytes]:
        for start in range(0, size, 65536):
            yield b" " * min(65536, size - start)

    async def streamed() -> Any:
        for chunk in chunks():
            yield chunk

    content: Any = streamed() if chunked else b"".join(chunks())
    began = time.monotonic()
    refused(await http.post("/asks/none/reply", content=content, headers=JSON), Code.TOO_LARGE)
    assert time.monotonic() - began < 4
    assert (await http.get("/whoami")).status_code == 200


async def test_a_body_of_exactly_a_mebibyte_is_read(http: httpx.AsyncClient) -> None:
    body = json.dumps({**ANSWERED, "text": ""}).encode()
    body = json.dumps({**ANSWERED, "text": "x" * (1_048_576 - len(body))}).encode()
    assert len(body) == 1_048_576
    refused(await http.post("/asks/none/reply", content=body, headers=JSON), Code.ASK_NOT_FOUND)


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=1.5", "limit=99999999999999999999", "limit=%00"),
        *("before=", "before=yesterday", "before=2026-12-01", "before=1764547200", "before=2026-12-01T09:30:00"),
        *("before=2026-13-01T00:00:00Z", "before=2026-12-01T09:30:00Z%00"),
        *("before=0001-01-01T00:00:00%2B14:00", "before=9999-12-31T23:59:59-14:00"),
    ],
)
async def test_a_query_that_does_not_fit_is_422_and_names_the_parameter(http: httpx.AsyncClient, query: str) -> None:
    assert refused(await http.get(f"/asks?{query}"), Code.REQUEST_INVALID).startswith(query.partition("=")[0])


async def test_a_moment_before_everything_gives_an_empty_page(http: httpx.AsyncClient) -> None:
    for before in ("0001-01-01T00:00:00Z", "1969-12-31t23:59:59.999999999z"):
        answer = await http.get("/asks", params={"before": before, "more": "ignored"})
        assert answer.json() == {"items": []}, answer.text


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.params], ids=lambda each: each.name)
async def test_u0000_in_a_path_is_422(http: httpx.AsyncClient, operation: Operation) -> None:
    for name in operation.params:
        names = {"id": "a", "uploadId": "a", "spaceId": "local", "token": "a", name: "a%00b"}
        body = json.dumps(ANSWERED).encode() if operation.method == "POST" else None
        answer = await http.request(operation.method, operation.path.format(**names), content=body, headers=JSON)
        assert name in refused(answer, Code.REQUEST_INVALID)


@pytest.mark.parametrize(
    "name", ["a" * 5000, "%2e%2e%2f%2e%2e", "%ff%fe", "%F0%9F%AA%9C", "'%20or%201=1--", "%25", "%0d%0aX:%20y"]
)
async def test_a_strange_name_is_only_not_found(http: httpx.AsyncClient, name: str) -> None:
    answer = await http.get(f"/asks/{name}")
    assert answer.status_code == 404
    check_named(answer.headers)
    assert len(answer.json()["message"]) < 500


async def test_a_host_that_is_not_ours_is_421(house: House, nobody: httpx.AsyncClient) -> None:
    for host in ("evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil", ""):
        for path in ("/api/v1/whoami", "/", "/mcp", "/healthz"):
            message = refused(await nobody.get(path, headers={"Host": host}), Code.HOST_UNKNOWN)
            assert "LOOPBACK_PUBLIC_URL" in message
    for host in ("localhost", "127.0.0.1", "[::1]:9", "LOCALHOST:8787"):
        assert (await nobody.get("/healthz", headers={"Host": host})).status_code == 200


async def test_an_older_or_equal_revision_is_served_and_a_newer_one_is_told_to_reload(http: httpx.AsyncClient) -> None:
    assert (await http.get("/whoami", headers={"Loopback-Revision": "1"})).status_code == 200
    for path in ("/whoami", "/snapshot", "/asks/none", "/files/none"):
        for newer in ("2", "10", "999999999"):
            refused(await http.get(path, headers={"Loopback-Revision": newer}), Code.RELOAD)
        for rubbish in ("", "0", "01", "-1", "1.0", "one", "1 ", "١", "9999999999", "1,1"):
            if rubbish.strip() != "1":
                answer = await http.get(path, headers={"Loopback-Revision": rubbish.encode()})
                refused(answer, Code.REVISION_INVALID)


async def test_a_newer_page_is_told_to_reload_before_anything_else_is_said(nobody: httpx.AsyncClient) -> None:
    newer = {"Loopback-Revision": "2"}
    refused(await nobody.get("/api/v1/whoami", headers=newer), Code.RELOAD)
    refused(await nobody.post("/inbox/api/session", json={"code": "x"}, headers=newer), Code.RELOAD)
    refused(await nobody.put("/api/v1/uploads/local/none", content=b"x", headers=newer), Code.RELOAD)


@pytest.mark.parametrize("make", [question, review, briefing])
async def test_the_same_addresses_answer_head_without_a_body(house: House, http: httpx.AsyncClient, make: Any) -> None:
    ask = await open_ask(house, make())
    answer = await http.head(f"/asks/{ask['id']}")
    assert (answer.status_code, answer.content) == (200, b"")
