"""The words that a play makes, and their scores (Rule 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import Stack
from engine.editions import QU_BONUS, Edition
from engine.faces import spell
from engine.play import PlacedTile
from engine.squares import MAX_SIZE, SQUARES, Square, run_around
from engine.wording import join_texts, phrase

_COLUMNS = tuple(tuple(SQUARES[row][col] for row in range(MAX_SIZE)) for col in range(MAX_SIZE))


@dataclass(frozen=True, slots=True)
class WordScore:
    """A word that a play made or changed: its letters in capitals (QU for the Qu tile) and its points.

    `rule` is ``"6A"`` or ``"6B"``, the one that scored it. `stacks` are the stacks on its squares after the play.
    """

    word: str
    points: int
    squares: tuple[Square, ...]
    rule: str
    stacks: tuple[Stack, ...]

    @property
    def rules(self) -> str:
        """The rules that scored it: ``"6A"``, ``"6A, 6C"`` with a Qu, or ``"6B"``."""
        return f"{self.rule}, 6C" if self._qu_points else self.rule

    @property
    def _qu_points(self) -> int:
        return self.points - 2 * len(self.stacks) if self.rule == "6A" else 0

    @property
    def explanation(self) -> str:
        """The score tile by tile, in words.

        >>> score_word((("M", "W"), ("O",), ("O",), ("D",)), ()).explanation
        'WOOD: a letter is stacked, so 1 point for every tile: W 2 (on M) + O 1 + O 1 + D 1 = 5 (6B)'
        """
        if self.rule == "6B":
            return phrase(
                "%(word)s: a letter is stacked, so 1 point for every tile: %(sum)s = %(points)s (6B)",
                word=self.word,
                sum=join_texts(map(_stack_points, self.stacks), " + "),
                points=self.points,
            )
        parts = " + ".join(f"{stack[-1]} 2" for stack in self.stacks)
        if self._qu_points:
            parts = phrase("%(sum)s + %(points)s for the Qu", sum=parts, points=self._qu_points)
        return phrase(
            "%(word)s: all letters one tile high, so 2 points a tile: %(sum)s = %(points)s (%(rules)s)",
            word=self.word,
            sum=parts,
            points=self.points,
            rules=self.rules,
        )


def score_word(stacks: Sequence[Stack], squares: tuple[Square, ...], qu_bonus: int = QU_BONUS) -> WordScore:
    """Score one word, given the stacks on its squares after the play (6A, 6B, 6C)."""
    faces = [stack[-1] for stack in stacks]
    tiles = sum(map(len, stacks))
    if tiles > len(faces):
        return WordScore(spell(faces), tiles, squares, "6B", tuple(stacks))
    points = 2 * tiles + (qu_bonus if "Qu" in faces else 0)
    return WordScore(spell(faces), points, squares, "6A", tuple(stacks))


def score_words(after: Sequence[Sequence[Stack]], tiles: Sequence[PlacedTile], qu_bonus: int) -> tuple[WordScore, ...]:
    """Return every run of two or more squares that the tiles made or changed (5-all, 6E), each once.

    `after` holds the rows of stacks with the tiles in place; `tiles` are sorted by square. The word along the play
    comes first. For a single tile, the word across comes first.
    """
    across, down = (_words(after, tiles, qu_bonus, down=way) for way in (False, True))
    vertical = len(tiles) > 1 and tiles[0].square.row != tiles[1].square.row
    return tuple(down + across if vertical else across + down)


def all_tiles_bonus(edition: Edition, played: int, rack_size: int | None, *, short_rack: bool) -> int:
    """Return the points of 6D for a full rack; with `short_rack` also for all tiles of a smaller one.

    `rack_size` is the number of tiles on the rack before the play, None if it is unknown.
    """
    whole_rack = short_rack and rack_size is not None and played == rack_size
    return edition.full_rack_bonus if played == edition.rack_size or whole_rack else 0


def _words(
    after: Sequence[Sequence[Stack]], tiles: Sequence[PlacedTile], qu_bonus: int, *, down: bool
) -> list[WordScore]:
    words: list[WordScore] = []
    done: dict[int, int] = {}
    last = len(after) - 1
    for tile in tiles:
        row, col = tile.square.row, tile.square.col
        at, along = (col, row) if down else (row, col)
        if along < done.get(at, 0):
            continue
        line = [stacks[col] for stacks in after] if down else after[row]
        if not ((along and line[along - 1]) or (along < last and line[along + 1])):
            continue
        start, end = run_around(line, along, along)
        done[at] = end
        squares = (_COLUMNS if down else SQUARES)[at][start:end]
        words.append(score_word(line[start:end], squares, qu_bonus))
    return words


def _stack_points(stack: Stack) -> str:
    if len(stack) == 1:
        return f"{stack[0]} 1"
    under = ", ".join(reversed(stack[:-1]))
    return phrase("%(face)s %(points)s (on %(under)s)", face=stack[-1], points=len(stack), under=under)
