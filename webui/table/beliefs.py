"""What is believed of a stored game: kept with it, and brought in line with its scoresheet after every change."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

from engine import Game, Play
from engine.game.events import Corrected, Exchanged, Passed, Redone, Undone
from engine.game.log import undo_stacks
from vision import Belief, certain
from vision.errors import BeliefError
from vision.turn.belief import anew
from vision.turn.belief_json import dump_belief, load_belief
from vision.turn.steps import decided
from vision.turn.withdrawn import on_squares
from webui.storage.database import GameRow

_LOG = logging.getLogger(__name__)


def sheet_belief(game: Game) -> Belief:
    """Return the belief that the board lies there as the scoresheet has it, and nothing more."""
    return certain(game.board, play_to_take_back(game))


def stored_belief(row: GameRow, game: Game) -> tuple[Belief, str | None]:
    """Return the belief stored with a game. If it can't be used, return the scoresheet's, and why."""
    if row.belief is None:
        return sheet_belief(game), None
    try:
        belief = load_belief(_parsed(row.belief))
    except BeliefError as error:
        _LOG.warning("Game %d: %s", row.id, error)
        return sheet_belief(game), str(error)
    return (belief if belief.sheet_board == game.board else sheet_belief(game)), None


def _parsed(text: str) -> object:
    """Return the JSON data of a text, None where it is cut off or none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def belief_after(before: Belief, was: Game, now: Game, looked: Belief | None, *, shown: bool) -> Belief:
    """Return the belief after a change of a game: what a look made of it, or what the table decided."""
    if looked is not None and looked.sheet_board == now.board:
        return looked
    if was.board == now.board and not shown:
        return _passed_over(before, was, now)
    after = decided(before, now.board, play_to_take_back(now), shown=shown)
    if after.to_lift is not None and _is_corrected(was, now):
        return replace(after, to_lift=on_squares(after.to_lift, before.to_lift))
    return after


def _is_corrected(was: Game, now: Game) -> bool:
    """Return whether a game was corrected, or a correction undone or redone.

    That says what was played. It takes nothing off the board, so it leaves no new tiles to lift.
    """
    last = now.log[-1] if now.log else None
    if isinstance(last, Undone):
        last = was.log[undo_stacks(was.log)[0][-1]]
    elif isinstance(last, Redone):
        last = now.log[undo_stacks(now.log)[0][-1]]
    return isinstance(last, Corrected)


def board_is_right(belief: Belief, game: Game) -> Belief:
    """Return the belief after the table said that the board lies as the scoresheet has it."""
    return anew(belief, game.board, play_to_take_back(game))


def _passed_over(belief: Belief, was: Game, now: Game) -> Belief:
    """Return the belief after a change that leaves the board as it was.

    A pass may be entered after a play that no look showed. Without this the play would count as the next player's.
    """
    more = len(now.events) - len(was.events)
    longer, shorter = (now.events, was.events) if more > 0 else (was.events, now.events)
    newest = longer[len(shorter) :]
    passed = bool(newest) and all(isinstance(event, Passed | Exchanged) for event in newest)
    if (
        not belief.in_doubt
        or not passed
        or longer[: len(shorter)] != shorter
        or isinstance(now.log[-1], Corrected)
    ):
        return belief
    return replace(belief, gap=replace(belief.gap, passed=max(belief.gap.passed + more, 0)))


def dump(belief: Belief) -> str:
    """Return a belief as the text that is stored."""
    return json.dumps(dump_belief(belief), separators=(",", ":"))


def play_to_take_back(game: Game) -> Play | None:
    """Return the last word played while it can still be taken off the board, None when there is none."""
    return None if game.open_play is None else game.open_play.play
