"""A backup of everything in one file, and moving house with it: a zip of the store and the pictures."""

from __future__ import annotations

import io
import json
import os
import secrets
import sqlite3
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from engine import UpscoreError
from engine.formats.game_json import game_from_dict
from vision.atomic_file import NEW_PREFIX, NEW_SUFFIX
from webui.errors import StoreError
from webui.storage.backups import copy_store
from webui.storage.database import connect, store_error, summarize, utc_now
from webui.storage.game_file import DAMAGED
from webui.storage.photo_shelf import FOLDER, OWN_PICTURE
from webui.storage.rescue import is_sound
from webui.storage.store import FILE_NAME

_FORMAT, _VERSION = "upscore-backup", 1
_MANIFEST = "manifest.json"
_CHUNK = 1 << 20

KeptGame = tuple[int, str, str, str]
"""A game's number, title, summary and log, as they are stored."""


@dataclass(frozen=True)
class Contents:
    """The games and pictures that a backup holds; `unreplayed` has a line for each game that cannot be replayed."""

    games: int
    pictures: int
    unreplayed: tuple[str, ...] = ()


def backup_chunks(data_dir: Path) -> Iterator[bytes]:
    """Yield a backup of a data folder, piece by piece, while games go on in it; raises StoreError.

    It holds the store as it was at one moment, and the pictures that it knew then. Games that cannot be replayed are in
    it as they are, and noted.
    """
    store = data_dir / FILE_NAME
    no_games = StoreError(f"There are no games in {data_dir}: give the folder that they are in as --data.")
    if not store.is_file():
        raise no_games
    with tempfile.TemporaryDirectory(prefix="upscore-backup-") as folder:
        copy = Path(folder) / FILE_NAME
        try:
            if not copy_store(store, copy):
                raise no_games
            keys, rows = _known(copy)
        except (OSError, sqlite3.Error) as error:
            raise store_error(error, store) from None
        totals = {str(number): summary for number, _, summary, _ in rows}
        manifest = {"format": _FORMAT, "version": _VERSION, "made": utc_now(), "totals": totals}
        manifest["unreplayed"] = unreplayed(rows)
        pieces = _Pieces()
        with zipfile.ZipFile(cast(IO[bytes], pieces), "w") as archive:
            archive.writestr(_MANIFEST, json.dumps(manifest))
            yield from _packed(archive, pieces, copy, FILE_NAME)
            for path in sorted((data_dir / FOLDER).glob("*.jpg")):
                if OWN_PICTURE.fullmatch(path.name) and path.name.partition("-")[0] in keys:
                    with suppress(FileNotFoundError):
                        yield from _packed(archive, pieces, path, f"{FOLDER}/{path.name}")
        yield pieces.taken()


def write_backup(data_dir: Path, to: Path) -> Contents:
    """Write a backup to a new file, whole or not at all. Read it again before it gets its name. Raises StoreError."""
    new = to.with_name(f"{NEW_PREFIX}{secrets.token_hex(6)}{NEW_SUFFIX}")
    try:
        if to.exists():
            raise StoreError(f"{to} is there already: give the backup another name.")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for piece in backup_chunks(data_dir):
                file.write(piece)
        contents = _read_again(new, to)
        new.replace(to)
        return contents
    except OSError as error:
        raise StoreError(
            f"The backup {to} cannot be written ({error.strerror}): give another place."
        ) from None
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _read_again(written: Path, name: Path) -> Contents:
    """Read a backup that was just written as `restore` would; raises StoreError where anything in it is wrong."""
    try:
        with (
            zipfile.ZipFile(written) as opened,
            tempfile.TemporaryDirectory(prefix="upscore-backup-") as folder,
        ):
            if (damaged := opened.testzip()) is not None:
                raise ValueError(damaged)
            store = Path(folder) / FILE_NAME
            _unpack(opened, FILE_NAME, store)
            manifest = json.loads(opened.read(_MANIFEST))
            noted = manifest["unreplayed"]
            games = _checked(store, manifest["totals"], noted.keys())
            return Contents(games, sum(map(_is_picture, opened.namelist())), tuple(noted.values()))
    except (KeyError, sqlite3.Error, *DAMAGED):
        raise StoreError(
            f"The backup {name} was not written as it should be, and was removed: "
            "see that the disk is in order, then try again."
        ) from None


def restore(archive: Path, data_dir: Path) -> Contents:
    """Check a backup, and put it into a folder in which there are no games.

    Every game is replayed from its log, and its totals must be those that the backup was made with. No word list is
    asked, since none moves a point, and a table's own may not be here. Where anything is wrong nothing is put there;
    only games that could not be replayed when the backup was made come as they were. Raises StoreError.
    """
    # SQLite would apply a log that was left behind to the store that comes to lie beside it
    if any((data_dir / f"{FILE_NAME}{suffix}").exists() for suffix in ("", "-wal", "-journal")):
        raise StoreError(f"There are games in {data_dir} already: give a new folder as --data.")
    try:
        with _opened(archive) as opened, tempfile.TemporaryDirectory(dir=_made(data_dir)) as folder:
            manifest = json.loads(opened.read(_MANIFEST))
            if manifest.get("format") != _FORMAT or manifest.get("version") != _VERSION:
                raise StoreError(f"{archive} is no backup that this Upscore can read: update it.")
            names = [name for name in opened.namelist() if _is_picture(name)]
            for name in (FILE_NAME, *names):
                _unpack(opened, name, Path(folder) / name)
            noted = manifest.get("unreplayed", {})
            games = _checked(Path(folder) / FILE_NAME, manifest["totals"], noted.keys())
            for name in names:
                _move(Path(folder) / name, data_dir / name)
            _move(Path(folder) / FILE_NAME, data_dir / FILE_NAME)  # last: with it the games are there
    except OSError as error:
        raise StoreError(f"{data_dir} cannot be written ({error.strerror}): give another --data.") from None
    except (KeyError, AttributeError, sqlite3.Error, *DAMAGED):
        raise StoreError(f"{archive} is no backup, or a damaged one: take another copy of it.") from None
    return Contents(games, len(names), tuple(map(str, noted.values())))


def unreplayed(rows: Iterable[KeptGame]) -> dict[str, str]:
    """The games whose logs do not replay to how they were kept: by their numbers, a line that says what is wrong."""
    lines = {}
    for number, title, summary, log in rows:
        try:
            fault = _fault(summary, log)
        except (ValueError, TypeError):
            fault = "cannot be read: its log is damaged"
        if fault is not None:
            lines[str(number)] = f"The game {title} {fault}."
    return lines


def _opened(archive: Path) -> zipfile.ZipFile:
    """The file of a backup; raises StoreError where it cannot be read, and what `DAMAGED` lists."""
    try:
        return zipfile.ZipFile(archive)
    except FileNotFoundError:
        raise StoreError(f"There is no file {archive}: check the name.") from None
    except IsADirectoryError:
        raise StoreError(f"{archive} is a folder: give the file that the backup is in.") from None
    except OSError as error:
        raise StoreError(
            f"{archive} cannot be read ({error.strerror}): see to its permissions, or take another copy."
        ) from None


class _Pieces(io.RawIOBase):
    """Where a zip is written to piece by piece, none of it kept longer than until the next."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._waiting += data
        return len(memoryview(data))

    def taken(self) -> bytes:
        data = bytes(self._waiting)
        self._waiting.clear()
        return data


def _packed(archive: zipfile.ZipFile, pieces: _Pieces, path: Path, name: str) -> Iterator[bytes]:
    with path.open("rb") as source, archive.open(name, "w") as target:
        while data := source.read(_CHUNK):
            target.write(data)
            yield pieces.taken()


def _known(store: Path) -> tuple[frozenset[str], list[KeptGame]]:
    """The photographs of a store, and its games."""
    with closing(connect(store)) as connection:
        keys = frozenset(str(row[0]) for row in connection.execute("SELECT key FROM photos"))
        return keys, connection.execute("SELECT id, title, summary, log FROM games").fetchall()


def _is_picture(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    return folder == FOLDER and OWN_PICTURE.fullmatch(file) is not None


def _checked(store: Path, totals: dict[str, str], noted: Collection[str]) -> int:
    """Count the games of a backup's store, each as the backup says; raises StoreError where one is not."""
    if not is_sound(store):
        raise ValueError("the store in it is damaged")
    _, rows = _known(store)
    if {str(row[0]) for row in rows} != set(totals):
        raise StoreError("The backup does not hold the games that it says: take another copy of it.")
    for number, title, summary, log in rows:
        fault = None if str(number) in noted else _fault(summary, log)
        if fault is None and summary != totals[str(number)]:
            fault = f"is kept as '{summary}' and was '{totals[str(number)]}'"
        if fault is not None:
            raise StoreError(f"The game {title} in the backup {fault}: take another backup.")
    return len(rows)


def _fault(summary: str, log: str) -> str | None:
    """What is wrong with a game that does not replay to how it was kept; ValueError for a log that is no JSON."""
    try:
        replayed = summarize(game_from_dict(json.loads(log), None))
    except UpscoreError as error:
        return f"cannot be replayed ({error})"
    return None if replayed == summary else f"comes to '{replayed}' and was kept as '{summary}'"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _unpack(archive: zipfile.ZipFile, name: str, to: Path) -> None:
    _made(to.parent)
    to.touch(mode=0o600)
    with archive.open(name) as source, to.open("wb") as target:
        while data := _read(source):
            target.write(data)


def _read(source: IO[bytes]) -> bytes:
    """The next of a file in a backup; what the disk under the backup refuses is no fault of where it goes."""
    try:
        return source.read(_CHUNK)
    except OSError as error:
        raise ValueError(f"the backup cannot be read: {error}") from None


def _move(path: Path, to: Path) -> None:
    _made(to.parent)
    path.replace(to)
