"""Rule 5 on plurals: a turn can't consist of simply adding S to a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.board import Board
from engine.lexicon.word_list import InflectingList, WordList
from engine.play import PlacedTile, Play
from engine.rules import violations as say
from engine.rules.house_rules import HouseRules
from engine.rules.scoring import WordScore
from engine.rules.violations import Violation
from engine.squares import Square


def plural_violations(
    board: Board, play: Play, words: Sequence[WordScore], lexicon: WordList | None, rules: HouseRules
) -> Iterator[Violation]:
    """Every breach of 5-plural, as the house rules have it; nothing where ``plural_rule`` is off."""
    if not rules.plural_rule or not words:
        return
    if len(play.tiles) == 1:
        tile = play.tiles[0]
        if tile.face == "S":
            if board.height(tile.square):
                yield from _stacked_s(tile.square, words, rules)
            else:
                yield from _lone_s(tile.square, words, lexicon, rules)
    elif not rules.several_tiles_ending_in_s:
        yield from _several_tiles(board, play.tiles, words[0])


def _lone_s(
    square: Square, words: Sequence[WordScore], lexicon: WordList | None, rules: HouseRules
) -> Iterator[Violation]:
    """One S on an empty square; a word that stood there had two squares or more before its S."""
    longer = [word for word in words if word.squares[-1] == square and len(word.squares) > 2]
    plurals = [word for word in longer if _is_plural(word.word, lexicon, rules)]
    if not plurals:
        return
    if len(plurals) == len(words):
        yield say.only_plural([word.word for word in plurals], square)
    elif not rules.lone_s_with_crossing_word:
        yield say.house_plural(f"a lone S may not make {plurals[0].word}, whatever it makes besides", square)


def _stacked_s(square: Square, words: Sequence[WordScore], rules: HouseRules) -> Iterator[Violation]:
    """One S on another letter: nothing was added, so it is allowed unless the table says otherwise."""
    if not rules.stacked_s and all(word.squares[-1] == square for word in words):
        yield say.house_plural(f"a lone S may not be stacked to make {words[0].word}", square)


def _several_tiles(board: Board, tiles: Sequence[PlacedTile], word: WordScore) -> Iterator[Violation]:
    """Several tiles that lengthen a word and end it with an S on an empty square."""
    end = word.squares[-1]
    last = next((tile for tile in tiles if tile.square == end), None)
    if last is None or last.face != "S" or board.height(end):
        return
    stood = [board.height(square) > 0 for square in word.squares]
    if any(one and other for one, other in pairwise(stood)):
        yield say.house_plural(f"{word.word} may not be made from a word by tiles that end in S", end)


def _is_plural(word: str, lexicon: WordList | None, rules: HouseRules) -> bool:
    """Whether a word is the plural of the word before its S or, unless the house says otherwise, its verb's form.

    A list that knows nothing of either takes every S for such, but none after another S.
    """
    if not isinstance(lexicon, InflectingList):
        return not word.endswith("SS")
    return lexicon.is_inflection(word) if rules.verb_s_plural else lexicon.is_plural(word)
