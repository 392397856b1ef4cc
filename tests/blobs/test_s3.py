"""What only a bucket does: refused credentials, a server that is away, and faults on the line."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.blobs import s3
from app.blobs.s3 import S3Blobs
from app.blobs.store import BlobMissing, BlobUnavailable
from app.core.ids import new_id
from contract.problems import Code
from tests.support.images import png
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, BrokenS3, Fault, S3Server, s3_blobs

IMAGE = png()


OPERATIONS: dict[str, Callable[[S3Blobs], Awaitable[object]]] = {
    "get": lambda blobs: blobs.get(new_id()),
    "put": lambda blobs: blobs.put(new_id(), IMAGE, "image/png"),
    "delete": lambda blobs: blobs.delete(new_id()),
    "check": lambda blobs: blobs.check(),
}


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_wrong_secret_is_a_clear_error_and_never_a_missing_image(
    s3_server: S3Server, operation: str, caplog: pytest.LogCaptureFixture
) -> None:
    blobs = s3_blobs(s3_server, secret_key="wrong")
    with pytest.raises(BlobUnavailable, match="refuses its credentials") as refused:
        await OPERATIONS[operation](blobs)
    assert refused.value.code is Code.UNAVAILABLE
    assert "SignatureDoesNotMatch" in caplog.text
    assert "wrong" not in caplog.text
    await blobs.close()


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_bucket_that_does_not_exist_is_a_clear_error(s3_server: S3Server, operation: str) -> None:
    blobs = s3_blobs(s3_server, bucket="no-such-bucket")
    with pytest.raises(BlobUnavailable, match="no bucket no-such-bucket"):
        await OPERATIONS[operation](blobs)
    await blobs.close()


async def test_no_credentials_is_a_clear_error(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    blobs = S3Blobs(BUCKET, endpoint=s3_server.endpoint, region="us-east-1")
    with pytest.raises(BlobUnavailable, match="AWS_ACCESS_KEY_ID"):
        await blobs.check()
    await blobs.close()


async def test_credentials_are_found_where_aws_tools_look(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    blobs = S3Blobs(BUCKET, endpoint=s3_server.endpoint, region="us-east-1", prefix=f"{new_id()}/")
    await blobs.check()
    await blobs.close()


async def test_a_server_that_was_away_is_unavailable_and_then_works_again(bucket: S3Blobs, s3_server: S3Server) -> None:
    key, other = new_id(), new_id()
    await bucket.put(key, IMAGE, "image/png")
    s3_server.stop()
    try:
        attempts = [bucket.get(key), bucket.put(other, IMAGE, "image/png"), bucket.delete(key), bucket.check()]
        results = await asyncio.gather(*attempts, return_exceptions=True)
        assert [type(result) for result in results] == [BlobUnavailable] * 4
    finally:
        s3_server.start()
    await bucket.put(other, IMAGE, "image/png")
    assert await bucket.get(key) == IMAGE
    assert await bucket.get(other) == IMAGE


@pytest.mark.parametrize("fault", ["503", "cut"])
async def test_a_broken_answer_is_unavailable(fault: Fault) -> None:
    with BrokenS3(fault) as server:
        blobs = S3Blobs(BUCKET, endpoint=server.endpoint, region="us-east-1", credentials=(ACCESS_KEY, SECRET_KEY))
        with pytest.raises(BlobUnavailable, match="try again"):
            await blobs.get(new_id())
        await blobs.close()


async def test_a_server_that_never_answers_is_given_up_on() -> None:
    with BrokenS3("hang") as server:
        blobs = S3Blobs(
            BUCKET, endpoint=server.endpoint, region="us-east-1", credentials=(ACCESS_KEY, SECRET_KEY), patience=0.3
        )
        async with asyncio.timeout(5):
            with pytest.raises(BlobUnavailable, match="try again"):
                await blobs.put(new_id(), IMAGE, "image/png")
        await blobs.close()


async def test_waiting_for_a_bucket_does_not_hold_up_the_event_loop() -> None:
    with BrokenS3("hang") as server:
        blobs = S3Blobs(
            BUCKET, endpoint=server.endpoint, region="us-east-1", credentials=(ACCESS_KEY, SECRET_KEY), patience=0.5
        )
        waiting = asyncio.gather(*(blobs.get(new_id()) for _ in range(20)), return_exceptions=True)
        turns = 0
        while not waiting.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 100
        await blobs.close()


async def test_the_keys_of_many_pages_are_all_read(bucket: S3Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(s3, "_PAGE", 3)
    put = {new_id() for _ in range(10)}
    await asyncio.gather(*(bucket.put(key, IMAGE, "image/png") for key in put))
    found = [key async for key in bucket.keys(datetime.now(UTC) + timedelta(hours=1))]
    assert len(found) == 10
    assert set(found) == put


async def test_the_sweep_sees_only_its_own_prefix_and_only_our_keys(s3_server: S3Server) -> None:
    ours, theirs = s3_blobs(s3_server, prefix="ours/"), s3_blobs(s3_server, prefix="theirs/")
    nested = s3_blobs(s3_server, prefix="ours/nested/")
    key = new_id()
    await ours.put(key, IMAGE, "image/png")
    await theirs.put(new_id(), IMAGE, "image/png")
    await nested.put(new_id(), IMAGE, "image/png")
    later = datetime.now(UTC) + timedelta(hours=1)
    assert [found async for found in ours.keys(later)] == [key]
    with pytest.raises(BlobMissing):
        await theirs.get(key)
    for store in (ours, theirs, nested):
        await store.close()


def test_a_folder_alone_never_loads_boto3() -> None:
    program = "import sys, app.blobs.folder, app.blobs.bounds, app.blobs.sniff; sys.exit('boto3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], timeout=60).returncode == 0
