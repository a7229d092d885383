"""The tables of docs/constants.md hold what the source says of its constants; that they are up to date is tested with
the other references."""

from __future__ import annotations

import re

from bench.documents.constants import Constant, constants_in, rooms

SOURCE = '''
"""A module."""
from somewhere import Floats

_HEIGHT = 2.5
"""Cells that a stack is high,
at most. By eye."""
_BARE = 3
_LOW, HIGH = 1, (2.0, 1e-6)
"""Both ends."""
STEPS: Floats = range(4)
"""By definition."""
SENTENCE = "Take {} off."
"""What people are told."""
lower = 4
"""No constant."""


@dataclass(frozen=True)
class Limits:
    """What is tried.

    Attributes:
        most: things that are tried,
            one by one.
        same: share within which two are one.
    """

    most: int = 6
    same: float = 0.5


LIMITS = Limits()


@dataclass
class Held:
    """What is held."""

    count: int = 0
    last: Limits | None = None


HELD = Held()
OTHERS = Limits(same=0.7)
"""What is tried elsewhere."""
'''

UNTOLD = {
    "VERSION", "_SOF", "_SOS, _EOI", "_BEGUN_WITH_EACH", "_HEIGHTS", "_PHASES",
    "_GRID", "_SURE", "_DOUBT", "_WRONG", "_NEW", "_INK", "_PAPER", "_LINE",
}  # fmt: skip
"""Numbers that nobody tuned and that need no words: of formats, counts of what is there, colours to draw in."""


def test_constants_are_told_by_their_docstrings() -> None:
    assert list(constants_in("heights", SOURCE)) == [
        Constant("heights", "_HEIGHT", "2.5", "Cells that a stack is high, at most. By eye."),
        Constant("heights", "_BARE", "3", ""),
        Constant("heights", "_LOW, HIGH", "(1, (2.0, 1e-06))", "Both ends."),
        Constant("heights", "STEPS", "range(4)", "By definition."),
        Constant("heights", "Limits", "", "What is tried."),
        Constant("heights", "most", "6", "things that are tried, one by one."),
        Constant("heights", "same", "0.5", "share within which two are one."),
        Constant("heights", "OTHERS", "Limits(same=0.7)", "What is tried elsewhere."),
    ]


def test_a_row_names_module_constant_and_value() -> None:
    assert Constant("seams", "_MOST", "6", "By eye.").row() == ("seams: `_MOST`", "`6`", "By eye.")
    assert Constant("seams", "Limits", "", "All.").row() == ("seams: **Limits**", "", "All.")


def test_every_number_of_reading_and_calibration_is_told() -> None:
    untold = [
        f"{room}{constant.module}: {constant.names}"
        for room, constants in rooms().items()
        for constant in constants
        if not constant.text and re.search(r"\b\d", constant.value) and constant.names not in UNTOLD
    ]
    assert untold == []


def test_every_room_is_covered() -> None:
    assert {"vision/", "vision/turn/", "vision/turn/inference/", "calibration/"} <= rooms().keys()
    assert not any(room.startswith("calibration/training") for room in rooms())
