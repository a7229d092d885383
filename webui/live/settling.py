"""Looks that leave nothing to ask: the board lies as the scoresheet has it, or they ask what is asked already."""

from __future__ import annotations

from dataclasses import replace

from engine.game.events import Exchanged, Passed
from engine.game.game import Game
from engine.game.revision import Revision
from vision.turn.memory.belief import Belief
from vision.turn.memory.decisions import decided
from vision.turn.reasons import GOES_ON
from vision.turn.thresholds import SURE
from webui.live.beliefs import play_to_take_back
from webui.ports import TurnReading
from webui.storage.open_games import OpenGame
from webui.views.game.question import Pending, pending_from


def right_again(sighting: TurnReading) -> bool:
    """Whether nothing is new on the board but that tiles are off it that were to be lifted."""
    return is_as_before(sighting) and sighting.lifted is not None


def lies_as_before(sighting: TurnReading) -> bool:
    """Whether the board surely lies as the scoresheet has it, and nothing else is told of it."""
    return is_as_before(sighting) and sighting.lifted is None and sighting.belief is not None


def begins(sighting: TurnReading, opened: OpenGame) -> bool:
    """Whether the board is shown as it lies before the first word: that is no turn, and nothing to ask about."""
    return is_as_before(sighting) and not opened.game.turns and opened.game.board.is_empty


def settled(sighting: TurnReading, opened: OpenGame) -> Belief | None:
    """What is believed where the question that waits is none any more: the board lies as the scoresheet has it.

    Either nothing is there that was not before, or what was taken off was laid again.
    """
    game, last = opened.game, play_to_take_back(opened.game)
    if sighting.belief is None or (opened.pending is not None and opened.pending.kind == "none"):
        return None
    if sighting.kind == "none":
        return decided(sighting.belief, game.board, last, shown=False)
    best = sighting.choices[0] if sighting.choices else None
    if best is None or last is None or best.revision != Revision((None, last)) or best.confidence < SURE:
        return None
    return decided(sighting.belief, game.board, last, shown=True)


def settled_by_photograph(sighting: TurnReading, opened: OpenGame) -> Belief | None:
    """The same for a photograph, which mostly stands for a turn: one without a change may be of a pass.

    It is of none where it answers a question about tiles that were gone, or where they were laid again.
    """
    unchanged = sighting.kind == "none"
    if unchanged and (sighting.needs_review or not _asked_for_tiles(opened)):
        return None
    return settled(sighting, opened)


def is_as_before(sighting: TurnReading) -> bool:
    """Whether the board surely lies as the scoresheet has it."""
    return sighting.kind == "none" and not sighting.needs_review


def _asked_for_tiles(opened: OpenGame) -> bool:
    """Whether the question that waits is about tiles that are gone: taken back, knocked off, or another board's."""
    pending, looks = opened.pending, opened.belief.looks
    if pending is None:
        return False
    unexplained = bool(looks) and looks[-1].is_blank
    return pending.kind == "removed" or (pending.kind == "unclear" and unexplained)


def asked_already(sighting: TurnReading, pending: Pending) -> bool:
    """Whether a look asks what is asked already, so that it adds nothing."""
    asked = pending_from(sighting, pending.photo)
    same = [choice.revision for choice in asked.choices] == [choice.revision for choice in pending.choices]
    return sighting.needs_review and same and (asked.kind, asked.reason) == (pending.kind, pending.reason)


def still_asked(sighting: TurnReading, pending: Pending | None) -> TurnReading:
    """What a photograph shows while it is asked whether a play goes on: that no picture tells, so it is still asked."""
    sure = sighting.kind == "play" and not sighting.needs_review and bool(sighting.choices)
    if pending is None or pending.reason != GOES_ON or not sure:
        return sighting
    same = sighting.choices[0].revision == pending.choices[0].revision
    return replace(
        sighting,
        choices=pending.choices if same else sighting.choices,
        needs_review=True,
        reason=GOES_ON,
        belief=None,
    )


def is_passed(was: Game, now: Game) -> bool:
    """Whether somebody has passed, or exchanged, between two states of a game."""
    return any(isinstance(event, Passed | Exchanged) for event in now.events[len(was.events) :])
