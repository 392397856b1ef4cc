"""What every message of the contract shares: camelCase on the wire, absent instead of null, times to the millisecond."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.alias_generators import to_camel


class Message(BaseModel):
    """An immutable message. Reading takes null as absent and ignores fields it does not know; writing never writes null."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        use_attribute_docstrings=True,
        ser_json_inf_nan="constants",
    )

    def to_json(self) -> str:
        """The message as compact JSON: what is stored, hashed and sent."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    def to_dict(self) -> dict[str, Any]:
        """The message as plain JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def changed(self, **fields: Any) -> Self:
        """A copy with these fields replaced."""
        return self.model_copy(update=fields)


def _without_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("U+0000 cannot be stored: leave it out")
    return value


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("a lone surrogate is half of a character: send the whole character, or leave it out") from None
    return value


Text = Annotated[str, BeforeValidator(_without_surrogates), AfterValidator(_without_nul)]


_RFC3339 = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})\Z")


def _rfc3339(value: Any) -> Any:
    if isinstance(value, str) and not _RFC3339.match(value):
        raise ValueError("a moment is RFC 3339, such as 2026-12-01T09:30:00.000Z")
    if not isinstance(value, str | datetime):
        raise ValueError("a moment is a string in RFC 3339, such as 2026-12-01T09:30:00.000Z")
    return value


def _utc_ms(value: datetime) -> datetime:
    try:
        utc = value.astimezone(UTC)
    except OverflowError:
        raise ValueError("in UTC, a moment is within the years 0001 to 9999") from None
    return utc.replace(microsecond=utc.microsecond // 1000 * 1000)


def format_moment(value: datetime) -> str:
    """RFC 3339 in UTC with milliseconds and `Z`: `2026-12-01T09:30:00.000Z`."""
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Moment = Annotated[
    datetime,
    BeforeValidator(_rfc3339),
    AfterValidator(_utc_ms),
    PlainSerializer(format_moment, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
Int32 = Annotated[int, Field(json_schema_extra={"format": "int32"})]
