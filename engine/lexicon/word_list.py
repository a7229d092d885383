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
class PluralList(Protocol):
    """A word list that also knows which words are plurals of nouns (house rule ``verb_s_plural``)."""

    def is_plural(self, word: str) -> bool:
        """Whether the word, in capitals, is the plural of a noun."""
