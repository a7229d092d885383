"""The state of hands-free play that the page shows large, computed by a pure step from each new glimpse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from vision.video.scene import WatchState
from webui.live.frames import CameraStatus

Kind = Literal[
    "off",
    "connecting",
    "live",
    "still",
    "hand",
    "reading",
    "question",
    "lift",
    "sought",
    "lost",
    "gone",
    "reconnecting",
    "ended",
    "restarted",
]

_QUICK: frozenset[Kind] = frozenset({"live", "still", "hand"})
"""States that may change so fast that nobody could read them; they have to last for `_DWELL_S`."""
_DWELL_S = 0.3
"""Seconds that a quick state must last before the page shows it. [by eye]"""
_STILL_S = 0.4
"""Seconds of stillness after which the page asks the table to wait a moment. [by eye]"""
_RESTART_NOTICE_S = 8.0
"""Seconds for which the page says that watching was started again. [by eye]"""


@dataclass(frozen=True)
class Glimpse:
    """The knowledge of a watcher at a moment.

    Attributes:
        time: seconds on the watcher's clock.
        camera: the state of the camera.
        scene: the state of watching after the last frame, None before the first.
        reading: whether the board is being read.
        waiting: the number of turns that wait for an answer. None without a question, or with one about tiles to lift.
        lift: the names of squares whose tiles were taken back on the sheet, but still lie on the board.
        failure: what went wrong just now, as a sentence.
    """

    time: float
    camera: CameraStatus
    scene: WatchState | None = None
    reading: bool = False
    waiting: int | None = None
    lift: tuple[str, ...] = ()
    failure: str | None = None


@dataclass(frozen=True)
class TableState:
    """The state of hands-free play that the page shows large.

    Attributes:
        kind: the state.
        text: a sentence to add, if the kind alone does not say enough.
        waiting: the number of turns that wait for the answer to a question.
        squares: the names of the squares from which tiles have to be lifted.
        until: the time up to which the state stays, on the watcher's clock.
        other: a new state that is not shown yet, since it has not lasted for long.
        since: the time at which `other` began.
    """

    kind: Kind = "off"
    text: str = ""
    waiting: int = 0
    squares: tuple[str, ...] = ()
    until: float = 0.0
    other: Kind | None = None
    since: float = 0.0

    def looks_like(self, other: TableState) -> bool:
        """Return whether the page would show the same."""
        return (self.kind, self.text, self.waiting, self.squares) == (
            other.kind,
            other.text,
            other.waiting,
            other.squares,
        )


def step(state: TableState, glimpse: Glimpse) -> TableState:
    """Return the state after one more glimpse: trouble comes first, then the table's tasks, then what is going on."""
    if glimpse.failure is not None:
        return TableState("restarted", glimpse.failure, until=glimpse.time + _RESTART_NOTICE_S)
    if state.kind == "restarted" and glimpse.time < state.until:
        return state
    now = _state_of(glimpse)
    if now.kind not in _QUICK or state.kind not in _QUICK or now.kind == state.kind:
        return now
    if state.other != now.kind:
        return replace(state, other=now.kind, since=glimpse.time)
    return now if glimpse.time - state.since >= _DWELL_S else state


def _state_of(glimpse: Glimpse) -> TableState:
    camera, scene = glimpse.camera, glimpse.scene
    if camera.state == "lost":
        return TableState("gone", camera.text)
    if camera.state in ("reconnecting", "ended"):
        return TableState("reconnecting" if camera.state == "reconnecting" else "ended", camera.text)
    if camera.state == "connecting" or scene is None:
        return TableState("connecting")
    if scene.board != "in view":
        return TableState(scene.board, scene.notice if scene.board == "sought" else "")
    if glimpse.waiting is not None:
        return TableState("question", waiting=glimpse.waiting, squares=glimpse.lift)
    if glimpse.lift:
        return TableState("lift", squares=glimpse.lift)
    if glimpse.reading:
        return TableState("reading")
    if scene.hand:
        return TableState("hand")
    if not scene.settled and scene.still >= _STILL_S:
        return TableState("still")
    return TableState("live", scene.notice)
