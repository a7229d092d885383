"""Disks that are full, read-only or damaged, stores that others hold, clocks that go back: nothing kept is lost."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest
from clockkit import Clock
from flask.testing import FlaskClient
from presencekit import there
from webkit import (
    EXAMPLE,
    FORM,
    OpenPage,
    ScriptedReader,
    Site,
    config,
    edit_store,
    enter_plays,
    jpeg,
    leave_unclosed,
    picture,
    read_error,
    start_game,
    store_game,
    text,
)

from engine.formats.game_json import MAX_ENTRIES
from webui.app import create_app, services_of
from webui.errors import StoreError
from webui.services import Services
from webui.storage import backups, database, store
from webui.storage import rescue as rescue_module
from webui.storage.backups import DAY_S, MAX_BACKUPS, Backups
from webui.storage.database import Database, GameRow, Summary, dump_summary, store_error, utc_now
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.rescue import find_last_loss, is_sound, rescue
from webui.storage.schema import MIGRATIONS, migrate
from webui.storage.store import FILE_NAME, Store
from webui.table.games import OpenGame

PAGE = 4096


def add(kept: Store, title: str = "Red - Blue") -> int:
    log = {"format": "upscore-game", "version": 1, "edition": "8x8", "players": ["Red", "Blue"], "rules": {}}
    whole = {**log, "lexicon": "standard", "entries": 0, "log": []}
    text = json.dumps(whole)
    return kept.add_game(title=title, summary="no turns", log=text, lexicon="standard", demo=False).id


@pytest.fixture
def held(services: Services, game: OpenGame, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Another program that lets nobody read or write the store; its pages were read before."""
    monkeypatch.setattr(database, "WRITE_WAIT_S", 0.05)
    monkeypatch.setattr(database, "READ_WAIT_S", 0.05)
    enter_plays(services, game, EXAMPLE[0])
    connection = sqlite3.connect(services.store.path, isolation_level=None)
    yield connection
    connection.close()


def test_while_another_program_writes_games_are_shown_and_changes_refused_in_a_line(
    client: FlaskClient, held: sqlite3.Connection
) -> None:
    held.execute("BEGIN IMMEDIATE")
    assert "MOOD" in text(client.get("/games/1"))
    refused = client.post("/games/1/pass", data={"version": "2"})
    assert refused.status_code == 503
    assert read_error(refused).startswith("Another program holds the game store upscore.sqlite3")
    told = client.post("/api/v1/games/1/turns", json={"version": 2, "kind": "pass"})
    assert (told.status_code, told.get_json()["error"]) == (423, read_error(refused))
    held.execute("ROLLBACK")
    assert client.post("/games/1/pass", data={"version": "2"}).status_code == 303


def test_what_was_read_once_is_shown_whatever_becomes_of_the_disk(
    client: FlaskClient, held: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/games/1")
    client.get("/games")

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Database, "_connect", fail)
    assert "MOOD" in text(client.get("/games/1"))
    assert "Red - Blue" in text(client.get("/games"))
    assert client.get("/", follow_redirects=True).status_code == 200
    refused = client.post("/games/1/pass", data={"version": "2"})
    assert refused.status_code == 503
    assert read_error(refused).startswith("The disk could not be read or written")


@pytest.mark.parametrize(
    ("message", "begins", "status"),
    [
        ("database or disk is full", "The disk is full. Free some space", 507),
        ("attempt to write a readonly database", "The folder", 503),
        ("unable to open database file", "The folder", 503),
        ("database is locked", "Another program holds the game store x, or it lies on a network drive", 503),
        ("locking protocol", "Another program holds the game store x, or it lies on a network drive", 503),
        ("database disk image is malformed", "/d/x cannot be used", 503),
        ("anything", "/d/x cannot be used", 503),
    ],
)
def test_each_failure_is_a_line_that_says_which(message: str, begins: str, status: int) -> None:
    error = store_error(sqlite3.OperationalError(message), Path("/d/x"))
    assert str(error).startswith(begins)
    assert error.status == status
    assert "\n" not in str(error)


def test_what_is_kept_already_is_no_broken_store() -> None:
    error = store_error(sqlite3.IntegrityError("UNIQUE constraint failed: photos.key"), Path("/d/x"))
    assert str(error) == (
        "This is kept already, or what it belongs to is gone: load the page again. Nothing was changed."
    )
    assert error.status == 409


@pytest.mark.parametrize("message", ["attempt to write a readonly database", "unable to open database file"])
def test_a_store_that_cannot_be_written_at_the_start_is_shown_all_the_same(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    app = open_page()
    app.test_client().post("/games", data=FORM)
    services_of(app).close()
    connect = database.connect

    def read_only(path: Path, timeout_s: float = 1.0) -> sqlite3.Connection:
        if path.parent == tmp_path / "data":
            raise sqlite3.OperationalError(message)
        return connect(path, timeout_s)

    for module in (database, rescue_module, backups):
        monkeypatch.setattr(module, "connect", read_only)
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path / "data")
    client = open_page().test_client()
    assert client.get("/games/1").status_code == 200
    refused = client.post("/games/1/pass", data={"version": "1"})
    assert refused.status_code == 503
    assert "cannot be written" in read_error(refused)
    assert "cannot be written" in text(client.get("/games"))
    assert client.get("/backup").mimetype == "application/zip"


def test_a_clock_set_back_opens_the_game_that_was_touched_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Store(tmp_path)
    monkeypatch.setattr(store, "utc_now", lambda: "2030-01-01T00:00:00.000000+00:00")
    add(kept, "first")
    monkeypatch.setattr(store, "utc_now", lambda: "1999-01-01T00:00:00.000000+00:00")
    add(kept, "second")
    assert [row.title for row in kept.games()] == ["second", "first"]
    kept.close()


def test_a_game_as_long_as_can_be_stays_open_and_says_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_ENTRIES == 10_000
    monkeypatch.setattr("webui.table.games.MAX_ENTRIES", 3)
    for version in (1, 2, 3):
        assert site.client.post("/games/1/exchange", data={"version": str(version)}).status_code == 303
    refused = site.client.post("/games/1/exchange", data={"version": "4"})
    assert refused.status_code == 400
    assert "as many as one can have" in read_error(refused)
    assert site.client.get("/games/1").status_code == 200


def test_a_strangers_demo_moves_nobodys_front_page(site: Site) -> None:
    start_game(site.services, "A", "B", demo=True)
    assert site.client.get("/").headers["Location"] == "/games/1"


def damage_pages(path: Path, seed: int = 0) -> bytes:
    """Return the file with every fifth page overwritten, except those in which its tables begin."""
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as store:
        roots = {row[0] - 1 for row in store.execute("SELECT rootpage FROM sqlite_master")}
    for at in set(range(2, len(data) // PAGE, 5)) - roots:
        data[at * PAGE : at * PAGE + PAGE] = rng.randbytes(PAGE)
    path.write_bytes(data)
    return bytes(data)


def fill_store(folder: Path, games: int = 60, *, counted: bool = False) -> list[int]:
    """Make a store of that many games; return their numbers."""
    rng = random.Random(1)
    numbers = count(1)
    kept = Store(folder, new_id=lambda: next(numbers) if counted else rng.randrange(2**40, 2**53))
    made = [add(kept, f"game {at} " + "x" * 600) for at in range(games)]
    kept.close()
    return made


def games_in(folder: Path) -> tuple[GameRow, ...]:
    """Return the games of the store in a folder."""
    with closing(Store(folder)) as kept:
        return kept.games()


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_what_can_be_read_of_a_damaged_store_is_saved_and_the_rest_set_aside(
    tmp_path: Path, seed: int, counted: bool
) -> None:
    numbers = fill_store(tmp_path, counted=counted)
    wrecked = damage_pages(tmp_path / FILE_NAME, seed)
    found = there(rescue(tmp_path / FILE_NAME, ()))
    assert 0.6 * len(numbers) < found.saved < len(numbers)
    assert found.aside.read_bytes() == wrecked
    assert str(found.aside) in found.text
    rows = games_in(tmp_path)
    assert len(rows) == found.saved
    assert {row.id for row in rows} < set(numbers)
    assert is_sound(tmp_path / FILE_NAME)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_what_a_damaged_store_does_not_give_comes_from_its_copies(tmp_path: Path) -> None:
    numbers = fill_store(tmp_path)
    backups = Backups(tmp_path)
    backups.make()
    damage_pages(tmp_path / FILE_NAME)
    found = there(rescue(tmp_path / FILE_NAME, backups.all()))
    assert found.saved + found.from_copy == len(numbers)
    assert found.from_copy
    assert {row.id for row in games_in(tmp_path)} == set(numbers)


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 40), marks=pytest.mark.slow)], ids=str)
def test_flipped_bytes_keep_no_store_from_starting_and_cost_no_game_that_a_copy_has(
    tmp_path: Path, seeds: range
) -> None:
    numbers = fill_store(tmp_path, 12)
    path = tmp_path / FILE_NAME
    backups = Backups(tmp_path)
    backups.make()
    whole = path.read_bytes()
    for seed in seeds:
        rng, data = random.Random(seed), bytearray(whole)
        for _ in range(rng.randint(1, 12)):
            data[rng.randrange(len(data))] ^= rng.randint(1, 255)
        path.write_bytes(data)
        rescue(path, backups.all())
        rows = games_in(tmp_path)
        assert {row.id for row in rows} == set(numbers), seed
        assert all(datetime.fromisoformat(row.created_at) and json.loads(row.log) for row in rows)


@pytest.mark.parametrize("is_sound", [True, False])
def test_a_game_whose_number_was_changed_gets_it_back_with_the_turns_since_the_copy(
    tmp_path: Path, is_sound: bool
) -> None:
    path = tmp_path / FILE_NAME
    numbers = fill_store(tmp_path, 6)
    copies = Backups(tmp_path)
    copies.make()
    edit_store(path, "UPDATE games SET id = id + 1, title = 'since' WHERE id = ?", numbers[2])
    if not is_sound:
        data = bytearray(path.read_bytes())
        data[18] = 9
        path.write_bytes(data)
    rescue(path, copies.all())
    kept = Store(tmp_path)
    assert sorted(row.id for row in kept.games()) == sorted(numbers)
    assert kept.game(numbers[2]).title == "since"
    kept.close()


@pytest.mark.parametrize(("at", "value"), [(18, 3), (18, 255), (19, 3), (44, 1), (47, 5), (47, 255), (59, 2), (63, 77)])
def test_no_byte_of_its_header_keeps_a_store_from_starting_or_from_being_written(
    tmp_path: Path, at: int, value: int
) -> None:
    numbers = fill_store(tmp_path, 2)
    path = tmp_path / FILE_NAME
    backups = Backups(tmp_path)
    backups.make()
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + bytes([value]) + whole[at + 1 :])
    rescue(path, backups.all())
    again = Store(tmp_path)
    add(again)
    assert {row.id for row in again.games()} > set(numbers)
    again.close()


@pytest.mark.parametrize(
    "change",
    [
        "title = CAST(x'ff41' AS TEXT)",
        "title = x'41'",
        "summary = x'00'",
        "created_at = 'yesterday'",
        "log = 'x'",
        "log = CAST(x'ff' AS TEXT)",
        "pending = CAST(x'fe' AS TEXT)",
        "version = 'many'",
    ],
)
def test_a_broken_game_comes_from_the_newest_copy_that_has_it_and_no_deleted_one_with_it(
    tmp_path: Path, change: str
) -> None:
    first, second, third = fill_store(tmp_path, 3)
    path = tmp_path / FILE_NAME
    backups = Backups(tmp_path)
    backups.make()
    edit_store(path, "DELETE FROM games WHERE id = ?", third)
    edit_store(path, f"UPDATE games SET {change} WHERE id = ?", first)
    found = there(rescue(path, backups.all()))
    assert (found.saved, found.from_copy, found.lost) == (1, 1, 0)
    assert "Games saved from a damaged store: 2 (1 from the store itself, 1 from a backup)" in found.text
    assert rescue(path, backups.all()) is None
    assert {(row.id, row.title[:4]) for row in games_in(tmp_path)} == {(first, "game"), (second, "game")}


def test_a_player_of_whose_name_a_byte_has_changed_gets_it_back_from_a_copy(tmp_path: Path) -> None:
    (number,) = fill_store(tmp_path, 1)
    path = tmp_path / FILE_NAME
    kept = dump_summary(Summary("8x8", 0, {"Red": 0, "Blue": 0}, ()))
    edit_store(path, f"UPDATE games SET summary = '{kept}' WHERE id = ?", number)
    backups = Backups(tmp_path)
    backups.make()
    assert rescue(path, backups.all()) is None
    edit_store(path, "UPDATE games SET log = replace(log, 'Blue', 'BEue') WHERE id = ?", number)
    found = there(rescue(path, backups.all()))
    assert (found.saved, found.from_copy) == (0, 1)
    assert "Blue" in games_in(tmp_path)[0].log


def test_a_broken_game_that_no_copy_has_keeps_no_other_from_being_opened(tmp_path: Path) -> None:
    first, second = fill_store(tmp_path, 2)
    path = tmp_path / FILE_NAME
    edit_store(path, "UPDATE games SET title = CAST(x'ff41' AS TEXT) WHERE id = ?", first)
    found = there(rescue(path, ()))
    assert found.lost == 1
    assert "games that can't be read anywhere: 1" in found.text
    assert [row.id for row in games_in(tmp_path)] == [second]


def test_a_game_whose_log_is_none_stays_in_the_list_if_no_copy_has_it(tmp_path: Path) -> None:
    first, _ = fill_store(tmp_path, 2)
    path = tmp_path / FILE_NAME
    edit_store(path, "UPDATE games SET log = 'x' WHERE id = ?", first)
    assert rescue(path, ()) is None
    assert len(games_in(tmp_path)) == 2


def test_no_rows_are_sought_where_no_table_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescue_module, "_read_from_both_ends", lambda *_: pytest.fail("sought row by row"))
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all")
    with pytest.raises(StoreError, match="no game can be read from it"):
        rescue(tmp_path / FILE_NAME, ())
    with closing(sqlite3.connect(tmp_path / "old")) as old:
        migrate(old, to=1)
        assert [rescue_module._rows(old, table) for table in ("games", "tile_lessons")] == [[], []]


def test_a_store_that_was_deleted_comes_back_from_its_copies_and_it_is_said(tmp_path: Path) -> None:
    numbers = fill_store(tmp_path, 3)
    backups = Backups(tmp_path)
    backups.make()
    (tmp_path / FILE_NAME).unlink()
    before = time.time() - 1.0
    found = there(rescue(tmp_path / FILE_NAME, backups.all()))
    assert (found.saved, found.from_copy, found.gone) == (0, len(numbers), True)
    assert "gone" in found.text
    assert {row.id for row in games_in(tmp_path)} == set(numbers)
    # pictures of turns that no copy held belong to no game now, but must not be thrown away
    assert find_last_loss(tmp_path) >= before
    assert rescue(tmp_path / FILE_NAME, backups.all()) is None


def test_copies_that_give_no_game_keep_nobody_from_beginning(tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes(b"not a database at all")
    assert rescue(tmp_path / FILE_NAME, [tmp_path / "copy"]) is None
    assert not (tmp_path / FILE_NAME).exists()


@pytest.mark.parametrize("left", [b"", b"\0" * 8192, b"not a database at all"])
def test_a_store_that_is_gone_comes_back_from_its_copies(tmp_path: Path, left: bytes) -> None:
    numbers = fill_store(tmp_path, 3)
    backups = Backups(tmp_path)
    backups.make()
    (tmp_path / FILE_NAME).write_bytes(left)
    found = there(rescue(tmp_path / FILE_NAME, backups.all()))
    assert (found.saved, found.from_copy) == (0, len(numbers))


def test_a_store_in_order_is_left_alone(tmp_path: Path) -> None:
    fill_store(tmp_path, 3)
    before = (tmp_path / FILE_NAME).read_bytes()
    assert rescue(tmp_path / FILE_NAME, ()) is None
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert rescue(tmp_path / "nothing", ()) is None


def test_starting_on_a_damaged_store_says_what_was_done(
    tmp_path: Path, open_page: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "data").mkdir()
    fill_store(tmp_path / "data")
    damage_pages(tmp_path / "data" / FILE_NAME)
    assert "set aside as" in text(open_page().test_client().get("/games"))
    assert any("set aside as" in line for line in caplog.messages)


def test_a_copy_is_made_each_day_and_the_newest_are_kept(tmp_path: Path) -> None:
    fill_store(tmp_path, 2)
    clock = Clock(time.time())
    backups = Backups(tmp_path, clock)
    first = there(backups.make_if_due())
    assert backups.make_if_due() is None
    clock.now += DAY_S + 60
    second = there(backups.make_if_due())
    assert backups.all() == (second, first)
    for _ in range(MAX_BACKUPS):
        backups.make()
    assert len(backups.all()) == MAX_BACKUPS
    assert first not in backups.all()
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in backups.all())
    clock.now -= 400 * DAY_S
    assert backups.make_if_due() in backups.all(), "a clock set back stops no copy"


def test_a_store_without_games_pushes_no_copy_out(tmp_path: Path) -> None:
    Store(tmp_path).close()
    backups = Backups(tmp_path)
    assert backups.make() is None
    assert backups.all() == ()


def of_version_4(folder: Path) -> Path:
    """Make a store of one game as earlier versions had it; return its folder."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE_NAME)) as old:
        old.executescript(f"{' '.join(MIGRATIONS[:4])} PRAGMA user_version = 4;")
        old.execute(
            "INSERT INTO games VALUES (1, :now, :now, 1, 'old', '', '{}', '', NULL, 0, 0, NULL)", {"now": utc_now()}
        )
        old.commit()
    return folder


def test_a_copy_is_made_before_the_tables_change(tmp_path: Path, open_page: OpenPage) -> None:
    data = of_version_4(tmp_path / "data")
    services_of(open_page()).close()
    (copy,) = Backups(data).all()
    with closing(sqlite3.connect(copy)) as kept:
        assert kept.execute("PRAGMA user_version").fetchone() == (4,)
        assert kept.execute("SELECT title FROM games").fetchall() == [("old",)]


def test_a_copy_that_cannot_be_made_stops_the_update(tmp_path: Path, open_page: OpenPage) -> None:
    data = of_version_4(tmp_path / "data")
    (data / "backups").write_text("in the way")
    with pytest.raises(StoreError, match="could not be copied before its update"):
        open_page()
    shutil.rmtree(data / "backups", ignore_errors=True)
    with closing(sqlite3.connect(data / FILE_NAME)) as left:
        assert left.execute("PRAGMA user_version").fetchone() == (4,)


@pytest.mark.parametrize("left", ["gone", "empty", "its first page"])
def test_games_that_are_in_the_log_alone_are_there_whatever_became_of_the_file(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    leave_unclosed(tmp_path / "data", monkeypatch)
    store = tmp_path / "data" / FILE_NAME
    if left == "gone":
        store.unlink()
    elif left == "empty":
        store.write_bytes(b"")
    services = services_of(open_page())
    assert [row.title for row in services.store.games()] == ["Ann"]
    assert services.notice is None
    assert not (tmp_path / "data" / "damaged").exists()


def start_page(folder: Path) -> tuple[str | None, str]:
    """Open and close a page over a data folder as it is. Return what its start says, and the page of games."""
    app = create_app(config(folder.parent, ScriptedReader(), data_dir=folder))
    page = text(app.test_client().get("/games"))
    services_of(app).close()
    return services_of(app).notice, page


def test_an_empty_folder_and_one_with_games_are_nothing_to_speak_of(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert [start_page(data)[0], start_page(data)[0]] == [None, None]
    store_game(data, "Ann")
    Backups(data).make()
    PhotoShelf(data).keep(picture())
    assert start_page(data)[0] is None


def test_a_store_without_games_beside_photographs_is_told_of(tmp_path: Path) -> None:
    data = tmp_path / "data"
    PhotoShelf(data).keep(picture(), picture())
    told, page = start_page(data)
    assert told is not None
    assert told.startswith("There are no games here, but the folder holds photographs (1). If games are missing, stop")
    assert "copy the whole data folder again" in told
    assert "the folder holds photographs" in page


@pytest.mark.parametrize("name", ["data", os.fsdecode(b"caf\xe9")])
def test_a_store_without_games_beside_a_backup_is_told_of_and_they_come_back(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    store_game(data, "Ann")
    Backups(data).make()
    (data / FILE_NAME).unlink()
    Store(data).close()
    told, page = start_page(data)
    assert told is not None
    assert "a backup with games (1, in " in told
    assert "the folder holds a backup" in page
    # as the message says
    (data / FILE_NAME).rename(tmp_path / FILE_NAME)
    told, page = start_page(data)
    assert "Ann" in page


def test_a_log_that_gives_no_game_is_kept_and_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    leave_unclosed(data, monkeypatch)
    Store(tmp_path / "new").close()
    (tmp_path / "new" / FILE_NAME).replace(data / FILE_NAME)
    log = data / f"{FILE_NAME}-wal"
    spoilt = bytes(100) + log.read_bytes()[100:]
    log.write_bytes(spoilt)
    told, _ = start_page(data)
    kept = data / "damaged" / "upscore-1.sqlite3-wal"
    assert told is not None
    assert f"a log that gave no game (kept as {kept})" in told
    assert kept.read_bytes() == spoilt


@pytest.mark.parametrize(
    "name",
    [
        "upscore (Ann's conflicted copy 2026-11-28).sqlite3",
        "upscore.sync-conflict-20261128-101010-ABCDEFG.sqlite3",
        "upscore-LAPTOP.sqlite3",
        "upscore (1).sqlite3",
        "upscore.sqlite3 (Kopie in Konflikt)",
    ],
)
def test_a_copy_that_a_sync_program_made_is_named(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    store_game(data, "Ann")
    shutil.copyfile(data / FILE_NAME, data / name)
    (data / "upscore notes.txt").write_text("mine")
    told, _ = start_page(data)
    assert told is not None
    assert told.startswith(f"Another game store lies beside this one ({name})")
    # as the message says
    new = tmp_path / "new"
    new.mkdir()
    shutil.copyfile(data / name, new / FILE_NAME)
    (data / name).unlink()
    assert "Ann" in start_page(new)[1]
    assert start_page(data)[0] is None


def test_the_store_itself_is_no_copy_beside_it_whatever_the_case_of_its_name(tmp_path: Path) -> None:
    data = tmp_path / "data"
    store_game(data, "Ann")
    os.link(data / FILE_NAME, data / "upscore.SQLite3")  # as where case doesn't count: one file, two names
    assert start_page(data)[0] is None


def test_looking_for_copies_beside_the_store_drops_none_of_its_locks(tmp_path: Path, open_page: OpenPage) -> None:
    data = tmp_path / "data"
    store_game(data, "Ann")
    os.link(data / FILE_NAME, data / "upscore.SQLite3")
    made = services_of(open_page())
    assert made.store.games()
    other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0.1).execute('PRAGMA journal_mode = DELETE')"
    done = subprocess.run([sys.executable, "-c", other, data / FILE_NAME], capture_output=True, text=True, timeout=60)
    assert "database is locked" in done.stderr


@pytest.mark.parametrize(
    ("folder", "synced"),
    [
        ("Dropbox/upscore", True),
        ("Dropbox (Personal)/games", True),
        ("OneDrive - Family/upscore", True),
        ("Library/Mobile Documents/com~apple~CloudDocs/upscore", True),
        ("Google Drive/upscore", True),
        ("Nextcloud/upscore", True),
        ("iCloudDrive/upscore", True),
        ("pCloudDrive/upscore", True),
        ("Meine Ablage/upscore", True),
        ("Box/upscore", True),
        ("dropboxes/upscore", False),
        ("box of games/upscore", False),
        (".local/share/upscore", False),
    ],
)
def test_a_synced_folder_is_named_at_the_start_and_only_there(
    tmp_path: Path, open_page: OpenPage, caplog: pytest.LogCaptureFixture, folder: str, synced: bool
) -> None:
    notice = services_of(open_page(data_dir=tmp_path / folder)).notice
    assert ("which a sync program seems to keep" in caplog.text) == synced
    assert notice is None, "a page that says so every evening is read by nobody"


@pytest.mark.parametrize(
    ("number", "status", "told"),
    [(errno.ENOSPC, 507, "The disk is full"), (errno.EROFS, 503, "check that the disk can be written")],
)
def test_what_the_disk_refuses_at_a_new_game_is_told_as_what_it_is(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, number: int, status: int, told: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("webui.storage.photo_shelf.write_atomically", refuse)
    form = {"player0": "Red", "edition": "8x8", "lexicon": "standard", "photo": (io.BytesIO(jpeg()), "a.jpg")}
    answer = client.post("/games", data=form, content_type="multipart/form-data")
    assert answer.status_code == status
    assert told in text(answer)
