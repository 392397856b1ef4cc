"""What every store of image bytes does. Each test runs over a folder and over a bucket."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from app.blobs.store import BlobMissing, BlobStore
from app.core.ids import new_id
from tests.support.images import png

IMAGE = png(40, 30)


def an_hour_ago() -> datetime:
    return datetime.now(UTC) - timedelta(hours=1)


def in_an_hour() -> datetime:
    return datetime.now(UTC) + timedelta(hours=1)


async def keys(blobs: BlobStore, older_than: datetime) -> set[str]:
    return {key async for key in blobs.keys(older_than)}


async def test_what_was_put_is_read_back_byte_for_byte(blobs: BlobStore) -> None:
    key, other = new_id(), new_id()
    every_byte = bytes(range(256)) * 5000
    await blobs.put(key, every_byte, "image/png")
    await blobs.put(other, IMAGE, "image/png")
    assert await blobs.get(key) == every_byte
    assert await blobs.get(other) == IMAGE


async def test_a_key_without_bytes_is_missing(blobs: BlobStore) -> None:
    with pytest.raises(BlobMissing):
        await blobs.get(new_id())


async def test_deleted_bytes_are_missing(blobs: BlobStore) -> None:
    key, other = new_id(), new_id()
    await blobs.put(key, IMAGE, "image/png")
    await blobs.put(other, IMAGE, "image/png")
    await blobs.delete(key)
    with pytest.raises(BlobMissing):
        await blobs.get(key)
    assert await blobs.get(other) == IMAGE


async def test_deleting_what_is_not_there_does_nothing(blobs: BlobStore) -> None:
    key = new_id()
    await blobs.delete(key)
    await blobs.put(key, IMAGE, "image/png")
    await blobs.delete(key)
    await blobs.delete(key)


async def test_sixteen_puts_at_once_all_arrive(blobs: BlobStore) -> None:
    images = {new_id(): bytes([number]) * 300_000 for number in range(16)}
    await asyncio.gather(*(blobs.put(key, data, "image/png") for key, data in images.items()))
    read = await asyncio.gather(*(blobs.get(key) for key in images))
    assert read == list(images.values())


async def test_the_sweep_is_told_of_old_bytes_only(blobs: BlobStore) -> None:
    put = {new_id() for _ in range(5)}
    for key in put:
        await blobs.put(key, IMAGE, "image/png")
    assert await keys(blobs, older_than=an_hour_ago()) == set()
    assert await keys(blobs, older_than=in_an_hour()) == put


async def test_bytes_may_be_deleted_while_the_keys_are_read(blobs: BlobStore) -> None:
    for _ in range(5):
        await blobs.put(new_id(), IMAGE, "image/png")
    async for key in blobs.keys(in_an_hour()):
        await blobs.delete(key)
    assert await keys(blobs, in_an_hour()) == set()


async def test_an_empty_store_has_no_keys_and_is_ready(blobs: BlobStore) -> None:
    assert await keys(blobs, in_an_hour()) == set()
    await blobs.check()


A_KEY = "019aaf3c-7a10-7c55-9e1d-0f3a5b7c9d21"


@pytest.mark.parametrize(
    "key", ["", "../secret", "/etc/passwd", "a/b", "..", A_KEY.upper(), f"{A_KEY}\n", f"{A_KEY}x", A_KEY[1:]]
)
async def test_a_key_of_any_other_shape_is_a_bug(blobs: BlobStore, key: str) -> None:
    with pytest.raises(ValueError, match="not a blob's key"):
        await blobs.put(key, IMAGE, "image/png")
    with pytest.raises(ValueError, match="not a blob's key"):
        await blobs.get(key)
    with pytest.raises(ValueError, match="not a blob's key"):
        await blobs.delete(key)
