"""Pictures are kept whole, without what phones write into them, and found only by their key."""

from __future__ import annotations

import io
import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image as PillowImage
from webkit import (
    EXAMPLE,
    FORM,
    OpenPage,
    ScriptedReader,
    config,
    edit_store,
    jpeg,
    photograph,
    picture,
    sure,
    until,
    upload,
)

from vision.images import decode_image
from webui.app import create_app, services_of
from webui.errors import NotThere, StoreError
from webui.services import Services
from webui.storage import photo_shelf
from webui.storage.backups import Backups
from webui.storage.data_folder import MARK
from webui.storage.photo_shelf import BIN_DAYS, MAX_SIDE_PX, START_BOARD_S, PhotoShelf
from webui.storage.store import FILE_NAME

HOURS = 3600.0


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures written a moment ago count as old ones, but where the test is about that."""
    monkeypatch.setattr(photo_shelf, "START_BOARD_S", -HOURS)


@pytest.fixture
def shelf(tmp_path: Path) -> PhotoShelf:
    return PhotoShelf(tmp_path)


def test_what_is_kept_is_found_by_key_and_kind(shelf: PhotoShelf) -> None:
    key = shelf.keep(picture(), overlay=picture(), square=picture(64, 64))
    assert shelf.kinds(key) == ("photo", "overlay", "square")
    assert shelf.kinds(shelf.keep(picture())) == ("photo",)
    image, _ = decode_image(shelf.path(key, "photo").read_bytes())
    assert image.shape == (120, 160, 3)


def test_large_pictures_are_kept_smaller(shelf: PhotoShelf) -> None:
    key = shelf.keep(picture(300, 3 * MAX_SIDE_PX))
    with PillowImage.open(shelf.path(key, "photo")) as kept:
        assert kept.size == (MAX_SIDE_PX, 100)


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
def test_other_keys_find_nothing(shelf: PhotoShelf, tmp_path: Path, key: str) -> None:
    (tmp_path / "photos" / f"{'A' * 24}-photo.jpg").write_bytes(b"there, but not by a key of the shelf's")
    with pytest.raises(NotThere):
        shelf.path(key, "photo")


def test_a_kind_that_is_none_finds_nothing(shelf: PhotoShelf) -> None:
    key = shelf.keep(picture())
    with pytest.raises(NotThere):
        shelf.path(key, "overlay")
    with pytest.raises(NotThere):
        shelf.path(key, "photo.jpg/../x")


def names(folder: Path) -> set[str]:
    """Return the files in a folder, without its bin."""
    return {path.name for path in folder.iterdir()} - {"bin"}


def age(path: Path, days: float) -> Path:
    """Return a file that was written this many days ago."""
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))
    return path


def test_pictures_that_belong_to_no_game_are_moved_to_the_bin(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    shelf, folder = PhotoShelf(tmp_path), tmp_path / "photos"
    kept, loose = shelf.keep(picture()), shelf.keep(picture(), overlay=picture())
    (folder / "upscore-new-ab_12xyz.tmp").write_bytes(b"left by a power cut")
    assert shelf.sweep({kept}, since=0) == 3
    assert names(folder) == {f"{kept}-photo.jpg"}
    assert shelf.kinds(loose) == ()
    assert names(folder / "bin") == {f"{loose}-photo.jpg", f"{loose}-overlay.jpg", "upscore-new-ab_12xyz.tmp"}
    (line,) = caplog.messages
    assert "files: 3" in line
    assert str(folder / "bin") in line


def test_a_sweep_with_nothing_to_do_says_nothing(
    shelf: PhotoShelf, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert shelf.sweep({shelf.keep(picture())}, since=0) == 0
    assert caplog.messages == []
    assert not (tmp_path / "photos" / "bin").exists()


def test_what_people_lay_beside_the_pictures_is_never_touched(tmp_path: Path) -> None:
    shelf, folder = PhotoShelf(tmp_path), tmp_path / "photos"
    kept = shelf.keep(picture())
    theirs = [
        "holiday.jpg",
        "new-garden.jpg",
        "new-abcdefgh",
        "upscore-new-house.jpg",
        f"{'a' * 23}-photo.jpg",
        f"{'a' * 24}-photo.jpeg",
        f"{'a' * 24}-me.jpg",
        f"{'A' * 24}-photo.jpg",
        f"x{'a' * 24}-photo.jpg",
    ]
    for name in theirs:
        (folder / name).write_bytes(b"a stranger's")
    (folder / "lost+found").mkdir()
    (folder / f"{'b' * 24}-photo.jpg").mkdir()
    (folder / "bin").mkdir()
    age(folder / "holiday.jpg", 400)
    (folder / "bin" / "old.jpg").write_bytes(b"a stranger's")
    age(folder / "bin" / "old.jpg", 400)
    assert shelf.sweep({kept}, since=0) == 0
    assert names(folder) == {*theirs, "lost+found", f"{'b' * 24}-photo.jpg", f"{kept}-photo.jpg"}
    assert names(folder / "bin") == {"old.jpg"}


def test_a_store_that_knows_no_photograph_sweeps_none(shelf: PhotoShelf, tmp_path: Path) -> None:
    key = shelf.keep(picture())
    other = shelf.keep(picture())
    shelf.sweep({key}, since=0)
    assert shelf.sweep((), since=0) == 0
    assert shelf.kinds(key) == ("photo",)
    assert (tmp_path / "photos" / "bin" / f"{other}-photo.jpg").exists()


def test_pictures_from_before_the_oldest_game_stay(shelf: PhotoShelf, tmp_path: Path) -> None:
    earlier, kept = shelf.keep(picture()), shelf.keep(picture())
    age(tmp_path / "photos" / f"{earlier}-photo.jpg", 5)
    assert shelf.sweep({kept}, since=time.time() - 24 * 3600) == 0
    assert shelf.kinds(earlier) == ("photo",)


def test_the_bin_keeps_what_was_moved_there_for_a_month(shelf: PhotoShelf, tmp_path: Path) -> None:
    kept, loose = shelf.keep(picture()), shelf.keep(picture())
    age(tmp_path / "photos" / f"{loose}-photo.jpg", 400)
    shelf.sweep({kept}, since=0)
    binned = tmp_path / "photos" / "bin" / f"{loose}-photo.jpg"
    shelf.empty_bin({kept})
    assert binned.exists()
    age(binned, BIN_DAYS - 1)
    shelf.empty_bin({kept})
    assert binned.exists()
    age(binned, BIN_DAYS + 1)
    shelf.sweep({kept}, since=0)
    shelf.empty_bin({loose})
    assert binned.exists(), "a game knows it again"
    shelf.empty_bin(())
    assert not binned.exists()


def test_what_a_game_knows_again_comes_back_from_the_bin(shelf: PhotoShelf, tmp_path: Path) -> None:
    kept, loose = shelf.keep(picture()), shelf.keep(picture())
    shelf.sweep({kept}, since=0)
    age(tmp_path / "photos" / "bin" / f"{loose}-photo.jpg", BIN_DAYS + 1)
    shelf.sweep({kept, loose}, since=0)
    assert shelf.kinds(loose) == ("photo",)


@pytest.mark.parametrize("refusing", ["scandir", "utime", "replace", "mkdir", "unlink"])
def test_a_disk_that_refuses_stops_no_sweep(
    shelf: PhotoShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusing: str
) -> None:
    kept, first, second = (shelf.keep(picture()) for _ in range(3))
    if refusing != "mkdir":
        shelf.sweep({kept, second}, since=0)
        age(tmp_path / "photos" / "bin" / f"{first}-photo.jpg", BIN_DAYS + 1)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os if refusing in ("scandir", "utime") else Path, refusing, refuse)
    assert shelf.sweep({kept}, since=0) == (1 if refusing == "unlink" else 0)
    shelf.empty_bin({kept})
    assert shelf.kinds(kept) == ("photo",)


def test_a_file_that_stands_where_the_bin_would_be_stops_no_sweep(shelf: PhotoShelf, tmp_path: Path) -> None:
    kept, loose = shelf.keep(picture()), shelf.keep(picture())
    (tmp_path / "photos" / "bin").write_bytes(b"a stranger's")
    assert shelf.sweep({kept}, since=0) == 0
    assert shelf.kinds(loose) == ("photo",)


def test_a_picture_that_the_disk_refuses_leaves_nothing_behind(
    shelf: PhotoShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = shelf.keep(picture())

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refuse)
        with pytest.raises(StoreError, match="Free some space"):
            shelf.keep(picture())
    assert names(tmp_path / "photos") == {f"{kept}-photo.jpg"}


def test_a_picture_half_written_has_a_name_that_is_swept(
    shelf: PhotoShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = shelf.keep(picture())

    def power_cut(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", power_cut)
        with pytest.raises(SystemExit):
            shelf.keep(picture())
    assert shelf.sweep({kept}, since=0) == 1
    assert names(tmp_path / "photos") == {f"{kept}-photo.jpg"}


def photograph_turn(tmp_path: Path) -> set[str]:
    """Open the page, play a turn from a photograph and close the page. Return the pictures that are there then."""
    reader = ScriptedReader([sure(EXAMPLE[0])])
    app = create_app(config(tmp_path, reader))
    app.test_client().post("/games", data=FORM)
    assert upload(app.test_client(), "/games/1/photo", jpeg()).status_code == 303
    services_of(app).close()
    return names(tmp_path / "data" / "photos")


def restart(tmp_path: Path) -> set[str]:
    """Open the page and close it; the pictures that are there then."""
    services_of(create_app(config(tmp_path, ScriptedReader()))).close()
    return names(tmp_path / "data" / "photos")


@pytest.mark.parametrize("damage", ["moved away", "empty"])
def test_a_store_that_is_lost_takes_no_picture_with_it(tmp_path: Path, damage: str) -> None:
    before = photograph_turn(tmp_path)
    assert before
    data = tmp_path / "data"
    shutil.rmtree(data / "backups", ignore_errors=True)  # or else the store comes back from the page's own copy
    for file in data.glob("upscore.sqlite3*"):
        file.rename(tmp_path / file.name)
    if damage == "empty":
        (data / "upscore.sqlite3").write_bytes(b"")
    assert restart(tmp_path) == before
    after = photograph_turn(tmp_path)
    assert after > before
    assert restart(tmp_path) == after


def test_pictures_of_turns_that_no_copy_held_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.services.Services._keep_house", lambda _: 3600.0)  # the page makes no copy of its own
    app = create_app(config(tmp_path, ScriptedReader([sure(EXAMPLE[0])])))
    app.test_client().post("/games", data=FORM)
    store = tmp_path / "data" / FILE_NAME
    copy = Backups(tmp_path / "data").make()
    assert copy is not None
    assert upload(app.test_client(), "/games/1/photo", jpeg()).status_code == 303
    services_of(app).close()
    before = names(tmp_path / "data" / "photos")
    for file in store.parent.glob(f"{FILE_NAME}*"):
        file.unlink()
    store.write_bytes(b"")
    assert restart(tmp_path) == before
    after = photograph_turn(tmp_path)
    assert after > before
    assert restart(tmp_path) == after


def test_starting_puts_what_no_game_knows_aside(tmp_path: Path) -> None:
    before = photograph_turn(tmp_path)
    loose = PhotoShelf(tmp_path / "data").keep(picture())
    (tmp_path / "data" / "photos" / "lost+found").mkdir()
    assert restart(tmp_path) == {*before, "lost+found"}
    assert names(tmp_path / "data" / "photos" / "bin") == {f"{loose}-photo.jpg"}


def test_a_start_board_that_is_being_looked_over_outlives_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_shelf, "START_BOARD_S", START_BOARD_S)
    before = photograph_turn(tmp_path)
    shelf = PhotoShelf(tmp_path / "data")
    waiting, forgotten = shelf.keep(picture()), shelf.keep(picture())
    folder = tmp_path / "data" / "photos"
    old = age(folder / f"{forgotten}-photo.jpg", 1.1)
    edit_store(tmp_path / "data" / FILE_NAME, "UPDATE games SET created_at = '2020-01-01T00:00:00+00:00'")
    assert restart(tmp_path) == {*before, f"{waiting}-photo.jpg"}
    assert not old.exists()


def test_the_bin_is_emptied_while_the_page_is_served_though_no_photograph_is_known(
    tmp_path: Path, reader: ScriptedReader, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.services._HOUSEKEEPING_S", 0.01)
    client, binned = open_page().test_client(), tmp_path / "data" / "photos" / "bin"
    client.post("/games", data=FORM)
    photograph(client, reader, sure(EXAMPLE[0]))
    assert client.post("/games/1/delete", data={"version": "2"}).status_code == 303
    assert len(names(binned)) == 2
    for name in names(binned):
        age(binned / name, BIN_DAYS + 1)
    until(lambda: not names(binned), 30)


def test_a_folder_that_nobody_marked_is_not_swept(tmp_path: Path) -> None:
    before = photograph_turn(tmp_path)
    loose = PhotoShelf(tmp_path / "data").keep(picture())
    (tmp_path / "data" / MARK).unlink()
    assert restart(tmp_path) == {*before, f"{loose}-photo.jpg"}
    assert restart(tmp_path) == before
    assert (tmp_path / "data" / MARK).is_file()


def test_a_deleted_games_pictures_go_to_the_bin(shelf: PhotoShelf, tmp_path: Path) -> None:
    kept, thrown = shelf.keep(picture()), shelf.keep(picture(), overlay=picture())
    used = shelf.count_bytes()
    shelf.throw_away({thrown})
    assert names(tmp_path / "photos") == {f"{kept}-photo.jpg"}
    assert names(tmp_path / "photos" / "bin") == {f"{thrown}-photo.jpg", f"{thrown}-overlay.jpg"}
    assert shelf.count_bytes() == used > 0


def test_a_photograph_is_shown_upright_and_stored_as_it_is(shelf: PhotoShelf) -> None:
    taken = picture()
    plain, turned = shelf.keep(taken), shelf.keep(taken, overlay=taken, turns=1)
    stored = decode_image(shelf.path(turned, "photo").read_bytes())[0]
    assert np.array_equal(stored, decode_image(shelf.path(plain, "photo").read_bytes())[0])
    assert np.array_equal(shelf.load_upright(turned, "photo"), np.rot90(stored))
    assert shelf.load_upright(turned, "overlay").shape == taken.shape, "what is drawn on is kept upright"
    assert np.array_equal(shelf.load_upright(plain, "photo"), stored)


def test_a_caption_below_what_was_read_is_shown(shelf: PhotoShelf) -> None:
    drawn = picture(480, 640)
    drawn[400:] = 250
    key = shelf.keep(picture(), overlay=drawn)
    assert shelf.load_upright(key, "overlay")[420:].min() > 240


def test_the_page_sends_a_turned_photograph_upright_in_every_size(client: FlaskClient, services: Services) -> None:
    key = services.shelf.keep(picture(120, 160), turns=3)
    for url in (f"/pictures/{key}-photo.jpg", f"/pictures/{key}-photo-480.webp"):
        with client.get(url) as answer:
            assert decode_image(answer.get_data())[0].shape == (160, 120, 3)
