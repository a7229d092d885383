"""The data folder: Upscore's own, for its owner alone to read, and for one server at a time.

Beside the games lie small JSON files, which no game depends on: one that fails is warned of, and gone without.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeVar

from engine.json_reading import load_own_json
from vision.atomic_file import write_atomically
from vision.system import lock
from webui.errors import StoreError

MARK = "upscore-data"
"""The file that marks the folder as Upscore's."""
LOCK = "upscore.lock"
_MARK_TEXT = "Upscore keeps games here. It touches no file but those that it named itself.\n"


class DataFolder:
    """The folder of --data, held by this process until `close`.

    `adopted` means that no earlier start marked it as Upscore's own, so its files may belong to anybody.

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
            mark = path / MARK
            if mark.is_file():
                path.chmod(0o700)
            else:
                self.adopted = not is_new
                mark.touch(0o600)
                mark.write_text(_MARK_TEXT, encoding="ascii")

    def close(self) -> None:
        """Let another server have the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def abandon(self) -> None:
        """Close the folder, and remove it again if this object made it and it holds nothing."""
        with suppress(OSError):
            if self._new_folders and {each.name for each in self.path.iterdir()} <= {MARK, LOCK}:
                (self.path / MARK).unlink(missing_ok=True)
                self._remove_lock()
                for folder in self._new_folders:
                    folder.rmdir()
        self.close()

    def _remove_lock(self) -> None:
        lock = self.path / LOCK
        try:
            lock.unlink(missing_ok=True)
        except PermissionError:  # Windows removes no file that is open
            self.close()
            lock.unlink()

    def _hold(self) -> None:
        path = self.path / LOCK
        try:
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="ascii")
        except OSError:
            return  # nothing can be written here, so no other server can write either
        try:
            is_held = lock(file)
        except OSError as error:
            file.close()
            raise StoreError(
                f"Nothing can be locked in {self.path}, as on some network drives ({error.strerror}): "
                "give a --data on a disk of this computer."
            ) from None
        if not is_held:
            process = file.read().strip()
            file.close()
            raise StoreError(
                f"Another Upscore serves the games in {self.path} already"
                f"{f' (process {process})' if process.isdigit() else ''}: "
                "use its page, stop it first, or give another --data."
            )
        with suppress(OSError):
            file.truncate()
            file.write(str(os.getpid()))
            file.flush()
        self._lock = file


_LOG = logging.getLogger(__name__)

T = TypeVar("T")


def load_side_file(path: Path, read: Callable[[Any], T], loss: str) -> T | None:
    """Return the result of `read` for a file.

    Return None if there is no file, or, with a warning of the `loss`, if it fails.
    """
    try:
        return read(load_own_json(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        _LOG.warning("%s cannot be read, so %s: %s", path, loss, error)
    return None


def save_side_file(path: Path, data: object, loss: str) -> None:
    """Write a file for its owner alone, or warn of the `loss`."""
    try:
        write_atomically(path, json.dumps(data).encode(), mode=0o600)
    except OSError as error:
        _LOG.warning("%s cannot be written, so %s: %s", path, loss, error)
