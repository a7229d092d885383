"""The questions that the table is asked, and the answers it can tap: whole turns, the likeliest first.

First come the answers worth offering, then the questions that add answers of their own, then the texts about squares.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import Board, PlacedTile, Play, Square, Violation, square_name
from engine.faces import HALF_TURNED
from engine.squares import square_names
from vision.arrays import Floats
from vision.hidden.occlusion import VISIBLE, shares_hidden_by
from vision.reading import BoardReading
from vision.turn.finding import Finding, Outcome
from vision.turn.prior import GameSettings
from vision.turn.reasons import Doubt, Reason
from vision.turn.story import CertainBoard, Story

_MIN_SHARE = 0.0005
"""Share from which an outcome is worth an answer. [by eye]"""
_MAX_ANSWERS = 6
"""Answers that a phone shows without scrolling. [by eye]"""
_MIN_BLUFF_SHARE = 0.02
"""Share from which a turn with a word that is in no list is worth an answer. [by eye]"""
_MAX_KNOCKED = 3
"""Squares with missing tiles up to which they were knocked off. If more are missing, the board was cleared. [by eye]"""
_GONE_LOG_ODDS = 5.0
"""Log odds from which a stack counts as lower than it was. [by eye]"""


def offered(outcomes: tuple[Outcome, ...], start: CertainBoard, context: GameSettings) -> tuple[Outcome, ...]:
    """Return the outcomes that are worth an answer, at least the best one.

    A turn that breaks a rule of placing is offered only if it is the likeliest. Of turns with a word in no list, only
    the likelier ones are offered. A turn that was taken back long ago is not: nobody would have forgotten it.
    """
    worth = [o for o in outcomes[1:] if o.share > _MIN_SHARE and not (o.revises and None in o.changes)]
    fouls = {o: _fouls(o, start, context) for o in worth}
    words = [o for o in worth if not fouls[o]]
    chosen = {*words, *(o for o in worth if o.share > _MIN_BLUFF_SHARE and all(foul.of_words for foul in fouls[o]))}
    return (*outcomes[:1], *[o for o in worth if o in chosen][: _MAX_ANSWERS - 1])


def ask_way_up(found: Finding, upright: float) -> Finding:
    """Ask which way up to read a play: as it was read, or upside down if its letters allow that.

    `upright` is the probability that it was read the right way up.
    """
    best = found.outcomes[0]
    turned = None if found.play is None else _on_its_head(found.play, found.before)
    answers = [replace(best, share=best.share * upright)]
    if turned is not None:
        other = Story((*best.events[:-1], turned))
        answers.append(replace(best, story=other, share=best.share * (1.0 - upright)))
    sure = found.confidence * upright
    return replace(
        found,
        outcomes=tuple(answers),
        confidence=sure,
        needs_review=True,
        square=None,
        reason=Doubt(Reason.EITHER_WAY_UP),
    )


def _on_its_head(play: Play, before: Board) -> Play | None:
    """Return a first play as it reads upside down; None if it is no first play or a letter cannot be turned."""
    last = before.size - 1
    if not before.is_empty or any(tile.face not in HALF_TURNED for tile in play.tiles):
        return None
    tiles = [
        PlacedTile(Square(last - tile.square.row, last - tile.square.col), HALF_TURNED[tile.face])
        for tile in play.tiles
    ]
    return Play(tuple(sorted(tiles)))


def breaks_a_rule(outcome: Outcome, start: CertainBoard, context: GameSettings) -> bool:
    """Return whether a play that is new to the scoresheet breaks a rule other than the one about words."""
    return any(not foul.of_words for foul in _fouls(outcome, start, context))


def _fouls(outcome: Outcome, start: CertainBoard, context: GameSettings) -> list[Violation]:
    """Return the rules that plays new to the scoresheet break."""
    boards = outcome.story.boards(start)
    plays = list(zip(outcome.events, boards, strict=False))[outcome.kept :]
    verdicts = [context.verdict(board, event) for event, board in plays if event is not None]
    return [violation for verdict in verdicts for violation in verdict.violations]


def deciding_square(outcomes: tuple[Outcome, ...]) -> Square | None:
    """Return the one square on which the best two answers differ; None if they differ on more, or in turns."""
    if len(outcomes) < 2 or len(outcomes[0].events) != len(outcomes[1].events):
        return None
    differ: set[Square] = set()
    for one, other in zip(outcomes[0].events, outcomes[1].events, strict=True):
        if one is None or other is None:
            return None
        differ |= {tile.square for tile in {*one.tiles} ^ {*other.tiles}}
    square = next(iter(differ)) if len(differ) == 1 else None
    return square if square and _face_at(outcomes[0], square) != _face_at(outcomes[1], square) else None


def question_at(outcomes: tuple[Outcome, ...], square: Square) -> Doubt:
    """Return the question about the square on which the best two outcomes differ: "O or Q at d4?"."""
    here, there = (_face_at(outcome, square) for outcome in outcomes[:2])
    if here and there:
        return Doubt(Reason.LETTER, (here, there, square_name(square)))
    return Doubt(Reason.PLAYED_AT, (here or there, square_name(square)))


def _face_at(outcome: Outcome, square: Square) -> str:
    for event in reversed(outcome.events):
        for tile in event.tiles if event is not None else ():
            if tile.square == square:
                return tile.face
    return ""


def why_hidden(reading: BoardReading, board: Board, square: Square) -> str | None:
    """Return a sentence on what hides the letter on a square of the believed board; None if it is in view."""
    name, at = square_name(square), (square.row, square.col)
    if reading.camera_text is not None and reading.camera_text.squares[at]:
        return f"{name} can't be read. The camera writes text over it."
    if reading.out_of_sight[at] > VISIBLE.hidden:
        return f"{name} can't be seen. Something lies over it, or it is outside the picture."
    tops = np.zeros((board.size, board.size))
    for stack in board.squares():
        tops[stack.row, stack.col] = reading.elevation(board.height(stack))
    place = np.array([square.col + 0.5, square.row + 0.5, tops[at]])
    shares = shares_hidden_by(reading.camera, place, tops)
    row, col = np.unravel_index(int(shares.argmax()), shares.shape)
    if shares[row, col] <= VISIBLE.covered_face:
        return None
    partly = "" if shares[row, col] > VISIBLE.covered_stack else "partly "
    return f"{name} is {partly}hidden behind the stack on {square_name(Square(int(row), int(col)))}."


def knocked_off(table: Floats, board: Board) -> Doubt | None:
    """Return the question about tiles that were knocked off; None if no tile is missing or more is odd.

    `table` (n, n, 6, 26) is the log likelihood of what lies on each square.
    """
    gone: list[Square] = []
    for square in board.squares():
        here, height = table[square.row, square.col], board.height(square)
        if here.max() - here[height].max() > _GONE_LOG_ODDS:
            if int(here.max(axis=1).argmax()) >= height:
                return None
            gone.append(square)
    if not gone or len(gone) > _MAX_KNOCKED:
        return None
    return Doubt(Reason.TILES_GONE if len(gone) > 1 else Reason.TILE_GONE, (square_names(gone),))
