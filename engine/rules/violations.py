"""Violations and the sentences that describe them, for reading aloud."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.edition import Edition
from engine.squares import Square, centre_squares, square_name, square_names
from engine.wording import counted, number_word


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a play breaks: the rule's id, a sentence for reading aloud, and the squares concerned."""

    rule: str
    text: str
    squares: tuple[Square, ...]

    @property
    def of_words(self) -> bool:
        """Whether only a word list objects (Rule 7): such a play stands unless somebody challenges it."""
        return self.rule.startswith("7")


def too_many(squares: tuple[Square, ...], most: int) -> Violation:
    text = f"Equipment: a rack holds {counted(most, 'tile')}, and this turn plays {counted(len(squares), 'tile')}."
    return Violation("equipment", text, squares)


def first_too_short(squares: tuple[Square, ...], *, qu: bool) -> Violation:
    lone = "a lone Qu tile" if qu else "one tile"
    return Violation("3", f"Rule 3, first play: it takes two tiles at least, and this is {lone}.", squares)


def first_off_start(squares: tuple[Square, ...], edition: Edition) -> Violation:
    marked = sorted(edition.start)
    kind = "centre" if edition.start == centre_squares(edition.size) else "start"
    which = f"the {kind} square" if len(marked) == 1 else f"at least one of the {kind} squares"
    return Violation("3", f"Rule 3, first play: it must cover {which} ({square_names(marked)}).", squares)


def not_one_line(squares: tuple[Square, ...]) -> Violation:
    named = square_names(dict.fromkeys(squares))
    text = f"Rule 4, one line: {named} are not in one row or one column."
    return Violation("4-line", text, squares)


def broken_line(gaps: tuple[Square, ...]) -> Violation:
    text = f"Rule 4, one line: the tiles leave a gap at {square_names(gaps)}."
    return Violation("4-line", text, gaps)


def not_connected(squares: tuple[Square, ...]) -> Violation:
    text = "Rule 4, connected: no tile lies beside or on top of a tile that was there before."
    return Violation("4-connect", text, squares)


def two_on_one(square: Square, count: int) -> Violation:
    name = square_name(square)
    text = f"Rule 5, stacking: {counted(count, 'tile')} went on {name} in one turn, and only one may."
    return Violation("5-one", text, (square,))


def same_letter(square: Square, face: str) -> Violation:
    text = f"Rule 5, stacking: the {face} on {square_name(square)} covers another {face}."
    return Violation("5-same", text, (square,))


def too_high(square: Square, height: int, most: int) -> Violation:
    name = square_name(square)
    text = f"Rule 5, stacking: {name} would be {counted(height, 'tile')} high, and {number_word(most)} is the most."
    return Violation("5-five", text, (square,))


def all_covered(word: str, squares: tuple[Square, ...]) -> Violation:
    text = f"Rule 5, stacking: the turn covers all of {word}; one letter must stay."
    return Violation("5-cover", text, squares)


def only_plural(words: Iterable[str], square: Square) -> Violation:
    text = f"Rule 5, plurals: a turn can't simply add an S to make {' and '.join(words)}."
    return Violation("5-plural", text, (square,))


def house_plural(text: str, square: Square) -> Violation:
    return Violation("5-plural", f"House rule, plurals: {text}.", (square,))


def no_word(squares: tuple[Square, ...]) -> Violation:
    return Violation("5-all", "Rule 5, words: the turn makes no word of two letters or more.", squares)


def parallel(words: Iterable[str], squares: tuple[Square, ...]) -> Violation:
    text = f"House rule, one crossing word: the turn makes {' and '.join(words)}."
    return Violation("5-all", text, squares)


def unknown_word(word: str, list_name: str, squares: tuple[Square, ...]) -> Violation:
    return Violation("7", f"Rule 7, words: {word} is not in the word list “{list_name}”.", squares)
