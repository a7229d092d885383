"""What a picture would cost is known before any decoder sees it."""

from __future__ import annotations

import base64
import io
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as PillowImage

from vision import ImageError
from vision.decoding.decode import MOST_PIXELS, read_header
from vision.images import decode_image

HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "ACJpbG9jAAAAAERAAAEAAQAAAAABegABAAAAAAAAAC0AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt"
    "AAAAAAABAAAA1mlwcnAAAAC3aXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA"
    "AAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBJZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABNjb2xy"
    "bmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABgAAAASAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAADVt"
    "ZGF0AAAAKSgBrxmAl46SBl//8djGfCzL0vxzqICxnJ+B+C9DD3UE18W0CAAAhZQQ"
)
"""A picture of 96x72 px, dark above and bright below, as a phone's HEIC."""


def encoded(kind: str, size: tuple[int, int] = (96, 72), **options: Any) -> bytes:
    data = io.BytesIO()
    PillowImage.new("RGB", size, (90, 120, 150)).save(data, kind, **options)
    return data.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
def test_the_size_stands_in_the_first_bytes(kind: str) -> None:
    found = read_header(encoded(kind))
    assert found is not None
    assert (found.kind, found.width, found.height) == (kind, 96, 72)


@pytest.mark.parametrize("options", [{"lossless": True}, {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}])
def test_the_size_of_every_sort_of_webp(options: dict[str, Any]) -> None:
    found = read_header(encoded("WEBP", **options))
    assert found is not None
    assert (found.width, found.height) == (96, 72)


def test_the_scans_of_a_jpeg_are_counted() -> None:
    plain, progressive = read_header(encoded("JPEG")), read_header(encoded("JPEG", progressive=True))
    assert plain is not None
    assert progressive is not None
    assert plain.scans == 1
    assert 5 < progressive.scans < 15


def canvas(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + sides


def png(width: int, height: int) -> bytes:
    return encoded("PNG")[:16] + struct.pack(">II", width, height) + encoded("PNG")[24:]


def bmp(width: int, height: int) -> bytes:
    return encoded("BMP")[:18] + struct.pack("<ii", width, -height) + encoded("BMP")[26:]


def many_scans(times: int) -> bytes:
    """Return a progressive picture of 2000x1500 px with its last scan said over and over."""
    whole = encoded("JPEG", (2000, 1500), progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * times + whole[-2:]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (canvas(16383, 16383), "268.5 million pixels, more than the 24 million of a WEBP picture"),
        (png(20000, 20000), "400 million pixels, more than the 52 million"),
        (bmp(20000, 20000), "400 million pixels, more than the 52 million"),
        (encoded("JPEG").replace(struct.pack(">HH", 72, 96), struct.pack(">HH", 60000, 60000)), "more than the 210"),
        (many_scans(400), "JPEG of 410 scans"),
    ],
    ids=["WebP", "PNG", "BMP", "JPEG", "scans"],
)
def test_a_bomb_is_refused_before_any_decoder_sees_it(data: bytes, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object, **__: object) -> None:
        raise AssertionError("a decoder saw it")

    monkeypatch.setattr(PillowImage, "open", opened)
    with pytest.raises(ImageError, match=told):
        decode_image(data)


def test_a_tiff_is_bounded_before_its_pixels_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded("TIFF", (8000, 7000), compression="tiff_lzw")
    monkeypatch.setattr(PillowImage.Image, "convert", lambda *_: pytest.fail("it was decoded"))
    assert MOST_PIXELS["TIFF"] < 8000 * 7000
    with pytest.raises(ImageError, match="56 million pixels"):
        decode_image(data)


def test_heic_is_read() -> None:
    image, scale = decode_image(HEIC)
    assert (image.shape, scale) == ((72, 96, 3), 1.0)
    assert float(np.mean(image[:30])) < 60 < 180 < float(np.mean(image[42:]))


KINDS = {b"\xff\xd8": "JPEG", b"RIFFxxxxWEBP": "WEBP", b"BM": "BMP", b"\0\0\0\x18ftypheic": "HEIC", b"II*\0": "TIFF"}


@given(st.binary(max_size=200), st.sampled_from(sorted(KINDS)))
def test_any_bytes_promise_what_they_begin_as_or_are_left_to_the_decoder(data: bytes, start: bytes) -> None:
    found = read_header(start + data)
    if found is None:
        assert KINDS[start] == "HEIC"
        return
    assert found.kind in (KINDS[start], "JPEG"), "cut off, a decoder says so"
    assert min(found.width, found.height) >= 0
    assert found.scans >= 1
    if found.kind != KINDS[start]:
        assert found.pixels == 0
