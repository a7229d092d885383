"""The exception hierarchy that every part of the product shares.

``str(error)`` is always one line that says what is wrong and what to do about it, fit to be shown to people.
"""

from __future__ import annotations


class UpscoreError(Exception):
    """Anything that a person can put right; the message is one line that says how."""


class PositionError(UpscoreError):
    """A square, stack or board that cannot exist."""


class NotationError(UpscoreError):
    """Text or data that is not written as the notation asks."""


class RulesError(UpscoreError):
    """House rules, editions or questions to the referee that make no sense."""


class LexiconError(UpscoreError):
    """A word list that cannot be used."""


class GameError(UpscoreError):
    """An event that the game cannot take in its present state."""


def quoted(value: object, limit: int = 40) -> str:
    """Quote `value` for an error message: on one line, shortened to about `limit` characters."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
