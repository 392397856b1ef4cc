"""How much an agent may send in one call."""

from app.core.refusal import Refusal
from contract.base import Message
from contract.limits import INPUT_BYTES
from contract.problems import Code


def input_bytes(input: Message) -> int:
    """The size of an input: compact UTF-8 JSON, counted after nulls and unknown arguments were dropped."""
    return len(input.to_json().encode())


def check_size(input: Message) -> None:
    """Refuse an input that is larger than the contract's limit, with the size it has."""
    size = input_bytes(input)
    if size > INPUT_BYTES:
        raise Refusal(
            Code.TOO_LARGE,
            f"the input is {size:,} bytes; at most {INPUT_BYTES:,} fit in one call: "
            "show the part that matters, or split it into several",
        )
