"""What the referee asks of a word list."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


class WordList(Protocol):
    """A word list: ``"QUIET" in words``, for a word in capitals."""

    @property
    def name(self) -> str:
        """The list's name, as verdicts cite it."""

    def __contains__(self, word: object) -> bool: ...


@runtime_checkable
class InflectingList(Protocol):
    """A word list that also knows which words another word and an S make (5-plural)."""

    def is_plural(self, word: str) -> bool:
        """Whether the word, in capitals, is the plural of a noun."""

    def is_inflection(self, word: str) -> bool:
        """Whether the word, in capitals, is a plural or a verb's form of the word before its last S."""


@runtime_checkable
class GradedList(Protocol):
    """A word list that also knows which of its words people hardly use."""

    def is_rare(self, word: str) -> bool:
        """Whether the word, in capitals, is in the list and hardly in use."""
