"""The pictures of turns: JPEG files under the data folder, written whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Collection
from pathlib import Path

from vision.images import Image, encode_jpeg
from vision.warp import resize
from webui.errors import NotThere, StoreError

KINDS = ("photo", "overlay", "square")
"""The photograph itself, the same with what was read drawn into it, and the square in question from near."""

KEPT_SIDE = 1920
"""Longest side of a kept picture, px."""


class PhotoShelf:
    """Writes and finds the files of photographs, each named by the photograph's key and a kind.

    What is kept is encoded anew: it carries none of the place and time that phones write into their files.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "photos"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {self._folder} cannot be used ({error.strerror}): give another --data."
            ) from None

    def keep(self, photo: Image, overlay: Image | None = None, square: Image | None = None) -> str:
        """Write a photograph and what belongs to it; its new key. Raises StoreError when the disk refuses."""
        key = secrets.token_hex(12)
        for kind, image in (("photo", photo), ("overlay", overlay), ("square", square)):
            if image is not None:
                self._write(f"{key}-{kind}.jpg", encode_jpeg(_fit(image)))
        return key

    def path(self, key: str, kind: str) -> Path:
        """The file of a photograph; raises NotThere."""
        if re.fullmatch(r"[0-9a-f]{24}", key) and kind in KINDS:
            path = self._folder / f"{key}-{kind}.jpg"
            if path.is_file():
                return path
        raise NotThere("There is no such picture.")

    def kinds(self, key: str) -> tuple[str, ...]:
        """Which pictures there are of a photograph."""
        return tuple(kind for kind in KINDS if (self._folder / f"{key}-{kind}.jpg").is_file())

    def sweep(self, keys: Collection[str]) -> int:
        """Delete the files of photographs that are not among `keys`; how many went."""
        loose = [path for path in self._folder.iterdir() if path.name.partition("-")[0] not in keys]
        for path in loose:
            path.unlink(missing_ok=True)
        return len(loose)

    def _write(self, name: str, data: bytes) -> None:
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix="new-", delete=False) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(self._folder / name)
        except OSError as error:
            raise StoreError(
                f"The photograph could not be kept ({error.strerror}): make room for it, then try again."
            ) from None


def _fit(image: Image) -> Image:
    longest = max(image.shape[:2])
    return image if longest <= KEPT_SIDE else resize(image, KEPT_SIDE / longest)
