"""Events applied to a game's state, one after another.

Pure functions: an event that fails leaves no trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.editions import RACK_SIZE
from engine.errors import GameError, UpscoreError, quoted
from engine.faces import FACES
from engine.game.challenges import OVER, challenge_play, open_play
from engine.game.ending import apply_end
from engine.game.events import (
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
from engine.game.turns import (
    exchange_turn,
    give_turn,
    pass_turn,
    play_turn,
    player_due,
    take_lost_turns,
)
from engine.lexicon.lexicon import WordList
from engine.play import format_play
from engine.rules.oddities import oddities
from engine.tiles import Rack, excess_letters, first_racks


def initial_state(setup: Setup) -> GameState:
    """The state before the first event."""
    racks, pile = first_racks(setup.edition, len(setup.players), setup.start.tile_count())
    notes = oddities(setup.edition, setup.start)
    return GameState(setup.start, racks, pile, turn=setup.first, notes=notes)


def replay_events(setup: Setup, events: Iterable[Event], lexicon: WordList | None) -> GameState:
    """The state after all the events.

    Raises GameError for the first that is impossible, saying which it is.
    """
    state = initial_state(setup)
    for index, event in enumerate(events):
        try:
            state = apply_event(setup, state, event, index, lexicon)
        except UpscoreError as error:
            raise GameError(f"{_named(setup, state, event, index)} can't be: {error}") from None
    return state


def assignment(setup: Setup, events: Sequence[Event], at: int, player: int) -> Corrected | None:
    """The correction by which the turn that is event number `at` (from 0) is this player's, None where it is.

    A player given the turn already, right before it, gives way. Raises GameError where there is no such turn.
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
    """What an event is called, given the state that it meets, by its turn where it is one."""
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


def apply_event(
    setup: Setup, state: GameState, event: Event, index: int, lexicon: WordList | None
) -> GameState:
    """The state after one more event, which is number `index` (from 0) of those that stand.

    Raises GameError, PositionError or RulesError when it is impossible.
    """
    if state.end is not None:
        raise GameError(OVER)
    match event:
        case Drawn():
            return _draw(setup, state, event)
        case RackSeen():
            return _see_rack(setup, state, event)
        case Challenged():
            return challenge_play(setup, state, event, index)
        case TurnGiven(player):
            return give_turn(setup, state, player)
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
    """The draw for the first turn: nearest to A starts; a tie draws again."""
    if state.turns:
        raise GameError("the draw for the first turn comes before the first turn")
    if len(draw.faces) != len(setup.players):
        raise GameError(f"{len(draw.faces)} faces drawn by {len(setup.players)} players: give one each")
    _check_faces(face for face in draw.faces if face is not None)
    drawn = [(FACES.index(face), player) for player, face in enumerate(draw.faces) if face is not None]
    if not drawn:
        raise GameError("nobody drew a tile: say what at least one player drew")
    best = min(drawn)
    tied = [setup.players[player] for order, player in drawn if order == best[0]]
    if len(tied) > 1:
        raise GameError(f"{' and '.join(tied)} drew {FACES[best[0]]} alike: draw again")
    return replace(state, turn=best[1])


def _see_rack(setup: Setup, state: GameState, seen: RackSeen) -> GameState:
    """A rack becomes known; the pile makes up for a rack that was thought larger or smaller."""
    setup.check_player(seen.player)
    if len(seen.faces) > RACK_SIZE:
        raise GameError(f"{len(seen.faces)} tiles on a rack: a rack holds {RACK_SIZE} at most")
    _check_faces(seen.faces)
    name = setup.players[seen.player]
    others = [face for player, rack in enumerate(state.racks) if player != seen.player for face in rack.known]
    counts = state.board.counts() + Counter(others) + Counter(seen.faces)
    notes = [f"{name}'s rack: {line}" for line in excess_letters(setup.edition, counts)]
    known = state.with_rack(seen.player, Rack(seen.faces, 0))
    held = state.racks[seen.player].size
    if state.pile is not None and held is not None and held != len(seen.faces):
        notes.append(f"{name}'s rack has {len(seen.faces)} tiles where {held} were counted")
        known = _with_pile_moved(setup, known, seen.player, held - len(seen.faces))
    return replace(known, notes=(*state.notes, *notes))


def _with_pile_moved(setup: Setup, state: GameState, player: int, by: int) -> GameState:
    """The state with more or fewer tiles in the pile than were counted, since a player's rack has so many less."""
    memory = state.before_play
    if (
        memory is not None
        and memory.pile is not None
        and state.turns[memory.place].player != setup.players[player]
    ):
        memory = replace(memory, pile=max(0, memory.pile + by))
    pile = None if state.pile is None else max(0, state.pile + by)
    return replace(state, pile=pile, before_play=memory)


def _check_faces(faces: Iterable[str]) -> None:
    for face in faces:
        if face not in FACES:
            raise GameError(f"{quoted(face)} is not a tile: use A to Z, or Qu")
