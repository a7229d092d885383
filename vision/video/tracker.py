"""Hands-free play: a video's turns found by stillness, read, inferred and committed.

A play is committed when the board has lain free and still for `PATIENCE` seconds: shorter pauses are players who
reach for their rack in the middle of a word. What continues a play that was already committed amends it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from engine.board import Board
from engine.play import Play
from vision.errors import BoardNotFound
from vision.geometry.camera import Camera
from vision.images import Image
from vision.pipeline import BoardReader, Known
from vision.reading import BoardReading
from vision.turn.belief import Belief, decided
from vision.turn.context import Context
from vision.turn.finding import Finding, Outcome
from vision.turn.inference.story import Story
from vision.turn.observe import Observation, observe
from vision.turn.review import SURE
from vision.video.motion_gate import Watchman

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

    Attributes:
        time: seconds of the video.
        seen: what happened.
        amends: it takes, whole, the place of the turn before it.
        image: the fused picture.
        belief: what is believed now.
    """

    time: float
    seen: Observation
    amends: bool
    image: Image
    belief: Belief


@dataclass(frozen=True)
class _Committed:
    time: float
    before: Board
    play: Play


class Tracker:
    """Feed it frames in order; it answers with the turns it has become sure of.

    `belief` is what is believed of the game; whoever decides about a turn puts what is believed then in its place.
    """

    def __init__(self, reader: BoardReader, belief: Belief, context: Context) -> None:
        self._reader, self.belief, self._context = reader, belief, context
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
            reading = self._reader.read(frame, self._context.edition.size, known=Known(upright=before))
        except BoardNotFound:
            return
        if int(reading.occluded().sum()) < _HAND:
            self._watchman = Watchman(reading.camera, self._context.edition.size, frame)

    def _start(self, frame: Image, time: float) -> None:
        if time - self._looked < _RETRY:
            return
        self._looked = time
        before = self.belief
        after, seen = observe(self._reader, before, frame, self._context)
        if seen.reading is None:
            return
        self.belief = decided(after, before.sheet_board, before.last_play, shown=after.to_lift is None)
        self._watchman = Watchman(seen.reading.camera, self._context.edition.size, frame)

    def _consider(self, time: float, waited: float) -> TrackerEvent | None:
        """Read the still board; commit, wait, or find that nothing changed: a look too early never happened."""
        self._looked = time
        image = _fused(self._recent)
        after, seen = observe(self._reader, self.belief, image, self._context)
        if seen.reading is None:
            return None
        finding = seen.finding
        if finding.kind == "none" and finding.lifted is None:
            if not finding.needs_review or waited >= DOUBT_PATIENCE:
                self._settled(image, seen.reading)
            return None
        whole = self._whole_play(time, finding)
        doubtful = finding.needs_review and finding.kind != "removed" and whole is None
        if doubtful and waited < DOUBT_PATIENCE:
            return None
        self._settled(image, seen.reading)
        if whole is not None:
            return self._amend(time, seen, after, image, whole)
        return self._commit(time, seen, after, image)

    def _commit(self, time: float, seen: Observation, after: Belief, image: Image) -> TrackerEvent:
        finding = seen.finding
        self.belief, self._last = after, None
        if finding.kind == "play" and finding.play is not None:
            self._last = _Committed(time, finding.before, finding.play)
        return TrackerEvent(time, seen, False, image, after)

    def _amend(
        self, time: float, seen: Observation, after: Belief, image: Image, last: _Committed
    ) -> TrackerEvent:
        """The play that was committed goes on: the whole of it takes its place."""
        confidence = seen.finding.confidence
        outcome = Outcome(Story((last.play,)), 0, 1, confidence)
        unsure = confidence < SURE
        reason = seen.finding.reason if unsure else None
        finding = Finding(
            "play", (outcome,), confidence, unsure, None, reason, before=last.before, play=last.play
        )  # fmt: skip
        board = last.before.with_play(last.play)
        self.belief, self._last = decided(after, board, last.play, shown=True), replace(last, time=time)
        return TrackerEvent(time, Observation(seen.reading, finding, board), True, image, self.belief)

    def _whole_play(self, time: float, finding: Finding) -> _Committed | None:
        """The last play and this one as a single play, where it is the same turn that goes on; None where not."""
        last = self._last
        if last is None or time - last.time > _AMEND_WITHIN or finding.kind != "play" or finding.play is None:
            return None
        if finding.outcomes[0].revises:
            longer = set(last.play.tiles) < set(finding.play.tiles) and finding.before == last.before
            return replace(last, play=finding.play) if longer else None
        if len(finding.outcomes[0].changes) != 1 or {*last.play.squares} & {*finding.play.squares}:
            return None
        whole = last.play.with_tiles(finding.play.tiles)
        alone = self._faults(last.before, last.play) or self._faults(finding.before, finding.play)
        return replace(last, play=whole) if alone and not self._faults(last.before, whole) else None

    def _faults(self, before: Board, play: Play) -> int:
        return len(self._context.verdict(before, play).violations)

    def _settled(self, image: Image, reading: BoardReading) -> None:
        """The board has been read as it lies: remember its look, from where the camera is now."""
        self._fresh = False
        if self._watchman is None or self._watchman.displaced(reading.corners) > _BUMPED:
            self._watchman = Watchman(reading.camera, self._context.edition.size, image)
        else:
            self._watchman.settle()


def _fused(frames: deque[Image]) -> Image:
    """The mean of several still frames: their noise averages out."""
    return np.asarray(np.mean(np.stack(frames), axis=0), dtype=np.uint8)
