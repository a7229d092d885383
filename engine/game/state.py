"""A game's state after its events, applied one by one by pure functions: an event that fails leaves no trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.errors import GameError, UpscoreError, quoted
from engine.faces import FACES
from engine.game.challenges import GAME_OVER, challenge_play, open_play
from engine.game.ending import apply_end
from engine.game.events import (
    BoardTaken,
    Challenged,
    Corrected,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Passed,
    Played,
    RackSeen,
    TurnGiven,
)
from engine.game.records import GameState, Setup
from engine.game.turns import exchange_turn, give_turn, pass_turn, play_turn, player_due, take_board, take_lost_turns
from engine.lexicon.lexicon import WordList
from engine.play import format_play
from engine.rules.oddities import oddities
from engine.tiles import Rack, excess_letters, first_racks
from engine.wording import listed


def initial_state(setup: Setup) -> GameState:
    """Return the state before the first event."""
    racks, pile = first_racks(setup.edition, len(setup.players), setup.start.tile_count())
    notes = oddities(setup.edition, setup.start)
    return GameState(setup.start, racks, pile, turn=setup.first, notes=notes)


def replay_events(setup: Setup, events: Iterable[Event], lexicon: WordList | None) -> GameState:
    """Return the state after all the events; raise GameError that names the first impossible one."""
    state = initial_state(setup)
    for index, event in enumerate(events):
        try:
            state = apply_event(setup, state, event, index, lexicon)
        except UpscoreError as error:
            raise GameError(f"{_named(setup, state, event, index)} is impossible: {error}") from None
    return state


def assignment(setup: Setup, events: Sequence[Event], at: int, player: int) -> Corrected | None:
    """Return the correction that gives the turn at event number `at` (from 0) to a player, None if it is theirs.

    It replaces an earlier decision on that turn right before it. Raises GameError where event `at` is no turn.
    """
    if not 0 <= at < len(events) or not isinstance(events[at], (Played, Passed, Exchanged)):
        raise GameError(f"event {at + 1} is no turn: choose a play, a pass or an exchange")
    before = events[at - 1] if at else None
    if not isinstance(before, TurnGiven):
        is_due = player == player_due(setup, replay_events(setup, events[:at], None))
        return None if is_due else Corrected(at, TurnGiven(player), insert=True)
    if player == before.player:
        return None
    is_due = player == player_due(setup, replay_events(setup, events[: at - 1], None))
    return Corrected(at - 1, None if is_due else TurnGiven(player))


def _named(setup: Setup, state: GameState, event: Event, index: int) -> str:
    """Name an event for an error, by its turn where it is one; `state` is the state before it."""
    if isinstance(event, Challenged):
        record = open_play(state)
        return "the challenge" if record is None else f"the challenge of turn {record.number}"
    state = take_lost_turns(setup, state, index)
    turn = f"turn {state.number}, {setup.players[state.turn]}'s"
    match event:
        case Played(play):
            return f"{turn} {format_play(play)},"
        case Passed():
            return f"{turn} pass,"
        case Exchanged():
            return f"{turn} exchange,"
        case _:
            return f"event {index + 1}"


def apply_event(setup: Setup, state: GameState, event: Event, index: int, lexicon: WordList | None) -> GameState:
    """Apply event number `index` (from 0) and return the state after it; raise an UpscoreError if it is impossible."""
    if state.end is not None:
        raise GameError(GAME_OVER)
    match event:
        case Drawn():
            return _draw(setup, state, event)
        case RackSeen():
            return _see_rack(setup, state, event)
        case Challenged():
            return challenge_play(setup, state, event, index)
        case TurnGiven(player):
            return give_turn(setup, state, player)
        case BoardTaken():
            return take_board(setup, state, event)
        case Ended():
            return apply_end(setup, state, event)
        case Played():
            return play_turn(setup, take_lost_turns(setup, state, index), event.play, index, lexicon)
        case Passed():
            return pass_turn(setup, take_lost_turns(setup, state, index), index)
        case Exchanged():
            _check_faces(face for face in (event.given, event.drawn) if face is not None)
            return exchange_turn(setup, take_lost_turns(setup, state, index), event, index)


def _draw(setup: Setup, state: GameState, draw: Drawn) -> GameState:
    """Apply the draw for the first turn: the face nearest to A begins; a tie means drawing again."""
    if state.turns:
        raise GameError("the draw for the first turn comes before the first turn")
    if len(draw.faces) != len(setup.players):
        raise GameError(f"{len(draw.faces)} faces drawn by {len(setup.players)} players: give one each")
    _check_faces(face for face in draw.faces if face is not None)
    order = [(FACES.index(face), player) for player, face in enumerate(draw.faces) if face is not None]
    if not order:
        raise GameError("nobody drew a tile: say what at least one player drew")
    best = min(order)
    tied = [setup.players[player] for place, player in order if place == best[0]]
    if len(tied) > 1:
        raise GameError(f"{listed(tied)} drew the same letter, {FACES[best[0]]}: draw again")
    return replace(state, turn=best[1])


def _see_rack(setup: Setup, state: GameState, event: RackSeen) -> GameState:
    """Make a rack known. The pile changes by as much as the rack was thought larger or smaller."""
    setup.check_player(event.player)
    if len(event.faces) > setup.edition.rack_size:
        raise GameError(f"{len(event.faces)} tiles on a rack: a rack holds {setup.edition.rack_size} at most")
    _check_faces(event.faces)
    name = setup.players[event.player]
    others = [face for player, rack in enumerate(state.racks) if player != event.player for face in rack.known]
    counts = state.board.counts() + Counter(others) + Counter(event.faces)
    notes = [f"{name}'s rack: {line}" for line in excess_letters(setup.edition, counts)]
    updated = state.with_rack(event.player, Rack(event.faces, 0))
    counted = state.racks[event.player].size
    if state.pile is not None and counted is not None and counted != len(event.faces):
        notes.append(f"{name}'s rack has {len(event.faces)} tiles where {counted} were counted")
        updated = _with_pile_moved(setup, updated, event.player, counted - len(event.faces))
    return replace(updated, notes=(*state.notes, *notes))


def _with_pile_moved(setup: Setup, state: GameState, player: int, by: int) -> GameState:
    """Change the pile by `by` tiles, because a player's rack has that many fewer than counted."""
    memory = state.before_play
    if memory is not None and memory.pile is not None and state.turns[memory.place].player != setup.players[player]:
        memory = replace(memory, pile=max(0, memory.pile + by))
    pile = None if state.pile is None else max(0, state.pile + by)
    return replace(state, pile=pile, before_play=memory)


def _check_faces(faces: Iterable[str]) -> None:
    for face in faces:
        if face not in FACES:
            raise GameError(f"{quoted(face)} is not a tile: use A to Z, or Qu")
