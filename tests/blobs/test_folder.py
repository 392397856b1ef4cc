"""What only a folder does: whole files or none, and its own faults."""

import asyncio
import errno
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.blobs.folder import FolderBlobs
from app.blobs.store import BlobUnavailable
from app.core.ids import new_id
from contract.problems import Code
from tests.support.images import png

IMAGE = png()


def files(root: Path) -> list[str]:
    return sorted(path.name for path in root.rglob("*") if path.is_file())


def aged(path: Path, *, hours: float) -> None:
    moment = datetime.now(UTC).timestamp() - hours * 3600
    os.utime(path, (moment, moment))


async def test_a_key_is_never_written_twice(tmp_path: Path) -> None:
    blobs, key = FolderBlobs(tmp_path), new_id()
    await blobs.put(key, IMAGE, "image/png")
    with pytest.raises(FileExistsError):
        await blobs.put(key, b"other", "image/png")
    assert await blobs.get(key) == IMAGE
    assert files(tmp_path) == [key]


async def test_of_sixteen_puts_under_one_key_one_wins(tmp_path: Path) -> None:
    blobs, key = FolderBlobs(tmp_path), new_id()
    puts = [blobs.put(key, bytes([number]) * 10_000, "image/png") for number in range(16)]
    lost = [result for result in await asyncio.gather(*puts, return_exceptions=True) if result]
    assert len(lost) == 15
    assert len(set(await blobs.get(key))) == 1


async def test_nothing_is_left_beside_the_image(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    keys = [new_id() for _ in range(20)]
    await asyncio.gather(*(blobs.put(key, IMAGE, "image/png") for key in keys))
    assert files(tmp_path) == sorted(keys)


async def test_folder_and_files_are_for_this_user_only(tmp_path: Path) -> None:
    blobs, key = FolderBlobs(tmp_path / "data" / "blobs"), new_id()
    await blobs.put(key, IMAGE, "image/png")
    root = tmp_path / "data" / "blobs"
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in root.rglob(key)] == [0o600]


async def test_what_a_crash_left_unfinished_is_swept_after_its_hour_and_not_before(tmp_path: Path) -> None:
    blobs, key = FolderBlobs(tmp_path), new_id()
    await blobs.put(key, IMAGE, "image/png")
    folder = tmp_path / key[-2:]
    old, young, stranger = folder / ".old.part", folder / ".young.part", folder / "README"
    for path in (old, young, stranger):
        path.write_bytes(b"half")
    aged(old, hours=2)
    aged(stranger, hours=2)
    assert [found async for found in blobs.keys(datetime.now(UTC) - timedelta(hours=1))] == []
    assert not old.exists()
    assert young.exists()
    assert stranger.exists()


async def test_a_put_killed_half_way_leaves_nothing_that_can_be_read(tmp_path: Path) -> None:
    key = new_id()
    program = f"""
import asyncio, os, pathlib
from app.blobs.folder import FolderBlobs
os.link = lambda *_: os._exit(9)
asyncio.run(FolderBlobs(pathlib.Path({str(tmp_path)!r})).put({key!r}, b"bytes", "image/png"))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], timeout=60)
    assert done.returncode == 9
    assert key not in files(tmp_path)
    assert len(files(tmp_path)) == 1  # the unfinished one, which the sweep will remove
    await FolderBlobs(tmp_path).put(key, IMAGE, "image/png")
    assert await FolderBlobs(tmp_path).get(key) == IMAGE


async def test_a_folder_that_is_gone_is_unavailable_and_not_an_image_that_is_missing(tmp_path: Path) -> None:
    blobs, key = FolderBlobs(tmp_path / "blobs"), new_id()
    await blobs.put(key, IMAGE, "image/png")
    (tmp_path / "blobs").rename(tmp_path / "unmounted")
    with pytest.raises(BlobUnavailable) as refused:
        await blobs.get(key)
    assert refused.value.code is Code.UNAVAILABLE
    with pytest.raises(BlobUnavailable):
        await blobs.put(new_id(), IMAGE, "image/png")
    with pytest.raises(BlobUnavailable):
        await blobs.check()
    with pytest.raises(BlobUnavailable):
        _ = [key async for key in blobs.keys(datetime.now(UTC))]
    (tmp_path / "unmounted").rename(tmp_path / "blobs")
    assert await blobs.get(key) == IMAGE


async def test_a_full_disk_is_unavailable_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = FolderBlobs(tmp_path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(BlobUnavailable, match="No space left on device"):
            await blobs.put(new_id(), IMAGE, "image/png")
    assert files(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_named_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file/blobs"):
        FolderBlobs(tmp_path / "file" / "blobs")
