"""A backup of everything in one file: a zip of the store and the pictures, written and restored."""

from __future__ import annotations

import io
import json
import os
import secrets
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from engine import UpscoreError
from engine.formats.game_json import game_from_dict
from engine.json_reading import load_own_json
from engine.wording import phrase
from vision.atomic_file import NEW_PREFIX, NEW_SUFFIX
from webui.errors import DiskFull, StoreError, showable
from webui.storage.backups import copy_store
from webui.storage.database import connect, copy_files, load_summary, store_error, summarize, utc_now
from webui.storage.game_file import BACKUP_MANIFEST, GAME
from webui.storage.photo_shelf import FOLDER, OWN_PICTURE
from webui.storage.rescue import is_sound
from webui.storage.store import FILE_NAME
from webui.storage.zip_parts import DAMAGED, check_list, read_part, restore_names

_FORMAT, _VERSION = "upscore-backup", 1
_CHUNK = 1 << 20
_MAX_LIST = 2**25
"""Bytes of a backup's list of names, and of its manifest: those of some 300,000 pictures. [by eye]"""
_MAX_STORE = 2**29
"""Bytes of the store in a backup, which is held in memory: those of some 20,000 games. [by eye]"""
_MAX_LOG = 2**20
"""Letters of a game's log in a backup: those of some 7,000 entries. [by eye]"""

KeptGame = tuple[int, str, str, str]
"""A stored game's number, title, summary and log."""


@dataclass(frozen=True)
class Contents:
    """The number of games and pictures in a backup, and a line for each game that cannot be replayed."""

    games: int
    pictures: int
    unreplayed: tuple[str, ...] = ()


def backup_chunks(data_dir: Path) -> Iterator[bytes]:
    """Yield a backup of a data folder, piece by piece, while games go on in it; raises StoreError.

    The backup holds the store as it was at one moment, and the pictures that the store knew then. Games that cannot be
    replayed are copied as they are, and its manifest names them.
    """
    store = data_dir / FILE_NAME
    no_games = StoreError(f"There are no games in {data_dir}: give the folder that they are in as --data.")
    if not store.is_file():
        raise no_games
    with tempfile.TemporaryDirectory(prefix="upscore-backup-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        try:
            if not copy_store(store if os.access(data_dir, os.W_OK) else copy_files(store, Path(folder)), copy):
                raise no_games
            keys, rows = _photos_and_games(copy)
        except (OSError, sqlite3.Error) as error:
            raise store_error(error, store) from None
        totals = {str(number): summary for number, _, summary, _ in rows}
        manifest: dict[str, object] = {"format": _FORMAT, "version": _VERSION, "made": utc_now(), "totals": totals}
        manifest["unreplayed"] = find_unreplayed(rows)
        pieces = _Pieces()
        with zipfile.ZipFile(cast(IO[bytes], pieces), "w") as archive:
            yield from _pack(archive, pieces, copy, FILE_NAME)
            for path in sorted((data_dir / FOLDER).glob("*.jpg")):
                if OWN_PICTURE.fullmatch(path.name) and path.name.partition("-")[0] in keys:
                    with suppress(FileNotFoundError):
                        yield from _pack(archive, pieces, path, f"{FOLDER}/{path.name}")
            # last, since a picture may go while the others are packed
            manifest["pictures"] = sum(map(_is_picture, archive.namelist()))
            archive.writestr(BACKUP_MANIFEST, json.dumps(manifest))
        yield pieces.take()


def write_backup(data_dir: Path, to: Path) -> Contents:
    """Write a backup to a new file. The file is read again before it gets its name. Raises StoreError."""
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
        raise StoreError(f"The backup {to} cannot be written ({error.strerror}): give another place.") from None
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _read_again(written: Path, name: Path) -> Contents:
    """Read a new backup as `restore` would; raises StoreError if anything in it is wrong."""
    try:
        with zipfile.ZipFile(written) as opened, tempfile.TemporaryDirectory(prefix="upscore-backup-") as folder:
            if (damaged := opened.testzip()) is not None:
                raise ValueError(damaged)
            store = Path(folder) / FILE_NAME
            _unpack(opened, FILE_NAME, store)
            manifest = load_own_json(opened.read(BACKUP_MANIFEST))
            noted = manifest["unreplayed"]
            games = _check_games(store, manifest["totals"], noted.keys())
            return Contents(games, len(_pictures(opened, manifest)), tuple(noted.values()))
    except (KeyError, sqlite3.Error, *DAMAGED):
        raise StoreError(
            f"The backup {name} was not written as it should be, and was removed: check the disk, then try again."
        ) from None


def restore(archive: Path, data_dir: Path) -> Contents:
    """Check a backup, and put it into a folder without games; raises StoreError, and puts nothing there, if it is bad.

    Every game is replayed from its log, and must come to the totals that the backup names, except those that it names
    as unreplayed. No word list is needed, since no list changes a point.
    """
    # SQLite would apply a log that was left behind to the new store beside it
    if any((data_dir / f"{FILE_NAME}{suffix}").exists() for suffix in ("", "-wal", "-journal")):
        raise StoreError(f"There are games in {data_dir} already: give a new folder as --data.")
    try:
        with (
            tempfile.TemporaryDirectory(dir=_make_folder(data_dir)) as folder,
            _open_zip(_pack_folder(archive, Path(folder)) if archive.is_dir() else archive) as opened,
        ):
            restore_names(opened, BACKUP_MANIFEST)
            if GAME in opened.namelist():
                raise StoreError(f"{archive} is the file of one game, not a backup: import it on the page of games.")
            manifest = load_own_json(read_part(opened, BACKUP_MANIFEST, _MAX_LIST))
            if manifest.get("format") != _FORMAT or manifest.get("version") != _VERSION:
                raise StoreError(f"{archive} isn't a backup that this Upscore can read: update it.")
            names = _pictures(opened, manifest)
            if opened.getinfo(FILE_NAME).file_size > _MAX_STORE:
                raise StoreError(f"{archive} holds more games than Upscore reads: take another copy of it.")
            if sum(info.file_size for info in opened.infolist()) > shutil.disk_usage(data_dir).free:
                raise DiskFull
            for name in (FILE_NAME, *names):
                _unpack(opened, name, Path(folder) / name)
            noted = manifest.get("unreplayed", {})
            games = _check_games(Path(folder) / FILE_NAME, manifest["totals"], noted.keys())
            for name in names:
                _move(Path(folder) / name, data_dir / name)
            _move(Path(folder) / FILE_NAME, data_dir / FILE_NAME)  # last, since it makes the games appear
    except OSError as error:
        raise StoreError(f"{data_dir} cannot be written ({error.strerror}): give another --data.") from None
    except (KeyError, AttributeError, sqlite3.Error, *DAMAGED):
        raise StoreError(f"{archive} isn't a backup, or is damaged: take another copy of it.") from None
    return Contents(games, len(names), tuple(map(str, noted.values())))


def find_unreplayed(rows: Iterable[KeptGame]) -> dict[str, str]:
    """Return a line on what is wrong for each game whose log does not replay to its summary, by its number."""
    lines: dict[str, str] = {}
    for number, title, summary, log in rows:
        try:
            fault = _fault(summary, log)
        except (ValueError, TypeError):
            fault = phrase("cannot be read: its log is damaged")
        if fault is not None:
            lines[str(number)] = phrase("The game %(title)s %(fault)s.", title=title, fault=fault)
    return lines


def _open_zip(archive: Path) -> zipfile.ZipFile:
    """Open the file of a backup; raises StoreError if it cannot be read, or an error of `DAMAGED`."""
    try:
        with archive.open("rb") as file:
            if file.read(2) not in (b"", b"PK") and not zipfile.is_zipfile(file):
                raise StoreError(f"{archive} isn't a zip file: give the one from Upscore, or zip its folder again.")
            check_list(file, _MAX_LIST)
        return zipfile.ZipFile(archive)
    except FileNotFoundError:
        raise StoreError(f"There is no file {archive}: check the name.") from None
    except OSError as error:
        raise StoreError(
            f"{archive} cannot be read ({error.strerror}): check its permissions, or take another copy."
        ) from None


def _pack_folder(unpacked: Path, to: Path) -> Path:
    """Zip a folder that a backup was unpacked to into the folder `to`; raises StoreError if it holds no backup.

    Links are left out, since they would add files of this computer to the pictures.
    """
    if not any(path.is_file() for at in ("", "*/") for path in unpacked.glob(f"{at}{BACKUP_MANIFEST}")):
        raise StoreError(
            f"{unpacked} is a folder without a backup ({BACKUP_MANIFEST}): give the file that Upscore wrote, or the "
            "folder that it was unpacked to. If it is a single game, zip it and import it on the Games page."
        )
    packed = to / "packed.zip"
    paths = [path for path in unpacked.rglob("*") if path.is_file() and not path.is_symlink()]
    with zipfile.ZipFile(packed, "w", strict_timestamps=False) as archive:
        for path in paths:
            archive.write(path, path.relative_to(unpacked))
    return packed


class _Pieces(io.RawIOBase):
    """The target of a zip that is written piece by piece. It holds only the pieces not yet taken."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._waiting += data
        return len(memoryview(data))

    def take(self) -> bytes:
        data = bytes(self._waiting)
        self._waiting.clear()
        return data


def _pack(archive: zipfile.ZipFile, pieces: _Pieces, path: Path, name: str) -> Iterator[bytes]:
    with path.open("rb") as source, archive.open(name, "w") as target:
        while data := source.read(_CHUNK):
            target.write(data)
            yield pieces.take()


def _photos_and_games(store: Path) -> tuple[frozenset[str], list[KeptGame]]:
    """Return the keys of a store's photographs, and its games."""
    with closing(connect(store)) as connection:
        keys = frozenset(str(row[0]) for row in connection.execute("SELECT key FROM photos"))
        return keys, connection.execute("SELECT id, title, summary, log FROM games").fetchall()


def _is_picture(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    return folder == FOLDER and OWN_PICTURE.fullmatch(file) is not None


def _check_games(store: Path, totals: dict[str, str], noted: Collection[str]) -> int:
    """Check each game in a backup's store, and return how many there are.

    `totals` has the summaries that the backup names, by the games' numbers, `noted` the games that could not be
    replayed. Raises StoreError if a game is not as the backup says, ValueError if the store is damaged.
    """
    if not is_sound(store):
        raise ValueError("the store in it is damaged")
    with closing(connect(store)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
            raise ValueError("Upscore makes no triggers: somebody else changed the store")
        if long := connection.execute("SELECT title FROM games WHERE length(log) > ?", (_MAX_LOG,)).fetchone():
            raise StoreError(f"The game {long[0]} in the backup is longer than a game can be: take another backup.")
    _, rows = _photos_and_games(store)
    if {str(row[0]) for row in rows} != set(totals):
        raise StoreError("The backup does not hold the games that it says: take another copy of it.")
    for number, title, summary, log in rows:
        fault = None if str(number) in noted else _fault(summary, log)
        if fault is None and summary != totals[str(number)]:
            fault = f"is kept as '{_put_in_words(summary)}' and was '{_put_in_words(totals[str(number)])}'"
        if fault is not None:
            raise StoreError(f"The game {title} in the backup {fault}: take another backup.")
    return len(rows)


def _fault(summary: str, log: str) -> str | None:
    """Return what is wrong with a game that does not replay to its summary, or None.

    The sentences that earlier versions stored are not compared: their wording changes. Raises ValueError if the log
    isn't JSON.
    """
    try:
        replayed = summarize(game_from_dict(load_own_json(log), None))
    except UpscoreError as error:
        return phrase("cannot be replayed (%(error)s)", error=error)
    kept = load_summary(summary)
    return (
        None
        if kept in (None, replayed)
        else phrase("comes to '%(replayed)s' and was kept as '%(kept)s'", replayed=replayed, kept=kept)
    )


def _put_in_words(summary: str) -> str:
    """Return a stored summary as a sentence, as it is if an earlier version wrote it."""
    return str(load_summary(summary) or summary)


def _pictures(archive: zipfile.ZipFile, manifest: Mapping[str, object]) -> list[str]:
    """Return the names of a backup's pictures; raises StoreError if one is missing or something else lies there."""
    names = [name for name in archive.namelist() if _is_picture(name)]
    strange = set(archive.namelist()) - {FILE_NAME, BACKUP_MANIFEST, *names}
    if strange:
        raise StoreError(
            f"The backup holds {showable(min(strange))}, which Upscore did not put there, so nothing was restored: "
            "take another copy of it, or take that file out."
        )
    wanted = manifest.get("pictures", len(names))
    if wanted != len(names):
        raise StoreError(
            f"The backup holds {len(names)} of its {wanted} pictures, so nothing was restored: take another copy of it."
        )
    return names


def _make_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _unpack(archive: zipfile.ZipFile, name: str, to: Path) -> None:
    _make_folder(to.parent)
    to.touch(mode=0o600)
    with archive.open(name) as source, to.open("wb") as target:
        while data := _read_piece(source):
            target.write(data)


def _read_piece(source: IO[bytes]) -> bytes:
    """Return the next piece of a file in a backup; raises ValueError if the disk of the backup fails.

    It is not an OSError, because that would blame the folder that the piece goes to.
    """
    try:
        return source.read(_CHUNK)
    except OSError as error:
        raise ValueError(f"the backup cannot be read: {error}") from None


def _move(path: Path, to: Path) -> None:
    _make_folder(to.parent)
    path.replace(to)
