"""Reads SCOWL, Kevin Atkinson's word lists, as Debian's package ``scowl`` installs them.

Its files are named ``<spelling>-<class>.<size>`` and hold one UTF-8 entry a line. Sizes up to 70 hold what
most dictionaries have; 80 adds what word games like; 95 holds nearly everything, mistakes included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from upscore.words.list_text import fold

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)


@dataclass(frozen=True)
class Scowl:
    """A folder of SCOWL files."""

    folder: Path

    def entries(self, spellings: Iterable[str], classes: Iterable[str], size: int) -> Iterator[str]:
        """Yield the entries of every file of those spellings and classes, up to a size, as they are written."""
        kinds = tuple(classes)
        for spelling in spellings:
            for kind in kinds:
                for step in SIZES:
                    path = self.folder / f"{spelling}-{kind}.{step}"
                    if step <= size and path.exists():
                        yield from path.read_text(encoding="utf-8").split()

    def words(self, spellings: Iterable[str], size: int) -> set[str]:
        """Return lower-case entries without apostrophes, in plain capitals, of two letters or more."""
        folded = {fold(entry) for entry in self.entries(spellings, ("words",), size) if entry == entry.lower()}
        return {word for word in folded if len(word) > 1 and word.isascii() and word.isalpha()}


def letters_of(entry: str) -> str:
    """Return only the letters of an entry, in plain capitals: ``"isn't"`` gives ``"ISNT"``."""
    return "".join(sign for sign in fold(entry) if sign.isascii() and sign.isalpha())
