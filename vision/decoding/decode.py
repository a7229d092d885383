"""Decode encoded bytes of any origin to an upright BGR array, or raise one clear error.

The header is read before any decoder sees the bytes: kind, size and scans. What is damaged is painted grey, as decoders
have it where a picture is missing. A JPEG of which libjpeg misses data, though nobody can tell where, is refused.

A JPEG's damage is found by its pixels: libjpeg never says where it lies, and isn't sure to notice it. A wrong byte
mostly makes other codes that are as good. The blocks that follow are shifted, and lighter, darker or of another tint by
a constant. So one row of blocks stands out from the row above from the damaged block on, and the next row up to that
block: exactly a row's length of steps, in the order in which blocks are coded. What is missing at the end is grey. The
fold of a board can step likewise, but a damaged file seldom has as many blocks as its header says. Several scans and
restart markers keep the blocks in their places. Then only libjpeg notices damage: a scan or a part of it ends too early
or too late.
"""

from __future__ import annotations

import io
import math
import re
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pillow_heif
from PIL import ExifTags, ImageFile, JpegImagePlugin, UnidentifiedImageError
from PIL import Image as PillowImage

from engine.wording import phrase
from vision.arrays import Flags, Floats
from vision.decoding.kinds import PICTURE_KINDS, READABLE
from vision.decoding.libjpeg import read_warning
from vision.errors import ImageError

MOST_SCANNED = 700_000_000
"""Most pixels of a JPEG times its scans. Progressive ones have about ten: one of 64 megapixels takes 0.7 s and 280 MB.
A small one of 400 scans took 66 s. [by hand, large_pictures]"""

_HEIF_BRANDS = {b"avif", b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"hevc", b"hevx"}
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_HUFFMAN_SOF = (0xC0, 0xC1)
_SOS, _EOI, _APP1, _DRI = 0xDA, 0xD9, 0xE1, 0xDD
"""Markers of a JPEG: the start of a frame (with Huffman codes and one scan a colour: `_HUFFMAN_SOF`), the start of a
scan, the end of the image, EXIF, and the distance of restart markers."""
_END_MARK = b"\xff\xd9"
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""A marker that starts a segment, or the end marker. None of these occurs in the picture's own data."""


@dataclass(frozen=True)
class Promise:
    """The claims of a picture's header: a key of `PICTURE_KINDS`, width and height in px, and the scans of a JPEG.

    The size is (0, 0) if it comes too late in the file to be read here.
    """

    kind: str
    width: int
    height: int
    scans: int = 1

    @property
    def pixels(self) -> int:
        """The number of pixels."""
        return self.width * self.height


def read_header(data: bytes) -> Promise | None:
    """Read the header of encoded bytes. Return None if they aren't a supported kind of picture."""
    try:
        if data[:2] == b"\xff\xd8":
            return _jpeg(data)
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return Promise("PNG", *struct.unpack(">II", data[16:24]))
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return Promise("WebP", *_webp(data))
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return Promise("BMP", abs(width), abs(height))
        if data[4:8] == b"ftyp" and _HEIF_BRANDS & set(_brands(data)):
            return Promise("AVIF" if b"avif" in _brands(data) else "HEIC", 0, 0)
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
        return (1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little"))
    if chunk == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack("<HH", body[6:10])
    return width & 0x3FFF, height & 0x3FFF


def _jpeg(data: bytes) -> Promise:
    """Return the largest frame of the first picture of a JPEG, and the number of all scans."""
    width = height = scans = 0
    for marker, begin, _ in _segments(data):
        if marker in _SOF:
            high, wide = struct.unpack(">HH", data[begin + 5 : begin + 9])
            width, height = max(width, wide), max(height, high)
        scans += marker == _SOS
    return Promise("JPEG", width, height, max(scans, 1))


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the marker, begin and end of each segment of a JPEG's first picture, its end mark included."""
    at = 2
    while (match := _MARKER.search(data, at)) is not None:
        marker, at = data[match.end() - 1], match.end()
        if marker == _EOI:
            yield marker, match.start(), at
            return
        at += max(int.from_bytes(data[at : at + 2], "big"), 2)
        yield marker, match.start(), at


def _mend(data: bytes, promise: Promise) -> bytes:
    """Return a JPEG with an end mark, and with no more of a long EXIF block than its first part.

    Pillow copies the block once for each part, which took 3 s for a block of 20 MB. If a progressive JPEG has no end
    mark, nobody can tell how much is missing.
    """
    segments = list(_segments(data))
    exif = [each for each in segments if each[0] == _APP1 and data.startswith(b"Exif\0\0", each[1] + 4)]
    notes = [(begin, end) for _, begin, end in exif[1:]]
    starts, ends = [0, *(end for _, end in notes)], [*(begin for begin, _ in notes), len(data)]
    ended = bool(segments) and segments[-1][0] == _EOI
    end_mark = b"" if ended or promise.scans > 1 else _END_MARK
    if not notes and not end_mark:
        return data
    return b"".join([*(data[start:end] for start, end in zip(starts, ends, strict=True)), end_mark])


Image: TypeAlias = npt.NDArray[np.uint8]
"""(height, width, 3), BGR."""

MAX_BYTES = 64 * 1024 * 1024
"""Largest file that is opened, bytes. [by eye]"""
WORKING_SIDE = 2400
"""Longest side kept, px. A larger photograph of a board only takes longer. [by eye]"""
MIN_SIDE = 64
"""Least length of the shorter side, px. In a smaller picture no letter on a board can be read. [by eye]"""
FORMATS = tuple(kind.pillow_format for kind in READABLE)
"""The only formats that Pillow may recognise, whatever the file's name says (JPEG includes MPO). It reads many more,
some by starting other programs. PostScript goes to Ghostscript, and a stranger's picture must never become a program.
"""

_WITH_EXIF = tuple(kind for kind in FORMATS if kind not in ("PNG", "BMP"))
"""The kinds that cameras write. PNG is left out, because finding its EXIF block decodes all pixels."""

_MIN_WHOLE = 0.5
"""Share of a damaged picture's rows above the damage from which it is read: in less hardly a board is seen. [by eye]"""
_REDUCIBLE_MODES = ("RGB", "RGBA", "L", "CMYK", "YCbCr")
"""Modes that can be reduced before conversion, so that a large picture stands in memory once."""
_DEEP_GREY_MODES = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")
"""Modes of greys with more than 8 bits, as scanners and scientific cameras write them."""

pillow_heif.register_heif_opener(thumbnails=False, aux_images=False, depth_images=False)
# Pillow opens nothing larger than twice this; we decide here how much to decode
PillowImage.MAX_IMAGE_PIXELS = max(kind.most_pixels for kind in READABLE)


def decode_image(data: bytes, *, name: str = phrase("The picture"), own: bool = False) -> tuple[Image, float]:
    """Decode encoded bytes of one of `FORMATS`. Return the picture, upright, and the scale at which it was decoded.

    The image is (h, w, 3) BGR with its EXIF rotation applied. `scale` is its width divided by the width of the upright
    file: 1.0 unless the file was larger than `WORKING_SIDE`. Our `own` pictures aren't searched for damage, because the
    edge of a caption looks like it. Raises ImageError if the bytes cannot be read as a picture.
    """
    if not data:
        raise ImageError(phrase("%(name)s is empty: take the photograph again.", name=name))
    promise = read_header(data)
    if promise is None:
        raise _unknown(name)
    if PICTURE_KINDS[promise.kind] not in READABLE:
        raise ImageError(
            phrase("%(name)s is an AVIF picture, which can't be read here: set the camera to JPEG.", name=name)
        )
    if promise.pixels > PICTURE_KINDS[promise.kind].most_pixels or promise.pixels * promise.scans > MOST_SCANNED:
        raise _too_large(name, promise)
    if promise.kind == "JPEG":
        data = _mend(data, promise)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pixels, scale = _decode(data, name, own)
    except ImageError:
        raise
    except PillowImage.DecompressionBombError:
        raise _too_large(name, promise) from None
    except UnidentifiedImageError:
        raise _unknown(name) from None
    except MemoryError:
        raise ImageError(
            phrase("%(name)s takes more memory than a photograph may: save it as a plain JPEG.", name=name)
        ) from None
    except Exception:
        # decoders fail on bad bytes in many ways: struct.error, IndexError, zlib.error
        raise _damaged_error(name) from None
    return pixels, scale


def read_time_taken(path: Path) -> datetime | None:
    """Return when a photograph was taken, by its camera's clock in the EXIF block; None if it does not say.

    It ignores the time of the file's last change, since copying and editing change that.
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


def _decode(data: bytes, name: str, own: bool) -> tuple[Image, float]:
    if ImageFile.LOAD_TRUNCATED_IMAGES:
        raise ImageError("Pillow is set to accept truncated pictures: unset LOAD_TRUNCATED_IMAGES.")
    with PillowImage.open(io.BytesIO(data), formats=FORMATS) as opened:
        width, height = opened.size
        opened_as = "JPEG" if opened.format == "MPO" else opened.format
        kind = next(kind for kind in READABLE if kind.pillow_format == opened_as)
        if width * height > kind.most_pixels:
            raise _too_large(name, Promise(kind.name, width, height))
        most = max(width, height, WORKING_SIDE)
        # a very narrow picture, too, has too few pixels once it is reduced
        if min(width, height) * WORKING_SIDE < MIN_SIDE * most:
            raise ImageError(
                phrase(
                    "%(name)s is only %(width)sx%(height)s pixels, too few to read a board: take a larger one.",
                    name=name,
                    width=width,
                    height=height,
                )
            )
        opened.draft("RGB", (WORKING_SIDE, WORKING_SIDE))
        if not own:
            _paint_damage(opened, width, data, name)
        reduced = opened if opened.mode in _REDUCIBLE_MODES else _in_eight_bits(opened).convert("RGB")
        if max(reduced.size) > WORKING_SIDE:
            reduced.thumbnail((WORKING_SIDE, WORKING_SIDE), PillowImage.Resampling.LANCZOS, reducing_gap=2.0)
        upright = _turn_upright(reduced)
        upright = upright if upright.mode == "RGB" else upright.convert("RGB")
    original = max(width, height)
    scale = max(upright.size) / original
    # Pillow swaps the colours while it copies them, five times as fast as numpy can afterwards
    bgr = np.frombuffer(bytearray(upright.tobytes("raw", "BGR")), dtype=np.uint8)
    return bgr.reshape(upright.height, upright.width, 3), scale


_TURNS = {
    2: PillowImage.Transpose.FLIP_LEFT_RIGHT,
    3: PillowImage.Transpose.ROTATE_180,
    4: PillowImage.Transpose.FLIP_TOP_BOTTOM,
    5: PillowImage.Transpose.TRANSPOSE,
    6: PillowImage.Transpose.ROTATE_270,
    7: PillowImage.Transpose.TRANSVERSE,
    8: PillowImage.Transpose.ROTATE_90,
}
"""How a picture is turned upright, by its EXIF orientation."""


def _turn_upright(picture: PillowImage.Image) -> PillowImage.Image:
    """Turn a picture upright. Pillow's own function also writes the EXIF block anew: seconds for a long one."""
    picture.load()
    turn = _TURNS.get(picture.getexif().get(ExifTags.Base.Orientation, 1))
    return picture if turn is None else picture.transpose(turn)


def _in_eight_bits(picture: PillowImage.Image) -> PillowImage.Image:
    """Reduce deep greys to 8 bits, and turn them upright. Pillow would make all values above 255 white."""
    if picture.mode not in _DEEP_GREY_MODES:
        return picture
    greys = np.nan_to_num(np.asarray(_turn_upright(picture), dtype=np.float64))
    low, high = (0.0, 65535.0) if picture.mode.startswith("I;16") else (greys.min(), greys.max())
    scaled = (greys - low) * (255.0 / max(high - low, 1e-9))
    return PillowImage.fromarray(np.clip(scaled, 0.0, 255.0).astype(np.uint8))


def _paint_damage(opened: PillowImage.Image, width: int, data: bytes, name: str) -> None:
    """Paint the damaged part of an opened JPEG grey. Raise ImageError if too little is left, or if it may be anywhere.

    The JPEG was `width` px wide before it was reduced, and `data` is its file.
    """
    if not isinstance(opened, JpegImagePlugin.JpegImageFile):
        return
    row = _find_damaged_row(opened, width, data)
    if row is None:
        if _misses_data(data):
            raise _damaged_error(name)
        return
    # between restart markers, damage may begin some rows above the one that stands out
    restarts = any(marker == _DRI and any(data[end - 2 : end]) for marker, _, end in _segments(data))
    if restarts or row < _MIN_WHOLE * opened.height:
        raise _damaged_error(name)
    grey = PillowImage.new("L", (opened.width, opened.height - row), MISSING).convert(opened.mode)
    opened.paste(grey, (0, row))


def _damaged_error(name: str) -> ImageError:
    return ImageError(phrase("%(name)s is damaged or cut off: take or copy the photograph again.", name=name))


def _too_large(name: str, promise: Promise) -> ImageError:
    most, pixels = PICTURE_KINDS[promise.kind].most_pixels, promise.pixels
    if 0 < pixels <= most:
        return ImageError(
            phrase(
                "%(name)s is a JPEG of %(scans)s scans, which takes too long to decode: save it as a plain "
                "(baseline) JPEG, or in a smaller size.",
                name=name,
                scans=promise.scans,
            )
        )
    most_text = phrase(
        "the %(millions)s million that %(kind)s pictures may have: set the camera to fewer pixels, "
        "or save it as a smaller JPEG.",
        millions=_millions(most),
        kind=promise.kind,
    )
    if pixels:
        return ImageError(
            phrase(
                "%(name)s has %(millions)s million pixels, more than %(most)s",
                name=name,
                millions=_millions(pixels),
                most=most_text,
            )
        )
    return ImageError(phrase("%(name)s has more than %(most)s", name=name, most=most_text))


def _millions(pixels: int) -> str:
    """Return the millions of pixels, rounded up so that none over a limit seems to be within it."""
    return f"{math.ceil(pixels / 1e5) / 10:g}"


def _unknown(name: str) -> ImageError:
    return ImageError(
        phrase(
            "%(name)s is not a picture that can be read. Use one of these kinds: %(kinds)s.",
            name=name,
            kinds=", ".join(kind.name for kind in READABLE),
        )
    )


MISSING = 128
"""Grey level of all channels where a picture is missing, as decoders have it too."""
_STEPS = (2.0, 5.0)
"""Least steps between blocks, grey levels, that are tried. [by eye]"""
_STANDS_OUT = 1.5
"""Ratio of a step to those between the rows of pixels beside it, from which it is no edge of something.
[by hand, dev]"""
_MARGIN = 0.1
"""Share of a row of blocks around the damaged one that is spoilt without a pattern. [by eye]"""
_MAX_EVEN = 0.8
"""Share of blocks as light as the next one, from which a row of pixels was drawn, as the black bars beside a film were.
[by eye]"""
_MIN_COLUMNS = 16
"""Blocks in a row that show a pattern. A board with fewer could not be read. [by eye]"""
_MIN_SHARE_GAP = {False: 0.35, None: 0.48, True: 0.62}
"""Least gap between the share of steps within the row's length and outside, by whether the number of blocks is right.
Of 360 whole photographs the highest have 0.55 and 0.51, folds of boards, and the next 0.44; none has a wrong number. Of
106 with 100 zeroed bytes and a wrong number one has less, 0.34. Of 26 with the right one none has less than 0.76, and
those show everything but the damage in its place. [by hand, dev, real photographs]"""
_ROWS_BEYOND = 2
"""Rows of blocks that are decoded beyond the end of a picture to count its blocks. [by eye]"""
_MOST_ROWS = 65_500
"""Most rows of pixels that the decoder takes (libjpeg, JPEG_MAX_DIMENSION)."""

Levels = npt.NDArray[np.int16]


def is_damaged(data: bytes) -> bool:
    """Return whether a JPEG shows damage anywhere, or is none that can be decoded. Faster than `decode_image`."""
    try:
        with PillowImage.open(io.BytesIO(data), formats=("JPEG",)) as opened:
            width = opened.width
            # steps between blocks show as well at half the size
            opened.draft("RGB", (opened.width // 2, opened.height // 2))
            return _find_damaged_row(opened, width, data) is not None
    except Exception:  # decoders fail on bad bytes in many ways
        return True


def _find_damaged_row(opened: PillowImage.Image, width: int, data: bytes) -> int | None:
    """Return the row, px, from which an opened JPEG is damaged; None if it is whole.

    The JPEG was `width` px wide before it was reduced, and `data` is its file.
    """
    assert isinstance(opened, JpegImagePlugin.JpegImageFile)
    opened.load()
    wide, high = (8 * max(layer[way] for layer in opened.layer) * opened.width // width for way in (1, 2))
    return _find_damage(opened, (wide, high), data)


def _find_damage(picture: PillowImage.Image, block: tuple[int, int], data: bytes) -> int | None:
    """Return the row, px, from which a decoded JPEG of `block`s (width, height) is damaged; None if it is whole."""
    width, height = block
    columns, rows = picture.width // width, picture.height // height
    if min(columns, rows) < 2:
        return None
    whole = (0, 0, columns * width, rows * height)
    means = picture.resize((columns, rows * height), PillowImage.Resampling.BOX, box=whole)
    levels = np.asarray(means.convert("RGB"), dtype=np.int16)
    first = _missing_from(levels, height)
    gap, stepped = _largest_step(levels, height)
    # blocks are counted only if their number may decide
    if gap > min(_MIN_SHARE_GAP.values()) and gap > _MIN_SHARE_GAP[_has_all_blocks(data)]:
        first = min(first, stepped)
    return first * height if first < rows else None


def _has_all_blocks(data: bytes) -> bool | None:
    """Return whether a JPEG has as many blocks as its header says; None if that can't be told.

    The picture is decoded with rows beyond its end. Its data end with the last block. A decoder makes one block more of
    the bits that fill the last byte, and what follows is grey. After damage the codes are in step again within some
    blocks, mostly with one to three blocks too many or too few. Restart markers and further scans hide that. Of 3,000
    whole crops 34 seem to have too few, because the block that is made happens to be grey, too. [by hand, sample
    pictures]
    """
    segments = list(_segments(data))
    markers = [marker for marker, _, _ in segments]
    frames = [begin for marker, begin, _ in segments if marker in _SOF]
    if markers.count(_SOS) != 1 or _DRI in markers or len(frames) != 1 or data[frames[0] + 1] not in _HUFFMAN_SOF:
        return None
    at = frames[0] + 5
    height, layers = int.from_bytes(data[at : at + 2], "big"), data[at + 4]
    factors = [(byte >> 4, byte & 15) for byte in data[at + 6 : at + 5 + 3 * layers : 3]] if layers > 1 else [(1, 1)]
    across, down = (max(factor[way] for factor in factors) for way in (0, 1))
    rows = math.ceil(height / (8 * down))
    longer = 8 * down * (rows + _ROWS_BEYOND)
    if longer > _MOST_ROWS:
        return None
    lengthened = io.BytesIO(data[:at] + struct.pack(">H", longer) + data[at + 2 :])
    with PillowImage.open(lengthened, formats=FORMATS) as opened:
        opened.draft("L", (1, 1))
        eighths = np.asarray(opened, dtype=np.int16)
    if opened.mode != "L" or len(eighths) != longer // 8:
        return None
    columns = eighths.shape[1] // across
    blocks = eighths[:, : columns * across].reshape(-1, down, columns, across)
    shown = np.flatnonzero((np.abs(blocks - MISSING) > 1).any(axis=(1, 3)))
    return len(shown) > 0 and int(shown[-1]) == rows * columns


_LOST = re.compile(r"Corrupt JPEG data: (?!\d+ extraneous bytes before marker 0xd9)")
"""Warnings of libjpeg that mean lost data in a JPEG of one scan. Some cameras write useless bytes before the end mark.
Of 622 whole photographs none has any warning. [by hand, dev, real photographs]"""


def _misses_data(data: bytes) -> bool:
    """Return whether libjpeg misses data in a JPEG. In one of several scans, every warning means that."""
    segments = list(_segments(data))
    scans = [begin for marker, begin, _ in segments if marker == _SOS]
    # what lies between the segments before the first scan does no harm, but libjpeg gives only its first warning
    head = b"".join(data[begin:end] for _, begin, end in segments if begin < scans[0])
    warning = read_warning(data[:2] + head + data[scans[0] :])
    return "Corrupt JPEG data" in warning and (len(scans) > 1 or _LOST.search(warning) is not None)


def _missing_from(levels: Levels, height: int) -> int:
    """Return the first row of blocks that is missing to the end of the picture, or the number of rows if none is."""
    # decoders blend colours over the border between two rows of blocks
    inner = levels.reshape(-1, height, *levels.shape[1:])[:, height // 4 : height - height // 4]
    grey = (np.abs(inner - MISSING) <= 1).all(axis=(1, 3))
    shown = np.flatnonzero(~grey)
    last = int(shown[-1]) + 1 if len(shown) else grey.size
    # a few blocks may be of a grey thing in the corner
    return last // grey.shape[1] if grey.size - last > max(2, _MARGIN * grey.shape[1]) else len(inner)


def _largest_step(levels: Levels, height: int) -> tuple[float, int]:
    """Return how clearly a row of blocks differs from the one above, 0 to 1, and the first row that may be spoiled."""
    columns = levels.shape[1]
    if columns < _MIN_COLUMNS:
        return 0.0, 0
    tops = np.arange(height, len(levels) - 1, height)
    step, above, below = (levels[tops + k] - levels[tops + k - 1] for k in (0, -1, 1))
    usual = _STANDS_OUT * np.maximum(np.abs(above), np.abs(below))
    drawn = _are_even(levels[tops - 1]) | _are_even(levels[tops])
    margin = max(2, round(_MARGIN * columns))
    # the first row has none above it, and after a step in the last two rows there is nothing to compare
    count = max(len(tops) - 2, 0) * columns
    best, place = 0.0, 0
    for least, sign in product(_STEPS, (1, -1)):
        steps = np.concatenate(
            [np.zeros((1, columns, 3), dtype=np.bool_), (sign * step > np.maximum(least, usual)) & ~drawn]
        )
        total = np.concatenate([np.zeros((1, 3)), np.cumsum(steps.reshape(-1, 3), axis=0)])
        within, before, after = (
            _share(total, columns + begin, columns + end, count)
            for begin, end in ((margin, columns), (margin - columns, -margin), (columns + margin, 2 * columns - margin))
        )
        gaps = (within - np.maximum(before, after)).max(axis=-1, initial=0.0)
        if len(gaps) and gaps.max() > best:
            best, place = float(gaps.max()), columns + int(gaps.argmax())
    return best, max(place - margin, 0) // columns


def _are_even(rows: Levels) -> Flags:
    """Return which rows of pixels (m, columns, 3) hardly change from block to block: (m, 1, 1)."""
    return np.asarray((np.diff(rows, axis=1) == 0).mean(axis=(1, 2)) > _MAX_EVEN)[:, None, None]


def _share(total: Floats, begin: int, end: int, count: int) -> Floats:
    """Return the share of steps between `begin` and `end`, and those `count` - 1 times further on by one: (count, 3).

    `total` are the running totals of steps.
    """
    return np.asarray((total[end : end + count] - total[begin : begin + count]) / (end - begin), dtype=np.float64)
