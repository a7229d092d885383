"""Reading zip files that anybody may have made: few parts, of bounded size, each asked for by its name.

Nothing is unpacked to the disk, so no name in such a file leads anywhere.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Collection
from typing import IO

from webui.errors import WebError

MAX_FILES = 1000
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)
"""Errors besides OSError for a damaged zip file. RuntimeError stands for one with a password or of another kind."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods that Upscore packs with. With others a file might grow to any size before we can tell."""


def open_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """Open a zip file that somebody sent; raises WebError if it is damaged."""
    try:
        return zipfile.ZipFile(file)
    except (OSError, *DAMAGED):
        raise WebError("The zip file is damaged: use a whole copy.") from None


def check_contents(archive: zipfile.ZipFile, needed: Collection[str], what: str, most: int) -> set[str]:
    """Return the names in a zip file; raises WebError if one of `needed` is missing, or it has more than `most` bytes.

    `what` the file should hold is named in errors: "game".
    """
    infos = archive.infolist()
    if len(infos) > MAX_FILES or sum(info.file_size for info in infos) > most:
        raise WebError(f"This zip file holds more than any {what}: choose the one that Upscore wrote.")
    names = set(archive.namelist())
    for name in needed:
        if name not in names:
            raise WebError(f"There is no {name} in this zip file: choose the one that Upscore wrote.")
    return names


def read_part(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Read a part of a zip file, of at most `most` bytes. Check its size before unpacking it; raises WebError."""
    info = archive.getinfo(name)
    if info.file_size > most or info.compress_type not in _METHODS:
        raise WebError(f"Upscore did not write this zip file ({name}): choose the one that it wrote.")
    try:
        with archive.open(info) as part:
            return part.read(most + 1)  # limited, since the size given in the zip may be wrong
    except (OSError, *DAMAGED):
        raise WebError(f"The zip file is damaged ({name}): use a whole copy.") from None
