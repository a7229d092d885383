"""Following a game from photograph to photograph, with more than one board in mind while a turn is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.board import Board
from engine.editions import Edition
from engine.houserules import SHEET_RULES, HouseRules
from engine.play import Play
from engine.rules import Verdict, referee
from engine.squares import square_name
from engine.words import WordList
from vision.belated import completed
from vision.buried import with_buried
from vision.camera import Camera
from vision.context import Context
from vision.errors import BoardNotFound
from vision.grown import grown
from vision.hypotheses import MOST_BOARDS, Hypothesis, Judged, chance_of, followed
from vision.images import Image
from vision.infer import NO_PLAY, SURE, TurnInference, infer_turn
from vision.legibility import demanded, unread
from vision.marks import Marks, discounted, marks_on
from vision.pipeline import BoardReader, Known
from vision.reading import BoardReading, corners_of
from vision.stacks import LAYERS, layer_evidence, relative_weights

_TELLING_TILES = 3
"""Letters on the board from which it is believed which way they stand: a printed ring passes for an O."""
_SAME_PLACE = 0.25
"""Squares by which corners may have moved where the camera stands as it stood."""
_TAKEN_BACK = "It is not certain whether these tiles were taken back."
_ILLEGIBLE = "Many letters cannot be read in this picture: check the play, or photograph the board again."
_BESIDE = (
    "The border of the board cannot be made out: check the squares, or photograph the whole board again."
)
_GROWN = "The stack at {} looks higher than it was: was a tile put there, too?"
_KEPT = 0.8
"""Share of the explanations that are kept, below which a turn was vague: the next may hold what was overlooked."""
_AFTER_VAGUE, _UNSEEN = 0.97, 2.0
"""Confidence from which the turn after a vague or partly hidden one is taken; after one not seen it never is."""
_BURIED, _BURIED_IN_VIEW = 0.5, 0.02
"""Odds that a turn is partly buried by the next: one that was not seen at all, and one that was vague."""


@dataclass(frozen=True)
class Memory:
    """What a watch has in mind: the boards that may lie there, how sure of the next turn it must be, the last turn."""

    boards: tuple[Hypothesis, ...]
    demand: float
    told: TurnInference | None


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
        self._told: TurnInference | None = None
        self._marks: Marks = frozenset()
        self._last: BoardReading | None = None

    @property
    def board(self) -> Board:
        """The most probable board."""
        return self._boards[0].board

    @property
    def last_play(self) -> Play | None:
        """The play that led to that board, if it may still be taken back."""
        return self._boards[0].last_play

    @property
    def unconfirmed(self) -> bool:
        """Whether the last turn is a play that was taken without a question, and that nobody has confirmed since."""
        return self._told is not None and self._told.kind == "play" and not self._told.needs_review

    @property
    def size(self) -> int:
        """Rows of the board."""
        return self._edition.size

    def judge(self, before: Board, play: Play) -> Verdict:
        """The referee's verdict on a play."""
        return referee(before, play, edition=self._edition, lexicon=self._lexicon, rules=self._rules)

    def snapshot(self) -> Memory:
        """What is in mind, for `restore`."""
        return Memory(tuple(self._boards), self._demand, self._told)

    def restore(self, memory: Memory) -> None:
        """Back to what `snapshot` gave: a look that was too early never happened."""
        self._boards, self._demand, self._told = list(memory.boards), memory.demand, memory.told

    def settle(self, board: Board, last_play: Play | None = None) -> None:
        """The table has said what lies on the board: all doubt is gone, and what else looked like tiles is print."""
        self._boards, self._demand, self._told = [Hypothesis(board, last_play, 1.0)], SURE, None
        if self._last is not None and self._last.grid > SURE and not any(board.counts().values()):
            self._marks = marks_on(self._last, board)

    def observe(self, image: Image, corners: np.typing.ArrayLike | None = None) -> Observation:
        """The next photograph."""
        known = Known(board=self.board, layers=self._layers, upright=self._camera)
        try:
            reading = self._reader.read(image, self._edition.size, corners=corners, known=known)
        except BoardNotFound as error:
            self._demand = _UNSEEN
            inference = TurnInference("unclear", NO_PLAY, 0.0, True, (), None, str(error), None, 0.0)
            self._told = inference
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
        judged = self._judged(reading, self._boards)
        _, held, best = max(judged, key=lambda item: item[0])
        doubtful = self._told is not None and self._told.needs_review
        if doubtful and (whole := list(completed(held, best, self._context(held)))):
            judged = self._judged(reading, [*self._boards, *whole])
            _, held, best = max(judged, key=lambda item: item[0])
        inference = _discounted(best, self._agreed(held.board, best, judged))
        inference = _borne_out(inference, reading, held.board)
        if inference.kind == "removed" and not self._anchored(reading, held.board, inference.play):
            inference = replace(inference, needs_review=True, reason=inference.reason or _TAKEN_BACK)
        self._boards = followed(judged)
        if self._demand > SURE:
            self._boards = self._with_buried(reading, inference)
        self._told = inference = self._remembered(inference)
        return Observation(reading, held.board, inference, self.board, held.board != expected)

    def _judged(self, reading: BoardReading, boards: list[Hypothesis]) -> list[Judged]:
        """What each of the boards makes of a reading, and its share now."""
        inferred = [(held, infer_turn(reading, held.board, self._context(held))) for held in boards]
        logs = np.array([np.log(held.share) + inference.log_evidence for held, inference in inferred])
        shares = np.exp(logs - np.logaddexp.reduce(logs))
        return [(float(share), *each) for share, each in zip(shares, inferred, strict=True)]

    def _context(self, held: Hypothesis) -> Context:
        return Context(self._edition, self._lexicon, self._rules, held.last_play)

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
        return found[:MOST_BOARDS]

    def _agreed(self, before: Board, best: TurnInference, judged: list[Judged]) -> float:
        """Probability of what was inferred, over all boards on which it would be the same and score the same."""
        if best.kind != "play" or best.earlier is not None:
            return best.confidence * max(share for share, _, _ in judged)
        points = self.judge(before, best.play).points
        return sum(
            share * chance_of(best.play, inference)
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


def _discounted(inference: TurnInference, confidence: float) -> TurnInference:
    """The inference with its confidence over all boards that may have lain there before."""
    doubtful = inference.needs_review or confidence < SURE
    reason = inference.reason or ("It is not certain what lay on the board before." if doubtful else None)
    return replace(inference, confidence=confidence, needs_review=doubtful, reason=reason)


def _borne_out(inference: TurnInference, reading: BoardReading, before: Board) -> TurnInference:
    """The inference, asked about where the rest of the picture speaks against it.

    That is where the grid itself is in doubt and no tiles from before bear it out, where the picture shows too little
    of what is known to lie there, or where a stack on the play's line has grown, too.
    """
    if inference.needs_review or inference.kind != "play":
        return inference
    if reading.grid < SURE and len(list(before.occupied())) < _TELLING_TILES:
        return replace(inference, needs_review=True, reason=_BESIDE)
    played = {tile.square for tile in inference.play.tiles}
    if inference.confidence < demanded(unread(reading, before, played)):
        return replace(inference, needs_review=True, reason=_ILLEGIBLE)
    if (square := grown(reading, before, inference.play)) is not None:
        return replace(inference, needs_review=True, reason=_GROWN.format(square_name(square)))
    return inference
