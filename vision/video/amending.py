"""A play that goes on after it was committed: its player had only reached for the rack."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board import Board
from engine.play import Play
from vision.turn.context import Context
from vision.turn.finding import Finding, Outcome
from vision.turn.inference.story import Story
from vision.turn.reasons import DOUBT
from vision.turn.thresholds import SURE

_AMEND_WITHIN = 6.0
"""Seconds after which a play is over."""


@dataclass(frozen=True)
class Committed:
    """A play that was committed at `time`, in seconds of the video, on the board `before` it."""

    time: float
    before: Board
    play: Play


def whole_play(last: Committed | None, time: float, finding: Finding, context: Context) -> Committed | None:
    """The last play and what was found now as a single play, where it is the same turn that goes on; None where not."""
    if last is None or time - last.time > _AMEND_WITHIN or finding.kind != "play" or finding.play is None:
        return None
    if finding.outcomes[0].revises:
        longer = set(last.play.tiles) < set(finding.play.tiles) and finding.before == last.before
        return replace(last, play=finding.play) if longer else None
    if len(finding.outcomes[0].changes) != 1 or {*last.play.squares} & {*finding.play.squares}:
        return None
    whole = last.play.with_tiles(finding.play.tiles)
    alone = _faults(context, last.before, last.play) or _faults(context, finding.before, finding.play)
    return replace(last, play=whole) if alone and not _faults(context, last.before, whole) else None


def amended(finding: Finding, whole: Committed) -> tuple[Finding, Board]:
    """What a finding comes to where the whole play takes the last one's place, and the board then.

    That a part breaks a rule, or that an earlier turn was another, the whole play explains. What the picture leaves in
    doubt stays so.
    """
    doubt = finding.doubt or (DOUBT if finding.confidence < SURE else None)
    outcome = Outcome(Story((whole.play,)), 0, 1, finding.confidence)
    found = Finding(
        "play", (outcome,), finding.confidence, doubt is not None, None, doubt, whole.before, whole.play, doubt=doubt
    )  # fmt: skip
    return found, whole.before.with_play(whole.play)


def _faults(context: Context, before: Board, play: Play) -> int:
    return len(context.verdict(before, play).violations)
