"""Tiny images that every browser shows, made by hand: one colour, any size, as many frames as asked for."""

import base64
import struct
import zlib

LOSSY_WEBP = base64.b64decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
"""One pixel, in the older of WebP's two encodings."""

SVG = b'<?xml version="1.0"?>\n<!-- drawn by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HEIC = b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic" + b"\x00\x00\x01\xf4meta" + bytes(500)
AVIF = b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf" + b"\x00\x00\x01\xf4meta" + bytes(500)


def png(width: int = 2, height: int = 2) -> bytes:
    return _png(width, height, png_chunk(b"IDAT", _scanlines(width, height)))


def apng(width: int = 2, height: int = 2, frames: int = 2, *, frame: tuple[int, int] | None = None) -> bytes:
    """`frame` is the size that the second frame claims, where it is not the canvas's."""
    chunks = [png_chunk(b"acTL", struct.pack(">II", frames, 0))]
    sequence = 0
    for number in range(frames):
        size = frame if frame and number else (width, height)
        chunks.append(png_chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, *size, 0, 0, 1, 10, 0, 0)))
        sequence += 1
        if number:
            chunks.append(png_chunk(b"fdAT", struct.pack(">I", sequence) + _scanlines(width, height)))
            sequence += 1
        else:
            chunks.append(png_chunk(b"IDAT", _scanlines(width, height)))
    return _png(width, height, *chunks)


def png_chunk(kind: bytes, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def _png(width: int, height: int, *chunks: bytes) -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + png_chunk(b"IEND")


def _scanlines(width: int, height: int) -> bytes:
    return zlib.compress(bytes(1 + (width + 7) // 8) * height)


def jpeg(width: int = 8, height: int = 8, *, frame_header: int = 0xC0, before: bytes = b"", padding: int = 0) -> bytes:
    """Grey. `before` goes in after the start, and `padding` fill bytes before each marker."""
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    scan = bytes(blocks // 4) + bytes([0xFF >> 2 * (blocks % 4)])
    fill = b"\xff" * padding
    segments = [
        jpeg_segment(0xDB, b"\x00" + b"\x01" * 64),
        jpeg_segment(frame_header, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"),
        jpeg_segment(0xC4, b"\x00" + b"\x01" + bytes(15) + b"\x00"),
        jpeg_segment(0xC4, b"\x10" + b"\x01" + bytes(15) + b"\x00"),
        jpeg_segment(0xDA, b"\x01\x01\x00\x00\x3f\x00"),
    ]
    return b"\xff\xd8" + before + b"".join(fill + segment for segment in segments) + _stuffed(scan) + b"\xff\xd9"


def jpeg_segment(kind: int, payload: bytes) -> bytes:
    return bytes([0xFF, kind]) + struct.pack(">H", len(payload) + 2) + payload


def _stuffed(scan: bytes) -> bytes:
    return scan.replace(b"\xff", b"\xff\x00")


def gif(width: int = 2, height: int = 2, frames: int = 1, *, frame: tuple[int, int] | None = None) -> bytes:
    """`frame` is the size of each frame, where it is not the screen's."""
    colours = bytes([0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255])
    start = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x81, 0, 0) + colours
    across, down = frame or (width, height)
    control = b"\x21\xf9\x04\x00\x0a\x00\x00\x00"
    image = b"\x2c" + struct.pack("<HHHHB", 0, 0, across, down, 0) + b"\x02" + _sub_blocks(_codes(min(across * down, 10_000)))
    return start + (control + image) * frames + b"\x3b"


def _codes(pixels: int) -> bytes:
    """So many pixels of colour 0. The code table is cleared after every second one, so that each code stays 3 bits long."""
    codes = [code for number in range(pixels) for code in ([4, 0] if number % 2 == 0 else [0])] + [5]
    return sum(code << 3 * at for at, code in enumerate(codes)).to_bytes((3 * len(codes) + 7) // 8, "little")


def _sub_blocks(data: bytes) -> bytes:
    pieces = [data[at : at + 255] for at in range(0, len(data), 255)]
    return b"".join(bytes([len(piece)]) + piece for piece in pieces) + b"\x00"


def webp(width: int = 2, height: int = 2) -> bytes:
    return riff(_lossless(width, height))


def animated_webp(width: int = 2, height: int = 2, frames: int = 2, *, inner: tuple[int, int] | None = None) -> bytes:
    """`inner` is the size that each frame's own bits claim, where it is not the frame's."""
    bits = _lossless(*(inner or (width, height)))
    frame = riff_chunk(b"ANMF", bytes(6) + _three(width - 1) + _three(height - 1) + _three(100) + b"\x00" + bits)
    return riff(webp_canvas(width, height, animated=True), riff_chunk(b"ANIM", bytes(6)), *[frame] * frames)


def webp_canvas(width: int, height: int, *, animated: bool = False) -> bytes:
    return riff_chunk(b"VP8X", bytes([2 if animated else 0, 0, 0, 0]) + _three(width - 1) + _three(height - 1))


def riff(*chunks: bytes) -> bytes:
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def riff_chunk(kind: bytes, payload: bytes) -> bytes:
    return kind + struct.pack("<I", len(payload)) + payload + bytes(len(payload) % 2)


def _lossless(width: int, height: int) -> bytes:
    bits = [(width - 1, 14), (height - 1, 14), (0, 4)]  # no alpha, version 0
    bits += [(0, 1), (0, 1), (0, 1)]  # no transform, no colour cache, one group of codes
    bits += [(0b0001, 4)] * 3 + [(255 << 3 | 0b101, 11)] + [(0b0001, 4)]  # green, red, blue, alpha, distance: one symbol each
    value = at = 0
    for part, length in bits:
        value |= part << at
        at += length
    return riff_chunk(b"VP8L", b"\x2f" + value.to_bytes((at + 7) // 8, "little"))


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


ONE_OF_EACH = {"image/png": png(), "image/jpeg": jpeg(), "image/gif": gif(), "image/webp": webp()}
