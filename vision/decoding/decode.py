"""Decode encoded bytes of any origin to an upright BGR array, or raise one clear error.

The header is read before any decoder sees the bytes: kind, size and scans. Nothing here needs OpenCV.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pi_heif
from PIL import ExifTags, ImageFile, ImageOps, UnidentifiedImageError
from PIL import Image as PillowImage

from vision.errors import ImageError

MOST_PIXELS = {
    "JPEG": 120_000_000,
    "PNG": 50_000_000,
    "WEBP": 24_000_000,
    "HEIC": 50_000_000,
    "BMP": 50_000_000,
    "TIFF": 50_000_000,
}
"""Largest pictures that are decoded, pixels. No camera at a table makes a larger one, but a decompression bomb does. A
JPEG is reduced while it is decoded. The others stand in memory whole, WebP four times over, and a decoder gets 512 MB.
"""
MOST_SCANNED = 600_000_000
"""Most pixels of a JPEG times its scans. Progressive ones have about ten scans; one of 400 took 66 s. [by hand]"""

_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"hevc", b"hevx"}
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SOS, _EOI = 0xDA, 0xD9
"""Markers of a JPEG: the start of a frame (`_SOF`), the start of a scan, and the end of the image."""
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""A marker that starts a segment, or the end marker. None of these occurs in the picture's own data."""


@dataclass(frozen=True)
class Promise:
    """What the header says: a key of `MOST_PIXELS`, width and height in px, and the scans of a JPEG.

    The size is (0, 0) if it stands too deep in the file to be read here.
    """

    kind: str
    width: int
    height: int
    scans: int = 1

    @property
    def pixels(self) -> int:
        """The number of pixels."""
        return self.width * self.height

    @property
    def is_within_bounds(self) -> bool:
        """Whether a decoder can decode the picture within its memory and time."""
        return self.pixels <= MOST_PIXELS[self.kind] and self.pixels * self.scans <= MOST_SCANNED


def read_header(data: bytes) -> Promise | None:
    """Return what the header of encoded bytes says, None if they are no kind of picture that is read."""
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
        return Promise("JPEG", 0, 0)  # cut off: the decoder will say so
    return None


def _brands(data: bytes) -> list[bytes]:
    length = min(struct.unpack(">I", data[:4])[0], 256)
    return [data[8:12], *(data[at : at + 4] for at in range(16, length, 4))]


def _webp(data: bytes) -> tuple[int, int]:
    """Return the largest size that a chunk names: the canvas's, or the only picture's."""
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
    """Go from marker to marker. Return the largest frame of the first picture, and the number of all scans."""
    width = height = scans = 0
    at = 2
    while (match := _MARKER.search(data, at)) is not None:
        marker, at = data[match.end() - 1], match.end()
        if marker == _EOI:
            break
        length = int.from_bytes(data[at : at + 2], "big")
        if marker in _SOF:
            high, wide = struct.unpack(">HH", data[at + 3 : at + 7])
            width, height = max(width, wide), max(height, high)
        scans += marker == _SOS
        at += max(length, 2)
    return Promise("JPEG", width, height, max(scans, 1))


Image: TypeAlias = npt.NDArray[np.uint8]
"""(height, width, 3), BGR."""

MAX_BYTES = 64 * 1024 * 1024
"""Largest file that is opened, bytes. [by eye]"""
WORKING_SIDE = 2400
"""Longest side kept, px. A larger photograph of a board only takes longer. [by eye]"""
MIN_SIDE = 64
"""Least length of the shorter side, px. In a smaller picture no letter on a board can be read. [by eye]"""
FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "HEIF")
"""The only formats that Pillow may recognise, whatever the file's name says (JPEG includes MPO). It reads many more,
some by starting other programs. PostScript goes to Ghostscript, and a stranger's picture must never become a program.
"""

_WITH_EXIF = ("JPEG", "WEBP", "TIFF", "HEIF")
"""The kinds that cameras write. PNG is left out, because finding its EXIF block decodes all pixels."""

_REDUCIBLE_MODES = ("RGB", "RGBA", "L", "CMYK", "YCbCr")
"""Modes that can be reduced before conversion, so that a large picture stands in memory once."""
_DEEP_GREY_MODES = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")
"""Modes of greys with more than 8 bits, as scanners and scientific cameras write them."""

pi_heif.register_heif_opener(thumbnails=False, aux_images=False, depth_images=False)


def decode_image(data: bytes, *, name: str = "The picture") -> tuple[Image, float]:
    """Decode encoded bytes of one of `FORMATS`. Return the picture, upright, and the scale at which it was decoded.

    The image is (h, w, 3) BGR with its EXIF rotation applied. `scale` is its width divided by the width of the upright
    file: 1.0 unless the file was larger than `WORKING_SIDE`. Raises ImageError if the bytes cannot be read as a
    picture.
    """
    if not data:
        raise ImageError(f"{name} is empty: take the photograph again.")
    promise = read_header(data)
    if promise is None:
        raise _unknown(name)
    if not promise.is_within_bounds:
        raise _too_large(name, promise.pixels, promise.kind)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pixels, scale = _decode(data, name)
    except ImageError:
        raise
    except PillowImage.DecompressionBombError:
        raise _too_large(name, 0, promise.kind) from None
    except UnidentifiedImageError:
        raise _unknown(name) from None
    except MemoryError:
        raise ImageError(
            f"{name} takes more memory than a photograph may: save it as a plain JPEG."
        ) from None
    except Exception:
        # decoders fail on bad bytes in many ways: struct.error, IndexError, zlib.error
        raise ImageError(f"{name} is damaged or cut off: take or copy the photograph again.") from None
    return pixels, scale


def time_taken(path: Path) -> datetime | None:
    """Return when a photograph was taken, by its camera's clock in the EXIF block; None if it does not say.

    The time of a file's last change is not used: copying and editing change it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with PillowImage.open(path, formats=_WITH_EXIF) as opened:
                block = opened.getexif().get_ifd(ExifTags.IFD.Exif)
        text = block.get(ExifTags.Base.DateTimeOriginal) or block.get(ExifTags.Base.DateTimeDigitized)
        year, month, day, hour, minute, second = map(int, re.findall(r"\d+", str(text))[:6])
        return datetime(year, month, day, hour, minute, second)
    except Exception:  # bad EXIF blocks fail in as many ways as bad pictures
        return None


def _decode(data: bytes, name: str) -> tuple[Image, float]:
    if ImageFile.LOAD_TRUNCATED_IMAGES:
        raise ImageError("Pillow is set to accept truncated pictures: unset LOAD_TRUNCATED_IMAGES.")
    with PillowImage.open(io.BytesIO(data), formats=FORMATS) as opened:
        width, height = opened.size
        kind = "HEIC" if opened.format == "HEIF" else opened.format or ""
        if width * height > MOST_PIXELS.get(kind, MOST_PIXELS["JPEG"]):
            raise _too_large(name, width * height, kind)
        most = max(width, height, WORKING_SIDE)
        # a very narrow picture, too, has too few pixels once it is reduced
        if min(width, height) * WORKING_SIDE < MIN_SIDE * most:
            raise ImageError(
                f"{name} is only {width}x{height} pixels, too few to read a board: take a larger one."
            )
        opened.draft("RGB", (WORKING_SIDE, WORKING_SIDE))
        reduced = opened if opened.mode in _REDUCIBLE_MODES else _in_eight_bits(opened).convert("RGB")
        if max(reduced.size) > WORKING_SIDE:
            reduced.thumbnail((WORKING_SIDE, WORKING_SIDE), PillowImage.Resampling.LANCZOS, reducing_gap=2.0)
        upright = ImageOps.exif_transpose(reduced).convert("RGB")
    original = max(width, height)
    scale = max(upright.size) / original
    # Pillow swaps the colours while it copies them, five times as fast as numpy can afterwards
    bgr = np.frombuffer(bytearray(upright.tobytes("raw", "BGR")), dtype=np.uint8)
    return bgr.reshape(upright.height, upright.width, 3), scale


def _in_eight_bits(picture: PillowImage.Image) -> PillowImage.Image:
    """Return a picture with greys of 8 bits. One that had more is turned upright as well.

    Pillow would take all values above 255 for white.
    """
    if picture.mode not in _DEEP_GREY_MODES:
        return picture
    greys = np.nan_to_num(np.asarray(ImageOps.exif_transpose(picture), dtype=np.float64))
    low, high = (0.0, 65535.0) if picture.mode.startswith("I;16") else (greys.min(), greys.max())
    scaled = (greys - low) * (255.0 / max(high - low, 1e-9))
    return PillowImage.fromarray(np.clip(scaled, 0.0, 255.0).astype(np.uint8))


def _too_large(name: str, pixels: int, kind: str) -> ImageError:
    most = MOST_PIXELS.get(kind, MOST_PIXELS["JPEG"])
    if 0 < pixels <= most:
        return ImageError(f"{name} is built of too many layers: save it as a plain JPEG.")
    has = f"{pixels / 1e6:.0f} million pixels, more than" if pixels else "more than"
    return ImageError(
        f"{name} has {has} the {most / 1e6:.0f} million that can be read: give it in a smaller size."
    )


def _unknown(name: str) -> ImageError:
    return ImageError(
        f"{name} is not a picture that can be read: use a JPEG, HEIC, PNG, WebP, BMP or TIFF photograph."
    )
