"""Word lists for the referee, with a word graph for the solver, and verdicts on words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

from engine.errors import LexiconError, quote
from engine.faces import ENGLISH, Alphabet
from engine.lexicon.dawg import Dawg, build_dawg
from engine.wording import phrase

_A_TO_Z = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class WordList(Protocol):
    """A word list: ``"QUIET" in words``, for a word in capitals."""

    @property
    def name(self) -> str:
        """The list's name, as verdicts cite it."""

    def __contains__(self, word: object) -> bool: ...


@runtime_checkable
class InflectingList(Protocol):
    """A word list that also knows which words arise by adding an S to another word (5-plural)."""

    def is_plural(self, word: str) -> bool:
        """Return whether the word, in capitals, is the plural of a noun."""

    def is_inflection(self, word: str) -> bool:
        """Return whether the word, in capitals, is a plural or a verb form of the word before its last S."""


@runtime_checkable
class GradedList(Protocol):
    """A word list that also knows which of its words people hardly use."""

    def is_rare(self, word: str) -> bool:
        """Return whether the word, in capitals, is in the list but hardly used."""


@dataclass(frozen=True, eq=False, repr=False)
class Lexicon:
    """An immutable word list in capitals: ``"QUIET" in lexicon``. Make one with `Lexicon.from_words`.

    Verdicts cite it by its `name`.
    """

    _words: frozenset[str]
    name: str
    _not_plurals: frozenset[str]
    _not_inflections: frozenset[str]
    _rare: frozenset[str]
    alphabet: Alphabet = ENGLISH

    @classmethod
    def from_words(
        cls,
        words: Iterable[str],
        *,
        name: str = "words",
        not_plurals: Iterable[str] = (),
        not_inflections: Iterable[str] = (),
        rare: Iterable[str] = (),
        alphabet: Alphabet = ENGLISH,
    ) -> Lexicon:
        """Make a lexicon of words in the capitals A to Z, or those of another alphabet; repeated words count once.

        `not_plurals` are words in S that are not plurals of nouns, such as BEGS. `not_inflections` are words in S that
        are no form of the word before the S, such as HIS. A list that names none of these counts every word in S, but
        not in SS, as a plural. `rare` are words that people hardly use. Raises LexiconError for a word with any other
        character, and for an empty list.
        """
        known = frozenset(words)
        if not known:
            raise LexiconError(phrase("the word list %(name)s is empty: choose another", name=quote(name)))
        allowed = _A_TO_Z if alphabet.is_english else alphabet.letters
        if "" in known or not allowed.issuperset("".join(known)):
            wrong = next(word for word in known if not word or not allowed.issuperset(word))
            if not alphabet.is_english:
                raise LexiconError(
                    phrase(
                        "%(wrong)s is not a word in the letters %(letters)s: correct the word list",
                        wrong=quote(wrong),
                        letters=alphabet.described,
                    )
                )
            raise LexiconError(
                phrase("%(wrong)s is not a word in the capitals A to Z: correct the word list", wrong=quote(wrong))
            )
        return cls(known, name, frozenset(not_plurals), frozenset(not_inflections), frozenset(rare), alphabet)

    def __contains__(self, word: object) -> bool:
        return word in self._words

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        """Yield the words in alphabetical order."""
        return iter(sorted(self._words))

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}: {len(self._words)} words>"

    def is_plural(self, word: str) -> bool:
        """Return whether the word, in capitals, is the plural of a noun, as far as the list can tell."""
        return self.is_inflection(word) and word not in self._not_plurals

    def is_inflection(self, word: str) -> bool:
        """Return whether the word, in capitals, is a plural or a verb form of the word before its last S.

        A word that ends in S takes no second S, neither as a noun's plural nor as a verb's third person.
        """
        return word.endswith("S") and not word.endswith("SS") and word not in self._not_inflections

    def is_rare(self, word: str) -> bool:
        """Return whether the word, in capitals, is in the list but hardly used, as far as the list can tell."""
        return word in self._rare and word in self._words

    @cached_property
    def dawg(self) -> Dawg:
        """The graph of the words that tiles of its alphabet can show, built on first use in under a second."""
        return build_dawg(self._words, self.alphabet)

    def dawg_over(self, alphabet: Alphabet, longest: int) -> Dawg:
        """Return the graph of the words that up to `longest` tiles of an alphabet can show, built on first use.

        In English it has the longer words, too. Other languages have very many.
        """
        if alphabet.is_english and self.alphabet.is_english:
            return self.dawg
        if (alphabet, longest) not in self._graphs:
            self._graphs[alphabet, longest] = build_dawg(self._words, alphabet, longest)
        return self._graphs[alphabet, longest]

    @cached_property
    def _graphs(self) -> dict[tuple[Alphabet, int], Dawg]:
        return {}


NO_MEANING = phrase("No meaning is known here.")


@dataclass(frozen=True)
class WordVerdict:
    """The verdict of a word list on a word, which is in capitals.

    `sentence` is the whole verdict, to be read aloud: ``"XOOD is not playable: it is not in the word list."``.
    `reason` says in a clause why the word is not playable. `reason` and `meaning` are None if there is none.
    """

    word: str
    playable: bool
    sentence: str
    reason: str | None
    meaning: str | None

    def to_json(self) -> dict[str, str | bool | None]:
        """Return the verdict as the command line prints it."""
        return {"word": self.word, "playable": self.playable, "meaning": self.meaning, "reason": self.reason}

    def line(self) -> str:
        """Return the line that is printed: the sentence and, where it helps, the meaning."""
        if self.meaning is None:
            return f"{self.sentence} {NO_MEANING}" if self.playable else self.sentence
        return f"{self.sentence} {self.word.capitalize()}: {self.meaning}."
