"""Bytes from anywhere become a picture or one line that says what to do, and start no other program."""

from __future__ import annotations

import io
import subprocess
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import EpsImagePlugin, ExifTags
from PIL import Image as PillowImage

from vision import ImageError, load_image
from vision.decoding.kinds import READABLE
from vision.images import Image, decode_image, encode_jpeg, read_time_taken

READ = ("JPEG", "MPO", "PNG", "WEBP", "BMP", "TIFF")
WITH_NOTES = ("JPEG", "MPO", "PNG", "WEBP", "TIFF")
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64)
PDF = b"%PDF-1.7\n1 0 obj << >> endobj\n"
WHICH = f"not a picture that can be read. Use one of these kinds: {', '.join(kind.name for kind in READABLE)}."


def camera_notes() -> PillowImage.Exif:
    """Return a camera's notes: how the picture was held, by what and where it was taken."""
    notes = PillowImage.Exif()
    notes[0x010F], notes[0x0112], notes[0x011A] = "A telephone", 1, 72.0
    notes.get_ifd(0x8825)[2] = (52.0, 30.0, 1.5)
    notes.get_ifd(0x8769)[0x9003] = "2024:01:01 10:00:00"
    return notes


def encode(kind: str, **options: object) -> bytes:
    """Return a small picture of noise and shading in this format, with a camera's notes."""
    rows, cols = np.mgrid[0:72, 0:96]
    noise = np.random.default_rng(1).integers(0, 40, (72, 96))
    pixels = np.stack([rows * 2, cols * 2, noise + rows], axis=-1).astype(np.uint8)
    picture, data = PillowImage.fromarray(pixels), io.BytesIO()
    if kind == "MPO":  # a single one would be written as plain JPEG
        options |= {"save_all": True, "append_images": [picture]}
    picture.save(data, kind, **options, **({"exif": camera_notes()} if kind in WITH_NOTES else {}))
    return data.getvalue()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the attempts to start another program; nothing is really started."""
    tried: list[str] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, args: object, *_: object, **__: object) -> None:
            tried.append(str(args))
            raise FileNotFoundError(2, "watched", "gs")

    def ghostscript(*_: object, **__: object) -> None:
        tried.append("Ghostscript")
        raise OSError("watched")

    monkeypatch.setattr(subprocess, "Popen", Watched)
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", ghostscript)
    return tried


@pytest.mark.parametrize("kind", READ)
def test_the_formats_of_cameras_are_read(kind: str) -> None:
    image, scale = decode_image(encode(kind))
    assert (image.shape, scale) == ((72, 96, 3), 1.0)


def test_postscript_that_calls_itself_a_photograph_starts_no_program(tmp_path: Path, started: list[str]) -> None:
    (tmp_path / "a.jpg").write_bytes(encode("EPS"))
    with pytest.raises(ImageError, match=rf"^a\.jpg is {WHICH}$"):
        load_image(tmp_path / "a.jpg")
    assert started == []


@pytest.mark.parametrize(
    "data",
    [*(encode(kind) for kind in ("GIF", "EPS", "PPM", "ICO", "TGA", "SGI", "PCX")), PDF, HEIC, b"not a picture at all"],
    ids=["GIF", "EPS", "PPM", "ICO", "TGA", "SGI", "PCX", "PDF", "HEIC", "text"],
)
def test_what_is_of_another_format_is_told_which_to_use(data: bytes, started: list[str]) -> None:
    with pytest.raises(ImageError, match=rf"^a is {WHICH}$"):
        decode_image(data, name="a")
    assert started == []


@pytest.mark.parametrize(
    "raised",
    [SyntaxError("x"), IndexError(), OverflowError(), RuntimeError(), TypeError(), AssertionError(), KeyError()],
    ids=lambda raised: type(raised).__name__,
)
def test_whatever_a_decoder_stumbles_over_is_one_line(monkeypatch: pytest.MonkeyPatch, raised: Exception) -> None:
    def stumble(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(PillowImage.Image, "tobytes", stumble)
    with pytest.raises(ImageError, match=r"^a is damaged or cut off: take or copy the photograph again\.$"):
        decode_image(encode("PNG"), name="a")


def picture_or_line(data: bytes) -> Image | str:
    """Return the picture in the bytes, or the error about them."""
    try:
        return decode_image(data)[0]
    except ImageError as error:
        return str(error)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_camera_notes_cut_off_give_a_picture_or_one_line(kind: str) -> None:
    notes = camera_notes().tobytes()
    for length in range(1, len(notes)):
        data = io.BytesIO()
        PillowImage.new("RGB", (96, 72)).save(data, kind, exif=notes[:length])
        seen = picture_or_line(data.getvalue())
        assert seen.shape == (72, 96, 3) if not isinstance(seen, str) else "damaged" in seen


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {}),
        ("MPO", {}),
        ("PNG", {}),
        ("WEBP", {}),
        ("BMP", {}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("TIFF", {"compression": "jpeg"}),
    ],
    ids=lambda value: value if isinstance(value, str) else value.get("compression", ""),
)
def test_damaged_bytes_give_a_picture_or_one_line(kind: str, options: dict[str, str]) -> None:
    whole = encode(kind, **options)
    rng = np.random.default_rng(20)
    for _ in range(150):
        data = np.frombuffer(whole, dtype=np.uint8).copy()
        # half of the damage is done to the headers, on which decoders rely
        reach = min(len(data), 300) if rng.random() < 0.5 else len(data)
        for at in rng.integers(0, reach, rng.integers(1, 6)):
            data[-at if kind == "TIFF" and rng.random() < 0.5 else at] = rng.integers(0, 256)
        seen = picture_or_line(data.tobytes())
        if isinstance(seen, str):
            assert "\n" not in seen
        else:
            assert seen.dtype == np.uint8
            assert np.shape(seen)[2:] == (3,)


def test_a_picture_without_pixels_is_not_written() -> None:
    assert decode_image(encode_jpeg(np.full((80, 120, 3), 90, np.uint8)))[0].shape == (80, 120, 3)
    with pytest.raises(ImageError, match="it has no pixels"):
        encode_jpeg(np.zeros((0, 60, 3), np.uint8))


@pytest.mark.parametrize(("kind", "most"), [("PNG", 65535), ("TIFF", 65535), ("TIFF", 1.0)])
def test_greys_of_more_than_eight_bits_are_read_from_black_to_white(kind: str, most: float) -> None:
    grey = np.linspace(0, 255, 200 * 100).reshape(100, 200).astype(np.uint8)
    grey[:20] = 0
    deep = (grey / 255.0 * most).astype(np.uint16 if most > 1 else np.float32)
    file, exif = io.BytesIO(), PillowImage.Exif()
    exif[0x0112] = 6  # held upright
    PillowImage.fromarray(deep).save(file, kind, exif=exif)
    pixels, _ = decode_image(file.getvalue())
    assert pixels.shape == (200, 100, 3)
    assert np.abs(np.rot90(grey, -1).astype(int) - pixels[..., 0]).max() <= 1


def test_a_strip_of_which_too_little_is_left_is_refused() -> None:
    file = io.BytesIO()
    PillowImage.new("RGB", (20000, 64)).save(file, "PNG")
    with pytest.raises(ImageError, match="only 20000x64 pixels"):
        decode_image(file.getvalue())


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "TIFF"])
@pytest.mark.parametrize(
    ("tag", "said", "hour"),
    [
        (ExifTags.Base.DateTimeOriginal, "2026:11:22 19:30:05", 19),
        (ExifTags.Base.DateTimeOriginal, "2026-11-22T07:30:05.25", 7),
        (ExifTags.Base.DateTimeDigitized, "2026:11:22 19:30:05", 19),
        (ExifTags.Base.DateTimeOriginal, "0000:00:00 00:00:00", None),
        (ExifTags.Base.DateTimeOriginal, "    :  :     :  :  ", None),
        (ExifTags.Base.DateTimeOriginal, "2026:11:22", None),
        (ExifTags.Base.Software, "2026:11:22 19:30:05", None),
    ],
)
def test_the_time_of_taking(tmp_path: Path, kind: str, tag: int, said: str, hour: int | None) -> None:
    exif = PillowImage.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[tag] = said
    PillowImage.new("RGB", (80, 80)).save(tmp_path / "photo", format=kind, exif=exif.tobytes())
    expected = None if hour is None else datetime(2026, 11, 22, hour, 30, 5)
    assert read_time_taken(tmp_path / "photo") == expected


def test_the_time_of_the_last_change_is_not_that_of_taking(tmp_path: Path) -> None:
    exif = PillowImage.Exif()
    exif[ExifTags.Base.DateTime] = "2026:11:22 19:30:05"
    PillowImage.new("RGB", (80, 80)).save(tmp_path / "photo.jpg", exif=exif)
    assert read_time_taken(tmp_path / "photo.jpg") is None


@pytest.mark.parametrize(
    "data", [None, b"", b"no picture", b"\xff\xd8\xff\xe1\x00\x10Exif\x00\x00MM\x00*\xff\xff\xff\xff"]
)
def test_a_file_that_is_no_picture_has_no_time(tmp_path: Path, data: bytes | None) -> None:
    if data is not None:
        (tmp_path / "photo.jpg").write_bytes(data)
    assert read_time_taken(tmp_path / "photo.jpg") is None
