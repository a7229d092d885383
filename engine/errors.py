"""The exceptions that all parts share. ``str(error)`` is one line for people: what is wrong and what to do."""

from __future__ import annotations


class UpscoreError(Exception):
    """A problem that a person can put right; the message is one line that says how."""


class PositionError(UpscoreError):
    """A square, stack or board that cannot exist."""


class NotationError(UpscoreError):
    """Text or data that breaks the rules of the notation."""


class RulesError(UpscoreError):
    """House rules, an edition or a question to the referee that makes no sense."""


class LexiconError(UpscoreError):
    """A word list that cannot be used."""


class GameError(UpscoreError):
    """An event that the game cannot take in its present state."""


def quote(value: object) -> str:
    """Quote `value` for an error message: on one line, shortened to 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
