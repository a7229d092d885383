"""Enumerating what may have happened in a turn, each explanation with its log probability.

A play lies on one line, so every row and column is searched by itself: squares where a change is conceivable are
taken or left one after another (a beam search), and the best sets are then weighed by the rules and, softly, by the
dictionary: people do play words that do not exist, and a challenge needs to see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from engine.board import Board
from engine.faces import FACES
from engine.play import PlacedTile, Play
from engine.squares import Square
from vision.context import Context
from vision.evidence import Evidence

PLAY_PRIOR = -3.0
"""Log prior of a play somewhere on the board, against nothing having changed."""
CONCEIVABLE = -5.0
"""Gain below which a face on a square is not looked at."""
_FACES_A_SQUARE = 4
_BEAM = 48
_JUDGED = 64
_UNKNOWN_WORD, _ANOTHER = -2.5, -1.0
"""Log priors of a word that no list has, and of each more: whoever bluffs makes several at once."""
_PENALTY = {"4-line": -9.0, "4-connect": -7.0, "3": -5.0}
_OTHER_PENALTY = -3.0


def plays(evidence: Evidence, before: Board, context: Context) -> list[tuple[float, Play]]:
    """Plays with their log probability against "nothing happened", most probable first."""
    found: dict[Play, float] = {}
    for line in _lines(before.size):
        for gain, tiles in _subsets(evidence, line):
            if tiles:
                found[Play(tuple(sorted(tiles)))] = gain
    likeliest = sorted(found.items(), key=lambda item: -item[1])[:_JUDGED]
    judged = [(gain + PLAY_PRIOR + _rule_prior(play, before, context), play) for play, gain in likeliest]
    return sorted(judged, key=lambda item: (-item[0], item[1].tiles))


def _lines(size: int) -> Iterator[list[Square]]:
    for i in range(size):
        yield [Square(i, k) for k in range(size)]
        yield [Square(k, i) for k in range(size)]


def _subsets(evidence: Evidence, line: Iterable[Square]) -> list[tuple[float, tuple[PlacedTile, ...]]]:
    beam: list[tuple[float, tuple[PlacedTile, ...]]] = [(0.0, ())]
    for square in line:
        options = list(_options(evidence, square))
        if not options:
            continue
        longer = [(gain + more, (*tiles, tile)) for gain, tiles in beam for more, tile in options]
        beam = sorted(beam + longer, key=lambda item: -item[0])[:_BEAM]
    return beam


def _options(evidence: Evidence, square: Square) -> Iterator[tuple[float, PlacedTile]]:
    gains = evidence.placed[square.row, square.col]
    for face in np.argsort(-gains)[:_FACES_A_SQUARE]:
        if gains[face] > CONCEIVABLE:
            yield float(gains[face]), PlacedTile(square, FACES[int(face)])


def _rule_prior(play: Play, before: Board, context: Context) -> float:
    prior, unknown = 0.0, False
    for violation in context.verdict(before, play).violations:
        if violation.of_words:
            prior += _ANOTHER if unknown else _UNKNOWN_WORD
            unknown = True
        else:
            prior += _PENALTY.get(violation.rule, _OTHER_PENALTY)
    return max(prior, -16.0)
