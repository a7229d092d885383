"""Write files so that they appear whole or not at all. Every part of the program writes its files here."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

NEW_PREFIX, NEW_SUFFIX = "upscore-new-", ".tmp"
"""Parts of a file's name while it is written. They tell it from files that people put into the folder themselves."""


def write_atomically(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file whole; an older file of that name stays until the new one is complete.

    `mode` has its permissions, from which the process's mask removes some. Raises OSError and, if the disk allows it,
    removes the unfinished file.
    """
    new = path.with_name(f"{NEW_PREFIX}{secrets.token_hex(6)}{NEW_SUFFIX}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
