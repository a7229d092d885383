"""What the table is told of hands-free play, as one state: a pure step from what is known at a moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from vision.video.scene import Scene
from webui.live.frames import CameraStatus

Kind = Literal[
    "off", "connecting", "live", "still", "hand", "reading", "question", "lift", "sought", "lost", "gone",
    "reconnecting", "ended", "restarted",
]  # fmt: skip

_QUICK: frozenset[Kind] = frozenset({"live", "still", "hand"})
_DWELL_S = 0.3
"""Seconds that a hand must be there, or gone, to be spoken of: what flickers cannot be read."""
_STILL_S = 0.4
"""Seconds of stillness after which the table is asked to wait a moment."""
_TOLD_S = 8.0
"""Seconds for which it is said that the watching was started again."""


@dataclass(frozen=True)
class Glimpse:
    """What is known at a moment.

    Attributes:
        time: seconds on the clock of the one who watches.
        camera: how the camera does.
        scene: what the last frame showed, None before the first.
        reading: the board is being read.
        waiting: turns that wait for an answer. None where no question waits, or only one about the tiles to lift.
        lift: names of squares whose tiles were taken back on the sheet, and still lie.
        failure: what went wrong just now, as a sentence.
    """

    time: float
    camera: CameraStatus
    scene: Scene | None = None
    reading: bool = False
    waiting: int | None = None
    lift: tuple[str, ...] = ()
    failure: str | None = None


@dataclass(frozen=True)
class TableState:
    """What the page shows large.

    Attributes:
        kind: which state it is.
        text: what is to be said besides, where the kind alone does not say it.
        waiting: turns that wait for the answer to a question.
        squares: names of the squares from which tiles are to be lifted.
        until: the time up to which it stays whatever is seen.
        other: the state that shows itself since `since`, and is not told yet.
    """

    kind: Kind = "off"
    text: str = ""
    waiting: int = 0
    squares: tuple[str, ...] = ()
    until: float = 0.0
    other: Kind | None = None
    since: float = 0.0

    def looks_like(self, other: TableState) -> bool:
        """Whether the page would show the same."""
        return (self.kind, self.text, self.waiting, self.squares) == (
            other.kind, other.text, other.waiting, other.squares,
        )  # fmt: skip


def step(state: TableState, seen: Glimpse) -> TableState:
    """The state after one more glimpse: trouble first, then what the table has to do, then what is going on."""
    if seen.failure is not None:
        return TableState("restarted", seen.failure, until=seen.time + _TOLD_S)
    if state.kind == "restarted" and seen.time < state.until:
        return state
    now = _now(seen)
    if now.kind not in _QUICK or state.kind not in _QUICK or now.kind == state.kind:
        return now
    if state.other != now.kind:
        return replace(state, other=now.kind, since=seen.time)
    return now if seen.time - state.since >= _DWELL_S else state


def _now(seen: Glimpse) -> TableState:
    camera = seen.camera
    if camera.state == "lost":
        return TableState("gone", camera.text)
    if camera.state in ("reconnecting", "ended"):
        return TableState("reconnecting" if camera.state == "reconnecting" else "ended", camera.text)
    if camera.state == "connecting" or seen.scene is None:
        return TableState("connecting")
    if seen.scene.board != "in view":
        return TableState(seen.scene.board)
    if seen.waiting is not None:
        return TableState("question", waiting=seen.waiting, squares=seen.lift)
    if seen.lift:
        return TableState("lift", squares=seen.lift)
    if seen.reading:
        return TableState("reading")
    if seen.scene.hand:
        return TableState("hand")
    return TableState("still" if not seen.scene.settled and seen.scene.still >= _STILL_S else "live")
