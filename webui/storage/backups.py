"""Copies of the store that it makes of itself: one a day and one before its tables change, the newest few kept."""

from __future__ import annotations

import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from webui.errors import StoreError
from webui.storage.database import connect, store_error
from webui.storage.photo_shelf import FOLDER as PHOTOS
from webui.storage.photo_shelf import OWN_PICTURE
from webui.storage.rescue import is_sound
from webui.storage.store import FILE_NAME

KEPT = 7
DAY_S = 24 * 3600.0
_NAME = re.compile(r"upscore-(\d{6})\.sqlite3")


class Backups:
    """The folder `backups` in the data folder. `clock` gives seconds since 1970."""

    def __init__(self, data_dir: Path, store: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = data_dir / "backups"
        self._store, self._clock = store, clock

    def all(self) -> tuple[Path, ...]:
        """The copies that there are, the newest first. They are numbered on, so that no clock can misplace one."""
        with suppress(OSError):
            found = {path: _NAME.fullmatch(path.name) for path in self.folder.iterdir()}
            numbered = {path: int(name[1]) for path, name in found.items() if name}
            return tuple(sorted(numbered, key=numbered.__getitem__, reverse=True))
        return ()

    def make_if_due(self) -> Path | None:
        """A new copy, where the newest is not of the last day (or of a day to come, by a clock that was wrong)."""
        newest = next(iter(self.all()), None)
        if newest is not None:
            with suppress(OSError):
                if abs(self._clock() - newest.stat().st_mtime) < DAY_S:
                    return None
        return self.make()

    def make(self) -> Path | None:
        """A new copy, while games go on; None where there is no game to copy. Raises StoreError."""
        newest = next(iter(self.all()), None)
        number = 1 if newest is None else int(newest.stem.rpartition("-")[2]) + 1
        path = self.folder / f"upscore-{number:06}.sqlite3"
        try:
            if not count_games(self._store):
                return None
            self.folder.mkdir(mode=0o700, exist_ok=True)
            self._sweep()
            copy_store(self._store, path)
        except (OSError, sqlite3.Error) as error:
            raise store_error(error, self._store) from None
        for old in self.all()[KEPT:]:
            with suppress(OSError):
                old.unlink()
        return path

    def _sweep(self) -> None:
        """Remove what a copy that was cut short has left."""
        for left in self.folder.glob("*.new"):
            with suppress(OSError):
                if abs(self._clock() - left.stat().st_mtime) > DAY_S:
                    left.unlink()


def beside_no_games(data_dir: Path, copies: Sequence[Path], log: Path | None) -> str | None:
    """Say what else lies in a data folder whose store has no games, and what to do; None where there is nothing.

    `log` is a log that was set aside and gave no game.
    """
    pictures = sum(bool(OWN_PICTURE.fullmatch(path.name)) for path in (data_dir / PHOTOS).glob("*-photo.jpg"))
    copy, games = next(((copy, games) for copy in copies if (games := _games_in(copy))), (None, 0))
    what = " and ".join(
        part
        for part, there in (
            (f"photographs ({pictures})", pictures),
            (f"a backup with games ({games}, in {copy})", copy),
            (f"a log that gave no game (kept as {log})", log),
        )
        if there
    )
    if not what:
        return None
    do = (
        f"move {FILE_NAME} out of {data_dir}; at the next start the games come back from the backup."
        if copy
        else "copy the whole data folder again from where the games were played, once Upscore is stopped there."
    )
    return (
        f"There are no games here, but the folder holds {what}. If games are missing, stop Upscore and {do}"
    )


def other_stores(data_dir: Path) -> str | None:
    """Name copies of the store that lie beside it, as sync programs make them, and say what to do."""
    names = [
        path.name
        for path in sorted(data_dir.glob(f"{Path(FILE_NAME).stem}*"))
        if path.name != FILE_NAME and _is_database(path)
    ]
    if not names:
        return None
    return (
        f"Beside the game store lies another one: {', '.join(names)}. A sync program makes such a copy when two "
        "computers use the folder at the same time; either may hold games that the other lacks. To look at its games, "
        f"copy it into a new folder under the name {FILE_NAME} and start: upscore serve --data NEW_FOLDER. Then move "
        "it out of the data folder."
    )


def _is_database(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
    return False


def _games_in(copy: Path) -> int:
    """Count the games of a backup; 0 where it cannot be read."""
    with suppress(sqlite3.Error):
        return count_games(copy)
    return 0


def count_games(store: Path) -> int:
    """Count the games of a store that would be missed: all but the demo's."""
    with closing(connect(store)) as connection:
        return len(_kept_games(connection))


def copy_store(store: Path, to: Path) -> int:
    """Copy a store that is in use, whole or not at all; return how many games the copy holds.

    The copy is the store as it was at one moment, without the demo's games. Before it gets its name it is opened, and
    its games are compared with the store's. Raises StoreError, OSError or sqlite3.Error.
    """
    new = to.with_name(f"{to.name}.{secrets.token_hex(4)}.new")  # two may copy at once
    new.touch(mode=0o600)
    try:
        with closing(connect(store)) as source, closing(connect(new)) as target:
            source.execute("BEGIN")  # the games are counted in the very state that is copied
            wanted = _kept_games(source)
            source.backup(target)
            source.rollback()
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("PRAGMA foreign_keys = ON")
            target.execute("DELETE FROM games WHERE demo")
            target.commit()
        if not is_sound(new):
            raise sqlite3.DatabaseError("database disk image is malformed")
        with closing(connect(new)) as copied:
            found = _kept_games(copied)
        if found != wanted:
            raise StoreError(
                f"The copy of {store} held {len(found)} of {len(wanted)} games and was removed: "
                "see that the disk is in order, then try again."
            )
        new.replace(to)
        return len(found)
    finally:
        new.unlink(missing_ok=True)


def _kept_games(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """List the number and the version of each game that is not the demo's."""
    return connection.execute("SELECT id, version FROM games WHERE NOT demo ORDER BY id").fetchall()


def backed_up_before(backups: Backups) -> Callable[[int], None]:
    """What a store does before its tables change: no change without a copy."""

    def before(version: int) -> None:
        try:
            backups.make()
        except StoreError as error:
            raise StoreError(
                f"The store (version {version}) could not be copied before its update: {error}"
            ) from None

    return before
