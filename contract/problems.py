"""Why a request is refused: the stable codes, and the status each has on the wire."""

from enum import StrEnum

from contract.base import Message


class Code(StrEnum):
    """A stable, machine-readable reason. Codes are only ever added."""

    ASK_CLOSED = "ask.closed"
    ASK_AGENTS_TURN = "ask.agents_turn"
    ASK_NOT_FOUND = "ask.not_found"
    REPLY_INVALID = "reply.invalid"
    IDEMPOTENCY_MISMATCH = "idempotency.mismatch"
    UPLOAD_NOT_FOUND = "upload.not_found"
    UPLOAD_USED = "upload.used"
    UPLOAD_EXPIRED = "upload.expired"
    UPLOAD_TOO_LARGE = "upload.too_large"
    UPLOAD_WRONG_TYPE = "upload.wrong_type"
    UPLOAD_TOO_MANY_PIXELS = "upload.too_many_pixels"
    FILE_NOT_FOUND = "file.not_found"
    RELOAD = "reload"
    REVISION_INVALID = "revision.invalid"
    REVISION_NEWER = "revision.newer"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    HOST_UNKNOWN = "host.unknown"
    REQUEST_MALFORMED = "request.malformed"
    REQUEST_INVALID = "request.invalid"
    REQUEST_TIMEOUT = "request.timeout"
    RATE_LIMITED = "rate_limited"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


STATUS: dict[Code, int] = {
    Code.ASK_CLOSED: 409,
    Code.ASK_AGENTS_TURN: 409,
    Code.ASK_NOT_FOUND: 404,
    Code.REPLY_INVALID: 422,
    Code.IDEMPOTENCY_MISMATCH: 422,
    Code.UPLOAD_NOT_FOUND: 404,
    Code.UPLOAD_USED: 410,
    Code.UPLOAD_EXPIRED: 410,
    Code.UPLOAD_TOO_LARGE: 413,
    Code.UPLOAD_WRONG_TYPE: 422,
    Code.UPLOAD_TOO_MANY_PIXELS: 422,
    Code.FILE_NOT_FOUND: 404,
    Code.RELOAD: 409,
    Code.REVISION_INVALID: 422,
    Code.REVISION_NEWER: 503,
    Code.UNAUTHORIZED: 401,
    Code.FORBIDDEN: 403,
    Code.NOT_FOUND: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.TOO_LARGE: 413,
    Code.UNSUPPORTED_MEDIA_TYPE: 415,
    Code.HOST_UNKNOWN: 421,
    Code.REQUEST_MALFORMED: 400,
    Code.REQUEST_INVALID: 422,
    Code.REQUEST_TIMEOUT: 408,
    Code.RATE_LIMITED: 429,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
}


class Problem(Message):
    """The reason that a request was not carried out."""

    code: str
    """The reason for programs to act on: a stable code, `ask.closed` for example."""

    message: str
    """The same in words, with what would help."""
