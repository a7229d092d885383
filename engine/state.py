"""Events applied to a game's state, one after another.

Pure functions: an event that fails leaves no trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from engine.editions import RACK_SIZE
from engine.ending import apply_end
from engine.errors import GameError, UpscoreError, quoted
from engine.events import Challenged, Drawn, Ended, Event, Exchanged, Passed, Played, RackSeen
from engine.faces import FACES
from engine.racks import Rack, first_racks
from engine.records import GameState, Setup
from engine.tiles import excess_letters
from engine.turns import challenge_play, exchange_turn, pass_turn, play_turn, settle_skips
from engine.words import WordList


def first_state(setup: Setup) -> GameState:
    """The state before the first event."""
    racks, pile = first_racks(setup.edition, len(setup.players), setup.start.tile_count())
    notes = excess_letters(setup.edition, setup.start.counts())
    return GameState(setup.start, racks, pile, notes=notes)


def play_out(setup: Setup, events: Iterable[Event], lexicon: WordList | None) -> GameState:
    """The state after all the events.

    Raises GameError for the first that is impossible, saying which it is.
    """
    state = first_state(setup)
    for index, event in enumerate(events):
        try:
            state = apply_event(setup, state, event, index, lexicon)
        except UpscoreError as error:
            raise GameError(f"event {index + 1} can't be: {error}") from None
    return state


def apply_event(
    setup: Setup, state: GameState, event: Event, index: int, lexicon: WordList | None
) -> GameState:
    """The state after one more event, which is number `index` (from 0) of those that stand.

    Raises GameError, PositionError or RulesError when it is impossible.
    """
    if state.end is not None:
        raise GameError("the game is over: undo its end to go on")
    match event:
        case Drawn():
            return _draw(setup, state, event)
        case RackSeen():
            return _see_rack(setup, state, event)
        case Challenged():
            return challenge_play(setup, state, event)
        case Ended():
            return apply_end(setup, state, event)
        case Played():
            return play_turn(setup, settle_skips(setup, state, index), event.play, index, lexicon)
        case Passed():
            return pass_turn(setup, settle_skips(setup, state, index), index)
        case Exchanged():
            _check_faces(face for face in (event.given, event.drawn) if face is not None)
            return exchange_turn(setup, settle_skips(setup, state, index), event, index)


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
    if not 0 <= seen.player < len(setup.players):
        raise GameError(f"there is no player {seen.player + 1}: the game has {len(setup.players)}")
    if len(seen.faces) > RACK_SIZE:
        raise GameError(f"{len(seen.faces)} tiles on a rack: a rack holds {RACK_SIZE} at most")
    _check_faces(seen.faces)
    name = setup.players[seen.player]
    others = [face for player, rack in enumerate(state.racks) if player != seen.player for face in rack.known]
    counts = state.board.counts() + Counter(others) + Counter(seen.faces)
    notes = [f"{name}'s rack: {line}" for line in excess_letters(setup.edition, counts)]
    pile, held = state.pile, state.racks[seen.player].size
    if pile is not None and held is not None and held != len(seen.faces):
        notes.append(f"{name}'s rack has {len(seen.faces)} tiles where {held} were counted")
        pile = max(0, pile + held - len(seen.faces))
    known = state.with_rack(seen.player, Rack(seen.faces, 0))
    return replace(known, pile=pile, notes=(*state.notes, *notes))


def _check_faces(faces: Iterable[str]) -> None:
    for face in faces:
        if face not in FACES:
            raise GameError(f"{quoted(face)} is not a tile: use A to Z, or Qu")
