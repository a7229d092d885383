"""Games survive: restarts, conflicting changes, newer versions and files that are none."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from webkit import leave_unclosed

from webui.errors import NotThere, Outdated, StoreError
from webui.storage.data_folder import DataFolder
from webui.storage.database import Answers, GameRow, PhotoRow, utc_now
from webui.storage.schema import MIGRATIONS
from webui.storage.store import FILE_NAME, Store

moves_open_files = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows moves no file that is open")


def add(store: Store, title: str = "Red - Blue") -> GameRow:
    return store.add_game(title=title, summary="no turns", log="{}", lexicon="standard", demo=False)


def save(store: Store, row: GameRow, **changes: object) -> GameRow:
    more = {name: changes.pop(name) for name in ("shown_by", "taken", "solo", "anew") if name in changes}
    changed = replace(row, **{"summary": "1 turn", "log": '{"turn": 1}', **changes})  # type: ignore[arg-type]
    return store.save_game(changed, **more)  # type: ignore[arg-type]


def photo(key: str, row: GameRow, entry: int | None = None) -> PhotoRow:
    return PhotoRow(key, row.id, utc_now(), "upload", entry, "play")


def test_a_saved_game_is_there_after_the_store_is_opened_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = save(store, add(store), pending='{"a": 1}')
    again = Store(tmp_path).game(row.id)
    assert again == row
    assert (again.version, again.log, again.pending, again.finished) == (2, '{"turn": 1}', '{"a": 1}', False)


def test_of_two_changes_to_one_version_only_the_first_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = add(store)
    save(store, row, log="first")
    with pytest.raises(Outdated):
        save(store, row, log="second")
    assert store.game(row.id).log == "first"


def test_the_game_touched_last_is_listed_first(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, two = add(store, "one"), add(store, "two")
    assert [row.title for row in store.games()] == ["two", "one"]
    save(store, one)
    assert [row.id for row in store.games()] == [one.id, two.id]


def test_a_photograph_shows_the_entry_it_was_stored_with(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = add(store)
    for key in ("a", "b"):
        store.add_photo(photo(key, row))
    assert store.photos(row.id) == {}
    save(store, row, shown_by=("b", 3))
    assert {entry: found.key for entry, found in store.photos(row.id).items()} == {3: "b"}
    assert store.photo("a").entry is None


def test_an_outdated_change_moves_no_photograph(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = add(store)
    store.add_photo(photo("a", row))
    save(store, row)
    with pytest.raises(Outdated):
        save(store, row, shown_by=("a", 0))
    assert store.photos(row.id) == {}


def test_a_deleted_game_takes_its_photographs_along(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = add(store)
    store.add_photo(photo("a", row, 0))
    store.delete_game(row.id)
    assert store.photo_keys() == frozenset()
    with pytest.raises(NotThere):
        store.game(row.id)


def test_the_store_writes_ahead_so_that_readers_never_wait(tmp_path: Path) -> None:
    path = Store(tmp_path).path
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    connection.close()


def copy_store(store: Store, to: Path) -> Store:
    """Copy the file of a store alone while it is in use, as a sync program does, and open the copy."""
    to.mkdir()
    (to / FILE_NAME).write_bytes(store.path.read_bytes())
    return Store(to)


def test_the_file_alone_holds_every_entry_while_the_store_is_open(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    row = add(store)
    for at in range(3):
        row = save(store, row, log=f"entry {at}")
        copy = copy_store(store, tmp_path / f"copy{at}")
        assert copy.game(row.id) == row
        copy.close()
    store.close()


def test_a_reader_in_the_way_keeps_no_entry_from_being_made_and_the_next_empties_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.storage.database._EMPTYING_MS", 1)
    store = Store(tmp_path / "data")
    row = add(store)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        row = save(store, row, log="first")
        assert store.game(row.id).log == "first"
    row = save(store, row, log="second")
    copy = copy_store(store, tmp_path / "copy")
    assert copy.game(row.id) == row
    copy.close()
    store.close()


def test_a_store_that_was_not_closed_is_whole_in_its_file_once_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_unclosed(tmp_path / "data", monkeypatch)
    store = Store(tmp_path / "data")
    copy = copy_store(store, tmp_path / "copy")
    assert [row.title for row in copy.games()] == ["Ann"]
    copy.close()
    store.close()


@moves_open_files
def test_a_file_that_goes_away_under_the_page_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = add(store)
    store.path.unlink()
    with pytest.raises(StoreError):
        save(store, row)
    assert not store.path.exists()


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = Store(tmp_path).path
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer Upscore"):
        Store(tmp_path)


def test_a_file_that_is_no_store_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all, " * 100)
    with pytest.raises(StoreError) as refused:
        Store(tmp_path)
    assert "\n" not in str(refused.value)
    assert (tmp_path / FILE_NAME).read_bytes().startswith(b"not a database")


def test_a_data_folder_on_a_drive_without_locks_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("webui.storage.data_folder.lock", no_locks)
    with pytest.raises(StoreError, match="as on some network drives"):
        DataFolder(tmp_path)


def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match="--data"):
        Store(tmp_path / "data")


def test_photographs_from_before_their_digests_were_kept_stay(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.executescript(f"{MIGRATIONS[0]} {MIGRATIONS[1]} PRAGMA user_version = 2;")
    connection.execute("INSERT INTO games VALUES (1, '', '', 1, '', '', '{}', '', NULL, 0, 0)")
    connection.execute("INSERT INTO photos VALUES ('a', 1, '2026-01-01', 'upload', 0, 'play')")
    connection.commit()
    connection.close()
    store = Store(tmp_path)
    kept = PhotoRow("a", 1, "2026-01-01", "upload", 0, "play")
    assert (store.newest_photo(1), store.photos(1)) == (kept, {0: kept})
    store.add_photo(PhotoRow("b", 1, utc_now(), "upload", None, "unclear", "digest"))
    store.save_game(store.game(1), taken="b")
    newest = store.newest_photo(1)
    assert newest is not None
    assert (newest.key, newest.digest, newest.version) == ("b", "digest", 2)
    assert store.newest_photo(2) is None


def test_games_that_ended_before_that_was_stored_stand_in_the_order_of_their_last_change(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.executescript(f"{''.join(MIGRATIONS[:8])} PRAGMA user_version = 8;")
    for number, finished in ((1, 1), (2, 0), (3, 1)):
        values = f"{number}, '', '', 1, '', '', '', '', 0, {finished}, {10 - number}"
        columns = "id, created_at, updated_at, version, title, summary, log, lexicon, demo, finished, touched"
        connection.execute(f"INSERT INTO games ({columns}) VALUES ({values})")
    connection.commit()
    connection.close()
    store = Store(tmp_path)
    assert [store.game(number).ended for number in (1, 2, 3)] == [9, 0, 7]


@moves_open_files
def test_the_version_of_a_game_is_known_without_the_disk(tmp_path: Path) -> None:
    store = Store(tmp_path)
    row = save(store, add(store))
    store.path.rename(tmp_path / "elsewhere")
    assert store.version(row.id) == 2
    (tmp_path / "elsewhere").rename(store.path)
    assert Store(tmp_path).version(row.id) == 2
    store.delete_game(row.id)
    with pytest.raises(NotThere):
        store.version(row.id)


def test_what_was_read_before_a_save_is_not_remembered_after_it(tmp_path: Path) -> None:
    store, answers = Store(tmp_path), Answers()
    before = add(store)
    after = save(store, before)
    for row in (after, before):
        answers.remember("game", row)
    assert answers.newest("game") == after
    answers.forget("game")
    answers.remember("game", before)
    assert answers.newest("game") == before
