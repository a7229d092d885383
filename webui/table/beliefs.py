"""What is believed of a stored game: kept with it, and brought in line with its scoresheet after every change."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

from engine import Game, Play
from engine.game.events import Corrected, Exchanged, Passed
from vision import Belief, certain
from vision.errors import BeliefError
from vision.turn.belief_json import dump_belief, load_belief
from vision.turn.steps import decided
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
    corrected = bool(now.log) and isinstance(now.log[-1], Corrected)
    return _without_read_twice(after, before, was, now) if corrected else after


def _without_read_twice(after: Belief, before: Belief, was: Game, now: Game) -> Belief:
    """Return the belief after a correction, without tiles to lift whose letter stays on top.

    Such a letter was entered twice: it lies there once, and rightly.
    """
    if after.to_lift is None:
        return after
    known = before.to_lift.squares if before.to_lift is not None else ()
    tiles = tuple(
        tile
        for tile in after.to_lift.tiles
        if tile.square in known or now.board.top(tile.square) != was.board.top(tile.square)
    )
    return replace(after, to_lift=Play(tiles) if tiles else None)


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
