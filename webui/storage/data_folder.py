"""The data folder: Upscore's own, for its owner alone to read, and for one server at a time."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from webui.errors import StoreError

MARK = "upscore-data"
"""The file that marks the folder as Upscore's."""
LOCK = "upscore.lock"
_MARK_TEXT = "Upscore keeps games here. It touches no file but those that it named itself.\n"


class DataFolder:
    """The folder of --data, held by this process until `close`.

    `adopted` means that no earlier start has marked it as Upscore's own: its files may be anybody's.

    :raises StoreError: on construction, if the folder cannot be used or another server holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.adopted = False
        self._lock: IO[str] | None = None
        self._new_folders = [folder for folder in (path, *path.parents) if not folder.exists()]
        try:
            is_new = bool(self._new_folders) or not any(path.iterdir())
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            if is_new:
                path.chmod(0o700)
        except OSError as error:
            raise StoreError(
                f"The data folder {path} cannot be used ({error.strerror}): give another --data."
            ) from None
        self._hold()
        with suppress(OSError):  # on a full or read-only disk people can still look at games
            self._mark(is_new)

    def close(self) -> None:
        """Let another server have the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def abandon(self) -> None:
        """Close the folder, and remove it again if this object made it and it holds nothing."""
        with suppress(OSError):
            if self._new_folders and {each.name for each in self.path.iterdir()} <= {MARK, LOCK}:
                for name in (MARK, LOCK):
                    (self.path / name).unlink(missing_ok=True)
                for folder in self._new_folders:
                    folder.rmdir()
        self.close()

    def _hold(self) -> None:
        path = self.path / LOCK
        try:
            lock = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+")
        except OSError:
            return  # nothing can be written here, so no other server can write either
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            process = lock.read().strip()
            lock.close()
            raise StoreError(
                f"Another Upscore serves the games in {self.path} already"
                f"{f' (process {process})' if process.isdigit() else ''}: "
                "use its page, stop it first, or give another --data."
            ) from None
        with suppress(OSError):
            lock.truncate()
            lock.write(str(os.getpid()))
            lock.flush()
        self._lock = lock

    def _mark(self, is_new: bool) -> None:
        mark = self.path / MARK
        if mark.is_file():
            self.path.chmod(0o700)
            return
        self.adopted = not is_new
        mark.touch(0o600)
        mark.write_text(_MARK_TEXT, encoding="ascii")
