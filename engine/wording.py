"""How lists are put for people."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """Names in a list to be read aloud: ``"d4"``, ``"d4 and e4"``, ``"d4, e4 and f4"``; of none ``""``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
