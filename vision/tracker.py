"""Hands-free play: a video's turns found by stillness, read, inferred and committed.

A play is committed when the board has lain free and still for `PATIENCE` seconds: shorter pauses are players who
reach for their rack in the middle of a word. What continues a play that was already committed amends it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from engine.board import Board
from engine.play import Play
from vision.camera import Camera
from vision.errors import BoardNotFound
from vision.images import Image
from vision.infer import TurnInference
from vision.pipeline import BoardReader, Known
from vision.reading import BoardReading
from vision.session import GameWatch, Observation
from vision.stillness import Watchman

PATIENCE = 1.87
"""Seconds of stillness after which what lies there is a turn."""
DOUBT_PATIENCE = 3.4
"""Seconds after which a doubtful turn is reported all the same."""
_SETTLING = 0.45
_FUSED = 4
_RETRY = 1.0
"""Seconds between attempts to find the board, and to tell a bumped board from a resting hand."""
_BUMPED = 0.12
"""Squares by which the corners must have moved for the board to have been bumped."""
_HAND = 3
"""Hidden squares from which a hand is believed to rest on the board."""
_AMEND_WITHIN = 6.0


@dataclass(frozen=True)
class TrackerEvent:
    """Something to tell the table: a turn (a play or tiles taken back), or an amendment of the last one.

    `time` is in seconds of the video; `before` is the board that the turn started from; `image` the fused picture.
    """

    time: float
    seen: Observation
    amends: bool
    image: Image


@dataclass(frozen=True)
class _Committed:
    time: float
    before: Board
    play: Play


class Tracker:
    """Feed it frames in order; it answers with the turns it has become sure of."""

    def __init__(self, reader: BoardReader, watch: GameWatch) -> None:
        self._reader, self._watch = reader, watch
        self._watchman: Watchman | None = None
        self._recent: deque[Image] = deque(maxlen=_FUSED)
        self._since: float | None = None
        self._looked = -np.inf
        self._covered: float | None = None
        self._fresh = True
        self._last: _Committed | None = None

    @property
    def found(self) -> bool:
        """Whether the board has been found at all."""
        return self._watchman is not None

    def feed(self, frame: Image, time: float) -> TrackerEvent | None:
        """The next frame, `time` in seconds; an event when it settles a turn."""
        if self._watchman is None:
            self._start(frame, time)
            return None
        state = self._watchman.look(frame)
        if not state.still:
            self._disturbed()
            self._covered = None
            return None
        if not state.free:
            self._disturbed()
            self._look_again(self._watchman.camera, frame, time)
            return None
        self._covered = None
        self._recent.append(frame)
        if self._since is None:
            self._since = time
        waited = time - self._since
        if not self._fresh or waited < PATIENCE or time - self._looked < _SETTLING:
            return None
        return self._consider(time, waited)

    def _disturbed(self) -> None:
        self._since = None
        self._recent.clear()
        self._fresh = True

    def _look_again(self, before: Camera, frame: Image, time: float) -> None:
        """Something lies still over the board's edge: a resting hand, or the board itself has moved.

        Where the board is still to be seen as `before`, it is not searched for.
        """
        if self._covered is None:
            self._covered = time
        if time - self._covered < _RETRY or time - self._looked < _RETRY:
            return
        self._looked = time
        try:
            reading = self._reader.read(frame, self._watch.size, known=Known(upright=before))
        except BoardNotFound:
            return
        if int(reading.occluded().sum()) < _HAND:
            self._watchman = Watchman(reading.camera, self._watch.size, frame)

    def _start(self, frame: Image, time: float) -> None:
        if time - self._looked < _RETRY:
            return
        self._looked = time
        seen = self._watch.observe(frame)
        if seen.reading is None:
            return
        self._watch.settle(seen.before)
        self._watchman = Watchman(seen.reading.camera, self._watch.size, frame)

    def _consider(self, time: float, waited: float) -> TrackerEvent | None:
        """Read the still board; commit, wait, or find that nothing changed."""
        self._looked = time
        image = _fused(self._recent)
        held = self._watch.snapshot()
        seen = self._watch.observe(image)
        if seen.reading is None:
            self._watch.restore(held)
            return None
        if seen.inference.kind == "none" and not seen.inference.needs_review:
            self._settled(image, seen.reading)
            return None
        doubtful = seen.inference.needs_review and seen.inference.kind != "removed"
        if doubtful and waited < DOUBT_PATIENCE:
            self._watch.restore(held)
            return None
        self._settled(image, seen.reading)
        if seen.inference.kind == "none":
            self._watch.restore(held)
            return None
        return self._commit(time, seen, image)

    def _commit(self, time: float, seen: Observation, image: Image) -> TrackerEvent:
        amended = self._amendment(time, seen)
        if amended is not None:
            seen = amended
        if seen.inference.kind == "play":
            earlier = seen.inference.earlier
            before = seen.before.with_play(earlier) if earlier else seen.before
            self._last = _Committed(time, before, seen.inference.play)
        else:
            self._last = None
        return TrackerEvent(time, seen, amended is not None, image)

    def _amendment(self, time: float, seen: Observation) -> Observation | None:
        """The last play and this one as a single play, when they make better sense together."""
        last, inference = self._last, seen.inference
        if last is None or inference.kind != "play" or time - last.time > _AMEND_WITHIN:
            return None
        if {t.square for t in last.play.tiles} & {t.square for t in inference.play.tiles}:
            return None
        whole = last.play.with_tiles(inference.play.tiles)
        if self._faults(last.before, whole) or not (
            self._faults(last.before, last.play) or self._faults(seen.before, inference.play)
        ):
            return None
        together = TurnInference(
            "play", whole, inference.confidence, inference.needs_review, (), inference.question, inference.reason,
            None, inference.log_evidence,
        )  # fmt: skip
        self._watch.settle(last.before.with_play(whole), whole)
        return Observation(seen.reading, last.before, together, last.before.with_play(whole), False)

    def _faults(self, before: Board, play: Play) -> int:
        return len(self._watch.judge(before, play).violations)

    def _settled(self, image: Image, reading: BoardReading) -> None:
        """The board has been read as it lies: remember its look, from where the camera is now."""
        self._fresh = False
        if self._watchman is None or self._watchman.displaced(reading.corners) > _BUMPED:
            self._watchman = Watchman(reading.camera, self._watch.size, image)
        else:
            self._watchman.settle()


def _fused(frames: deque[Image]) -> Image:
    """The mean of several still frames: their noise averages out."""
    return np.asarray(np.mean(np.stack(frames), axis=0), dtype=np.uint8)
