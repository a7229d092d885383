"""A play that goes on after it was committed: its player had only reached for the rack."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board import Board
from engine.play import Play
from vision.turn.context import Context
from vision.turn.finding import Finding, Outcome
from vision.turn.inference.story import Story
from vision.turn.reasons import DOUBT, GOES_ON
from vision.turn.thresholds import SURE

_AMEND_WITHIN = 6.0
"""Seconds within which a play that makes one lawful play with the last is taken for its rest. Of 424 pairs of turns in
a row in the development sets one would make a lawful play; hardly anybody plays so soon after another."""
_MAY_GO_ON = 20.0
"""Seconds within which it is asked. Supposed: no table was timed."""


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
    return _joined(last, finding.play, context) if len(finding.outcomes[0].changes) == 1 else None


def perhaps_whole(last: Committed | None, time: float, finding: Finding, context: Context) -> Finding | None:
    """The finding as a question, where its first play may be the rest of the last one; None where not."""
    if last is None or time - last.time > _MAY_GO_ON or finding.kind != "play":
        return None
    best = finding.outcomes[0]
    first, *more = best.changes or (None,)
    whole = None if best.revises or first is None else _joined(last, first, context)
    if whole is None:
        return None
    kept = max(best.kept - 1, 0)  # where the table has decided since, the last play is part of the start
    one = Outcome(Story((*best.events[:kept], whole.play, *more)), kept, 1, best.share)
    outcomes = (best, one, *(finding.outcomes[1:] if finding.needs_review else ()))
    return replace(finding, outcomes=outcomes, needs_review=True, question=None, reason=GOES_ON)


def _joined(last: Committed, play: Play, context: Context) -> Committed | None:
    """The last play with the tiles of another beside it, where that is one lawful play."""
    if {*last.play.squares} & {*play.squares}:
        return None
    whole = last.play.with_tiles(play.tiles)
    return replace(last, play=whole) if context.verdict(last.before, whole).legal else None


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
