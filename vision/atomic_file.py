"""Files that appear whole or not at all: the one writer of all parts that write any."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

NEW_PREFIX, NEW_SUFFIX = "upscore-new-", ".tmp"
"""What a file is called while it is written: told apart from whatever people lay into the folder themselves."""


def write_atomically(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file; what was there stays until the new one is whole.

    `mode` are its permissions, as far as the process's mask lets them be. Raises OSError, leaving nothing behind unless
    the disk refuses that, too.
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
