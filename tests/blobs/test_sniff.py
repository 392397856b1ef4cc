"""What first bytes are taken for."""

import base64

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.blobs.sniff import sniff
from tests.support.images import AVIF, HEIC, LOSSY_WEBP, ONE_OF_EACH, SVG, animated_webp, apng, png


@pytest.mark.parametrize("media_type", ONE_OF_EACH)
def test_the_four_kinds_that_browsers_show_are_known(media_type: str) -> None:
    assert sniff(ONE_OF_EACH[media_type]).media_type == media_type


def test_animations_and_both_encodings_of_webp_are_known() -> None:
    assert sniff(apng()).media_type == "image/png"
    assert sniff(animated_webp()).media_type == sniff(LOSSY_WEBP).media_type == "image/webp"


FOUND = {
    "HEIC": (HEIC, b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", b"\0\0\0\x14ftyphevc\0\0\0\0hevc"),
    "AVIF": (AVIF, b"\0\0\0\x1cftypmif1\0\0\0\0mif1avif"),
    "SVG": (SVG, b"<svg/>", b"\xef\xbb\xbf  \n<!-- hi --><SVG width='1'>", "<svg/>".encode("utf-16")),
    "HTML": (b"<!DOCTYPE html><title>x", b"\n <HTML>", b"<script>alert(1)</script>", b"<!--\x20--><body onload=x>"),
    "XML": (b"<?xml version='1.0'?><feed/>",),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3",),
    "BMP": (b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00",),
    "TIFF": (b"II*\x00\x08\0\0\0", b"MM\x00*\0\0\0\x08", b"II+\x00\x08\0\0\0"),
    "ICO": (b"\0\0\1\0\1\0\x10\x10",),
    "JPEG XL": (b"\xff\x0a\xfa\x7f", b"\0\0\0\x0cJXL \r\n\x87\n"),
    "JPEG 2000": (b"\0\0\0\x0cjP  \r\n\x87\n",),
    "Photoshop": (b"8BPS\0\1",),
    "video": (b"\0\0\0\x18ftypisom\0\0\2\0isomiso2", b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", b"\x1aE\xdf\xa3\x9f"),
    "ZIP": (b"PK\x03\x04\x14\0",),
    "gzip": (b"\x1f\x8b\x08\0",),
    "JSON": (b'{"error": "not found"}', b"[1, 2]"),
    "multipart form": (b'------x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n' + png(),),
    "base64": (base64.b64encode(png()), b"data:image/png;base64,iVBORw0KGgo=", base64.b64encode(ONE_OF_EACH["image/jpeg"])),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n",),
    "plain text": (b"screenshot.png\n", "día".encode(), ("é" * 600).encode(), b"BM is how this text begins"),
    "empty": (b"",),
    "not an image": (b"\x00\x01\x02", b"RIFF\x24\0\0\0WAVEfmt ", b"\xff\xd8", b"\x7fELF\x02"),
}


@pytest.mark.parametrize(("words", "data"), [(words, data) for words, all_of in FOUND.items() for data in all_of])
def test_what_was_found_is_said(words: str, data: bytes) -> None:
    found = sniff(data)
    assert words in found.words
    assert found.media_type is None
    assert found.hint


@given(st.binary(max_size=2000))
@example(b"\0\0\0\0ftyp")
@example(b"\xff\xff\xff\xffftyp")
@example(b"\xff\xfe\x00")
@example(b"\xfe\xff\xd8\x00")
def test_no_bytes_make_it_fail(data: bytes) -> None:
    assert sniff(data).words
