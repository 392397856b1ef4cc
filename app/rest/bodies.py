"""Reading a request's body: bounded, and read to its end even when it is refused, so that the client reads the answer."""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from app.core.refusal import Refusal
from contract.problems import Code

DRAIN_SECONDS = 5.0
DRAIN_BYTES = 64 * 1024 * 1024


async def read_body(request: Request, most: int, *, check: Callable[[int, int], None] | None = None) -> bytes:
    """The body, at most `most` bytes: a larger one is refused while it streams in, by `check(size, most)` where one is given."""
    chunks: list[bytes] = []
    size = 0
    stream = request.stream()
    try:
        async for chunk in stream:
            size += len(chunk)
            if size > most:
                chunks.clear()
                await _drain(stream, size)
                (check or _check_size)(size, most)
            chunks.append(chunk)
    except ClientDisconnect:
        raise Refusal(Code.REQUEST_MALFORMED, "the connection closed before the body was complete: send it again") from None
    return b"".join(chunks)


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise Refusal(Code.TOO_LARGE, f"the body is over {most:,} bytes, the most that fits here: send less")


async def _drain(stream: AsyncIterator[bytes], size: int) -> None:
    """Read on, to the body's end or until it has been enough."""
    with suppress(TimeoutError, ClientDisconnect):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for chunk in stream:
                size += len(chunk)
                if size > DRAIN_BYTES:
                    return


def check_media_type(request: Request) -> None:
    """Refuse what is not plain JSON by its headers: 415."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise Refusal(Code.UNSUPPORTED_MEDIA_TYPE, f"the body is {media or 'of no type'}: send Content-Type: application/json")
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise Refusal(Code.UNSUPPORTED_MEDIA_TYPE, "send the body without Content-Encoding")


def parse_json(body: bytes) -> Any:
    """The body as JSON values. Refused with 400 `request.malformed` where it is none."""
    try:
        # As text: given bytes, it would read UTF-16 and UTF-32, too.
        return json.loads(body.decode(), parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise Refusal(Code.REQUEST_MALFORMED, "the body is not JSON that can be read: it is nested too deeply") from None
    except ValueError as error:
        raise Refusal(Code.REQUEST_MALFORMED, f"the body is not JSON: {error}") from None


def has_lone_surrogate(body: bytes, values: Any) -> bool:
    """Whether a string in the body holds half of a character: a parser of JSON cannot say in which field, we can."""
    if b"\\ud" not in body and b"\\uD" not in body:
        return False
    try:
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value
