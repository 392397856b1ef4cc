"""Every message of the contract, and how to make any of them: as hypothesis draws it, or filled to the last field."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic.fields import FieldInfo
from typing_extensions import TypeAliasType

from contract import agents, asks, content, events, operations, people, problems, tools
from contract.base import Message

MODULES = (content, agents, people, asks, events, problems, operations, tools)


def _below(message: type[Message]) -> Iterator[type[Message]]:
    for each in message.__subclasses__():
        yield each
        yield from _below(each)


MESSAGES = {each.__name__: each for each in _below(Message) if each.__module__ in {module.__name__ for module in MODULES}}
"""Every message that the contract declares, by name."""

SENT = tuple(tool.takes for tool in tools.TOOLS)
"""What agents send."""

REPLIES = get_args(get_args(people.Reply.__value__)[0])
"""What people send."""

UNICODE = st.characters(codec="utf-8", exclude_characters="\x00")
"""All that the contract keeps: every character but U+0000."""


def optional(field: FieldInfo) -> bool:
    """Whether the field may be absent."""
    return NoneType in get_args(field.annotation)


def tagged(field: FieldInfo) -> bool:
    """Whether the field is a tag: it has one value, which it has by itself."""
    return get_origin(field.annotation) is Literal and not field.is_required()


def alternatives(annotation: Any) -> tuple[Any, ...]:
    """What a type may be, with aliases and annotations taken off and absence left out: one type, or those of a union."""
    if isinstance(annotation, TypeAliasType):
        return alternatives(annotation.__value__)
    if get_origin(annotation) is Annotated:
        return alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return tuple(bare for each in get_args(annotation) if each is not NoneType for bare in alternatives(each))
    return (annotation,)


def item(annotation: Any) -> Any:
    """What a tuple holds; None where the type is no tuple."""
    return get_args(annotation)[0] if get_origin(annotation) is tuple else None


def within(message: type[Message]) -> set[type[Message]]:
    """The message and every message that it can hold."""
    found: set[type[Message]] = set()
    waiting: list[Any] = [message]
    while waiting:
        annotation = waiting.pop()
        for each in alternatives(annotation):
            if item(each) is not None:
                waiting.append(item(each))
            elif isinstance(each, type) and issubclass(each, Message) and each not in found:
                found.add(each)
                waiting += [field.annotation for field in each.model_fields.values()]
    return found


def _bounds(field: FieldInfo) -> tuple[int, int | None]:
    low: int = next((each.min_length for each in field.metadata if hasattr(each, "min_length")), 0)
    high: int | None = next((each.max_length for each in field.metadata if hasattr(each, "max_length")), None)
    return low, high


@cache
def messages(message: type[Message]) -> st.SearchStrategy[Message]:
    """Any message of this type that the contract allows, small enough to draw many."""
    fields = {name: _value(name, field) for name, field in message.model_fields.items()}
    return st.fixed_dictionaries(fields).map(lambda values: message(**values))


def _value(name: str, field: FieldInfo) -> st.SearchStrategy[Any]:
    low, high = _bounds(field)
    value = st.integers(1, 100) if name == "limit" else _any_of(field.annotation, low, high)
    return st.none() | value if optional(field) else value


@cache
def _any_of(annotation: Any, low: int = 0, high: int | None = None) -> st.SearchStrategy[Any]:
    return st.one_of([_of(each, low, high) for each in alternatives(annotation)])


def _of(annotation: Any, low: int, high: int | None) -> st.SearchStrategy[Any]:
    if (held := item(annotation)) is not None:
        return st.lists(_any_of(held), min_size=low, max_size=min(high or 2, 2)).map(tuple)
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    if annotation is str:
        return st.text(UNICODE, min_size=low, max_size=min(high or 8, 8))
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        return st.integers(0, 2**31 - 1)
    if annotation is datetime:
        return st.datetimes(timezones=st.just(UTC))
    assert issubclass(annotation, Message), f"no way to make {annotation}"
    return messages(annotation)


def full(message: type[Message]) -> dict[str, Any]:
    """A document of this message with each of its fields, as it is on the wire. A message inside it has only what it needs."""
    return {field.alias or name: _sample(field) for name, field in message.model_fields.items()}


def _sample(field: FieldInfo) -> Any:
    first = alternatives(field.annotation)[0]
    held = item(first)
    if held is None:
        return _one(first)
    return [_one(alternatives(held)[0]) for _ in range(max(1, _bounds(field)[0]))]


def _one(annotation: Any) -> Any:
    if get_origin(annotation) is Literal:
        return get_args(annotation)[0]
    if isinstance(annotation, type) and issubclass(annotation, Message):
        return {field.alias or name: _sample(field) for name, field in annotation.model_fields.items() if not optional(field)}
    return {str: "x", bool: True, int: 1, datetime: "2026-12-01T09:30:00.000Z"}[annotation]
