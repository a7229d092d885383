"""Following a game from photograph to photograph, with more than one board in mind while a turn is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.board import Board
from engine.editions import Edition
from engine.houserules import SHEET_RULES, HouseRules
from engine.play import Play
from engine.rules import Verdict, referee
from engine.words import WordList
from vision.camera import Camera
from vision.errors import BoardNotFound
from vision.images import Image
from vision.infer import NO_PLAY, SURE, Context, TurnInference, infer_turn
from vision.pipeline import BoardReader, Known
from vision.reading import BoardReading
from vision.stacks import measure_layer

_MOST_BOARDS = 4
_LEAST_SHARE = 0.01
_LAYERS_ENOUGH = 3
"""Pictures from which the thickness of a layer is averaged."""


@dataclass(frozen=True)
class Hypothesis:
    """One board that may be on the table, the play that led to it, and its share of the probability."""

    board: Board
    last_play: Play | None
    share: float


@dataclass(frozen=True)
class Memory:
    """What a watch has in mind: the boards that may lie there, and whether a turn was not made out."""

    boards: tuple[Hypothesis, ...]
    missed: bool


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
        self._layer: float | None = None
        self._layers_known = 0
        self._camera: Camera | None = None
        self._missed = False

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
        return Memory(tuple(self._boards), self._missed)

    def restore(self, memory: Memory) -> None:
        """Back to what `snapshot` gave: a look that was too early never happened."""
        self._boards, self._missed = list(memory.boards), memory.missed

    def settle(self, board: Board, last_play: Play | None = None) -> None:
        """The table has said what lies on the board: all doubt is gone."""
        self._boards, self._missed = [Hypothesis(board, last_play, 1.0)], False

    def observe(self, image: Image, corners: np.typing.ArrayLike | None = None) -> Observation:
        """The next photograph."""
        known = Known(board=self.board, layer=self._layer, upright=self._camera)
        try:
            reading = self._reader.read(image, self._edition.size, corners=corners, known=known)
        except BoardNotFound as error:
            self._missed = True
            inference = TurnInference("unclear", NO_PLAY, 0.0, True, (), None, str(error), None, 0.0)
            return Observation(None, self.board, inference, self.board, False)
        seen = self.take(reading)
        self._learn(image, seen)
        return seen

    def take(self, reading: BoardReading) -> Observation:
        """The next photograph, already read."""
        expected = self.board
        judged = []
        for held in self._boards:
            context = Context(self._edition, self._lexicon, self._rules, held.last_play)
            inference = infer_turn(reading, held.board, context)
            judged.append((np.log(held.share) + inference.log_evidence, held, inference))
        logs = np.array([score for score, _, _ in judged])
        shares = np.exp(logs - np.logaddexp.reduce(logs))
        best = int(shares.argmax())
        held, inference = judged[best][1], _discounted(judged[best][2], float(shares[best]))
        self._boards = _followed(
            [(float(share), h, i) for share, (_, h, i) in zip(shares, judged, strict=True)]
        )
        return Observation(
            reading, held.board, self._remembered(inference), self.board, held.board != expected
        )

    def _remembered(self, inference: TurnInference) -> TurnInference:
        """The inference, asked about when the turn before it was not made out: two may have become one."""
        missed = self._missed
        self._missed = inference.kind == "unclear" or (inference.kind == "removed" and inference.needs_review)
        if not missed or inference.needs_review or inference.kind == "none":
            self._missed |= missed and inference.kind == "none"
            return inference
        return replace(
            inference, needs_review=True, reason="The turn before this one was not seen: check the play."
        )

    def _learn(self, image: Image, seen: Observation) -> None:
        """What this picture teaches of the camera and the set, now that the turn is known."""
        reading = seen.reading
        if reading is None or seen.inference.needs_review:
            return
        if reading.upright > 0.99:
            self._camera = reading.camera
        if self._layers_known < _LAYERS_ENOUGH:
            heights = np.array([[len(stack) for stack in row] for row in seen.after.stacks])
            heights[reading.hidden > 0.3] = 0
            layer = measure_layer(image, reading.camera, reading.size, heights)
            if layer is not None:
                known = self._layers_known
                self._layer = layer if self._layer is None else (self._layer * known + layer) / (known + 1)
                self._layers_known += 1


def _discounted(inference: TurnInference, share: float) -> TurnInference:
    """The inference as sure as the board that it started from."""
    confidence = inference.confidence * share
    doubtful = inference.needs_review or confidence < SURE
    reason = inference.reason or ("It is not certain what lay on the board before." if doubtful else None)
    return replace(inference, confidence=confidence, needs_review=doubtful, reason=reason)


def _followed(judged: list[tuple[float, Hypothesis, TurnInference]]) -> list[Hypothesis]:
    """The boards that may lie there now: each explanation of each board that may have lain there."""
    shares: dict[Board, float] = {}
    plays: dict[Board, Play | None] = {}
    for share, held, inference in judged:
        for play, part in _outcomes(inference):
            board, last = _after(held, inference, play)
            shares[board] = shares.get(board, 0.0) + share * part
            plays.setdefault(board, last)
    likeliest = sorted(shares.items(), key=lambda item: -item[1])[:_MOST_BOARDS]
    total = sum(share for _, share in likeliest)
    kept = [(b, s / total) for b, s in likeliest if s / total >= _LEAST_SHARE]
    return [Hypothesis(board, plays[board], share) for board, share in kept]


def _outcomes(inference: TurnInference) -> list[tuple[Play, float]]:
    if inference.kind == "unclear":
        return [(NO_PLAY, 1.0)]
    main = [(inference.play, max(inference.confidence, 1e-6))]
    if inference.earlier is not None or inference.kind == "removed":
        return main
    return main + [(a.play, a.confidence) for a in inference.alternatives]


def _after(held: Hypothesis, inference: TurnInference, play: Play) -> tuple[Board, Play | None]:
    board = held.board
    if not play.tiles:
        return board, held.last_play
    if inference.kind == "removed":
        return board.without_top([t.square for t in play.tiles]), None
    if inference.earlier is not None:
        board = board.with_play(inference.earlier)
    return board.with_play(play), play
