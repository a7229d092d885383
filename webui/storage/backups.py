"""Copies that the store makes of itself: one a day and one before its tables change. The newest few are kept."""

from __future__ import annotations

import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from engine.wording import join_names, phrase
from webui.errors import StoreError
from webui.storage.database import connect, store_error
from webui.storage.photo_shelf import FOLDER as PHOTOS
from webui.storage.photo_shelf import OWN_PICTURE
from webui.storage.rescue import is_sound
from webui.storage.store import FILE_NAME

MAX_BACKUPS = 7
"""Copies kept: with one a day, those of a week. [by eye]"""
DAY_S = 24 * 3600.0
_SYNCED = re.compile(
    r"(dropbox|onedrive|icloud|icloud ?drive|mobile documents|com~apple~clouddocs|google ?drive|my drive|meine ablage"
    r"|cloudstorage|nextcloud|owncloud|pcloud|pcloud ?drive|proton ?drive|kdrive|hidrive|megasync|mega$|seafile"
    r"|tresorit|insync|syncthing|box sync|box$|sync$)\b",
    re.IGNORECASE,
)
"""How sync programs call their folders."""
_NAME = re.compile(r"upscore-(\d{6})\.sqlite3")


class Backups:
    """The folder `backups` in the data folder. `clock` gives seconds since 1970."""

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = data_dir / "backups"
        self._store, self._clock = data_dir / FILE_NAME, clock

    def all(self) -> tuple[Path, ...]:
        """Return the copies, newest first. They are numbered, so that a wrong clock doesn't change their order."""
        with suppress(OSError):
            matches = {path: _NAME.fullmatch(path.name) for path in self.folder.iterdir()}
            numbered = {path: int(match[1]) for path, match in matches.items() if match}
            return tuple(sorted(numbered, key=numbered.__getitem__, reverse=True))
        return ()

    def make_if_due(self) -> Path | None:
        """Make a copy unless one was made within a day, even if the clock is wrong; return it. Raises StoreError."""
        newest = next(iter(self.all()), None)
        if newest is not None:
            with suppress(OSError):
                if abs(self._clock() - newest.stat().st_mtime) < DAY_S:
                    return None
        return self.make()

    def make(self) -> Path | None:
        """Make a copy while games go on, and return it; None if there is no game. Raises StoreError."""
        newest = next(iter(self.all()), None)
        number = 1 if newest is None else int(newest.stem.rpartition("-")[2]) + 1
        path = self.folder / f"upscore-{number:06}.sqlite3"
        try:
            if not count_games(self._store):
                return None
            self.folder.mkdir(mode=0o700, exist_ok=True)
            for cut_short in self.folder.glob("*.new"):
                with suppress(OSError):
                    if abs(self._clock() - cut_short.stat().st_mtime) > DAY_S:
                        cut_short.unlink()
            copy_store(self._store, path)
        except (OSError, sqlite3.Error) as error:
            raise store_error(error, self._store) from None
        for old in self.all()[MAX_BACKUPS:]:
            with suppress(OSError):
                old.unlink()
        return path

    def make_before_migration(self, version: int) -> None:
        """Make a copy before the tables of a store of this version change; raises StoreError."""
        try:
            self.make()
        except StoreError as error:
            raise StoreError(
                phrase(
                    "The store (version %(version)s) could not be copied before its update: %(error)s",
                    version=version,
                    error=error,
                )
            ) from None


def missing_games_notice(data_dir: Path, copies: Sequence[Path], log: Path | None) -> str | None:
    """Return a notice of other files in a data folder whose store has no games, and what to do; None if there are none.

    `log` is a log that was set aside because it gave no game.
    """
    pictures = sum(bool(OWN_PICTURE.fullmatch(path.name)) for path in (data_dir / PHOTOS).glob("*-photo.jpg"))
    copy, games = next(((copy, games) for copy in copies if (games := _games_in(copy))), (None, 0))
    what = join_names(
        [
            part
            for part, there in (
                (phrase("photographs (%(number)s)", number=pictures), pictures),
                (phrase("a backup with games (%(games)s, in %(copy)s)", games=games, copy=copy), copy),
                (phrase("a log that gave no game (kept as %(log)s)", log=log), log),
            )
            if there
        ]
    )
    if not what:
        return None
    do = (
        phrase(
            "move %(file)s out of %(folder)s; at the next start the games come back from the backup.",
            file=FILE_NAME,
            folder=data_dir,
        )
        if copy
        else phrase("copy the whole data folder again from where the games were played, once Upscore is stopped there.")
    )
    return phrase(
        "There are no games here, but the folder holds %(what)s. If games are missing, stop Upscore and %(do)s",
        what=what,
        do=do,
    )


def other_stores_notice(data_dir: Path) -> str | None:
    """Return a notice of copies beside the store, as sync programs make them, and what to do; None without any.

    Call it before the store is opened: closing any of its files would drop the locks that SQLite holds on it.
    """
    store = data_dir / FILE_NAME
    names = [
        path.name
        for path in sorted(data_dir.glob(f"{store.stem}*"))
        if not _is_same_file(path, store) and _is_database(path)  # its case may differ on Windows
    ]
    if not names:
        return None
    return phrase(
        "Another game store lies beside this one (%(names)s), perhaps from a sync program. It may hold other games: to "
        "see them, move it to a new folder, name it %(file)s, and start: upscore serve --data NEW_FOLDER",
        names=", ".join(names),
        file=FILE_NAME,
    )


def _is_same_file(path: Path, store: Path) -> bool:
    try:
        return path.samefile(store)
    except OSError:  # one of them is gone, or a link leads nowhere
        return False


def warn_of_synced_folder(data_dir: Path) -> str | None:
    """Return a notice that a sync program seems to use the data folder, and what to do; None if none seems to."""
    folders = (data_dir.absolute(), *data_dir.absolute().parents)
    name = next((each.name for each in folders if _SYNCED.match(each.name) or (each / ".stfolder").exists()), None)
    if name is None:
        return None
    return phrase(
        "The games lie in %(name)s, which a sync program seems to keep the same on several "
        "computers. Serve them from one computer at a time, or give another --data and copy backups "
        "into the synced folder.",
        name=name,
    )


def _is_database(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
    return False


def _games_in(copy: Path) -> int:
    """Count the games of a backup; 0 if it cannot be read."""
    with suppress(sqlite3.Error):
        return count_games(copy)
    return 0


def count_games(store: Path) -> int:
    """Count the games of a store that people would miss: all but the demo's."""
    with closing(connect(store)) as connection:
        return len(_list_kept_games(connection))


def copy_store(store: Path, to: Path) -> int:
    """Copy a store that is in use, whole or not at all; return how many games the copy holds.

    The copy is the store as it was at one moment, without the demo's games. Before it gets its name it is opened, and
    its games are compared with the store's. Raises StoreError, OSError or sqlite3.Error.
    """
    new = to.with_name(f"{to.name}.{secrets.token_hex(4)}.new")  # random, since two may copy at once
    new.touch(mode=0o600)
    try:
        with closing(connect(store)) as source, closing(connect(new)) as target:
            source.execute("BEGIN")  # so that we count the games in the very state that is copied
            wanted = _list_kept_games(source)
            source.backup(target)
            source.rollback()
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("PRAGMA foreign_keys = ON")
            target.execute("DELETE FROM games WHERE demo")
            target.commit()
        if not is_sound(new):
            raise sqlite3.DatabaseError("database disk image is malformed")
        with closing(connect(new)) as copied:
            games = _list_kept_games(copied)
        if games != wanted:
            raise StoreError(
                f"The copy of {store} held {len(games)} of {len(wanted)} games and was removed: "
                "check the disk, then try again."
            )
        new.replace(to)
        return len(games)
    finally:
        new.unlink(missing_ok=True)


def _list_kept_games(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """List the number and the version of each game that is not the demo's."""
    return connection.execute("SELECT id, version FROM games WHERE NOT demo ORDER BY id").fetchall()
