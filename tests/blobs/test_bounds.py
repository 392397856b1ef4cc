"""Sizes and frames as the structure tells them, whatever the bytes are."""

import struct
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.blobs.bounds import FRAMES_COUNTED, Bounds, bounds_of
from tests.support.images import (
    LOSSY_WEBP,
    ONE_OF_EACH,
    animated_webp,
    apng,
    gif,
    jpeg,
    jpeg_segment,
    png,
    png_chunk,
    riff,
    riff_chunk,
    webp,
    webp_canvas,
)

PNG, JPEG, GIF, WEBP = "image/png", "image/jpeg", "image/gif", "image/webp"
ANIMATED = {PNG: apng(5, 4, 3), GIF: gif(5, 4, 3), WEBP: animated_webp(5, 4, 3)}
EVERY_IMAGE = [*ONE_OF_EACH.items(), *ANIMATED.items(), (WEBP, LOSSY_WEBP)]


@pytest.mark.parametrize(
    ("media_type", "data", "expected"),
    [
        (PNG, png(640, 480), Bounds(640, 480, 1, whole=True)),
        (PNG, apng(30, 20, 7), Bounds(30, 20, 7, whole=True)),
        (JPEG, jpeg(640, 480), Bounds(640, 480, 1, whole=True)),
        (GIF, gif(64, 48), Bounds(64, 48, 1, whole=True)),
        (GIF, gif(30, 20, 7), Bounds(30, 20, 7, whole=True)),
        (WEBP, webp(640, 480), Bounds(640, 480, 1, whole=True)),
        (WEBP, webp(16384, 16384), Bounds(16384, 16384, 1, whole=True)),
        (WEBP, LOSSY_WEBP, Bounds(1, 1, 1, whole=True)),
        (WEBP, animated_webp(30, 20, 7), Bounds(30, 20, 7, whole=True)),
    ],
)
def test_an_image_tells_its_size_and_frames(media_type: str, data: bytes, expected: Bounds) -> None:
    assert bounds_of(data, media_type) == expected


@pytest.mark.parametrize("frame_header", [0xC0, 0xC1, 0xC2, 0xC3, 0xC9, 0xCA])
def test_a_jpeg_of_any_process_tells_its_size(frame_header: int) -> None:
    assert bounds_of(jpeg(30, 20, frame_header=frame_header), JPEG) == Bounds(30, 20, 1, whole=True)


def test_a_jpeg_may_be_padded_and_hold_a_thumbnail_of_another_size() -> None:
    thumbnail = jpeg_segment(0xE1, b"Exif\0\0" + jpeg(160, 120))
    assert bounds_of(jpeg(30, 20, before=thumbnail, padding=3), JPEG) == Bounds(30, 20, 1, whole=True)


@pytest.mark.parametrize(("media_type", "data"), EVERY_IMAGE)
def test_whatever_follows_the_end_does_not_count(media_type: str, data: bytes) -> None:
    assert bounds_of(data + b"<script>" + png(9000, 1), media_type) == bounds_of(data, media_type)


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        (PNG, apng(2, 2, frame=(20_000, 10_000))),
        (GIF, gif(2, 2, frame=(20_000, 10_000))),
        (WEBP, animated_webp(2, 2, inner=(16_000, 12_500))),
        (WEBP, riff(webp_canvas(2, 2), webp(16_000, 12_500)[12:])),
    ],
)
def test_a_frame_that_claims_more_than_its_canvas_counts(media_type: str, data: bytes) -> None:
    bounds = bounds_of(data, media_type)
    assert bounds is not None
    assert bounds.pixels == 200_000_000


def test_a_canvas_that_claims_more_than_its_frames_counts() -> None:
    for media_type, data in ((GIF, gif(60_000, 50_000, frame=(2, 2))), (WEBP, riff(webp_canvas(60_000, 50_000), webp()[12:]))):
        bounds = bounds_of(data, media_type)
        assert bounds is not None
        assert (bounds.width, bounds.height) == (60_000, 50_000)


def test_the_frames_a_png_announces_count_as_well_as_those_it_has() -> None:
    announced = png()[:33] + png_chunk(b"acTL", struct.pack(">II", 500, 0)) + png()[33:]
    bounds = bounds_of(announced, PNG)
    assert bounds is not None
    assert bounds.frames == 500


@pytest.mark.parametrize(("media_type", "image"), [(PNG, apng), (GIF, gif), (WEBP, animated_webp)])
def test_counting_ends_at_a_thousand_frames(media_type: str, image: Callable[[int, int, int], bytes]) -> None:
    bounds = bounds_of(image(1, 1, 3000), media_type)
    assert bounds is not None
    assert bounds.frames >= FRAMES_COUNTED


@pytest.mark.parametrize(("media_type", "data"), EVERY_IMAGE)
def test_an_image_cut_short_anywhere_is_not_whole(media_type: str, data: bytes) -> None:
    # A GIF's trailer is often missing; all there is to see is there. So is what a padding byte would only round up.
    needed = len(data) - (1 if media_type in {GIF, WEBP} else 0)
    for length in range(needed):
        bounds = bounds_of(data[:length], media_type)
        at_a_frames_end = media_type == GIF and bounds is not None and bounds.whole and bounds.frames < 3
        assert bounds is None or not bounds.whole or at_a_frames_end


def test_a_size_counts_though_the_image_is_cut_short() -> None:
    assert bounds_of(png(20_000, 10)[:40], PNG) == Bounds(20_000, 10, 0, whole=False)
    assert bounds_of(jpeg(20_000, 10)[:-2], JPEG) == Bounds(20_000, 10, 1, whole=False)


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        (PNG, png(0, 5)),
        (PNG, b"\x89PNG\r\n\x1a\n" + png_chunk(b"IDAT", bytes(13)) + png()[8:]),
        (JPEG, jpeg(30, 0)),
        (JPEG, b"\xff\xd8\xff\xd9"),
        (JPEG, b"\xff\xd8" + b"\xff" * 100),
        (JPEG, b"\xff\xd8\xff\xe0\x00\x00" + jpeg()[2:]),
        (GIF, b"GIF89a"),
        (WEBP, riff()),
        (WEBP, riff(riff_chunk(b"VP8 ", bytes(20)))),
        (WEBP, riff(riff_chunk(b"VP8L", bytes(20)))),
    ],
)
def test_an_image_without_a_size_has_no_bounds(media_type: str, data: bytes) -> None:
    assert bounds_of(data, media_type) is None


@pytest.mark.parametrize(
    ("media_type", "data"), [(PNG, png()[:33] + png_chunk(b"IEND")), (GIF, gif(2, 2, 0)), (WEBP, animated_webp(2, 2, 0))]
)
def test_a_canvas_without_a_frame_is_not_whole(media_type: str, data: bytes) -> None:
    bounds = bounds_of(data, media_type)
    assert bounds is not None
    assert not bounds.whole


@given(st.sampled_from(EVERY_IMAGE), st.binary(max_size=500), st.booleans())
def test_no_bytes_make_it_fail(image: tuple[str, bytes], noise: bytes, with_header: bool) -> None:
    media_type, data = image
    bounds_of(data[:12] + noise if with_header else noise, media_type)


@given(st.sampled_from(EVERY_IMAGE), st.data())
def test_no_change_to_an_image_makes_it_fail(image: tuple[str, bytes], draw: st.DataObject) -> None:
    media_type, data = image
    changed = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 6))):
        at = draw.draw(st.integers(0, len(changed) - 1))
        changed[at : at + draw.draw(st.integers(0, 4))] = draw.draw(st.binary(max_size=4) | st.just(b"\xff\xff\xff\xff"))
    bounds = bounds_of(bytes(changed), media_type)
    assert bounds is None or bounds.pixels > 0


TEN_MIB = 10 * 1024 * 1024
HOSTILE: dict[str, Callable[[], tuple[str, bytes]]] = {
    "a png of empty chunks": lambda: (PNG, png()[:33] + png_chunk(b"teXt") * (TEN_MIB // 12)),
    "a png of empty IDATs": lambda: (PNG, png()[:33] + png_chunk(b"IDAT") * (TEN_MIB // 12)),
    "a jpeg of padding": lambda: (JPEG, b"\xff\xd8" + b"\xff" * TEN_MIB),
    "a jpeg of empty segments": lambda: (JPEG, b"\xff\xd8" + b"\xff\xfe\x00\x02" * (TEN_MIB // 4)),
    "a jpeg of restart markers": lambda: (JPEG, b"\xff\xd8" + b"\xff\xd0" * (TEN_MIB // 2)),
    "a jpeg of frame headers": lambda: (JPEG, b"\xff\xd8" + jpeg_segment(0xC0, bytes([8, 0, 9, 0, 9, 1])) * (TEN_MIB // 10)),
    "a jpeg whose scan is FF": lambda: (JPEG, jpeg()[:-3] + b"\xff" * TEN_MIB),
    "a gif of one-byte sub-blocks": lambda: (GIF, gif(2, 2, 0)[:-1] + b"\x21\xfe" + b"\x01\x01" * (TEN_MIB // 2)),
    "a gif of empty extensions": lambda: (GIF, gif(2, 2, 0)[:-1] + b"\x21\xfe\x00" * (TEN_MIB // 3)),
    "a webp of empty chunks": lambda: (WEBP, riff(webp_canvas(2, 2), riff_chunk(b"JUNK", b"") * (TEN_MIB // 8))),
    "a webp frame of empty chunks": lambda: (
        WEBP,
        riff(riff_chunk(b"ANMF", bytes(16) + riff_chunk(b"JUNK", b"") * (TEN_MIB // 8))),
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_ten_hostile_mebibytes_cost_little(name: str) -> None:
    media_type, data = HOSTILE[name]()
    started = time.thread_time()
    bounds = bounds_of(data, media_type)
    assert time.thread_time() - started < 2
    assert bounds is None or not bounds.whole
