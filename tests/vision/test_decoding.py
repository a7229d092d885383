"""Pictures that would take too much memory or time, and those that are damaged."""

from __future__ import annotations

import base64
import io
import os
import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, ImageOps, features
from PIL import Image as PillowImage
from presencekit import there
from propertykit import examples
from samples import SAMPLES

from vision import BoardNotFound, BoardReader, ImageError
from vision.decoding import decode
from vision.decoding.decode import read_header
from vision.decoding.kinds import MEDIA_TYPES, PICTURE_KINDS, READABLE, SUFFIXES, PictureKind
from vision.decoding.libjpeg import read_warning
from vision.images import decode_image, is_damaged
from vision.picture_quality import find_shown_area, has_missing_part

HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "ACJpbG9jAAAAAERAAAEAAQAAAAABegABAAAAAAAAAC0AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt"
    "AAAAAAABAAAA1mlwcnAAAAC3aXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA"
    "AAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBJZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABNjb2xy"
    "bmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABgAAAASAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAADVt"
    "ZGF0AAAAKSgBrxmAl46SBl//8djGfCzL0vxzqICxnJ+B+C9DD3UE18W0CAAAhZQQ"
)
"""A picture of 96x72 px, dark above and bright below, as a phone's HEIC."""


def encode(kind: str, size: tuple[int, int] = (96, 72), **options: Any) -> bytes:
    data = io.BytesIO()
    PillowImage.new("RGB", size, (90, 120, 150)).save(data, kind, **options)
    return data.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WebP", "BMP"])
def test_the_size_stands_in_the_first_bytes(kind: str) -> None:
    found = there(read_header(encode(kind)))
    assert (found.kind, found.width, found.height) == (kind, 96, 72)


@pytest.mark.parametrize("options", [{"lossless": True}, {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}])
def test_the_size_of_every_sort_of_webp(options: dict[str, Any]) -> None:
    found = there(read_header(encode("WEBP", **options)))
    assert (found.width, found.height) == (96, 72)


def test_the_scans_of_a_jpeg_are_counted() -> None:
    plain, progressive = read_header(encode("JPEG")), read_header(encode("JPEG", progressive=True))
    assert plain is not None
    assert progressive is not None
    assert plain.scans == 1
    assert 5 < progressive.scans < 15


def canvas(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + sides


def png(width: int, height: int) -> bytes:
    return encode("PNG")[:16] + struct.pack(">II", width, height) + encode("PNG")[24:]


def bmp(width: int, height: int) -> bytes:
    return encode("BMP")[:18] + struct.pack("<ii", width, -height) + encode("BMP")[26:]


def many_scans(times: int) -> bytes:
    """Return a progressive picture of 2000x1500 px with its last scan repeated over and over."""
    whole = encode("JPEG", (2000, 1500), progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * times + whole[-2:]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (canvas(16383, 16383), "268.5 million pixels, more than the 24 million that WebP pictures may have"),
        (png(20000, 20000), "400 million pixels, more than the 52 million"),
        (bmp(20000, 20000), "400 million pixels, more than the 52 million"),
        (encode("JPEG").replace(struct.pack(">HH", 72, 96), struct.pack(">HH", 60000, 60000)), "more than the 210"),
        (many_scans(400), "JPEG of 410 scans"),
    ],
    ids=["WebP", "PNG", "BMP", "JPEG", "scans"],
)
def test_a_bomb_is_refused_before_any_decoder_sees_it(data: bytes, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a decoder saw it")

    monkeypatch.setattr(PillowImage, "open", refuse)
    with pytest.raises(ImageError, match=told):
        decode_image(data)


def test_a_tiff_is_bounded_before_its_pixels_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode("TIFF", (8000, 7000), compression="tiff_lzw")
    monkeypatch.setattr(PillowImage.Image, "convert", lambda *_: pytest.fail("it was decoded"))
    assert PICTURE_KINDS["TIFF"].most_pixels < 8000 * 7000
    with pytest.raises(ImageError, match="56 million pixels"):
        decode_image(data)


def test_heic_is_read() -> None:
    image, scale = decode_image(HEIC)
    assert (image.shape, scale) == ((72, 96, 3), 1.0)
    assert float(np.mean(image[:30])) < 60 < 180 < float(np.mean(image[42:]))


KINDS = {b"\xff\xd8": "JPEG", b"RIFFxxxxWEBP": "WebP", b"BM": "BMP", b"\0\0\0\x18ftypheic": "HEIC", b"II*\0": "TIFF"}


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


PHOTOGRAPHS = sorted(SAMPLES.glob("*/*.jpg"))


def zero(data: bytes, share: float, count: int = 100) -> bytes:
    at = int(len(data) * share)
    return data[:at] + bytes(count) + data[at + count :]


def as_bytes(file: Path, kind: str = "JPEG", **options: object) -> bytes:
    data = io.BytesIO()
    with PillowImage.open(file) as picture:
        picture.save(data, kind, **options)
    return data.getvalue()


@pytest.mark.parametrize("file", PHOTOGRAPHS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_whole_picture_has_no_missing_part(file: Path) -> None:
    assert not has_missing_part(decode_image(file.read_bytes())[0])


@pytest.mark.parametrize("file", PHOTOGRAPHS[::4], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_frame_is_damaged_if_a_photograph_would_be(file: Path) -> None:
    data = file.read_bytes()
    assert not is_damaged(data)
    assert all(is_damaged(zero(data, share)) for share in (0.3, 0.5, 0.85))
    assert is_damaged(data[: len(data) // 2] + b"\xff\xd9")
    assert is_damaged(b"\xff\xd8\xff")


@pytest.mark.parametrize("share", [0.65, 0.75, 0.85])
@pytest.mark.parametrize("file", PHOTOGRAPHS[::4], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_nothing_is_shown_from_the_damage_on(file: Path, share: float) -> None:
    whole, damaged = (decode_image(data)[0] for data in (file.read_bytes(), zero(file.read_bytes(), share)))
    _, top, _, bottom = find_shown_area(damaged)
    assert 0 == top < bottom < len(whole)
    # reducing blends colours at the border; the damage may begin within the row of blocks above
    assert np.abs(whole[: bottom - 2].astype(int) - damaged[: bottom - 2]).max() == 0


@pytest.mark.parametrize(
    ("part", "level"), [(np.s_[-128:], 0), (np.s_[-48:, -48:], 128)], ids=["a bar drawn below it", "a grey corner"]
)
def test_what_is_drawn_into_a_picture_is_no_damage(part: slice | tuple[slice, slice], level: int) -> None:
    image, _ = decode_image(PHOTOGRAPHS[0].read_bytes())
    image[part] = level
    file = io.BytesIO()
    PillowImage.fromarray(image[..., ::-1]).save(file, "JPEG", quality=92)
    assert not has_missing_part(decode_image(file.getvalue())[0])


def with_fold() -> bytes:
    """Return a photograph of a board whose lower half is darker from a row of blocks on, in three blocks of five."""
    image, _ = decode_image(PHOTOGRAPHS[0].read_bytes())
    row, width = len(image) // 32 * 16, image.shape[1]
    shade = np.ones((len(image), width, 1))
    shade[row:, width // 2 :] = 0.8
    shade[row + 16 :, : width // 2] = 0.8
    shade[row : row + 32, np.arange(width) // 16 % 5 < 2] = 1.0
    file = io.BytesIO()
    PillowImage.fromarray((image * shade).astype(np.uint8)[..., ::-1]).save(file, "JPEG", quality=92)
    return file.getvalue()


def test_the_fold_of_a_board_is_no_damage() -> None:
    assert not has_missing_part(decode_image(with_fold())[0])


def test_a_picture_whose_data_have_the_wrong_length_is_damaged_by_a_smaller_step() -> None:
    data = with_fold()
    at = data.rindex(b"\xff\xd9")
    image, _ = decode_image(data[:at] + data[at - 200 : at] + data[at:])
    assert has_missing_part(image)
    assert find_shown_area(image)[3] <= len(image) // 2


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({}, True),
        ({"subsampling": 0}, True),
        ({"subsampling": 1}, True),
        ({"optimize": True, "quality": 100}, True),
        ({"progressive": True}, None),
        ({"restart_marker_rows": 1}, None),
    ],
    ids=["plain", "4:4:4", "4:2:2", "own codes", "progressive", "restart markers"],
)
def test_the_blocks_of_a_whole_picture_are_counted(options: dict[str, Any], known: bool | None) -> None:
    for file in PHOTOGRAPHS[:3]:
        assert decode._has_all_blocks(as_bytes(file, **options)) is known
    for mode in ("L", "RGB"):  # its blocks are cut by the edge
        part = io.BytesIO()
        with PillowImage.open(PHOTOGRAPHS[0]) as picture:
            picture.convert(mode).crop((0, 0, 333, 217)).save(part, "JPEG", **options)
        assert decode._has_all_blocks(part.getvalue()) is known


@pytest.mark.parametrize("factors", ["411", "420", "422", "440", "444"])
def test_blocks_of_every_shape_are_counted(factors: str) -> None:
    sampling = getattr(cv2, f"IMWRITE_JPEG_SAMPLING_FACTOR_{factors}")
    image = decode_image(PHOTOGRAPHS[0].read_bytes())[0][:217, :333]
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling])[1].tobytes()
    assert decode._has_all_blocks(data)
    assert decode._has_all_blocks(data[:-20] + data[-2:]) is False


def small_jpegs() -> dict[str, bytes]:
    """Return small JPEGs of all sorts, by their names."""
    with PillowImage.open(PHOTOGRAPHS[0]) as picture:
        colours = picture.convert("RGB").resize((277, 155))
    thumbnail, exif = io.BytesIO(), PillowImage.Exif()
    colours.resize((40, 30)).save(thumbnail, "JPEG")
    exif[0x0112] = 6
    exif[0x927C] = thumbnail.getvalue()
    sorts: dict[str, tuple[str, PillowImage.Image, dict[str, Any]]] = {
        "plain": ("JPEG", colours, {}),
        "grey": ("JPEG", colours.convert("L"), {}),
        "inks": ("JPEG", colours.convert("CMYK"), {}),
        "own codes": ("JPEG", colours, {"optimize": True, "subsampling": 0}),
        "progressive": ("JPEG", colours, {"progressive": True}),
        "restart markers": ("JPEG", colours, {"restart_marker_blocks": 5}),
        "a picture in its EXIF block": ("JPEG", colours, {"exif": exif}),
        "two pictures": ("MPO", colours, {"save_all": True, "append_images": [colours.rotate(180)]}),
    }
    files = {name: io.BytesIO() for name in sorts}
    for name, (kind, image, options) in sorts.items():
        image.save(files[name], kind, **options)
    return {name: file.getvalue() for name, file in files.items()}


SMALL_JPEGS = small_jpegs()


@examples(200)
@given(
    st.sampled_from(sorted(SMALL_JPEGS)),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=6),
)
def test_a_jpeg_with_wrong_bytes_is_read_or_refused_in_one_line(
    name: str, in_header: bool, wrong: list[tuple[int, int]]
) -> None:
    data = bytearray(SMALL_JPEGS[name])
    end = data.index(b"\xff\xda") + 14 if in_header else len(data)
    for at, byte in wrong:
        data[2 + at % (end - 2)] = byte
    told = ""
    try:
        image, _ = decode_image(bytes(data))
        assert image.shape[2] == 3
    except ImageError as error:
        told = str(error)
    assert "\n" not in told


@pytest.mark.parametrize(("orientation", "edge"), [(1, 3), (3, 1), (6, 0), (8, 2)])
def test_the_missing_part_turns_with_the_picture(orientation: int, edge: int) -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = orientation
    image, _ = decode_image(zero(as_bytes(PHOTOGRAPHS[0], quality=92, exif=exif), 0.7))
    height, width = image.shape[:2]
    changed = [here != there for here, there in zip(find_shown_area(image), (0, 0, width, height), strict=True)]
    assert changed == [side == edge for side in range(4)]


def test_a_missing_end_mark_is_no_damage() -> None:
    data = PHOTOGRAPHS[0].read_bytes()
    assert data.endswith(b"\xff\xd9")
    assert np.array_equal(decode_image(data[:-2])[0], decode_image(data)[0])


def test_of_a_progressive_picture_without_its_end_nobody_knows_what_is_missing() -> None:
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode_image(as_bytes(PHOTOGRAPHS[0], progressive=True)[:-2])


KEPT_IN_PLACE: dict[str, dict[str, Any]] = {
    "progressive": {"progressive": True},
    "a restart marker a row": {"restart_marker_rows": 1},
    "a restart marker every four rows": {"restart_marker_rows": 4},
}
"""JPEGs whose blocks stay in their places behind damage, so that pixels hardly show where it lies."""


@pytest.mark.parametrize("share", [0.15, 0.4, 0.6, 0.8])
@pytest.mark.parametrize("options", KEPT_IN_PLACE.values(), ids=KEPT_IN_PLACE)
def test_a_picture_that_is_damaged_nobody_knows_where_is_refused(
    options: dict[str, Any], share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = as_bytes(PHOTOGRAPHS[0], quality=92, **options)
    assert not has_missing_part(decode_image(whole)[0])
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode_image(zero(whole, share))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("extra", [b"\0" * 36, b"\xff\x00\x12\x34"], ids=["zeros", "others"])
@pytest.mark.parametrize("place", ["before the end mark", "behind the end mark", "between the first segments"])
def test_bytes_that_belong_to_nothing_are_no_damage(place: str, extra: bytes) -> None:
    data = PHOTOGRAPHS[0].read_bytes()
    at = {"before the end mark": len(data) - 2, "behind the end mark": len(data)}.get(place, data.index(b"\xff\xdb"))
    with_extra = data[:at] + extra + data[at:]
    assert np.array_equal(decode_image(with_extra)[0], decode_image(data)[0])


def test_an_unknown_segment_is_no_damage_and_hides_none() -> None:
    segment = b"\xff\xef\0\x0aunknown!"
    whole = as_bytes(PHOTOGRAPHS[0], quality=92, progressive=True)
    assert np.array_equal(decode_image(whole[:2] + segment + bytes(9) + whole[2:])[0], decode_image(whole)[0])
    damaged = zero(whole, 0.6)
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode_image(damaged[:2] + segment + bytes(9) + damaged[2:])


def test_a_warning_is_heard_once_and_standard_error_comes_back(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = as_bytes(PHOTOGRAPHS[0])
    assert read_warning(data) == ""
    assert read_warning(data[:9000] + data[-2:]) == "Corrupt JPEG data: premature end of data segment"
    assert capfd.readouterr().err == ""
    os.write(2, b"here")
    assert capfd.readouterr().err == "here"
    monkeypatch.setattr("sys.__stderr__", None)
    assert read_warning(data[:9000] + data[-2:]) == ""


@pytest.mark.parametrize("file", PHOTOGRAPHS[::3], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_what_is_cut_off_is_missing(file: Path) -> None:
    data = file.read_bytes()
    whole, cut = (decode_image(part)[0] for part in (data, data[: len(data) * 9 // 10]))
    bottom = find_shown_area(cut)[3]
    assert 0.7 * len(cut) < bottom < len(cut)
    assert np.abs(whole[: bottom - 2].astype(int) - cut[: bottom - 2]).max() == 0


@pytest.mark.parametrize("file", PHOTOGRAPHS[::5], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_file_that_says_it_has_no_restart_markers_is_read_as_far_as_it_goes(file: Path) -> None:
    data = file.read_bytes()
    none = b"\xff\xdd\x00\x04\x00\x00"
    at = data.index(b"\xff\xda")
    cut = decode_image((data[:at] + none + data[at:])[: len(data) * 9 // 10])[0]
    assert 0.7 * len(cut) < find_shown_area(cut)[3] < len(cut)


@pytest.mark.slow
def test_squares_in_the_missing_part_are_hidden_and_the_damage_is_told() -> None:
    whole, _ = decode_image(PHOTOGRAPHS[3].read_bytes())
    reader = BoardReader()
    corners = reader.read(whole, 10).corners
    data = PHOTOGRAPHS[3].read_bytes()
    image, _ = decode_image(zero(data, 0.6))
    reading = reader.read(image, 10, corners=corners)
    assert reading.cut_off is not None
    assert reading.find_occluded().sum() >= 8
    assert reading.confidence()[reading.cut_off.squares].max() < 0.95
    assert "missing: copy the photograph again" in (reading.notice() or "")


def test_a_picture_of_which_too_little_is_left_is_refused() -> None:
    with pytest.raises(ImageError, match="damaged or cut off"):
        decode_image(zero(PHOTOGRAPHS[3].read_bytes(), 0.2))


def test_where_no_board_is_left_the_damage_is_the_reason() -> None:
    whole, _ = decode_image(PHOTOGRAPHS[3].read_bytes())
    table = np.full_like(whole, 60)
    table[len(table) // 2 :] = 128
    with pytest.raises(BoardNotFound, match="A part of the picture is missing"):
        BoardReader().read(table, 10)


def test_a_long_exif_block_is_read_no_further_than_its_first_part() -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    data = as_bytes(PHOTOGRAPHS[0], exif=exif)
    first = data.index(b"\xff\xe1")
    end = first + 2 + int.from_bytes(data[first + 2 : first + 4], "big")
    more = b"\xff\xe1" + struct.pack(">H", 60008) + b"Exif\0\0" + bytes(60000)
    image, _ = decode_image(data[:end] + 20 * more + data[end:])
    assert np.array_equal(image, decode_image(data)[0])
    promise = there(decode.read_header(data))
    assert decode._mend(data[:end] + 20 * more + data[end:], promise) == data


@pytest.mark.parametrize("orientation", range(10))
@pytest.mark.parametrize("mode", ["RGB", "L", "I;16"])
def test_pictures_are_turned_upright_and_their_notes_are_not_written_anew(
    monkeypatch: pytest.MonkeyPatch, orientation: int, mode: str
) -> None:
    picture = PillowImage.fromarray(np.arange(240 * 320, dtype=np.int32).reshape(240, 320) % 251).convert("L")
    picture = picture.convert("RGB") if mode == "RGB" else picture if mode == "L" else picture.convert("I;16")
    exif = PillowImage.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    out = io.BytesIO()
    picture.save(out, "PNG", exif=exif)
    expected = ImageOps.exif_transpose(PillowImage.open(io.BytesIO(out.getvalue())))
    monkeypatch.setattr(PillowImage.Exif, "tobytes", lambda *_: pytest.fail("the notes were written anew"))
    read, _ = decode_image(out.getvalue())
    assert read.shape[:2] == expected.size[::-1]
    if mode != "I;16":
        assert np.array_equal(read, np.asarray(expected.convert("RGB"))[..., ::-1])


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow decodes no AVIF")
def test_avif_is_read() -> None:
    image, scale = decode_image(as_bytes(PHOTOGRAPHS[0], "AVIF", quality=60, speed=10))
    with PillowImage.open(PHOTOGRAPHS[0]) as picture:
        assert image.shape == (picture.height, picture.width, 3)
    assert scale == 1.0


@pytest.mark.parametrize("kind", READABLE, ids=lambda kind: kind.name)
def test_every_listed_kind_is_read(kind: PictureKind) -> None:
    data = encode(kind.pillow_format)
    assert there(read_header(data)).kind == kind.name
    assert decode_image(data)[0].shape == (72, 96, 3)


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow decodes no AVIF")
def test_avif_is_a_kind_like_others() -> None:
    assert ".avif" in SUFFIXES
    assert "image/avif" in MEDIA_TYPES
    with pytest.raises(ImageError, match=r"Use one of these kinds: JPEG, HEIC, PNG, WebP, AVIF, BMP, TIFF\.$"):
        decode_image(b"%PDF-1.7")


def test_avif_is_named_where_it_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "READABLE", tuple(kind for kind in READABLE if kind.name != "AVIF"))
    with pytest.raises(ImageError, match=r"an AVIF picture, which can't be read here: set the camera to JPEG\."):
        decode_image(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(64))


def test_a_picture_just_over_the_limit_is_said_to_be_over_it() -> None:
    png = as_bytes(PHOTOGRAPHS[0], "PNG")
    large = png[:16] + struct.pack(">II", 8192, 6350) + png[24:]
    with pytest.raises(ImageError, match=r"has 52\.1 million pixels, more than the 52 million"):
        decode_image(large)
