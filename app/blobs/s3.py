"""Image bytes in an S3 bucket. Import this only where S3 is configured: boto3 adds half a second to a start."""

import logging
from collections.abc import AsyncIterator, Generator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any, cast

from boto3.session import Session  # pyright: ignore[reportMissingTypeStubs]
from botocore.config import Config  # pyright: ignore[reportMissingTypeStubs]
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
    BotoCoreError,
    ClientError,
    NoCredentialsError,
)

from app.blobs.store import BlobMissing, BlobUnavailable, is_key, require_key
from app.blobs.threads import Threads

log = logging.getLogger(__name__)

_THREADS = 16
_PAGE = 1000


class S3Blobs:
    """A `BlobStore` in `bucket`, under `prefix`, which no other deployment may share: the sweep would remove its images.

    `endpoint` is the address of a server that speaks S3; without it, AWS. The credentials are looked for where every AWS
    tool looks, unless they are given. Never asks for a conditional PUT: too many servers ignore or race it.
    """

    def __init__(
        self,
        bucket: str,
        *,
        endpoint: str | None = None,
        region: str | None = None,
        prefix: str = "images/",
        credentials: tuple[str, str] | None = None,
        patience: float = 30,
    ) -> None:
        self._bucket = bucket
        self._prefix = prefix
        self._client = _connect(endpoint, region, credentials)
        self._threads = Threads(_THREADS, patience)

    async def put(self, key: str, data: bytes, content_type: str) -> None:
        name = self._name(key)
        with self._explained("store an image"):
            await self._threads.run(self._client.put_object, Bucket=self._bucket, Key=name, Body=data, ContentType=content_type)

    async def get(self, key: str) -> bytes:
        name = self._name(key)
        with self._explained("read an image"):
            try:
                return await self._threads.run(self._read, name)
            except ClientError as error:
                if _is_missing(error):
                    raise BlobMissing(key) from None
                raise

    async def delete(self, key: str) -> None:
        name = self._name(key)
        with self._explained("delete an image"):
            try:
                await self._threads.run(self._client.delete_object, Bucket=self._bucket, Key=name)
            except ClientError as error:  # S3 answers 204 where there is nothing; some other servers do not
                if not _is_missing(error):
                    raise

    async def keys(self, older_than: datetime) -> AsyncIterator[str]:
        where = {"Bucket": self._bucket, "Prefix": self._prefix, "MaxKeys": _PAGE}
        while True:
            with self._explained("list the images"):
                page = await self._threads.run(self._client.list_objects_v2, **where)
            for found in page.get("Contents", ()):
                key = found["Key"].removeprefix(self._prefix)
                if is_key(key) and found["LastModified"] < older_than:
                    yield key
            if not page.get("IsTruncated"):
                return
            where["ContinuationToken"] = page["NextContinuationToken"]

    async def check(self) -> None:
        with self._explained("reach the bucket"):
            await self._threads.run(self._client.list_objects_v2, Bucket=self._bucket, Prefix=self._prefix, MaxKeys=1)

    async def close(self) -> None:
        self._threads.close()
        self._client.close()

    def _name(self, key: str) -> str:
        return self._prefix + require_key(key)

    def _read(self, name: str) -> bytes:
        # The body is read here, in the thread: it is another wait on the network.
        with closing(self._client.get_object(Bucket=self._bucket, Key=name)["Body"]) as body:
            return body.read()

    @contextmanager
    def _explained(self, what: str) -> Generator[None]:
        try:
            yield
        except (ClientError, BotoCoreError, OSError) as error:
            log.error("Could not %s in bucket %s: %s", what, self._bucket, error or "it took too long")
            raise BlobUnavailable(f"The server could not {what}: {_reason(error, self._bucket)}.") from error


def _connect(endpoint: str | None, region: str | None, credentials: tuple[str, str] | None) -> Any:
    access_key, secret_key = credentials or (None, None)
    config = Config(
        connect_timeout=2,
        read_timeout=10,
        retries={"mode": "standard", "total_max_attempts": 3},
        max_pool_connections=_THREADS,
        # Servers older than S3's newer checksums refuse them.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        # A server of one's own has one name, not one for each bucket.
        s3={"addressing_style": "path"} if endpoint else None,
    )
    session = Session(aws_access_key_id=access_key, aws_secret_access_key=secret_key, region_name=region or None)
    return cast(Any, session).client("s3", endpoint_url=endpoint or None, config=config)


def _answer(error: ClientError) -> tuple[int, str]:
    """The status and the code the server refused with."""
    response = cast(Any, error).response
    return response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0), response.get("Error", {}).get("Code", "")


def _is_missing(error: ClientError) -> bool:
    """Never for a 403, which S3 also gives for a missing key where we may not list: for a key that a row names, it is
    the configuration that is wrong."""
    status, code = _answer(error)
    return status == 404 and code != "NoSuchBucket"


def _reason(error: Exception, bucket: str) -> str:
    """What is wrong, and what would help."""
    if isinstance(error, NoCredentialsError):
        return "it has no credentials for the bucket; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    if isinstance(error, ClientError):
        status, code = _answer(error)
        if code == "NoSuchBucket":
            return f"there is no bucket {bucket}; make it, or correct LOOPBACK_S3_BUCKET"
        if status == 403:
            return "the bucket refuses its credentials; check them, and that they may read, write, delete and list"
    return "the bucket does not answer as it should; try again in a minute"
