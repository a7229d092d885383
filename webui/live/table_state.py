"""The state of hands-free play that the page shows large, computed by a pure step from each new glimpse."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from vision.video.watch_state import WatchState
from webui.live.camera import CameraStatus

Kind = Literal[
    "off", "connecting", "live", "hand", "reading", "question", "lift", "sought", "lost", "gone", "reconnecting",
    "ended", "restarted",
]  # fmt: skip

WATCHING: frozenset[Kind] = frozenset({"live", "hand", "reading"})
"""States of watching. They may change so fast that nobody could read them, so each is shown for `_SHOWN_S` at least."""
_SHOWN_S = 1.0
"""Seconds for which each state of watching is shown at least. [by eye]"""
_DWELL_S = 0.3
"""Seconds that a state of watching must last before the page shows it. [by eye]"""
_STILL_S = 0.4
"""Seconds of stillness after which the page says that the board is being read. [by eye]"""
_RESTART_NOTICE_S = 8.0
"""Seconds for which the page says that watching was started again. [by eye]"""


SCORE_S = 3.5
"""Seconds for which the score of the last play is shown: three, and half a second to fetch it. [by eye]"""


@dataclass(frozen=True)
class Score:
    """A play's player, words and points, shown until `until` on the watcher's clock.

    `provisional` says that the play is not on the sheet yet: an early look was sure of it, but it may still go on.
    """

    player: str
    words: tuple[str, ...]
    points: int
    provisional: bool = False
    until: float = math.inf


@dataclass(frozen=True)
class Glimpse:
    """The state of a watcher at one moment, `time` in seconds on its clock.

    `watch_state` is the state after the last frame. `waiting` is the number of turns that wait for an answer:
    None without a question, or with one about tiles to lift. `lift` names the squares of such tiles. `failure` is a
    sentence.
    """

    time: float
    camera: CameraStatus
    watch_state: WatchState | None = None
    waiting: int | None = None
    lift: tuple[str, ...] = ()
    failure: str | None = None
    score: Score | None = None


@dataclass(frozen=True)
class TableState:
    """The state of hands-free play that the page shows large, with a sentence if the kind doesn't say enough.

    `waiting` is the number of turns that wait for an answer; tiles have to be lifted from `squares`. The state has been
    shown from `shown` and stays up to `until`, on the watcher's clock. `other` is a new state, seen from `since` on,
    that hasn't lasted long enough to be shown. States are equal if the page shows the same.
    """

    kind: Kind = "off"
    text: str = ""
    waiting: int = 0
    squares: tuple[str, ...] = ()
    score: Score | None = None
    until: float = field(default=0.0, compare=False)
    shown: float = field(default=0.0, compare=False)
    other: Kind | None = field(default=None, compare=False)
    since: float = field(default=0.0, compare=False)


def step(state: TableState, glimpse: Glimpse) -> TableState:
    """Return the state after one more glimpse. Trouble comes first, then tasks for the table, then what is going on."""
    score = glimpse.score if glimpse.score is not None and glimpse.time < glimpse.score.until else None
    return replace(_next(state, glimpse), score=score)


def _next(state: TableState, glimpse: Glimpse) -> TableState:
    if glimpse.failure is not None:
        return TableState("restarted", glimpse.failure, until=glimpse.time + _RESTART_NOTICE_S)
    if state.kind == "restarted" and glimpse.time < state.until:
        return state
    now = replace(_state_of(glimpse), shown=glimpse.time)
    if now.kind == state.kind:
        return replace(now, shown=state.shown)
    if now.kind not in WATCHING or state.kind not in WATCHING:
        return now
    if state.other != now.kind:
        state = replace(state, other=now.kind, since=glimpse.time)
    lasts = glimpse.time - state.since >= _DWELL_S and glimpse.time - state.shown >= _SHOWN_S
    return now if lasts else state


def _state_of(glimpse: Glimpse) -> TableState:
    camera, watch_state = glimpse.camera, glimpse.watch_state
    if camera.state == "lost":
        return TableState("gone", camera.text)
    if camera.state == "reconnecting":
        return TableState("reconnecting", camera.text)
    if camera.state == "ended":
        return TableState("ended", camera.fault)
    if camera.state == "connecting" or watch_state is None:
        return TableState("connecting")
    if watch_state.board != "in view":
        return TableState(watch_state.board, watch_state.notice)
    if glimpse.waiting is not None:
        return TableState("question", watch_state.notice, glimpse.waiting, glimpse.lift)
    if glimpse.lift:
        return TableState("lift", watch_state.notice, squares=glimpse.lift)
    reads = not watch_state.settled and watch_state.still >= _STILL_S
    return TableState("hand" if watch_state.hand else "reading" if reads else "live", watch_state.notice)
