"""An image from its ticket to the inbox, with each of the two stores."""

import asyncio
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

import httpx
import pytest

from contract.operations import STORE_UPLOAD
from contract.problems import Code
from tests.support import images
from tests.support.asking import open_ask, review
from tests.support.house import House, house_on
from tests.support.postgres import ThrowawayPostgres
from tests.support.raw import MODERN, bearer, message, post, result_in
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Server, s3_server
from tests.support.waiting import eventually
from tests.support.wire import check_message, check_named, done, refused

__all__ = ["s3_server"]


def s3_settings(server: S3Server) -> dict[str, str]:
    return {
        "LOOPBACK_BLOBS": "s3",
        "LOOPBACK_S3_BUCKET": BUCKET,
        "LOOPBACK_S3_ENDPOINT": server.endpoint,
        "LOOPBACK_S3_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }


@pytest.fixture(scope="module", params=["folder", "s3"])
def house(
    request: pytest.FixtureRequest, postgres: ThrowawayPostgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    settings = s3_settings(request.getfixturevalue("s3_server")) if request.param == "s3" else {}
    folder = tmp_path_factory.mktemp("house")
    with postgres.database() as url, house_on(url, folder, LOOPBACK_LOG_LEVEL="debug", **settings) as house:
        yield house


async def request_upload(house: House, content_type: str = "image/png") -> dict[str, Any]:
    """A ticket, as an agent gets it."""
    headers, body = message(MODERN, "request_upload", {"contentType": content_type})
    answer = await post(house.url, house.token, headers, body)
    return check_message("UploadTicket", result_in(answer.text)["result"]["structuredContent"])


async def put(ticket: dict[str, Any], data: Any, content_type: str | None = "image/png", **headers: str) -> httpx.Response:
    sent = headers if content_type is None else {"Content-Type": content_type, **headers}
    async with httpx.AsyncClient(timeout=30) as http:
        return await http.put(ticket["uploadUrl"], content=data, headers=sent)


@pytest.mark.parametrize("content_type", images.ONE_OF_EACH)
async def test_an_image_of_each_type_is_stored_and_served_to_the_byte(
    house: House, http: httpx.AsyncClient, content_type: str
) -> None:
    data = images.ONE_OF_EACH[content_type]
    ticket = await request_upload(house, content_type)
    receipt = done(await put(ticket, data, content_type), STORE_UPLOAD)
    assert receipt == {"uploadId": ticket["uploadId"], "contentType": content_type, "size": len(data)}
    answer = await http.get(f"/files/{ticket['uploadId']}")
    assert (answer.status_code, answer.content) == (200, data)
    check_named(answer.headers)
    wanted = {
        "content-type": content_type,
        "content-length": str(len(data)),
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
        "content-disposition": "inline",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, max-age=31536000, immutable",
    }
    assert {name: answer.headers.get(name) for name in wanted} == wanted
    ((row),) = await house.rows("select size, sha256, content_type from uploads where id = $1", ticket["uploadId"])
    assert (row["size"], row["sha256"], row["content_type"]) == (len(data), hashlib.sha256(data).digest(), content_type)


async def test_a_stored_image_is_shown_in_an_ask(house: House) -> None:
    ticket = await request_upload(house)
    assert (await put(ticket, images.png())).status_code == 201
    ask = await open_ask(house, review(content=[{"type": "image", "uploadId": ticket["uploadId"], "caption": "Now"}]))
    assert ask["prompt"]["content"][0]["uploadId"] == ticket["uploadId"]


@pytest.mark.parametrize("name", ["picture.png", "two words & more.png", '[1] it\'s "$HOME".png', "-dash.png", "ü.png"])
async def test_the_command_runs_as_printed_and_prints_the_receipt(house: House, tmp_path: Path, name: str) -> None:
    ticket = await request_upload(house)
    (tmp_path / name).write_bytes(images.png(40, 30))
    path = quote(str(tmp_path / name))
    command = ticket["command"].replace("FILE", path)
    ran = await asyncio.to_thread(
        subprocess.run, ["sh", "-c", command], capture_output=True, text=True, timeout=30, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "uploadId": ticket["uploadId"],
        "contentType": "image/png",
        "size": len(images.png(40, 30)),
    }
    again = await asyncio.to_thread(
        subprocess.run, ["sh", "-c", command], capture_output=True, text=True, timeout=30, check=False
    )
    assert again.returncode != 0
    assert json.loads(again.stdout)["code"] == "upload.used"


async def test_a_token_that_was_never_issued_is_404(house: House) -> None:
    ticket = await request_upload(house)
    for url in (ticket["uploadUrl"] + "x", ticket["uploadUrl"].replace("/local/", "/elsewhere/")):
        refused(await put({"uploadUrl": url}, images.png()), Code.UPLOAD_NOT_FOUND)
    assert (await put(ticket, images.png())).status_code == 201


async def test_a_used_ticket_is_410(house: House, http: httpx.AsyncClient) -> None:
    ticket = await request_upload(house)
    data = images.png(3, 3)
    assert (await put(ticket, data)).status_code == 201
    refused(await put(ticket, images.png(4, 4)), Code.UPLOAD_USED)
    assert (await http.get(f"/files/{ticket['uploadId']}")).content == data


async def test_an_expired_ticket_is_410_after_fifteen_minutes(house: House) -> None:
    ticket = await request_upload(house)
    ((seconds,),) = await house.rows(
        "select extract(epoch from expires_at - created_at)::float from uploads where id = $1", ticket["uploadId"]
    )
    assert abs(seconds - 900) < 1
    await house.rows("update uploads set expires_at = clock_timestamp() where id = $1", ticket["uploadId"])
    refused(await put(ticket, images.png()), Code.UPLOAD_EXPIRED)


@pytest.mark.parametrize("chunked", [False, True])
async def test_an_image_that_is_too_large_is_413_and_the_client_reads_the_answer(house: House, *, chunked: bool) -> None:
    ticket = await request_upload(house)
    assert ticket["maxBytes"] == 10 * 1024 * 1024
    data = images.png() + bytes(ticket["maxBytes"])

    async def stream() -> Any:
        for start in range(0, len(data), 65_536):
            yield data[start : start + 65_536]

    answer = await put(ticket, stream() if chunked else data)
    assert "10 MiB" in refused(answer, Code.UPLOAD_TOO_LARGE)
    assert (await put(ticket, images.png())).status_code == 201


WRONG: dict[str, tuple[bytes, str | None, str]] = {
    "a HEIC named jpg": (images.HEIC, "image/jpeg", "HEIC"),
    "an AVIF": (images.AVIF, "image/jpeg", "AVIF"),
    "an SVG": (images.SVG, "image/jpeg", "SVG"),
    "a PNG": (images.png(), "image/jpeg", "PNG"),
    "text": (b"hello", "image/jpeg", "image/jpeg"),
    "nothing": (b"", "image/jpeg", "image/jpeg"),
    "half an image": (images.jpeg()[:-10], "image/jpeg", "cut short"),
    "another header": (images.jpeg(), "image/png", "Content-Type: image/jpeg"),
    "no header": (images.jpeg(), None, "Content-Type: image/jpeg"),
    "curl's own header": (images.jpeg(), "application/x-www-form-urlencoded", "Content-Type: image/jpeg"),
}


@pytest.mark.parametrize(("data", "content_type", "words"), WRONG.values(), ids=WRONG)
async def test_what_is_not_the_declared_type_is_422_and_says_what_was_found(
    house: House, data: bytes, content_type: str | None, words: str
) -> None:
    ticket = await request_upload(house, "image/jpeg")
    assert words in refused(await put(ticket, data, content_type), Code.UPLOAD_WRONG_TYPE)
    assert (await put(ticket, images.jpeg(), "IMAGE/JPEG; q=1")).status_code == 201


@pytest.mark.parametrize("data", [images.png(10_000, 5_001), images.apng(2, 2, 201)], ids=["pixels", "frames"])
async def test_an_image_that_is_too_much_to_show_is_422(house: House, data: bytes) -> None:
    ticket = await request_upload(house)
    refused(await put(ticket, data), Code.UPLOAD_TOO_MANY_PIXELS)
    assert (await put(ticket, images.png())).status_code == 201


async def test_a_packed_body_is_415(house: House) -> None:
    ticket = await request_upload(house)
    refused(await put(ticket, images.png(), **{"Content-Encoding": "gzip"}), Code.UNSUPPORTED_MEDIA_TYPE)
    assert (await put(ticket, images.png())).status_code == 201


async def test_an_upload_that_breaks_off_leaves_the_ticket_good(house: House) -> None:
    ticket = await request_upload(house)
    url = httpx.URL(ticket["uploadUrl"])
    _, writer = await asyncio.open_connection(url.host, url.port)
    head = f"PUT {url.path} HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nContent-Type: image/png\r\nContent-Length: 5000\r\n\r\n"
    writer.write(head.encode() + images.png())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert (await put(ticket, images.png())).status_code == 201


async def test_of_sixteen_puts_at_once_one_wins(house: House, http: httpx.AsyncClient) -> None:
    ticket = await request_upload(house)
    pictures = [images.png(10 + number, 10) for number in range(16)]
    answers = await asyncio.gather(*(put(ticket, data) for data in pictures))
    won = [data for answer, data in zip(answers, pictures, strict=True) if answer.status_code == 201]
    assert len(won) == 1
    for answer in answers:
        if answer.status_code != 201:
            refused(answer, Code.UPLOAD_USED)
    assert (await http.get(f"/files/{ticket['uploadId']}")).content == won[0]
    assert len(await house.rows("select 1 from audit where subject = $1", ticket["uploadId"])) == 1


async def test_a_file_that_is_not_there_is_404(house: House, http: httpx.AsyncClient) -> None:
    ticket = await request_upload(house)
    for name in (ticket["uploadId"], "none", "..%5clocal-token", "a" * 3000):
        refused(await http.get(f"/files/{name}"), Code.FILE_NOT_FOUND)


async def test_another_spaces_file_is_404(house: House, http: httpx.AsyncClient) -> None:
    ticket = await request_upload(house)
    assert (await put(ticket, images.png())).status_code == 201
    await house.rows("insert into spaces (id) values ('elsewhere') on conflict do nothing")
    await house.rows("update uploads set space_id = 'elsewhere' where id = $1", ticket["uploadId"])
    refused(await http.get(f"/files/{ticket['uploadId']}"), Code.FILE_NOT_FOUND)


async def test_the_uploads_token_is_in_no_log_and_only_hashed_in_the_database(house: House) -> None:
    ticket = await request_upload(house)
    token = ticket["uploadUrl"].rsplit("/", 1)[1]
    await put(ticket, b"wrong")
    await put(ticket, images.png(), "text/plain")
    assert (await put(ticket, images.png())).status_code == 201
    await put(ticket, images.png())
    assert token not in house.server.log()
    ((row),) = await house.rows("select uploads.*::text as all, secret_sha256 from uploads where id = $1", ticket["uploadId"])
    assert token not in row["all"]
    assert row["secret_sha256"] == hashlib.sha256(token.encode()).digest()


async def test_a_ticket_is_for_a_token_that_may_ask(house: House) -> None:
    headers, body = message(MODERN, "request_upload", {"contentType": "image/png"})
    assert (await post(house.url, house.reply_token, headers, body)).status_code == 403
    answer = result_in(
        (await post(house.url, house.token, headers, {**body, "params": {**body["params"], "arguments": {}}})).text
    )
    assert "contentType" in json.dumps(answer)


def blobs_of(house: House, s3: S3Server | None) -> list[Path]:
    """The files that hold images' bytes."""
    root = s3._data if s3 else house.server.data_dir / "images"
    return [path for path in root.rglob("*") if path.is_file() and path.read_bytes().startswith(b"\x89PNG")]


def make_old(file: Path) -> None:
    """As if it had been stored long ago. The S3 server keeps moments beside its files, and goes by the file's where they are lost."""
    os.utime(file, (1_700_000_000, 1_700_000_000))
    for beside in file.parents[2].rglob(f"*{file.name}*"):
        if beside != file:
            beside.unlink()


@pytest.mark.parametrize("store", ["folder", "s3"])
def test_the_sweep_removes_orphans_and_expired_tickets_and_nothing_else(
    request: pytest.FixtureRequest, postgres: ThrowawayPostgres, tmp_path: Path, store: str
) -> None:
    s3: S3Server | None = request.getfixturevalue("s3_server") if store == "s3" else None
    settings = s3_settings(s3) if s3 else {}
    names = ("kept", "old orphan", "young orphan")
    with postgres.database() as url:
        with house_on(url, tmp_path / "data", **settings) as house:
            before = set(blobs_of(house, s3))
            tickets = {name: asyncio.run(request_upload(house)) for name in (*names, "expired", "just expired")}
            files: dict[str, Path] = {}
            for number, name in enumerate(names):
                assert asyncio.run(put(tickets[name], images.png(20 + number, 20))).status_code == 201
                (files[name],) = set(blobs_of(house, s3)) - before - set(files.values())
            for name in ("old orphan", "young orphan"):
                asyncio.run(house.rows("delete from uploads where id = $1", tickets[name]["uploadId"]))
            for name in ("kept", "old orphan"):
                make_old(files[name])
            for name, hours in (("expired", 1.01), ("just expired", 0.01)):
                asyncio.run(
                    house.rows(
                        f"update uploads set expires_at = clock_timestamp() - interval '{hours} hours' where id = $1",
                        tickets[name]["uploadId"],
                    )
                )
        with house_on(url, tmp_path / "data", **settings) as house:

            async def swept() -> bool:
                left = await house.rows("select 1 from uploads where id = $1", tickets["expired"]["uploadId"])
                return not files["old orphan"].exists() and not left

            asyncio.run(eventually(swept, 10, "the sweep"))
            assert files["young orphan"].exists()
            path = f"{house.url}/api/v1/files/{tickets['kept']['uploadId']}"
            assert httpx.get(path, headers=bearer(house.reply_token)).content == images.png(20, 20)
            expired = httpx.URL(tickets["just expired"]["uploadUrl"]).path
            answer = httpx.put(house.url + expired, content=images.png(), headers={"Content-Type": "image/png"})
            refused(answer, Code.UPLOAD_EXPIRED)


def test_while_the_store_is_away_uploads_and_files_say_so_and_the_ticket_stays_good(
    postgres: ThrowawayPostgres, tmp_path: Path
) -> None:
    s3 = S3Server(tmp_path / "s3")
    s3.start()
    try:
        with postgres.database() as url, house_on(url, tmp_path / "data", **s3_settings(s3)) as house:
            stored, ticket = asyncio.run(request_upload(house)), asyncio.run(request_upload(house))
            assert asyncio.run(put(stored, images.png())).status_code == 201
            s3.stop()
            refused(asyncio.run(put(ticket, images.png())), Code.UNAVAILABLE)
            path = f"{house.url}/api/v1/files/{stored['uploadId']}"
            refused(httpx.get(path, headers=bearer(house.reply_token), timeout=30), Code.UNAVAILABLE)
            asyncio.run(open_ask(house))
            s3.start()
            assert asyncio.run(put(ticket, images.png())).status_code == 201
            assert httpx.get(path, headers=bearer(house.reply_token), timeout=30).content == images.png()
    finally:
        s3.stop()


async def test_the_most_bytes_are_what_the_deployment_says(postgres: ThrowawayPostgres, tmp_path: Path) -> None:
    def house_with(limit: int) -> tuple[dict[str, Any], int, int]:
        with postgres.database() as url, house_on(url, tmp_path / "data", LOOPBACK_UPLOAD_MAX_BYTES=str(limit)) as house:
            ticket = asyncio.run(request_upload(house))
            over = asyncio.run(put(ticket, images.png(100, 100) + bytes(limit))).status_code
            return ticket, over, asyncio.run(put(ticket, images.png())).status_code

    ticket, over, fits = await asyncio.to_thread(house_with, 500)
    assert (ticket["maxBytes"], over, fits) == (500, 413, 201)
