"""Following a game from photograph to photograph, with more than one board in mind while a turn is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from engine.board import Board
from engine.editions import Edition
from engine.houserules import SHEET_RULES, HouseRules
from engine.play import Play
from engine.rules import Verdict, referee
from engine.words import WordList
from vision.buried import with_buried
from vision.camera import Camera
from vision.errors import BoardNotFound
from vision.images import Image
from vision.infer import NO_PLAY, SURE, Context, TurnInference, infer_turn
from vision.marks import Marks, discounted, marks_on
from vision.pipeline import BoardReader, Known
from vision.reading import BoardReading, corners_of
from vision.stacks import LAYERS, layer_evidence, relative_weights

_MOST_BOARDS = 4
_LEAST_SHARE = 0.01
_TELLING_TILES = 3
"""Letters on the board from which it is believed which way they stand: a printed ring passes for an O."""
_SAME_PLACE = 0.25
"""Squares by which corners may have moved where the camera stands as it stood."""
_TAKEN_BACK = "It is not certain whether these tiles were taken back."
_KEPT = 0.8
"""Share of the explanations that are kept, below which a turn was vague: the next may hold what was overlooked."""
_AFTER_VAGUE, _UNSEEN = 0.94, 2.0
"""Confidence from which the turn after a vague or partly hidden one is taken; after one not seen it never is."""
_BURIED, _BURIED_IN_VIEW = 0.5, 0.02
"""Odds that a turn is partly buried by the next: one that was not seen at all, and one that was vague."""
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


@dataclass(frozen=True)
class Memory:
    """What a watch has in mind: the boards that may lie there, and how sure of the next turn it must be."""

    boards: tuple[Hypothesis, ...]
    demand: float


@dataclass(frozen=True)
class Observation:
    """One photograph of a game.

    Attributes:
        reading: what was seen; None when the board was not found.
        before: the board that the inference starts from.
        inference: what happened.
        after: the most probable board now.
        repaired: `before` differs from what the photograph before had been taken to show.
    """

    reading: BoardReading | None
    before: Board
    inference: TurnInference
    after: Board
    repaired: bool


class GameWatch:
    """Watches one game. `observe` takes photographs in order; `settle` tells it what the table decided."""

    def __init__(
        self, reader: BoardReader, board: Board, *, edition: Edition, lexicon: WordList | None = None,
        rules: HouseRules = SHEET_RULES, last_play: Play | None = None,
    ) -> None:  # fmt: skip
        self._reader, self._edition, self._lexicon, self._rules = reader, edition, lexicon, rules
        self._boards = [Hypothesis(board, last_play, 1.0)]
        self._layers = np.zeros(len(LAYERS))
        self._camera: Camera | None = None
        self._demand = SURE
        self._marks: Marks = frozenset()
        self._last: BoardReading | None = None

    @property
    def board(self) -> Board:
        """The most probable board."""
        return self._boards[0].board

    @property
    def size(self) -> int:
        """Rows of the board."""
        return self._edition.size

    def judge(self, before: Board, play: Play) -> Verdict:
        """The referee's verdict on a play."""
        return referee(before, play, edition=self._edition, lexicon=self._lexicon, rules=self._rules)

    def snapshot(self) -> Memory:
        """What is in mind, for `restore`."""
        return Memory(tuple(self._boards), self._demand)

    def restore(self, memory: Memory) -> None:
        """Back to what `snapshot` gave: a look that was too early never happened."""
        self._boards, self._demand = list(memory.boards), memory.demand

    def settle(self, board: Board, last_play: Play | None = None) -> None:
        """The table has said what lies on the board: all doubt is gone, and what else looked like tiles is print."""
        self._boards, self._demand = [Hypothesis(board, last_play, 1.0)], SURE
        if self._last is not None and not any(board.counts().values()):
            self._marks = marks_on(self._last, board)

    def observe(self, image: Image, corners: np.typing.ArrayLike | None = None) -> Observation:
        """The next photograph."""
        known = Known(board=self.board, layers=self._layers, upright=self._camera)
        try:
            reading = self._reader.read(image, self._edition.size, corners=corners, known=known)
        except BoardNotFound as error:
            self._demand = _UNSEEN
            inference = TurnInference("unclear", NO_PLAY, 0.0, True, (), None, str(error), None, 0.0)
            return Observation(None, self.board, inference, self.board, False)
        self._last = reading
        held = self.snapshot()
        seen = self.take(discounted(reading, self._marks))
        if corners is None and self._odd(seen):
            seen = self._beside(image, known, held, seen)
        self._learn(seen)
        return seen

    def _odd(self, seen: Observation) -> bool:
        """Whether what happened is so odd that the grid may rather have been taken a square too far."""
        inference = seen.inference
        if inference.kind == "play":
            fouls = self.judge(seen.before, inference.play).violations
            return any(not violation.of_words for violation in fouls)
        return inference.needs_review and (inference.kind == "removed" or inference.seen is not None)

    def _beside(self, image: Image, known: Known, held: Memory, seen: Observation) -> Observation:
        """The same picture read a square beside, if a play follows then that is beyond doubt; else as it was."""
        after = self.snapshot()
        if seen.reading is None:
            return seen
        for reading in self._reader.beside(image, seen.reading, known):
            self.restore(held)
            other = self.take(discounted(reading, self._marks))
            if other.inference.kind == "play" and not other.inference.needs_review and not self._odd(other):
                return other
        self.restore(after)
        return seen

    def take(self, reading: BoardReading) -> Observation:
        """The next photograph, already read."""
        expected = self.board
        inferred = []
        for held in self._boards:
            context = Context(self._edition, self._lexicon, self._rules, held.last_play)
            inferred.append((held, infer_turn(reading, held.board, context)))
        logs = np.array([np.log(held.share) + inference.log_evidence for held, inference in inferred])
        shares = np.exp(logs - np.logaddexp.reduce(logs))
        judged = [(float(share), *each) for share, each in zip(shares, inferred, strict=True)]
        _, held, best = max(judged, key=lambda item: item[0])
        inference = _discounted(best, self._agreed(held.board, best, judged))
        if inference.kind == "removed" and not self._anchored(reading, held.board, inference.play):
            inference = replace(inference, needs_review=True, reason=inference.reason or _TAKEN_BACK)
        self._boards = _followed(judged)
        if self._demand > SURE:
            self._boards = self._with_buried(reading, inference)
        return Observation(
            reading, held.board, self._remembered(inference), self.board, held.board != expected
        )

    def _anchored(self, reading: BoardReading, before: Board, taken: Play) -> bool:
        """Whether the picture surely shows this very board: seen from where it was, or other tiles lie as before."""
        if self._camera is not None:
            was, now = (corners_of(camera, reading.size) for camera in (self._camera, reading.camera))
            side = float(np.linalg.norm(was[1] - was[0])) / reading.size
            if float(np.abs(was - now).max()) < _SAME_PLACE * side:
                return True
        letters, gone = reading.letters(), {tile.square for tile in taken.tiles}
        still = [s for s in before.occupied() if s not in gone and letters[s.row][s.col] == before.top(s)]
        return len(still) >= _TELLING_TILES

    def _with_buried(self, reading: BoardReading, inference: TurnInference) -> list[Hypothesis]:
        """The boards in mind, and those with tiles in between that no picture has shown."""
        played = {tile.square for play in (inference.play, inference.earlier) if play for tile in play.tiles}
        unseen = _BURIED if self._demand >= _UNSEEN else _BURIED_IN_VIEW
        found = []
        for held in self._boards:
            more = with_buried(held.board, played, reading, self._edition)
            odds = 0.0 if more is None else unseen * more[1]
            found.append(replace(held, share=held.share / (1.0 + odds)))
            if more is not None:
                found.append(Hypothesis(more[0], held.last_play, held.share * odds / (1.0 + odds)))
        found.sort(key=lambda held: -held.share)
        return found[:_MOST_BOARDS]

    def _agreed(self, before: Board, best: TurnInference, judged: list[Judged]) -> float:
        """Probability of what was inferred, over all boards on which it would be the same and score the same."""
        if best.kind != "play" or best.earlier is not None:
            return best.confidence * max(share for share, _, _ in judged)
        points = self.judge(before, best.play).points
        return sum(
            share * _chance_of(best.play, inference)
            for share, held, inference in judged
            if held.board == before or self.judge(held.board, best.play).points == points
        )

    def _remembered(self, inference: TurnInference) -> TurnInference:
        """The inference, asked about when the turn before it was not made out: two may have become one."""
        demand, self._demand = self._demand, _demand_after(inference)
        if inference.kind == "none":
            self._demand = max(self._demand, demand)
        if inference.needs_review or inference.kind == "none" or inference.confidence >= demand:
            return inference
        return replace(
            inference, needs_review=True, reason="The turn before this one was not seen: check the play."
        )

    def _learn(self, seen: Observation) -> None:
        """What this picture teaches of the camera and the set, now that the turn is known."""
        reading = seen.reading
        if reading is None or seen.inference.needs_review:
            return
        heights = np.array([[len(stack) for stack in row] for row in seen.after.stacks])
        if reading.upright > 0.99 and int((heights > 0).sum()) >= _TELLING_TILES:
            self._camera = reading.camera
        told = layer_evidence(reading.elevations, reading.hidden, heights)
        self._layers = relative_weights(self._layers + told)


def _demand_after(inference: TurnInference) -> float:
    """How sure of the next turn one must be to take it without a question."""
    if inference.kind == "unclear":
        return _AFTER_VAGUE if inference.alternatives else _UNSEEN
    kept = inference.confidence + sum(other.confidence for other in inference.alternatives)
    vague = inference.needs_review and (inference.kind == "removed" or kept < _KEPT)
    return _AFTER_VAGUE if vague else SURE


def _chance_of(play: Play, inference: TurnInference) -> float:
    """The share that an inference gives to a play."""
    if inference.kind == "play" and inference.play == play and inference.earlier is None:
        return inference.confidence
    return sum(other.confidence for other in inference.alternatives if other.play == play)


def _discounted(inference: TurnInference, confidence: float) -> TurnInference:
    """The inference with its confidence over all boards that may have lain there before."""
    doubtful = inference.needs_review or confidence < SURE
    reason = inference.reason or ("It is not certain what lay on the board before." if doubtful else None)
    return replace(inference, confidence=confidence, needs_review=doubtful, reason=reason)


def _followed(judged: list[Judged]) -> list[Hypothesis]:
    """The boards that may lie there now: each explanation of each board that may have lain there."""
    shares: dict[Board, float] = {}
    plays: dict[Board, Play | None] = {}
    for share, held, inference in judged:
        for board, last, part in _outcomes(held, inference):
            shares[board] = shares.get(board, 0.0) + share * part
            plays.setdefault(board, last)
    likeliest = sorted(shares.items(), key=lambda item: -item[1])[:_MOST_BOARDS]
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
