"""The boards that may lie on the table while a turn is in doubt, and what becomes of them with the next picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.board import Board
from engine.play import Play
from vision.infer import TurnInference

MOST_BOARDS = 12
"""Boards that are kept in mind."""
_LEAST_SHARE = 0.01
_UNCHANGED = 0.02
"""Least share, after a picture that is not clear, of the board as it was."""
_AS_SEEN = 0.5
"""Share, after a picture that turns cannot explain, of the board as it looks."""


@dataclass(frozen=True)
class Hypothesis:
    """One board that may be on the table, the play that led to it, and its share of the probability."""

    board: Board
    last_play: Play | None
    share: float


Judged: TypeAlias = tuple[float, Hypothesis, TurnInference]
"""A board's share of the probability now that a picture was seen, the board, and what it makes of the picture."""


def chance_of(play: Play, inference: TurnInference) -> float:
    """The share that an inference gives to a play."""
    if inference.kind == "play" and inference.play == play and inference.earlier is None:
        return inference.confidence
    return sum(other.confidence for other in inference.alternatives if other.play == play)


def followed(judged: list[Judged]) -> list[Hypothesis]:
    """The boards that may lie there now: each explanation of each board that may have lain there."""
    shares: dict[Board, float] = {}
    plays: dict[Board, Play | None] = {}
    for share, held, inference in judged:
        for board, last, part in _outcomes(held, inference):
            shares[board] = shares.get(board, 0.0) + share * part
            plays.setdefault(board, last)
    likeliest = sorted(shares.items(), key=lambda item: -item[1])[:MOST_BOARDS]
    total = sum(share for _, share in likeliest)
    kept = [(b, s / total) for b, s in likeliest if s / total >= _LEAST_SHARE]
    return [Hypothesis(board, plays[board], share) for board, share in kept]


def _outcomes(held: Hypothesis, inference: TurnInference) -> list[tuple[Board, Play | None, float]]:
    """Boards that may lie there after an inference, the play that made each, and their shares."""
    board, sure = held.board, max(inference.confidence, 1e-6)
    main: tuple[Board, Play | None, float]
    if inference.kind == "removed":
        main = (board.without_top([t.square for t in inference.play.tiles]), None, sure)
    elif inference.kind == "play":
        between = board.with_play(inference.earlier) if inference.earlier else board
        main = (between.with_play(inference.play), inference.play, sure)
    else:
        seen = sum(other.confidence for other in inference.alternatives)
        main = (board, held.last_play, sure if inference.kind == "none" else max(1.0 - seen, _UNCHANGED))
    found: list[tuple[Board, Play | None, float]] = [main]
    if inference.earlier is None:
        found += [(board.with_play(a.play), a.play, a.confidence) for a in inference.alternatives]
    if inference.seen is not None:
        found.append((inference.seen, None, _AS_SEEN))
    return found
