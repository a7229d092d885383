"""Numbers in sentences: of things in words up to ten, as the referee says them; points in figures, as on the sheet."""

from __future__ import annotations

from engine.rules.violations import counted, number_word

__all__ = ["counted", "number_word", "points_text"]


def points_text(number: int) -> str:
    """A number of points: ``"1 point"``, ``"12 points"``."""
    return f"{number} point" if number == 1 else f"{number} points"
