"""Tells whether a table's own word list has changed since it was loaded, without reading its words."""

from __future__ import annotations

import hashlib
from pathlib import Path

from engine.errors import LexiconError, quoted
from upscore.words.loader import lexicon_names, load_lexicon


def lexicon_digest(name_or_file: str) -> str:
    """A digest of a shipped list's words or of a file's bytes: taken when the list is loaded, it tells a change.

    Raises LexiconError where there is no such list or its file cannot be read.
    """
    if name_or_file in lexicon_names():
        content = "\n".join(load_lexicon(name_or_file)).encode()
    else:
        try:
            content = Path(name_or_file).read_bytes()
        except OSError as error:
            raise LexiconError(
                f"the word list {quoted(name_or_file)} cannot be read: put the file back, then ask again"
            ) from error
    return hashlib.sha256(content).hexdigest()


def change_since(name_or_file: str, digest: str) -> str | None:
    """One line to show where a list is no longer what it was when `digest` was taken; None where it is.

    Nothing is changed by asking: the page keeps the words that it has loaded. Raises LexiconError as `lexicon_digest`
    does.
    """
    if lexicon_digest(name_or_file) == digest:
        return None
    name = Path(name_or_file).name
    return (
        f"The word list {name} has changed since the page was started: put the old file back, or start the page "
        "again to go by the new one."
    )
