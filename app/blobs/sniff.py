"""What the first bytes say that something is. Nothing is decoded."""

import codecs
import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """What bytes were found to be."""

    words: str
    """As it reads in a sentence: `a PNG image`."""

    media_type: str | None = None
    """For the four kinds of image that every browser shows."""

    hint: str = "convert it to PNG or JPEG"
    """What would help whoever sent it."""


PNG = Kind("a PNG image", "image/png")
JPEG = Kind("a JPEG image", "image/jpeg")
GIF = Kind("a GIF image", "image/gif")
WEBP = Kind("a WebP image", "image/webp")
HEIC = Kind("a HEIC image")
AVIF = Kind("an AVIF image")
SVG = Kind("an SVG image", hint="render it to PNG")
PDF = Kind("a PDF document", hint="render the page that matters to PNG")
VIDEO = Kind("a video", hint="send one frame of it as PNG or JPEG")
ZIP = Kind("a ZIP archive", hint="send one image")
GZIP = Kind("gzip-compressed data", hint="send the image itself, uncompressed")
HTML = Kind("an HTML page", hint="send the image itself, or a screenshot of the page")
XML = Kind("XML", hint="send the image itself")
JSON = Kind("JSON", hint="send the image itself")
FORM = Kind("a multipart form", hint="send the image alone as the body, as `curl --upload-file` does")
BASE64 = Kind("an image as base64 text", hint="decode it first")
POINTER = Kind("a Git LFS pointer", hint="fetch the image itself with `git lfs pull`")
TEXT = Kind("plain text", hint="send the image itself")
EMPTY = Kind("nothing (the body is empty)", hint="send the image itself")
UNKNOWN = Kind("not an image that a browser shows")

_SIGNATURES = [
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"%PDF-", PDF),
    (b"II*\x00", Kind("a TIFF image")),
    (b"MM\x00*", Kind("a TIFF image")),
    (b"II+\x00", Kind("a TIFF image")),
    (b"MM\x00+", Kind("a TIFF image")),
    (b"\x00\x00\x01\x00", Kind("an ICO image")),
    (b"\xff\x0a", Kind("a JPEG XL image")),
    (b"\x00\x00\x00\x0cJXL ", Kind("a JPEG XL image")),
    (b"\x00\x00\x00\x0cjP  ", Kind("a JPEG 2000 image")),
    (b"8BPS", Kind("a Photoshop image")),
    (b"\x1aE\xdf\xa3", VIDEO),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),
    (b"\x1f\x8b", GZIP),
]
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
_AVIF_BRANDS = {b"avif", b"avis"}
_BASE64_STARTS = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR")
_LOOKED_AT = 1024


def sniff(data: bytes) -> Kind:
    """What the bytes are, by how they start."""
    if not data:
        return EMPTY
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:4] == b"RIFF":
        return WEBP if data[8:12] == b"WEBP" else UNKNOWN
    if data[4:8] == b"ftyp":
        return _of_brands(data)
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return Kind("a BMP image")
    if data[:2] == b"--" and b"content-disposition: form-data" in data[:_LOOKED_AT].lower():
        return FORM
    return _of_text(data[:_LOOKED_AT])


def _of_brands(data: bytes) -> Kind:
    """HEIC, AVIF and MP4 share a container, which names its brands: the main one, then those it is compatible with."""
    end = min(int.from_bytes(data[:4]), _LOOKED_AT)
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, end, 4))}
    if brands & _AVIF_BRANDS:
        return AVIF
    if brands & _HEIC_BRANDS or data[8:12] in {b"mif1", b"msf1"}:
        return HEIC
    return VIDEO


def _of_text(start: bytes) -> Kind:
    text = _as_text(start)
    if text is None:
        return UNKNOWN
    text = text.lstrip()
    if text.startswith("<"):
        return _of_markup(text.lower())
    if text.startswith(("data:image/", *_BASE64_STARTS)):
        return BASE64
    if text.startswith("version https://git-lfs"):
        return POINTER
    return JSON if text.startswith(("{", "[")) else TEXT


def _of_markup(text: str) -> Kind:
    if found := re.search(r"<(svg|html|head|body|script|!doctype html)\b", text):
        return SVG if found[1] == "svg" else HTML
    return XML if text.startswith("<?xml") else TEXT


def _as_text(start: bytes) -> str | None:
    """The text that these bytes start, or None if they are not text. A character may be cut at their end."""
    encoding = "utf-16" if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(start)
    except UnicodeDecodeError:
        return None
    return None if re.search(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]", text) else text
