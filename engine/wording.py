"""Lists and numbers as people read them: counts in words up to ten, points in figures, as on the sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(names: Sequence[str]) -> str:
    """Join names for reading aloud: ``"d4"``, ``"d4 and e4"``, ``"d4, e4 and f4"``; no names give ``""``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, thing: str) -> str:
    """Write a number of things in words: ``counted(2, "tile")`` gives ``"two tiles"``."""
    return f"{number_word(number)} {thing}" if number == 1 else f"{number_word(number)} {thing}s"


def number_word(number: int) -> str:
    """Write a number in words up to ten: ``"no"``, ``"two"``, ``"11"``."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def points_text(number: int) -> str:
    """Write a number of points: ``"1 point"``, ``"12 points"``."""
    return f"{number} point" if number == 1 else f"{number} points"


def turns_text(number: int) -> str:
    """Write a number of turns: ``"1 turn"``, ``"12 turns"``."""
    return f"{number} turn" if number == 1 else f"{number} turns"


def board_name(edition: str) -> str:
    """Write the name of an edition for people: ``"10 × 10"``."""
    return re.sub(r"(?<=\d)x(?=\d)", " × ", edition)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question in brackets about the nearest known word, or "" if none is near."""
    near = get_close_matches(word, known, 1)
    return f" (did you mean {near[0]}?)" if near else ""


def signed(points: int | str) -> str:
    """Write points with a minus sign in place of a hyphen: ``"−5"``."""
    return str(points).replace("-", "−")


_JOINERS = {0x200C: None, 0x200D: None}
"""The signs that join letters and emoji, such as those of a family, into one."""


def one_line(text: str) -> str:
    """Return a text with a space for each sign that can't be shown on one line, such as a control character."""
    return "".join(each if each.isprintable() or ord(each) in _JOINERS else " " for each in text)


def is_one_line(text: str) -> bool:
    """Return whether a text shows something, and all of it on one line: letters, signs and emoji."""
    return bool(text.translate(_JOINERS).strip()) and one_line(text) == text
