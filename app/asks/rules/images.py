"""The images that what an agent sends refers to."""

from collections.abc import Container, Iterator

from app.asks.rules.content import AgentInput, blocks_in
from app.asks.rules.faults import quoted, refuse_any
from contract.content import ImageBlock
from contract.problems import Code


def image_upload_ids(input: AgentInput) -> tuple[str, ...]:
    """The uploads that the image blocks anywhere in the input show, each once, in the order they appear."""
    return tuple(dict.fromkeys(image.upload_id for _, image in _images_in(input)))


def check_images(input: AgentInput, stored: Container[str]) -> None:
    """Refuse an input with an image that is not among the stored uploads of its space, naming each."""
    refuse_any(
        Code.REQUEST_INVALID,
        (
            f"{path}.uploadId: {quoted(image.upload_id)} is not a stored upload of this inbox: "
            "upload it first with request_upload"
            for path, image in _images_in(input)
            if image.upload_id not in stored
        ),
    )


def _images_in(input: AgentInput) -> Iterator[tuple[str, ImageBlock]]:
    for path, block in blocks_in(input):
        if isinstance(block, ImageBlock):
            yield path, block
