"""The part of `upscore replay` that takes videos: the tracker finds the turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.play import Play
from upscore.commands.console import DONE, PARTLY, say
from upscore.commands.replay.sheet import ReplaySheet
from upscore.commands.replay.unattended import taken_for_now
from vision.turn.finding import Finding
from vision.turn.memory.steps import with_room
from vision.video.film import Video
from vision.video.tracker import Tracker

_PROGRESS = 20.0
"""Seconds of video between lines of progress."""


def replay_video(path: Path, tracker: Tracker, sheet: ReplaySheet) -> int:
    """Replay a video: a line for each turn that its tracker commits.

    PARTLY when no board was found in it, or it is cut off or damaged; raises VideoError when it is no video.
    """
    video, said = Video(path, listen=True), 0.0
    for time, frame in video.frames():
        if time - said >= _PROGRESS:
            said = time
            say(f"{time:.0f} s of {path.name}")
        before = with_room(tracker.belief)
        event = tracker.feed(frame, time)
        if event is None or event.seen.finding.kind == "none":
            continue
        if not event.amends:
            tracker.belief = taken_for_now(event.belief, event.seen.finding)
        amends = event.amends or _is_again(before.last_play, event.seen.finding)
        more: dict[str, Any] = {"amends": True} if amends else {}
        sheet.enter(
            event.seen, before.start, event.image, f"{time:08.2f}", {"time": round(event.time, 3)}, **more
        )
    sheet.conclude()
    status = DONE
    if video.missing:
        say(f"{path.name} is cut off: its last {video.missing:.0f} seconds are missing; copy it again.")
        status = PARTLY
    if video.unseen:
        say(
            f"Of {video.length:.0f} s of {path.name}, {video.unseen:.0f} s could not be seen: the file is damaged. "
            "Check the turns, or copy it again."
        )
        status = PARTLY
    if not tracker.found:
        say(f"{path.name}: no board was found in it: show the whole board, and name the right edition.")
        status = PARTLY
    return status


def _is_again(last: Play | None, finding: Finding) -> bool:
    """Whether what was found is the last play once more, read otherwise."""
    if last is None or finding.kind != "play" or finding.outcomes[0].replaces != 1:
        return False
    (play, *more) = finding.outcomes[0].changes or (None,)
    return play is not None and not more and bool({*last.squares} & {*play.squares})
