"""Damaged JPEGs: shifted, discoloured and missing parts count as hidden, and people are told of them."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import features
from samples import SAMPLES

from vision import BoardNotFound, BoardReader, ImageError
from vision.decoding import decode
from vision.images import decode_image
from vision.picture_quality import has_missing_part, shown_area

PHOTOGRAPHS = sorted(SAMPLES.glob("*/*.jpg"))


def zeroed(data: bytes, share: float, count: int = 100) -> bytes:
    at = int(len(data) * share)
    return data[:at] + bytes(count) + data[at + count :]


def encoded(file: Path, kind: str = "JPEG", **options: object) -> bytes:
    data = io.BytesIO()
    with PillowImage.open(file) as picture:
        picture.save(data, kind, **options)
    return data.getvalue()


@pytest.mark.parametrize("file", PHOTOGRAPHS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_whole_picture_has_no_missing_part(file: Path) -> None:
    assert not has_missing_part(decode_image(file.read_bytes())[0])


@pytest.mark.parametrize("share", [0.65, 0.75, 0.85])
@pytest.mark.parametrize("file", PHOTOGRAPHS[::4], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_nothing_is_shown_from_the_damage_on(file: Path, share: float) -> None:
    whole, damaged = (decode_image(data)[0] for data in (file.read_bytes(), zeroed(file.read_bytes(), share)))
    _, top, _, bottom = shown_area(damaged)
    assert 0 == top < bottom < len(whole)
    # what is reduced blends at the border; the damage may begin within the row of blocks above
    assert np.abs(whole[: bottom - 2].astype(int) - damaged[: bottom - 2]).max() == 0


def test_a_drawn_bar_below_a_picture_is_no_damage() -> None:
    image, _ = decode_image(PHOTOGRAPHS[0].read_bytes())
    image[-128:] = 0
    file = io.BytesIO()
    PillowImage.fromarray(image[..., ::-1]).save(file, "JPEG", quality=92)
    assert not has_missing_part(decode_image(file.getvalue())[0])


def test_a_grey_corner_is_no_damage() -> None:
    image, _ = decode_image(PHOTOGRAPHS[0].read_bytes())
    image[-48:, -48:] = 128
    file = io.BytesIO()
    PillowImage.fromarray(image[..., ::-1]).save(file, "JPEG", quality=92)
    assert not has_missing_part(decode_image(file.getvalue())[0])


@pytest.mark.parametrize(("orientation", "edge"), [(1, 3), (3, 1), (6, 0), (8, 2)])
def test_the_missing_part_turns_with_the_picture(orientation: int, edge: int) -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = orientation
    image, _ = decode_image(zeroed(encoded(PHOTOGRAPHS[0], quality=92, exif=exif), 0.7))
    height, width = image.shape[:2]
    changed = [here != there for here, there in zip(shown_area(image), (0, 0, width, height), strict=True)]
    assert changed == [side == edge for side in range(4)]


def test_a_missing_end_mark_is_no_damage() -> None:
    data = PHOTOGRAPHS[0].read_bytes()
    assert data.endswith(b"\xff\xd9")
    assert np.array_equal(decode_image(data[:-2])[0], decode_image(data)[0])


def test_of_a_progressive_picture_without_its_end_nobody_knows_what_is_missing() -> None:
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode_image(encoded(PHOTOGRAPHS[0], progressive=True)[:-2])


@pytest.mark.parametrize("file", PHOTOGRAPHS[::3], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_what_is_cut_off_is_missing(file: Path) -> None:
    data = file.read_bytes()
    whole, cut = (decode_image(part)[0] for part in (data, data[: len(data) * 9 // 10]))
    bottom = shown_area(cut)[3]
    assert 0.7 * len(cut) < bottom < len(cut)
    assert np.abs(whole[: bottom - 2].astype(int) - cut[: bottom - 2]).max() == 0


def test_squares_in_the_missing_part_are_hidden_and_the_damage_is_told() -> None:
    whole, _ = decode_image(PHOTOGRAPHS[3].read_bytes())
    reader = BoardReader()
    corners = reader.read(whole, 10).corners
    data = PHOTOGRAPHS[3].read_bytes()
    image, _ = decode_image(zeroed(data, 0.6))
    reading = reader.read(image, 10, corners=corners)
    assert reading.cut_off is not None
    assert reading.occluded().sum() >= 8
    assert reading.confidence()[reading.cut_off.squares].max() < 0.95
    assert "missing: copy the photograph again" in (reading.notice() or "")


def test_a_picture_of_which_too_little_is_left_is_refused() -> None:
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode_image(zeroed(PHOTOGRAPHS[3].read_bytes(), 0.2))


def test_where_no_board_is_left_the_damage_is_the_reason() -> None:
    whole, _ = decode_image(PHOTOGRAPHS[3].read_bytes())
    table = np.full_like(whole, 60)
    table[len(table) // 2 :] = 128
    with pytest.raises(BoardNotFound, match="A part of the picture is missing"):
        BoardReader().read(table, 10)


def test_a_long_exif_block_is_read_no_further_than_its_first_part() -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    data = encoded(PHOTOGRAPHS[0], exif=exif)
    first = data.index(b"\xff\xe1")
    end = first + 2 + int.from_bytes(data[first + 2 : first + 4], "big")
    more = b"\xff\xe1" + struct.pack(">H", 60008) + b"Exif\0\0" + bytes(60000)
    image, _ = decode_image(data[:end] + 20 * more + data[end:])
    assert np.array_equal(image, decode_image(data)[0])
    promise = decode.read_header(data)
    assert promise is not None
    assert decode._mended(data[:end] + 20 * more + data[end:], promise) == data


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow decodes no AVIF")
def test_avif_is_read() -> None:
    image, scale = decode_image(encoded(PHOTOGRAPHS[0], "AVIF", quality=60, speed=10))
    with PillowImage.open(PHOTOGRAPHS[0]) as picture:
        assert image.shape == (picture.height, picture.width, 3)
    assert scale == 1.0


def test_avif_is_named_where_it_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "_AVIF", False)
    with pytest.raises(ImageError, match=r"an AVIF picture, which can't be read here: set the camera to JPEG\."):
        decode_image(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(64))


def test_a_picture_just_over_the_limit_is_said_to_be_over_it() -> None:
    png = encoded(PHOTOGRAPHS[0], "PNG")
    large = png[:16] + struct.pack(">II", 8192, 6350) + png[24:]
    with pytest.raises(ImageError, match=r"has 52\.1 million pixels, more than the 52 million"):
        decode_image(large)
