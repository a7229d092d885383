"""The state of a table while it is watched, what is found there, and when to search for a board that is out of view."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from engine.wording import phrase
from vision.images import Image
from vision.turn.belief import Belief
from vision.turn.finding import Finding
from vision.video.motion import Plane, working_picture

Where = Literal["sought", "in view", "lost"]

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 8.0
"""First and longest pause between searches for a board, seconds. A search takes a good part of a second, so each pause
is twice the last. [by eye]"""
_UNCHANGED_PAUSE_S = 30.0
"""Seconds after which an unchanged picture is searched again, because it shows nothing new. [by eye]"""
_EARLY_SEARCHES = 4
"""Number of searches that are made even if the picture is unchanged, because a camera needs time to focus. [by eye]"""
_CHANGED_SHARE = 0.02
"""Share of changed pixels from which a picture has changed. [by eye]"""
_CHANGED_PIXEL = 0.15
"""Relative change from which a pixel counts as changed. [by eye]"""
_MAX_FAILURES = 2
"""Number of failed searches after which the board is out of view, because a hand may have hidden it in one. [by eye]"""


@dataclass(frozen=True)
class WatchState:
    """The state of a table in one frame.

    Attributes:
        board: "sought" until the board is found for the first time, then "in view" or "lost".
        hand: whether something moves over the board or reaches over its edge.
        still: seconds for which the board has lain free and still, 0 while it doesn't.
        settled: whether the present board has been read.
        due: whether it is time to read the board.
        early: whether it is time for an early look, which decides nothing yet (`Tracker.glance`).
        notice: a sentence about a lasting problem, or "".
    """

    board: Where
    hand: bool
    still: float
    settled: bool
    due: bool
    notice: str = ""
    early: bool = False


class TrackedFinding(NamedTuple):
    """A turn found by watching the table (a play or tiles taken back), or an amendment of the last turn.

    While a question is open, a finding of kind "none" says that the board agrees with the scoresheet.

    Attributes:
        time: seconds of the video.
        finding: what happened.
        belief: the belief after it.
        amends: whether it replaces the whole turn before it.
        image: the fused picture, (h, w, 3) BGR.
    """

    time: float
    finding: Finding
    belief: Belief
    amends: bool
    image: Image


_USUAL_S, _SUPPOSED_RESTS = 3.0, 4
"""Rest between two turns, seconds, that is supposed of a table that nobody has watched, and the number of rests that it
weighs as much as. In eleven films the geometric means of rests are 2.7 to 3.8 s. [by hand, eleven films]"""


@dataclass(frozen=True)
class Rests:
    """The rests between the turns of a table, from the hand that leaves to the hand that comes.

    Attributes:
        count: rests that were seen.
        logs: the sum of the logarithms of their seconds.
    """

    count: int = 0
    logs: float = 0.0

    def then(self, seconds: float) -> Rests:
        """Return the rests with one more, of so many seconds, more than 0."""
        return Rests(self.count + 1, self.logs + math.log(seconds))

    @property
    def usual(self) -> float:
        """The usual rest in seconds: the geometric mean of those seen and of what is supposed."""
        logs = self.logs + _SUPPOSED_RESTS * math.log(_USUAL_S)
        return math.exp(logs / (self.count + _SUPPOSED_RESTS))


_LULL_S = 60.0
"""Seconds without a turn, or in doubt, after which people are told. [by eye]"""
HANDS_OFF = phrase("Show the whole board, and take your hands off it for two seconds after each turn.")
NO_TURN = phrase("No turn was seen for a minute. %(advice)s", advice=HANDS_OFF)
TOO_SELDOM = phrase("The camera sends a picture only every few seconds, too seldom to see turns. Let it send a film.")
IN_DOUBT = phrase(
    "For a minute it hasn't been clear what was played. "
    "Light the board evenly, and keep your hands off it for four seconds."
)


class Lull:
    """A minute of watching without result: no turn was seen on a board in view, or every look was doubtful.

    Before the first turn, a minute with a still board counts, too. Later, people may think for as long as they like.
    """

    def __init__(self) -> None:
        self._calm: float | None = None
        self._doubt: float | None = None
        self._turns = self._in_doubt = False

    def record_found(self, time: float) -> None:
        """Record that the board was found, or found again."""
        self._calm = time

    def lies_read(self, time: float) -> None:
        """Record that the board still lies as it was read."""
        self._calm = time if self._turns else self._calm

    def record_look(self, time: float, *, sure: bool, turn: bool) -> None:
        """Record a look at the board: whether it is sure of what it shows, and whether that is a turn."""
        self._turns |= turn
        self.lies_read(time)
        self._doubt = None if sure else time if self._doubt is None else self._doubt
        self._in_doubt = self._doubt is not None and time - self._doubt >= _LULL_S

    def record_decision(self, time: float) -> None:
        """Record that the table has decided what was played."""
        self.record_look(time, sure=True, turn=True)

    def text(self, time: float) -> str:
        """Return the sentence for people, or ""."""
        if self._in_doubt:
            return IN_DOUBT
        return NO_TURN if self._calm is not None and time - self._calm >= _LULL_S else ""


class SearchSchedule:
    """The schedule of searches for a board that wasn't found: soon after a change of the picture, otherwise seldom."""

    def __init__(self) -> None:
        self._failures = 0
        self._pause = 0.0
        self._searched_at = -np.inf
        self._searched: Plane | None = None

    @property
    def failed(self) -> bool:
        """True if the last searches failed."""
        return self._failures >= _MAX_FAILURES

    def due(self, frame: Image, time: float) -> bool:
        """Return whether to search this frame, at this time in seconds."""
        if self._searched is None:
            return True
        gone = time - self._searched_at
        worth = self._failures < _EARLY_SEARCHES or gone >= _UNCHANGED_PAUSE_S or self._has_changed(frame)
        return worth and gone >= self._pause

    def fail(self, frame: Image, time: float) -> bool:
        """Record that the board wasn't found in this frame. Return whether it is out of view now."""
        self._failures, self._searched_at, self._searched = self._failures + 1, time, working_picture(frame)
        self._pause = min(max(2.0 * self._pause, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)
        return self.failed

    def succeed(self) -> None:
        """Record that the board was found."""
        self._failures, self._pause, self._searched = 0, 0.0, None

    def _has_changed(self, frame: Image) -> bool:
        now = working_picture(frame)
        if self._searched is None or now.shape != self._searched.shape:
            return True
        return float(np.mean(np.abs(now - self._searched) > _CHANGED_PIXEL)) > _CHANGED_SHARE
