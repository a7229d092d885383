"""Inferring the turn: the most probable explanation of the whole board, or a question.

All explanations of a reading are weighed against each other: nothing changed, one play, the last play taken back,
two plays since the last look. The share of the best is the confidence; below `SURE` the table is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.board import Board
from engine.faces import FACES
from engine.play import PlacedTile, Play
from engine.squares import Square, square_name
from vision.context import Context
from vision.evidence import Evidence, weigh
from vision.explain import plays
from vision.longer import may_be_longer
from vision.reading import BoardReading

Kind = Literal["play", "none", "removed", "unclear"]

SURE = 0.9
"""Confidence from which a turn is taken without a question."""
_SURE_OF_REMOVAL = 0.99
"""Confidence from which tiles are believed to have been taken back."""
_SURE_OF_NO_WORD = 0.97
"""Confidence from which a play is taken without a question although a word of it is in no list."""
_LEFT_OVER = 4.5
"""Gain of a change that the best explanation leaves out, from which something else must have happened too."""
_AS_SEEN = 1.5
"""Gain from which a square by itself is taken to have changed, where no turn explains the board."""
_REPEATED = 0.4
"""Weight of what did not change when boards are compared: one picture after another errs on it in the same way."""
_NOTHING = -2.0
"""Log prior of no change: a photograph is mostly taken because somebody has played."""
_MOST_KNOCKED = 3
"""Tiles that a sleeve may sweep off their stacks at once."""
_INEXPLICABLE = "More has changed than turns can explain: look again, or enter the play by hand."
_HIDDEN = 0.35
_MANY_HIDDEN = 3
_ALTERNATIVES = 5


@dataclass(frozen=True)
class Alternative:
    """Another explanation: its play and its share of the probability."""

    play: Play
    confidence: float


@dataclass(frozen=True)
class TurnInference:
    """What happened since the board before.

    Attributes:
        kind: "play", "none" (nothing changed), "removed" (tiles were taken back) or "unclear".
        play: the tiles played, or taken back; empty for "none" and "unclear".
        confidence: share of the probability that this explanation holds.
        needs_review: the table should be asked; when False, the move is right.
        alternatives: other plays, most probable first.
        question: the one square whose answer decides, if a square does.
        reason: why it is asked, as a sentence.
        earlier: a play that must have come before this one since the last look (its turn was not seen).
        log_evidence: log probability of the picture given the board before, for comparing boards.
        seen: the board as it looks, square by square, where turns cannot explain it.
    """

    kind: Kind
    play: Play
    confidence: float
    needs_review: bool
    alternatives: tuple[Alternative, ...]
    question: Square | None
    reason: str | None
    earlier: Play | None
    log_evidence: float
    seen: Board | None = None


NO_PLAY = Play(())
_NO_LIST = "No list of words helps to read the letters: is this what was played?"


def infer_turn(reading: BoardReading, before: Board, context: Context) -> TurnInference:
    """The turn that leads from `before` to what the reading shows."""
    evidence = weigh(reading, before, context.edition, count_tiles=context.count_tiles)
    explained = _explanations(evidence, before, context)
    logs = np.array([score for score, _, _ in explained])
    shares = np.exp(logs - np.logaddexp.reduce(logs))
    _, kind, play = explained[0]
    total = _unchanged(evidence, play) + float(np.logaddexp.reduce(logs))
    confidence = float(shares[0])
    if kind in ("play", "none") and _left_over(evidence, play) > _LEFT_OVER:
        if kind == "play":
            return _two_turns(reading, before, context, play, total)
        return _too_much(evidence, before, (), total)
    others = tuple(
        Alternative(p, float(s))
        for (_, k, p), s in zip(explained[1:], shares[1:], strict=True)
        if k == "play"
    )[:_ALTERNATIVES]
    return _lawful(
        _decided(kind, play, confidence, others, evidence, before, context, total), before, context
    )


def _lawful(inference: TurnInference, before: Board, context: Context) -> TurnInference:
    """The inference, asked about where the play breaks a rule: a misread board is likelier than a foul.

    Words that the list does not have are played oftener, to be challenged: these must only be read very surely, and so
    must all where there is no list.
    """
    if inference.kind != "play" or inference.needs_review:
        return inference
    sure = inference.confidence >= _SURE_OF_NO_WORD
    if context.lexicon is None and not sure:
        return replace(inference, needs_review=True, reason=_NO_LIST)
    verdict = context.verdict(before, inference.play)
    fouls = [violation for violation in verdict.violations if not (sure and violation.of_words)]
    if not fouls:
        return inference
    return replace(inference, needs_review=True, reason=f"{fouls[0].text} Was it read rightly?")


def _explanations(evidence: Evidence, before: Board, context: Context) -> list[tuple[float, Kind, Play]]:
    found: list[tuple[float, Kind, Play]] = [(_NOTHING, "none", NO_PLAY)]
    found += [(score, "play", play) for score, play in plays(evidence, before, context)]
    last = context.last_play
    if last is not None and last.tiles:
        gain = sum(float(evidence.taken[t.square.row, t.square.col]) for t in last.tiles)
        # one decision took them all back: the prior counts once
        found.append((gain - (len(last.tiles) - 1) * np.log(0.002), "removed", last))
    return sorted(found, key=lambda item: -item[0])


def _unchanged(evidence: Evidence, play: Play) -> float:
    """Log likelihood of the board as it was: in full where the play lies, its gains count from there."""
    there = sum(float(evidence.unchanged[tile.square.row, tile.square.col]) for tile in play.tiles)
    return there + _REPEATED * (float(evidence.unchanged.sum()) - there)


def _left_over(evidence: Evidence, play: Play) -> float:
    """The largest gain of a change on a square outside the play."""
    best = np.maximum(np.maximum(evidence.placed.max(axis=-1), evidence.appeared), evidence.taken)
    for tile in play.tiles:
        best[tile.square.row, tile.square.col] = -np.inf
    return float(best.max())


def _decided(
    kind: Kind,
    play: Play,
    confidence: float,
    others: tuple[Alternative, ...],
    evidence: Evidence,
    before: Board,
    context: Context,
    total: float,
) -> TurnInference:
    if kind == "none" and int((evidence.hidden > _HIDDEN).sum()) >= _MANY_HIDDEN:
        partly = tuple(other for other in others if _shows(other.play, evidence))
        return _unclear(
            "A hand or something else lies over the board: take it away and look again.", partly, total
        )
    if kind == "play" and may_be_longer(play, before, evidence.hidden > _HIDDEN, context):
        seen = (Alternative(play, confidence), *others)
        return _unclear(
            "Something hides squares next to this play: take it away and look again.", seen, total
        )
    # taking points off a scoresheet needs more: a board seen askew looks like tiles taken back
    sure = confidence >= (_SURE_OF_REMOVAL if kind == "removed" else SURE)
    question = None if sure or kind != "play" else deciding_square(play, others)
    reason = None if sure else _doubt(kind, play, others, question)
    return TurnInference(kind, play, confidence, not sure, others, question, reason, None, total)


def _shows(play: Play, evidence: Evidence) -> bool:
    """Whether any tile of a play can be seen: else it is a guess at what a hand hides."""
    return any(evidence.hidden[tile.square.row, tile.square.col] < _HIDDEN for tile in play.tiles)


def _unclear(reason: str, others: tuple[Alternative, ...], total: float) -> TurnInference:
    return TurnInference("unclear", NO_PLAY, 0.0, True, others, None, reason, None, total)


def _too_much(
    evidence: Evidence, before: Board, others: tuple[Alternative, ...], total: float
) -> TurnInference:
    seen = _as_seen(evidence, before)
    reason = _knocked(before, seen, others) or _INEXPLICABLE
    return TurnInference("unclear", NO_PLAY, 0.0, True, others, None, reason, None, total, seen)


def _knocked(before: Board, seen: Board, others: tuple[Alternative, ...]) -> str | None:
    """What to say where tiles are gone that nobody may take, and all else is a play: they were knocked off."""
    played = {tile.square for other in others for tile in other.play.tiles}
    changed = {s: seen.height(s) - before.height(s) for s in before.squares() if s not in played}
    gone = [square_name(square) for square, change in changed.items() if change < 0]
    if not gone or len(gone) > _MOST_KNOCKED or any(change > 0 for change in changed.values()):
        return None
    tiles, them = ("Tiles are", "them") if len(gone) > 1 else ("A tile is", "it")
    return f"{tiles} missing at {' and '.join(gone)}: if knocked off, put {them} back and look again."


def _two_turns(
    reading: BoardReading, before: Board, context: Context, first: Play, total: float
) -> TurnInference:
    """Two plays since the last look: the second is inferred on top of the first; their order is asked."""
    between = before.with_play(first)
    evidence = weigh(reading, between, context.edition, count_tiles=context.count_tiles)
    following = plays(evidence, between, context)
    if not following or following[0][0] < 0 or _left_over(evidence, following[0][1]) > _LEFT_OVER:
        start = weigh(reading, before, context.edition, count_tiles=context.count_tiles)
        return _too_much(start, before, (Alternative(first, 0.5),), total)
    second = following[0][1]
    if _played_before(second, first, before, context):
        first, second = second, first
    reason = "Two plays seem to have been made since the last look: check which came first."
    return TurnInference("play", second, 0.5, True, (Alternative(first, 0.3),), None, reason, first, total)


def _as_seen(evidence: Evidence, before: Board) -> Board:
    """The board with every change that its square by itself calls for."""
    placed, taken = [], []
    for square in before.squares():
        gains = evidence.placed[square.row, square.col]
        off = float(evidence.taken[square.row, square.col])
        if gains.max() > max(_AS_SEEN, off):
            placed.append(PlacedTile(square, FACES[int(gains.argmax())]))
        elif off > _AS_SEEN:
            taken.append(square)
    return before.without_top(taken).with_play(Play(tuple(placed)))


def _played_before(second: Play, first: Play, before: Board, context: Context) -> bool:
    """Whether the plays fit the rules better the other way round."""
    shared = {t.square for t in first.tiles} & {t.square for t in second.tiles}
    return not shared and _faults(before, (second, first), context) < _faults(
        before, (first, second), context
    )


def _faults(before: Board, order: tuple[Play, Play], context: Context) -> int:
    """How many rules two plays break, made in this order."""
    board, count = before, 0
    for play in order:
        count += len(context.verdict(board, play).violations)
        board = board.with_play(play)
    return count


def deciding_square(play: Play, others: tuple[Alternative, ...]) -> Square | None:
    """The square on which the strongest alternative differs, when it differs on one square only."""
    if not others:
        return None
    mine = {t.square: t.face for t in play.tiles}
    other = {t.square: t.face for t in others[0].play.tiles}
    differing = [s for s in mine.keys() | other.keys() if mine.get(s) != other.get(s)]
    return differing[0] if len(differing) == 1 else None


def _doubt(kind: Kind, play: Play, others: tuple[Alternative, ...], question: Square | None) -> str:
    if kind == "none":
        return "It is not certain whether something was played."
    if kind == "removed":
        return "It is not certain whether these tiles were taken back."
    if question is None or not others:
        return "It is not certain what was played: check the play."
    here, there = (
        next((tile.face for tile in each.tiles if tile.square == question), "")
        for each in (play, others[0].play)
    )
    if here and there:
        return f"{here} or {there} at {square_name(question)}?"
    return f"Was {here or there} played at {square_name(question)}?"
