"""What may be uploaded: the announced type, the size, and an image that is what it says and no heavier to show than allowed."""

from app.blobs.bounds import FRAMES_COUNTED, Bounds, bounds_of
from app.blobs.sniff import sniff
from app.core.refusal import Refusal
from contract.limits import UPLOAD_FRAMES, UPLOAD_PIXELS
from contract.problems import Code


def check_declared(header: str | None, expected: str) -> None:
    """Refuse a PUT whose `Content-Type` is not its ticket's. Only the media type counts: neither case nor parameters do."""
    declared = (header or "").partition(";")[0].strip().lower()
    if declared == expected:
        return
    said = f"was sent as {declared}" if declared else "came without a Content-Type"
    raise Refusal(
        Code.UPLOAD_WRONG_TYPE,
        f"This upload address takes {expected}, and the image {said}: send the header `Content-Type: {expected}`, "
        "or ask for an address for the other type with request_upload.",
    )


def check_size(size: int, most: int) -> None:
    """Refuse more bytes than the ticket takes; `size` is what was announced, or what has come in so far."""
    if size > most:
        raise Refusal(
            Code.UPLOAD_TOO_LARGE,
            f"The image is larger than {_in_words(most)}, the most that is taken: "
            "scale it down or compress it more, and send it to the same address.",
        )


def check_image(data: bytes, declared: str) -> None:
    """Refuse bytes that are not a whole image of the declared type, or that would take too much to show.

    Reads the structure only, decodes nothing, and may take some tenths of a second: call it in a thread.
    """
    found = sniff(data)
    if found.media_type != declared:
        another = f"ask for an address for {found.media_type} with request_upload, or convert the image"
        fix = another if found.media_type else found.hint
        raise Refusal(Code.UPLOAD_WRONG_TYPE, f"The bytes are {found.words}, not {declared}: {fix}.")
    bounds = bounds_of(data, declared)
    if bounds is not None:
        _check_bounds(bounds)
    if bounds is None or not bounds.whole:
        raise Refusal(
            Code.UPLOAD_WRONG_TYPE,
            f"The bytes start as {found.words}, but are cut short or damaged: send the whole file, or save the image again.",
        )


def _check_bounds(bounds: Bounds) -> None:
    if bounds.pixels > UPLOAD_PIXELS:
        raise Refusal(
            Code.UPLOAD_TOO_MANY_PIXELS,
            f"The image is {bounds.width:,} × {bounds.height:,} pixels, {bounds.pixels / 1e6:,.1f} megapixels; at most "
            f"{UPLOAD_PIXELS / 1e6:,.0f} megapixels are shown: scale it down, or cut out the part that matters.",
        )
    if bounds.frames > UPLOAD_FRAMES:
        count = f"{bounds.frames:,}" if bounds.frames < FRAMES_COUNTED else f"{FRAMES_COUNTED:,} or more"
        raise Refusal(
            Code.UPLOAD_TOO_MANY_PIXELS,
            f"The image has {count} frames; at most {UPLOAD_FRAMES} are shown: leave frames out, or send a still.",
        )


def _in_words(size: int) -> str:
    for unit, name in ((1024**2, "MiB"), (1024, "KiB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"
