"""Reading zip files that anybody may have made: few parts, of bounded size, each asked for by its name.

Nothing is unpacked under a name of the file, so no name in it leads anywhere. A person's computer may have unpacked the
file and packed it again: then its parts get the names that Upscore gave them.
"""

from __future__ import annotations

import zipfile
import zlib
from typing import IO

from engine.wording import phrase
from webui.errors import WebError

MAX_FILES = 1000
_MAX_LIST = 2**19
"""Bytes of a zip file's list of names: those of `MAX_FILES` take a quarter of it. [by eye]"""
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)
"""Errors besides OSError for a damaged zip file. RuntimeError stands for one of a kind that is not read."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods that Upscore packs with. With others a file might grow to any size before we can tell."""
_JUNK = (".DS_Store", "Thumbs.db", "desktop.ini")
_ENCRYPTED = 0x1
_LIST_SIZE = 5
"""The place of the size of a zip file's list of names in its last record."""


def open_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """Open a zip file that somebody sent; raises WebError if it is damaged, or lists too many names."""
    try:
        check_list(file, _MAX_LIST)
        return zipfile.ZipFile(file)
    except (OSError, *DAMAGED):
        raise WebError(phrase("The zip file is damaged: use a whole copy.")) from None


def check_list(file: IO[bytes], most: int) -> None:
    """Raise WebError if a zip file's list of names has more bytes than `most`. Reading it takes ten times as many."""
    record = zipfile._EndRecData(file)  # type: ignore[attr-defined]
    if record and record[_LIST_SIZE] > most:
        raise WebError(phrase("This zip file holds more files than Upscore ever packs: choose the one that it wrote."))


def restore_names(archive: zipfile.ZipFile, marker: str) -> None:
    """Give the files of an opened zip file the names that Upscore gave them.

    Backslashes become slashes, the folder that `marker` lies in goes, and so do folders and what computers add.

    :raises WebError: with the reason, if this is no plain zip file of one thing.
    """
    named: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        slashed = info.filename.replace("\\", "/")
        parts = [part for part in slashed.split("/") if part not in ("", ".")]
        is_junk = "__MACOSX" in parts or (parts and (parts[-1] in _JUNK or parts[-1].startswith("._")))
        if not parts or slashed.endswith("/") or is_junk:
            continue
        name = "/".join(parts)
        if name in named:
            raise WebError(phrase("This zip file holds %(name)s twice: choose the one that Upscore wrote.", name=name))
        named[name] = info
    tops = [name.removesuffix(marker) for name in named if f"/{name}".endswith(f"/{marker}")]
    if len(tops) > 1:
        raise WebError(phrase("This zip file holds several of them: unpack it, zip each by itself, and give one."))
    if not tops and [name for name in named if name.lower().endswith(".zip")] == list(named) != []:
        raise WebError(
            phrase("This zip file holds another one (%(name)s): unpack it, and give that one.", name=next(iter(named)))
        )
    for name, info in named.items():
        if info.flag_bits & _ENCRYPTED:
            raise WebError(phrase("This zip file has a password or is damaged: zip its folder again, without one."))
        if info.compress_type not in _METHODS:
            raise WebError(
                phrase("This zip file is packed in a way that is not read here, or damaged: zip its folder again.")
            )
        info.filename = name.removeprefix(tops[0]) if tops else name
    archive.filelist[:] = named.values()
    archive.NameToInfo.clear()
    archive.NameToInfo.update({info.filename: info for info in named.values()})


def check_size(archive: zipfile.ZipFile, what: str, most: int) -> None:
    """Raise WebError if a zip file has too many parts, or more than `most` bytes. `what` names what it should hold."""
    infos = archive.infolist()
    if len(infos) > MAX_FILES or sum(info.file_size for info in infos) > most:
        raise WebError(
            phrase("This zip file is too large to be a %(what)s. Choose the one that Upscore wrote.", what=what)
        )


def read_part(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Read a part of a zip file, of at most `most` bytes. Check its size before unpacking it; raises WebError."""
    info = archive.getinfo(name)
    if info.file_size > most or info.compress_type not in _METHODS:
        raise WebError(
            phrase("Upscore did not write this zip file (%(name)s): choose the one that it wrote.", name=name)
        )
    try:
        with archive.open(info) as part:
            return part.read(most + 1)  # limited, since the size given in the zip may be wrong
    except (OSError, *DAMAGED):
        raise WebError(phrase("The zip file is damaged (%(name)s): use a whole copy.", name=name)) from None
