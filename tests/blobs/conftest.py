"""Both stores, and the S3 server that one of them needs."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from app.blobs.folder import FolderBlobs
from app.blobs.s3 import S3Blobs
from app.blobs.store import BlobStore
from tests.support.s3 import S3Server, s3_blobs, s3_server

__all__ = ["s3_server"]


@pytest.fixture(params=["folder", "s3"])
async def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[BlobStore]:
    """Each of the two stores in turn, empty."""
    if request.param == "folder":
        store: BlobStore = FolderBlobs(tmp_path / "blobs")
    else:
        store = s3_blobs(request.getfixturevalue("s3_server"))
    yield store
    await store.close()


@pytest.fixture
async def bucket(s3_server: S3Server) -> AsyncGenerator[S3Blobs]:
    store = s3_blobs(s3_server)
    yield store
    await store.close()
