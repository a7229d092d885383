"""Backups are whole and come back whole, games are deleted with their pictures, and the room they take is told."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import struct
import tempfile
import threading
import zipfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient
from guestkit import guest
from webkit import (
    EXAMPLE,
    OpenPage,
    ScriptedReader,
    Site,
    doubt,
    edit_store,
    jpeg,
    picture,
    read_error,
    start_game,
    store_game,
    sure,
    text,
    upload,
)

from webui.access.sessions import Role
from webui.app import services_of
from webui.errors import DiskFull, StoreError, WebError
from webui.live.background import RepeatedChore
from webui.services import Services
from webui.storage.archive import backup_chunks, restore, write_backup
from webui.storage.backups import Backups, copy_store
from webui.storage.database import Summary
from webui.storage.store import FILE_NAME, Store
from webui.table.games import OpenGame
from workshop.bench.campaigns.keeping import ODD_NAMES
from workshop.bench.campaigns.repacking import REFUSED, REPACKED, repack


def photograph_turn(client: FlaskClient, reader: ScriptedReader) -> str:
    """Enter a turn from a photograph; return the page that shows it."""
    reader.say([sure(EXAMPLE[0])])
    assert upload(client, "/games/1/photo", jpeg()).status_code == 303
    return text(client.get("/games/1"))


def players_in(store: Path) -> list[str]:
    """List the titles of the games in a store, whose name SQLite does not get to see."""
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / "copy.sqlite3"
        local.write_bytes(store.read_bytes())
        with closing(sqlite3.connect(local)) as connection:
            return [str(row[0]) for row in connection.execute("SELECT title FROM games")]


def restore_archive(archive: Path, to: Path) -> tuple[int, int]:
    found = restore(archive, to)
    return found.games, found.pictures


def test_a_backup_made_while_a_game_runs_comes_back_whole_elsewhere(
    site: Site, tmp_path: Path, open_page: OpenPage
) -> None:
    photograph_turn(site.client, site.reader)
    site.client.post("/games/1/photographed", data={"photographed": "round"})
    site.services.shelf.keep(picture())  # of no game: it stays behind
    response = site.client.get("/backup")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="upscore-')
    (tmp_path / "games.zip").write_bytes(response.get_data())
    assert restore_archive(tmp_path / "games.zip", tmp_path / "new") == (1, 2)
    new = tmp_path / "new"
    assert {path.stat().st_mode & 0o077 for path in new.rglob("*")} == {0}
    moved = open_page(data_dir=new)
    again = services_of(moved)
    was, now = site.now(), again.games.open(1)
    assert (now.game, now.row) == (was.game, was.row)
    assert again.photos(now) == site.services.photos(was)
    with moved.test_client().get(f"/pictures/{again.photos(now)[1].key}-photo.jpg") as shown:
        assert shown.status_code == 200


def test_a_backup_is_handed_out_at_this_computer_alone(site: Site) -> None:
    keeper = guest(site.app, Role.KEEPER)
    refused = keeper.get("/backup")
    assert refused.status_code == 403
    assert "made on the main computer" in read_error(refused)
    with site.client.get("/backup", environ_base={"REMOTE_ADDR": "127.0.0.1"}) as given:
        assert given.status_code == 200


@pytest.fixture
def archive(client: FlaskClient, services: Services, game: OpenGame, reader: ScriptedReader, tmp_path: Path) -> Path:
    photograph_turn(client, reader)
    write_backup(services.config.data_dir, tmp_path / "games.zip")
    return tmp_path / "games.zip"


def tamper(archive: Path, name: str, data: bytes) -> Path:
    """The archive with another file of that name in it."""
    to = archive.with_name("tampered.zip")
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(to, "w") as target:
        for member in source.namelist():
            if member != name:
                target.writestr(member, source.read(member))
        target.writestr(name, data)
    return to


def store_in(archive: Path, folder: Path, change: str) -> bytes:
    """The store in an archive, after a change to it."""
    with zipfile.ZipFile(archive) as opened:
        opened.extract(FILE_NAME, folder)
    edit_store(folder / FILE_NAME, change)
    return (folder / FILE_NAME).read_bytes()


RAISED = """UPDATE games SET summary = replace(summary, '"Red":8', '"Red":80') WHERE id = 1"""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (RAISED, "comes to '8x8, 1 turn: Red 8, Blue 0' and was kept as '8x8, 1 turn: Red 80, Blue 0'"),
        ("UPDATE games SET log = 'x'", "isn't a backup, or is damaged"),
        (f"UPDATE games SET log = '{'[' * 100_000}'", "isn't a backup, or is damaged"),
        ("UPDATE games SET log = replace(log, 'M@b4', 'M@b5')", "cannot be replayed|comes to"),
        ("CREATE TRIGGER t AFTER UPDATE ON games BEGIN DELETE FROM photos; END", "or is damaged"),
        ("DELETE FROM games", "does not hold the games that it says"),
        ("UPDATE games SET log = log || printf('%*s', 1100000, '')", "is longer than a game can be"),
    ],
)
def test_a_backup_whose_totals_are_not_a_replay_of_its_log_is_refused(
    archive: Path, tmp_path: Path, change: str, told: str
) -> None:
    wrong = tamper(archive, FILE_NAME, store_in(archive, tmp_path / "x", change))
    with pytest.raises(StoreError, match=told):
        restore_archive(wrong, tmp_path / "new")
    assert not (tmp_path / "new" / FILE_NAME).exists()
    assert list((tmp_path / "new").iterdir()) == []


def test_a_backup_whose_list_is_nested_too_deeply_is_refused(archive: Path, tmp_path: Path) -> None:
    wrong = tamper(archive, "manifest.json", b"[" * 100_000)
    with pytest.raises(StoreError, match="isn't a backup, or is damaged"):
        restore_archive(wrong, tmp_path / "new")


SENTENCE = "8x8, 1 turn: Red 8, Blue 0"


def with_sentence(archive: Path, folder: Path, kept: str, noted: str) -> Path:
    """The archive as earlier versions wrote it: a sentence is kept with the game, and the manifest has it, too."""
    older = tamper(archive, FILE_NAME, store_in(archive, folder, f"UPDATE games SET summary = '{kept}'"))
    with zipfile.ZipFile(archive) as opened:
        manifest = {**json.loads(opened.read("manifest.json")), "totals": {"1": noted}}
    return tamper(older.rename(folder / "older.zip"), "manifest.json", json.dumps(manifest).encode())


@pytest.mark.parametrize("sentence", [SENTENCE, "One turn on 8x8. Red: 8. Blue: 0."])
def test_a_backup_that_holds_only_sentences_is_restored_however_they_are_worded(
    archive: Path, tmp_path: Path, open_page: OpenPage, sentence: str
) -> None:
    assert restore_archive(with_sentence(archive, tmp_path, sentence, sentence), tmp_path / "new") == (1, 2)
    page = text(open_page(data_dir=tmp_path / "new").test_client().get("/games"))
    assert "Red 8, Blue 0" in page
    assert "8 × 8, 1 turn" in page


def test_a_backup_whose_sentences_differ_is_refused(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is kept as '8x8, 1 turn: Red 8, Blue 0' and was 'another'"):
        restore_archive(with_sentence(archive, tmp_path, SENTENCE, "another"), tmp_path / "new")


def test_a_backup_is_restored_by_a_version_that_words_its_games_differently(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Summary, "__str__", lambda _: "another sentence")
    assert restore_archive(archive, tmp_path / "new") == (1, 2)


BROKEN = {
    "cannot be replayed": "UPDATE games SET log = replace(log, 'M@b4', 'M@b9') WHERE id = 1",
    "comes to": RAISED,
    "cannot be read": "UPDATE games SET log = 'x' WHERE id = 1",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_game_that_cannot_be_replayed_keeps_no_other_from_coming_back(site: Site, tmp_path: Path, fault: str) -> None:
    photograph_turn(site.client, site.reader)
    start_game(site.services, "Ann", "Bob")
    with site.services.store.writing() as connection:
        connection.execute(BROKEN[fault])
    (line,) = write_backup(site.services.config.data_dir, tmp_path / "games.zip").unreplayed
    assert line.startswith(f"The game Red - Blue {fault}")
    found = restore(tmp_path / "games.zip", tmp_path / "new")
    assert (found.games, found.unreplayed) == (2, (line,))
    change = "UPDATE games SET log = replace(log, 'Ann', 'Eve'), summary = 'x' WHERE id = 2"
    wrong = tamper(tmp_path / "games.zip", FILE_NAME, store_in(tmp_path / "games.zip", tmp_path / "x", change))
    with pytest.raises(StoreError, match="Ann - Bob"):
        restore(wrong, tmp_path / "newer")
    wrong = tamper(tmp_path / "games.zip", FILE_NAME, store_in(tmp_path / "games.zip", tmp_path / "x", RAISED))
    with pytest.raises(StoreError, match="The game Red - Blue in the backup is kept as '8x8, 1 turn: Red 80"):
        restore(wrong, tmp_path / "newer")


def test_the_page_names_games_that_cannot_be_replayed_before_it_hands_a_backup_out(site: Site) -> None:
    assert '<a href="/backup">Backup</a>' in text(site.client.get("/games"))
    photograph_turn(site.client, site.reader)
    with site.services.store.writing() as connection:
        connection.execute(BROKEN["cannot be read"])
    asked = text(site.client.get("/backup"))
    assert "The game Red - Blue cannot be read: its log is damaged." in asked
    assert "this game as it is" in asked
    assert 'href="/backup?all=1" download' in asked
    with site.client.get("/backup?all=1") as given:
        assert given.mimetype == "application/zip"


@pytest.mark.parametrize("kept", [0, 100, -200, -1])
def test_a_backup_that_is_cut_off_is_refused(archive: Path, tmp_path: Path, kept: int) -> None:
    cut = tmp_path / "cut.zip"
    cut.write_bytes(archive.read_bytes()[:kept])
    with pytest.raises(StoreError, match="isn't a backup, or is damaged"):
        restore_archive(cut, tmp_path / "new")


@pytest.mark.parametrize("name", [FILE_NAME, "manifest.json"])
@pytest.mark.parametrize("what", ["content", "flags", "packed how"])
def test_a_backup_that_is_damaged_is_refused(archive: Path, tmp_path: Path, name: str, what: str) -> None:
    with zipfile.ZipFile(archive) as opened, zipfile.ZipFile(tmp_path / "packed.zip", "w", 8) as packed:
        for info in opened.infolist():
            packed.writestr(info.filename, opened.read(info))
    data = bytearray((tmp_path / "packed.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "packed.zip") as opened:
        info = opened.getinfo(name)
        entry = data.index(name.encode(), opened.start_dir) - 46
    at = {"content": info.header_offset + 30 + len(name), "flags": entry + 8, "packed how": entry + 10}[what]
    data[at] ^= 0xFF
    (tmp_path / "packed.zip").write_bytes(data)
    with pytest.raises(WebError, match="damaged"):
        restore_archive(tmp_path / "packed.zip", tmp_path / "new")
    assert not (tmp_path / "new" / FILE_NAME).exists()


def test_a_backup_that_is_no_file_is_named_and_not_the_folder_it_goes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").mkdir()
    with pytest.raises(StoreError, match=r"old is a folder without a backup \(manifest.json\): give the file"):
        restore_archive(tmp_path / "old", tmp_path / "new")
    with pytest.raises(StoreError, match=r"There is no file .*none\.zip"):
        restore_archive(tmp_path / "none.zip", tmp_path / "new")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "games.zip").touch()
    monkeypatch.setattr(zipfile, "ZipFile", refuse)
    with pytest.raises(StoreError, match=r"games\.zip cannot be read \(Permission denied\)"):
        restore_archive(tmp_path / "games.zip", tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("path", ["/home/anna/words.txt", r"C:\Users\anna\words.txt", "//nas/anna/words.txt"])
def test_a_game_by_a_tables_own_word_list_moves_house_and_is_played_on_without_it(
    archive: Path, tmp_path: Path, open_page: OpenPage, path: str
) -> None:
    own = f"UPDATE games SET lexicon = '{path}'"
    moved = tamper(archive, FILE_NAME, store_in(archive, tmp_path / "x", own))
    assert restore_archive(moved, tmp_path / "new") == (1, 2)
    app = open_page(data_dir=tmp_path / "new")
    client, services = app.test_client(), services_of(app)
    open_game = services.games.open(1)
    assert (open_game.judged_by, open_game.row.lexicon) == ("standard", path)
    page = text(client.get("/games/1"))
    assert "The word list words.txt of this game is not here, so standard judges its words" in page
    assert "anna" not in page
    assert "MOOD is playable" in text(client.get("/games/1/turns/1/challenge"))
    assert client.post("/games/1/pass", data={"version": "2"}).status_code == 303
    again = services.games.open(1)
    assert (again.judged_by, again.row.lexicon, again.note) == ("standard", path, open_game.note)
    assert 'value="standard" selected' in text(client.get("/new?like=1"))


def test_nothing_in_a_backup_is_put_anywhere_else(archive: Path, tmp_path: Path) -> None:
    for name in (
        "../evil.jpg",
        "/tmp/evil.jpg",
        r"..\evil.jpg",
        r"C:\evil.jpg",
        "C:evil.jpg",
        r"\\nas\evil.jpg",
        f"photos/../../{'a' * 24}-photo.jpg",
        "photos/x.sh",
        "photos/CON",
        "photos/nul.jpg",
        f"photos/{'A' * 24}-photo.jpg",  # the same file as of small letters, where case does not count
        f"photos/{'a' * 24}-photo.jpg:evil",
        f"photos/{'a' * 24}-photo.jpg.",
    ):
        with pytest.raises(StoreError, match="which Upscore did not put there"):
            restore_archive(tamper(archive, name, b"x"), tmp_path / name.replace("/", "_"))
    assert not list(tmp_path.rglob("evil*"))
    assert not list(tmp_path.rglob("x.sh"))


@pytest.mark.parametrize("way", REPACKED)
def test_a_backup_that_was_packed_again_is_restored_with_every_picture(archive: Path, tmp_path: Path, way: str) -> None:
    again = tmp_path / "again.zip"
    again.write_bytes(repack(archive.read_bytes(), way))
    assert restore_archive(again, tmp_path / "new") == (1, 2)


@pytest.mark.parametrize(("way", "why"), REFUSED.items())
def test_a_backup_that_was_packed_in_a_way_that_is_not_read_is_refused_with_the_reason(
    archive: Path, tmp_path: Path, way: str, why: str
) -> None:
    again = tmp_path / "again.zip"
    again.write_bytes(repack(archive.read_bytes(), way))
    with pytest.raises(WebError, match=why):
        restore_archive(again, tmp_path / "new")
    assert not (tmp_path / "new" / FILE_NAME).exists()


@pytest.mark.parametrize("inside", ["", "upscore-games"])
def test_a_backup_that_was_unpacked_to_a_folder_is_restored_with_every_picture(
    archive: Path, tmp_path: Path, inside: str
) -> None:
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(unpacked / inside)
    (unpacked / inside / ".DS_Store").touch()
    os.utime(unpacked / inside / FILE_NAME, (0, 0))
    assert restore_archive(unpacked, tmp_path / "new") == (1, 2)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {FILE_NAME, "photos"}


def test_a_link_in_an_unpacked_backup_brings_no_file_of_this_computer(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "unpacked")
    photo = next((tmp_path / "unpacked" / "photos").iterdir())
    photo.unlink()
    photo.symlink_to(archive)
    with pytest.raises(StoreError, match="holds 1 of its 2 pictures"):
        restore_archive(tmp_path / "unpacked", tmp_path / "new")


def test_a_backup_that_takes_more_memory_than_any_is_refused_before_it_is_unpacked(
    archive: Path, tmp_path: Path
) -> None:
    with pytest.raises(WebError, match=r"did not write this zip file \(manifest.json\)"):
        restore_archive(tamper(archive, "manifest.json", bytes(2**25 + 1)), tmp_path / "new")
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as opened:
        entry = data.index(FILE_NAME.encode(), opened.start_dir) - 46
    struct.pack_into("<I", data, entry + 24, 2**29 + 1)  # the size that the zip file promises
    archive.write_bytes(data)
    with pytest.raises(StoreError, match="more games than Upscore reads"):
        restore_archive(archive, tmp_path / "new")


def test_a_backup_without_one_of_its_pictures_is_refused(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        name = next(each for each in opened.namelist() if each.startswith("photos/"))
    lacking = tmp_path / "lacking.zip"
    lacking.write_bytes(repack(archive.read_bytes(), "as it is", without=name))
    with pytest.raises(StoreError, match="holds 1 of its 2 pictures, so nothing was restored"):
        restore_archive(lacking, tmp_path / "new")
    assert not (tmp_path / "new" / FILE_NAME).exists()


def test_the_file_of_one_game_is_no_backup(site: Site, tmp_path: Path) -> None:
    with site.client.get("/games/1/export.zip") as response:
        (tmp_path / "game.zip").write_bytes(response.get_data())
    with pytest.raises(StoreError, match="is the file of one game, not a backup: import it"):
        restore_archive(tmp_path / "game.zip", tmp_path / "new")


def test_a_backup_that_the_disk_has_no_room_for_is_refused_before_it_is_unpacked(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(DiskFull):
        restore_archive(archive, tmp_path / "new")


def test_games_that_are_there_are_never_overwritten(archive: Path, services: Services, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"There are games in .* already"):
        restore_archive(archive, services.config.data_dir)
    with pytest.raises(StoreError, match="is there already"):
        write_backup(services.config.data_dir, archive)
    with pytest.raises(StoreError, match="There are no games in"):
        write_backup(tmp_path, tmp_path / "none.zip")
    assert json.loads(zipfile.ZipFile(io.BytesIO(archive.read_bytes())).read("manifest.json"))["version"] == 1


def test_a_game_is_deleted_with_its_pictures_after_one_question(site: Site) -> None:
    photograph_turn(site.client, site.reader)
    key = site.services.photos(site.now())[1].key
    assert "Delete this game?" in text(site.client.get("/games/1/delete"))
    outdated = site.client.post("/games/1/delete", data={"version": "1"})
    assert outdated.status_code == 409
    assert site.client.post("/games/1/delete", data={"version": "2"}).status_code == 303
    assert site.client.get("/games/1").status_code == 404
    assert site.services.shelf.kinds(key) == ()
    assert (site.services.config.data_dir / "photos" / "bin" / f"{key}-photo.jpg").is_file()


def test_pictures_of_old_games_are_thinned_out_after_one_question(site: Site) -> None:
    photograph_turn(site.client, site.reader)
    key = site.services.photos(site.now())[1].key
    assert "days has photos" in text(site.client.get("/pictures/thin"))
    site.client.post("/pictures/thin")
    assert site.services.shelf.kinds(key)
    edit_store(site.services.store.path, "UPDATE games SET updated_at = '2020-01-01T00:00:00+00:00'")
    assert "for 180 days take up 0." in text(site.client.get("/pictures/thin"))
    assert "1 photo," in text(site.client.get("/games/1/keep"))
    assert site.client.post("/pictures/thin").status_code == 303
    assert site.services.shelf.kinds(key) == ()
    assert "MOOD" in text(site.client.get("/games/1"))
    assert "1 photo," not in text(site.client.get("/games/1/keep"))


def test_thinned_out_pictures_do_not_come_back_at_the_next_start(site: Site, open_page: OpenPage) -> None:
    photograph_turn(site.client, site.reader)
    key = site.services.photos(site.now())[1].key
    edit_store(site.services.store.path, "UPDATE games SET updated_at = '2020-01-01T00:00:00+00:00'")
    site.client.post("/pictures/thin")
    site.reader.say([sure(EXAMPLE[0])])
    other = start_game(site.services)
    site.upload(f"/games/{other.row.id}/photo", jpeg())
    site.services.close()
    assert services_of(open_page()).shelf.kinds(key) == ()


@pytest.mark.parametrize("asked", [False, True])
def test_no_page_shows_a_picture_that_is_gone(site: Site, asked: bool) -> None:
    photograph_turn(site.client, site.reader)
    if asked:
        site.reader.say([doubt(EXAMPLE[1])])
        site.upload("/games/1/photo", jpeg(100, 100))
    pages = ["", "/turns/1", "/turns/1/correct", "/replay?at=1", "/print", "/play", "/keep"]
    assert "/pictures/" in text(site.client.get("/games/1"))
    site.services.shelf.throw_away(site.services.store.photo_keys())
    for page in pages:
        shown = text(site.client.get(f"/games/1{page}"))
        assert "/pictures/" not in shown, page
    assert ">Board" in text(site.client.get("/games/1"))
    assert "No photo of this turn" in text(site.client.get("/games/1/replay?at=1"))
    with site.client.get("/games/1/export.zip") as answer:
        saved = zipfile.ZipFile(io.BytesIO(answer.get_data()))
    assert not [name for name in saved.namelist() if name.endswith(".jpg")]


def test_the_list_of_games_tells_what_room_they_take(site: Site) -> None:
    page = text(site.client.get("/games"))
    assert "All games and their pictures take 0." in page
    assert "of the disk is free." in page
    assert 'href="/backup"' in page
    assert 'href="/games/1/delete"' in page


def test_housekeeping_outlives_whatever_goes_wrong_in_it_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    full = StoreError("The disk is full.")
    outcomes: list[Exception | None] = [full, full, KeyError("x"), None]
    told: list[str | None] = []
    done = threading.Event()

    def chore() -> float:
        told.append(house.trouble)
        outcome = outcomes.pop(0) if outcomes else None
        if outcome is not None:
            raise outcome
        if not outcomes:
            done.set()
        return 3600.0

    house = RepeatedChore(chore, pauses_s=(0.001, 0.002))
    house.start()
    assert done.wait(30)
    house.close(30)
    assert told == [None, str(full), str(full), "Something went wrong (KeyError). Upscore tries again."]
    assert house.trouble is None
    assert [(record.getMessage(), bool(record.exc_info)) for record in caplog.records] == [
        ("The thread housekeeping failed and goes on: The disk is full.", False),
        ("The thread housekeeping failed and goes on", True),
    ]


@pytest.mark.slow
def test_every_folder_has_its_own_games_backed_up_whatever_its_name(tmp_path: Path) -> None:
    folders = [tmp_path / "data" / name for name in ODD_NAMES]
    for number, folder in enumerate(folders):
        store_game(folder, f"Folder{number}")
    for number, folder in enumerate(folders):
        daily = Backups(folder).make()
        assert daily is not None
        assert players_in(daily) == [f"Folder{number}"], folder.name
        archive = tmp_path / f"games{number}.zip"
        assert write_backup(folder, archive).games == 1
        new = tmp_path / "new" / folder.name
        assert restore_archive(archive, new) == (1, 0)
        assert players_in(new / FILE_NAME) == [f"Folder{number}"], folder.name
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == sorted(ODD_NAMES)


def test_a_copy_of_a_damaged_store_is_no_copy(tmp_path: Path) -> None:
    for number in range(30):
        store_game(tmp_path, f"Player{number}")
    store = tmp_path / FILE_NAME
    backups = Backups(tmp_path)
    whole = backups.make()
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("VACUUM")  # so that no page is free, in which damage would do no harm
    data = bytearray(store.read_bytes())
    at = data.index(b"Player7") // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    store.write_bytes(data)
    with pytest.raises(StoreError, match="saves what can be saved"):
        backups.make()
    with pytest.raises(StoreError, match="saves what can be saved"):
        write_backup(tmp_path, tmp_path / "games.zip")
    assert backups.all() == (whole,)
    assert [path.name for path in backups.folder.iterdir()] == [backups.all()[0].name]
    assert not (tmp_path / "games.zip").exists()


def test_a_copy_that_lacks_a_game_is_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_game(tmp_path / "data", "Ann")
    counted = iter([[(1, 1), (2, 1)], [(1, 1)]])
    monkeypatch.setattr("webui.storage.backups._list_kept_games", lambda _: next(counted))
    with pytest.raises(StoreError, match="held 1 of 2 games"):
        copy_store(tmp_path / "data" / FILE_NAME, tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_backup_that_was_written_wrongly_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_game(tmp_path / "data", "Ann")
    whole = b"".join(backup_chunks(tmp_path / "data"))
    for wrong in (whole[:-100], whole.replace(b"SQLite format 3", b"SQLite format 4")):
        monkeypatch.setattr("webui.storage.archive.backup_chunks", lambda _, wrong=wrong: iter([wrong]))
        with pytest.raises(StoreError, match="was not written as it should be"):
            write_backup(tmp_path / "data", tmp_path / "games.zip")
        assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_store_without_games_is_no_backup(tmp_path: Path) -> None:
    Store(tmp_path / "data").close()
    with pytest.raises(StoreError, match="There are no games in"):
        write_backup(tmp_path / "data", tmp_path / "games.zip")
    assert not (tmp_path / "games.zip").exists()


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_nothing_is_restored_beside_the_log_of_another_store(tmp_path: Path, suffix: str) -> None:
    store_game(tmp_path / "data", "Ann")
    write_backup(tmp_path / "data", tmp_path / "games.zip")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / f"{FILE_NAME}{suffix}").write_bytes(b"games may be in it")
    with pytest.raises(StoreError, match="There are games in"):
        restore(tmp_path / "games.zip", tmp_path / "new")
