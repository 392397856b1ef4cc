"""Which images are taken, and what is said of the others."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.refusal import Refusal
from app.uploads.rules.images import check_declared, check_image, check_size
from contract.limits import UPLOAD_BYTES
from contract.problems import Code
from tests.support.images import (
    HEIC,
    LOSSY_WEBP,
    ONE_OF_EACH,
    SVG,
    animated_webp,
    apng,
    gif,
    jpeg,
    png,
    riff,
    webp,
    webp_canvas,
)

TYPES = list(ONE_OF_EACH)


def refusal(data: bytes, declared: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        check_image(data, declared)
    assert refused.value.status == 422
    return refused.value


@pytest.mark.parametrize("declared", TYPES)
def test_an_image_of_the_declared_type_is_taken(declared: str) -> None:
    check_image(ONE_OF_EACH[declared], declared)


def test_animations_are_taken() -> None:
    check_image(apng(30, 20, 200), "image/png")
    check_image(gif(30, 20, 200), "image/gif")
    check_image(animated_webp(30, 20, 200), "image/webp")
    check_image(LOSSY_WEBP, "image/webp")


@pytest.mark.parametrize("declared", TYPES)
@pytest.mark.parametrize("found", TYPES)
def test_an_image_of_another_type_is_refused_and_both_are_named(declared: str, found: str) -> None:
    if declared == found:
        return
    refused = refusal(ONE_OF_EACH[found], declared)
    assert refused.code is Code.UPLOAD_WRONG_TYPE
    assert found in refused.message
    assert declared in refused.message
    assert "request_upload" in refused.message


def test_a_heic_named_jpg_is_said_to_be_one() -> None:
    refused = refusal(HEIC, "image/jpeg")
    assert refused.code is Code.UPLOAD_WRONG_TYPE
    assert refused.message == "The bytes are a HEIC image, not image/jpeg: convert it to PNG or JPEG."


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (SVG, "SVG"),
        (b"<!doctype html><img src=x onerror=alert(1)>", "HTML"),
        (b"<html><!--" + png() + b"-->", "not an image"),
        (b"\n<script>/*" + b" " * 1500 + gif(), "HTML"),
        (b"%PDF-1.4", "PDF"),
        (b"", "empty"),
        (b"screenshot.png", "plain text"),
        (b"\0" + png(), "not an image"),
    ],
)
@pytest.mark.parametrize("declared", TYPES)
def test_what_is_no_image_is_refused_whatever_was_declared(data: bytes, words: str, declared: str) -> None:
    refused = refusal(data, declared)
    assert refused.code is Code.UPLOAD_WRONG_TYPE
    assert words in refused.message
    assert declared in refused.message


@pytest.mark.parametrize("declared", TYPES)
def test_a_page_hidden_behind_an_image_does_not_matter_as_it_is_only_ever_shown_as_one(declared: str) -> None:
    check_image(ONE_OF_EACH[declared] + b"<script>alert(1)</script>", declared)


@pytest.mark.parametrize("declared", TYPES)
def test_a_file_that_is_cut_short_is_refused(declared: str) -> None:
    data = ONE_OF_EACH[declared]
    for length in (len(data) // 2, len(data) - 4):
        refused = refusal(data[:length], declared)
        assert refused.code is Code.UPLOAD_WRONG_TYPE
        assert "cut short or damaged" in refused.message


@pytest.mark.parametrize(
    ("data", "declared"),
    [
        (webp(5000, 10_000), "image/webp"),
        (apng(2, 2, frame=(5000, 10_000)), "image/png"),
        (gif(2, 2, frame=(5000, 10_000)), "image/gif"),
    ],
)
def test_fifty_megapixels_are_taken(data: bytes, declared: str) -> None:
    check_image(data, declared)


@pytest.mark.parametrize(
    ("data", "declared"),
    [
        (webp(5000, 10_001), "image/webp"),
        (riff(webp_canvas(5000, 10_001), webp()[12:]), "image/webp"),
        (animated_webp(2, 2, inner=(5000, 10_001)), "image/webp"),
        (apng(2, 2, frame=(5000, 10_001)), "image/png"),
        (gif(2, 2, frame=(5000, 10_001)), "image/gif"),
        (gif(5000, 10_001, frame=(2, 2)), "image/gif"),
        (jpeg(5000, 10_001), "image/jpeg"),
        (png(5000, 10_001), "image/png"),
        (png(5000, 10_001)[:40], "image/png"),
    ],
)
def test_more_than_fifty_megapixels_are_refused(data: bytes, declared: str) -> None:
    refused = refusal(data, declared)
    assert refused.code is Code.UPLOAD_TOO_MANY_PIXELS
    assert "5,000 × 10,001 pixels" in refused.message
    assert "50 megapixels" in refused.message


@pytest.mark.parametrize(
    ("data", "declared"),
    [(apng(2, 2, 201), "image/png"), (gif(2, 2, 201), "image/gif"), (animated_webp(2, 2, 201), "image/webp")],
)
def test_more_than_two_hundred_frames_are_refused(data: bytes, declared: str) -> None:
    refused = refusal(data, declared)
    assert refused.code is Code.UPLOAD_TOO_MANY_PIXELS
    assert "201 frames" in refused.message
    assert "at most 200" in refused.message


def test_frames_beyond_counting_are_refused() -> None:
    assert "1,000 or more frames" in refusal(gif(1, 1, 5000), "image/gif").message


@pytest.mark.parametrize("header", ["image/png", "Image/PNG", "image/png; charset=binary", " IMAGE/PNG ;a=b;c", "image/png;"])
def test_only_the_media_type_of_the_header_counts(header: str) -> None:
    check_declared(header, "image/png")


@pytest.mark.parametrize(
    "header", ["image/jpeg", "application/x-www-form-urlencoded", "image/png2", "image", "*/*", "image/png,image/png"]
)
def test_another_header_is_refused_and_both_types_are_named(header: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_declared(header, "image/png")
    assert (refused.value.code, refused.value.status) == (Code.UPLOAD_WRONG_TYPE, 422)
    assert header in refused.value.message
    assert "`Content-Type: image/png`" in refused.value.message


@pytest.mark.parametrize("header", [None, "", " ", ";charset=x"])
def test_a_put_without_a_type_is_told_which_to_send(header: str | None) -> None:
    with pytest.raises(Refusal, match="without a Content-Type: send the header `Content-Type: image/gif`"):
        check_declared(header, "image/gif")


@pytest.mark.parametrize(
    ("most", "words"),
    [(UPLOAD_BYTES, "10 MiB"), (1_500_000, "1.4 MiB"), (2048, "2 KiB"), (1000, "1000 bytes")],
)
def test_one_byte_too_many_is_refused(most: int, words: str) -> None:
    check_size(most, most)
    with pytest.raises(Refusal, match=f"larger than {words}") as refused:
        check_size(most + 1, most)
    assert (refused.value.code, refused.value.status) == (Code.UPLOAD_TOO_LARGE, 413)


@given(st.sampled_from(TYPES), st.sampled_from(TYPES), st.binary(max_size=300), st.integers(0, 200))
def test_any_bytes_are_taken_as_what_they_are_or_refused(declared: str, start: str, noise: bytes, kept: int) -> None:
    with contextlib.suppress(Refusal):
        check_image(ONE_OF_EACH[start][:kept] + noise, declared)
        assert declared == start
