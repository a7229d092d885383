"""The referee: what a play breaks, what it makes and what it scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board import Board, stacks_after
from engine.editions import Edition
from engine.errors import RulesError
from engine.lexicon.word_list import WordList
from engine.play import Play
from engine.rules import violations as say
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.rules.placement import placement_violations
from engine.rules.plurals import plural_violations
from engine.rules.scoring import WordScore, all_tiles_bonus, score_word, words_made
from engine.rules.violations import Violation

__all__ = ["Verdict", "Violation", "referee"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says of a play.

    `violations` holds every rule that the play breaks; `words` and `points` say what it scores, or
    would score if it were left standing; `points` includes `bonus`, the 20 of rule 6D.
    """

    violations: tuple[Violation, ...]
    words: tuple[WordScore, ...]
    points: int
    bonus: int

    @property
    def legal(self) -> bool:
        """Whether the play breaks no rule."""
        return not self.violations

    @property
    def breaches(self) -> tuple[Violation, ...]:
        """The rules of placing that the play breaks: to be put right at once, whether anybody challenges or not."""
        return tuple(broken for broken in self.violations if not broken.of_words)

    def explanation(self) -> tuple[str, ...]:
        """The score in sentences, one for each word and one for the bonus (6A to 6E)."""
        lines = [word.explanation for word in self.words]
        if self.bonus:
            lines.append(f"All tiles of the rack in one turn: {self.bonus} (6D)")
        return tuple(lines)


def referee(
    board: Board,
    play: Play,
    *,
    edition: Edition,
    lexicon: WordList | None,
    rules: HouseRules = SHEET_RULES,
    rack_size: int | None = None,
) -> Verdict:
    """Judge and score a play on `board`; without a lexicon words go unchecked.

    `rack_size` is the number of tiles on the player's rack before the play, which only the house rule
    ``bonus_for_short_rack`` asks for.

    Raises PositionError when a tile lies off the board, RulesError when there is no tile or when the board is
    not the edition's. Anything else that is wrong with the play is a violation, so that all are seen at once.
    """
    if not play.tiles:
        raise RulesError("a play needs at least one tile: pass or exchange instead")
    edition.check_size(len(board.stacks))
    after = stacks_after(board, play)
    words = words_made(after, play.tiles)
    if not words and rules.lone_qu_first_play and _is_lone_qu_start(board, play):
        words = (score_word((("Qu",),), play.squares),)
    broken = list(placement_violations(board, play, after, rules))
    broken += plural_violations(board, play, words, lexicon, rules)
    broken += _word_violations(play, words, lexicon, rules, placed_well=not broken)
    bonus = all_tiles_bonus(len(play.tiles), rack_size, short_rack=rules.bonus_for_short_rack)
    points = sum([word.points for word in words]) + bonus
    return Verdict(tuple(broken), words, points, bonus)


def _word_violations(
    play: Play, words: Sequence[WordScore], lexicon: WordList | None, rules: HouseRules, *, placed_well: bool
) -> Iterator[Violation]:
    """5-all and 7. That no word is made is said only where no other rule explains it."""
    if not words and placed_well:
        yield say.no_word(play.squares)
    if not rules.parallel_plays and len(words) > 2:
        crossing = words[1:]
        squares = tuple(square for word in crossing for square in word.squares)
        yield say.parallel([word.word for word in crossing], squares)
    if lexicon is not None:
        for word in words:
            if word.word not in lexicon:
                yield say.unknown_word(word.word, lexicon.name, word.squares)


def _is_lone_qu_start(board: Board, play: Play) -> bool:
    return len(play.tiles) == 1 and play.tiles[0].face == "Qu" and board.is_empty
