"""What a picture's first bytes promise, read before any decoder sees them: kind, size and scans."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

MOST_PIXELS = {
    "JPEG": 120_000_000,
    "PNG": 50_000_000,
    "WEBP": 24_000_000,
    "HEIC": 50_000_000,
    "BMP": 50_000_000,
    "TIFF": 50_000_000,
}
"""Past this many pixels a picture is refused: no camera at a table makes one, a decompression bomb does. A JPEG is
reduced while it is decoded; the others stand in memory whole, WebP four times over (a decoder gets 512 MB)."""
MOST_SCANNED = 600_000_000
"""Pixels of a JPEG times the scans that it comes in. Progressive ones have about ten; one of 400 took 66 s."""

_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"hevc", b"hevx"}
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SOS, _EOI = 0xDA, 0xD9
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""A marker that a segment follows, or the end; what stands in the picture's own data is none of these."""


@dataclass(frozen=True)
class Promise:
    """What the bytes say they are: one of the keys of `MOST_PIXELS`, width and height in px, and the scans of a JPEG.

    The size is (0, 0) where it stands too deep in the file to be read here.
    """

    kind: str
    width: int
    height: int
    scans: int = 1

    @property
    def pixels(self) -> int:
        """Pixels in all."""
        return self.width * self.height

    @property
    def is_within_bounds(self) -> bool:
        """Whether it can be decoded in the memory and the time that a decoder gets."""
        return self.pixels <= MOST_PIXELS[self.kind] and self.pixels * self.scans <= MOST_SCANNED


def promised(data: bytes) -> Promise | None:
    """What the bytes say they are, None for a picture of no kind that is read."""
    try:
        if data[:2] == b"\xff\xd8":
            return _jpeg(data)
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return Promise("PNG", *struct.unpack(">II", data[16:24]))
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return Promise("WEBP", *_webp(data))
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return Promise("BMP", abs(width), abs(height))
        if data[4:8] == b"ftyp" and _HEIC_BRANDS & set(_brands(data)):
            return None if b"avif" in _brands(data) else Promise("HEIC", 0, 0)
        if data[:4] in (b"II*\0", b"MM\0*"):
            return Promise("TIFF", 0, 0)
    except (struct.error, IndexError):
        return Promise("JPEG", 0, 0)  # cut off: whatever decodes it says so
    return None


def _brands(data: bytes) -> list[bytes]:
    length = min(struct.unpack(">I", data[:4])[0], 256)
    return [data[8:12], *(data[at : at + 4] for at in range(16, length, 4))]


def _webp(data: bytes) -> tuple[int, int]:
    """The largest size that any of its chunks speaks of: the canvas, or the one picture."""
    chunk, body = data[12:16], data[20:30]
    if chunk == b"VP8X":
        return (
            1 + int.from_bytes(body[4:7], "little"),
            1 + int.from_bytes(body[7:10], "little"),
        )
    if chunk == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack("<HH", body[6:10])
    return width & 0x3FFF, height & 0x3FFF


def _jpeg(data: bytes) -> Promise:
    """The largest frame of the first picture in it, and all scans there are, by going from marker to marker."""
    width = height = scans = 0
    at = 2
    while (found := _MARKER.search(data, at)) is not None:
        marker, at = data[found.end() - 1], found.end()
        if marker == _EOI:
            break
        length = int.from_bytes(data[at : at + 2], "big")
        if marker in _SOF:
            high, wide = struct.unpack(">HH", data[at + 3 : at + 7])
            width, height = max(width, wide), max(height, high)
        scans += marker == _SOS
        at += max(length, 2)
    return Promise("JPEG", width, height, max(scans, 1))
