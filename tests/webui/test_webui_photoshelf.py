"""Pictures are kept whole, without what phones write into them, and found only by their key."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image as PillowImage
from webkit import picture

from vision.images import decode_image
from webui.errors import NotThere
from webui.photos import KEPT_SIDE, PhotoShelf


def test_what_is_kept_is_found_by_key_and_kind(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    key = shelf.keep(picture(), overlay=picture(), square=picture(64, 64))
    assert shelf.kinds(key) == ("photo", "overlay", "square")
    assert shelf.kinds(shelf.keep(picture())) == ("photo",)
    image, _ = decode_image(shelf.path(key, "photo").read_bytes())
    assert image.shape == (120, 160, 3)


def test_large_pictures_are_kept_smaller(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    key = shelf.keep(picture(1500, 3000))
    with PillowImage.open(shelf.path(key, "photo")) as kept:
        assert kept.size == (KEPT_SIDE, KEPT_SIDE // 2)


def test_nothing_of_the_phone_is_kept(tmp_path: Path) -> None:
    exif = PillowImage.Exif()
    exif[0x010F] = "A telephone"
    data = io.BytesIO()
    PillowImage.fromarray(picture()).save(data, "JPEG", exif=exif)
    image, _ = decode_image(data.getvalue())
    shelf = PhotoShelf(tmp_path)
    with PillowImage.open(shelf.path(shelf.keep(image), "photo")) as kept:
        assert not dict(kept.getexif())


@pytest.mark.parametrize("key", ["../../etc/passwd", "a" * 24, "A" * 24, "", "0" * 23])
def test_other_keys_find_nothing(tmp_path: Path, key: str) -> None:
    shelf = PhotoShelf(tmp_path)
    (tmp_path / "photos" / f"{'A' * 24}-photo.jpg").write_bytes(b"there, but not by a key of the shelf's")
    with pytest.raises(NotThere):
        shelf.path(key, "photo")


def test_a_kind_that_is_none_finds_nothing(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    key = shelf.keep(picture())
    with pytest.raises(NotThere):
        shelf.path(key, "overlay")
    with pytest.raises(NotThere):
        shelf.path(key, "photo.jpg/../x")


def test_pictures_that_belong_to_no_game_are_swept_away(tmp_path: Path) -> None:
    shelf = PhotoShelf(tmp_path)
    kept, loose = shelf.keep(picture()), shelf.keep(picture(), overlay=picture())
    (tmp_path / "photos" / "new-half-written").write_bytes(b"left by a power cut")
    assert shelf.sweep({kept}) == 3
    assert shelf.kinds(kept) == ("photo",)
    assert shelf.kinds(loose) == ()
    assert len(list((tmp_path / "photos").iterdir())) == 1
