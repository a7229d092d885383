"""The pictures of turns: JPEG files under the data folder, written whole or not at all."""

from __future__ import annotations

import errno
import logging
import os
import re
import secrets
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from engine.wording import phrase
from vision.atomic_file import NEW_PREFIX, NEW_SUFFIX, write_atomically
from vision.geometry.rectify import resize
from vision.images import Image, encode_jpeg
from webui.errors import DiskFull, NotThere, StoreError

KINDS = ("photo", "overlay", "square")
"""The photograph itself, the photograph with the reading drawn into it, and the square in question enlarged."""

MAX_SIDE_PX = 1920
"""Longest side of a stored picture, in pixels. [by eye]"""

START_BOARD_S = 24 * 3600.0
"""Seconds that a picture without a game is left alone, since people may still check its start board. [by eye]"""

BIN_DAYS = 30
"""Days in the bin after which a picture without a game is deleted. [by eye]"""

_NO_PICTURE = phrase("There is no such picture.")
_LOG = logging.getLogger(__name__)
OWN_PICTURE = re.compile(rf"[0-9a-f]{{24}}-(?:{'|'.join(KINDS)})\.jpg")
"""The name of a picture's file."""
FOLDER = "photos"
_OWN_NAME = re.compile(rf"{OWN_PICTURE.pattern}|{re.escape(NEW_PREFIX)}\w+{re.escape(NEW_SUFFIX)}")


class PhotoShelf:
    """The files of photographs, each named by the photograph's key and a kind.

    Pictures are encoded again, so that they don't keep the places and times that phones write into their files.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._bin = self._folder / "bin"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            if self._folder.is_dir() or error.errno in (28, 30):  # full or read-only: games can be looked at
                return
            raise StoreError(
                f"The folder {self._folder} cannot be used ({error.strerror}): give another --data."
            ) from None

    def keep(
        self, photo: Image, overlay: Image | None = None, square: Image | None = None, *, turns: int = 0
    ) -> str:  # fmt: skip
        """Write a photograph and its other pictures; return its new key. Raises StoreError if the disk refuses.

        `turns` are the quarters, against the clock, by which the photograph is shown turned. It is stored as it is.
        """
        key = secrets.token_hex(12)
        try:
            for kind, image in (("photo", photo), ("overlay", overlay), ("square", square)):
                if image is not None:
                    data = encode_jpeg(resize(image, min(1.0, MAX_SIDE_PX / max(image.shape[:2]))))
                    data = _note_turns(data, turns) if turns and kind == "photo" else data
                    write_atomically(self._folder / f"{key}-{kind}.jpg", data, mode=0o600)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull from None
            raise StoreError(
                phrase(
                    "The photograph could not be kept (%(reason)s): check that the disk can be written, then "
                    "try again.",
                    reason=error.strerror,
                )
            ) from None
        return key

    def load_upright(self, key: str, kind: str) -> Image:
        """Return a picture, (h, w, 3) BGR, a photograph with its board upright; raises NotThere."""
        turns = read_turns(self.path(key, kind).read_bytes())
        return np.ascontiguousarray(np.rot90(self.load(key, kind), turns))

    def load(self, key: str, kind: str = "photo") -> Image:
        """Return a picture as it is stored, (h, w, 3) BGR; raises NotThere.

        Our own file is decoded as it is: `load_image` would mistake the edge of a caption for damage.
        """
        data = self.path(key, kind).read_bytes()
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
        if image is None:
            raise NotThere(_NO_PICTURE)
        return np.asarray(image, np.uint8)

    def path(self, key: str, kind: str) -> Path:
        """Return the file of a photograph; raises NotThere."""
        if re.fullmatch(r"[0-9a-f]{24}", key) and kind in KINDS:
            path = self._folder / f"{key}-{kind}.jpg"
            if path.is_file():
                return path
        raise NotThere(_NO_PICTURE)

    def has(self, key: str) -> bool:
        """Return whether a photograph is still there. Deleting old photos removes pictures of games that stay."""
        return (self._folder / f"{key}-photo.jpg").is_file()

    def kinds(self, key: str) -> tuple[str, ...]:
        """Return the kinds of pictures that a photograph has."""
        return tuple(kind for kind in KINDS if (self._folder / f"{key}-{kind}.jpg").is_file())

    def sweep(self, keys: Collection[str], *, since: float) -> int:
        """Move files of photographs that are not among `keys` to the bin, and bring others back. Return how many went.

        Files written before `since` (seconds since 1970) stay: they may belong to games of another store, or to turns
        that no copy held. Files that the disk refuses to move also stay. Without any `keys` nothing moves, since the
        store may be the wrong one.
        """
        if not keys:
            return 0
        for path in _own_files(self._bin):  # pictures of a game that came back with a backup of the store
            if _key(path) in keys:
                with suppress(OSError):
                    path.replace(self._folder / path.name)
        moved, newest = 0, time.time() - START_BOARD_S
        for path in _own_files(self._folder):
            with suppress(OSError):
                if _key(path) not in keys and since < path.stat().st_mtime <= newest:
                    self._bin_file(path)
                    moved += 1
        if moved:
            text = "Pictures that belong to no game were moved to %s, to be deleted after %d days (files: %d)."
            _LOG.warning(text, self._bin, BIN_DAYS, moved)
        return moved

    def empty_bin(self, keys: Collection[str]) -> None:
        """Delete pictures that have been in the bin for `BIN_DAYS`, except those of the photographs with these `keys`.

        Those belong to a game again, and the next sweep brings them back. Files that the disk refuses to delete stay.
        """
        oldest = time.time() - BIN_DAYS * 24 * 3600
        for path in _own_files(self._bin):
            with suppress(OSError):
                if _key(path) not in keys and path.stat().st_mtime < oldest:
                    path.unlink()

    def throw_away(self, keys: Collection[str]) -> None:
        """Move the pictures of these photographs to the bin, as when their game is deleted."""
        for path in _own_files(self._folder):
            if _key(path) in keys:
                with suppress(OSError):
                    self._bin_file(path)

    def count_bytes(self, keys: Collection[str] | None = None) -> int:
        """Return the bytes of all pictures, including those in the bin, or of the photographs with these keys only."""
        used = 0
        for path in (*_own_files(self._folder), *(_own_files(self._bin) if keys is None else ())):
            with suppress(OSError):
                used += path.stat().st_size if keys is None or _key(path) in keys else 0
        return used

    def _bin_file(self, path: Path) -> None:
        self._bin.mkdir(exist_ok=True)
        os.utime(path)  # its days in the bin begin now; set before the move, so that it never looks old there
        path.replace(self._bin / path.name)


_TURNS = b"Upscore: quarter turns "
_NOTED_TURNS = re.compile(rb"\xff\xd8\xff\xfe.." + _TURNS + rb"([1-3])", re.DOTALL)


def read_turns(data: bytes) -> int:
    """Return the quarters, against the clock, by which the photograph in a JPEG file is shown turned."""
    noted = _NOTED_TURNS.match(data)
    return 0 if noted is None else int(noted[1])


def _note_turns(data: bytes, turns: int) -> bytes:
    """Return JPEG data with a comment that says by how many quarters the picture is shown turned."""
    comment = _TURNS + str(turns).encode()
    return data[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + data[2:]


def _own_files(folder: Path) -> list[Path]:
    """Return the files in a folder that the shelf itself named; none if the folder cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [
                Path(entry)
                for entry in entries
                if _OWN_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []


def _key(path: Path) -> str:
    """Return the key of a file's photograph. A half-written file gives a text that isn't a key."""
    return path.name.partition("-")[0]
