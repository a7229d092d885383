"""A game's log and the state that it leads to: the events that stand, and what each of them does.

The log is append-only: its entries are events, and others that undo or correct them. Events are applied one by one by
pure functions: one that fails leaves no trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.errors import GameError, UpscoreError, quote
from engine.faces import Alphabet
from engine.game.ending import apply_end
from engine.game.events import (
    BoardTaken,
    Challenged,
    Corrected,
    Drawn,
    Ended,
    Entry,
    Event,
    Exchanged,
    Passed,
    Played,
    RackSeen,
    Redone,
    TurnGiven,
    Undone,
)
from engine.game.records import GameState, Setup
from engine.game.turns import (
    GAME_OVER,
    challenge_play,
    exchange_turn,
    give_turn,
    open_play,
    pass_turn,
    play_turn,
    player_due,
    take_board,
    take_lost_turns,
)
from engine.lexicon.lexicon import WordList
from engine.play import format_play
from engine.rules.referee import oddities
from engine.tiles import Rack, excess_letters, first_racks
from engine.wording import join_names, phrase


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
            raise GameError(
                phrase("%(event)s is impossible: %(error)s", event=_name_event(setup, state, event, index), error=error)
            ) from None
    return state


def assignment(setup: Setup, events: Sequence[Event], at: int, player: int) -> Corrected | None:
    """Return the correction that gives the turn at event number `at` (from 0) to a player, None if it is theirs.

    It replaces an earlier decision on that turn right before it. Raises GameError if event `at` isn't a turn.
    """
    if not 0 <= at < len(events) or not isinstance(events[at], (Played, Passed, Exchanged)):
        raise GameError(phrase("event %(number)s isn't a turn: choose a play, a pass or an exchange", number=at + 1))
    before = events[at - 1] if at else None
    if not isinstance(before, TurnGiven):
        is_due = player == player_due(setup, replay_events(setup, events[:at], None))
        return None if is_due else Corrected(at, TurnGiven(player), insert=True)
    if player == before.player:
        return None
    is_due = player == player_due(setup, replay_events(setup, events[: at - 1], None))
    return Corrected(at - 1, None if is_due else TurnGiven(player))


def _name_event(setup: Setup, state: GameState, event: Event, index: int) -> str:
    """Name an event for an error, by its turn where it is one; `state` is the state before it."""
    if isinstance(event, Challenged):
        record = open_play(state)
        return (
            phrase("the challenge")
            if record is None
            else phrase("the challenge of turn %(number)s", number=record.number)
        )
    state = take_lost_turns(setup, state, index)
    turn = phrase("turn %(number)s, %(player)s's", number=state.number, player=setup.players[state.turn])
    match event:
        case Played(play):
            return phrase("%(turn)s %(play)s,", turn=turn, play=format_play(play))
        case Passed():
            return phrase("%(turn)s pass,", turn=turn)
        case Exchanged():
            return phrase("%(turn)s exchange,", turn=turn)
        case _:
            return phrase("event %(number)s", number=index + 1)


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
        case BoardTaken(tiles):
            _check_faces(tiles.faces, setup.edition.alphabet)
            return take_board(setup, state, event)
        case Ended():
            return apply_end(setup, state, event)
        case Played(play):
            _check_faces(play.faces, setup.edition.alphabet)
            return play_turn(setup, take_lost_turns(setup, state, index), play, index, lexicon)
        case Passed():
            return pass_turn(setup, take_lost_turns(setup, state, index), index)
        case Exchanged():
            _check_faces((face for face in (event.given, event.drawn) if face is not None), setup.edition.alphabet)
            return exchange_turn(setup, take_lost_turns(setup, state, index), event, index)


def _draw(setup: Setup, state: GameState, draw: Drawn) -> GameState:
    """Apply the draw for the first turn: the face nearest to A begins; a tie means drawing again."""
    if state.turns:
        raise GameError(phrase("the draw for the first turn comes before the first turn"))
    if len(draw.faces) != len(setup.players):
        raise GameError(
            phrase(
                "%(count)s faces drawn by %(players)s players: give one each",
                count=len(draw.faces),
                players=len(setup.players),
            )
        )
    alphabet = setup.edition.alphabet
    _check_faces((face for face in draw.faces if face is not None), alphabet)
    order = [(alphabet.number[face], player) for player, face in enumerate(draw.faces) if face is not None]
    if not order:
        raise GameError(phrase("nobody drew a tile: say what at least one player drew"))
    best = min(order)
    tied = [setup.players[player] for place, player in order if place == best[0]]
    if len(tied) > 1:
        letter = alphabet.faces[best[0]]
        raise GameError(
            phrase("%(players)s drew the same letter, %(letter)s: draw again", players=join_names(tied), letter=letter)
        )
    return replace(state, turn=best[1])


def _see_rack(setup: Setup, state: GameState, event: RackSeen) -> GameState:
    """Make a rack known. The pile changes by as much as the rack was thought larger or smaller."""
    setup.check_player(event.player)
    if len(event.faces) > setup.edition.rack_size:
        raise GameError(
            phrase(
                "%(count)s tiles on a rack: a rack holds %(most)s at most",
                count=len(event.faces),
                most=setup.edition.rack_size,
            )
        )
    _check_faces(event.faces, setup.edition.alphabet)
    name = setup.players[event.player]
    others = [face for player, rack in enumerate(state.racks) if player != event.player for face in rack.known]
    counts = state.board.counts() + Counter(others) + Counter(event.faces)
    notes = [
        phrase("%(name)s's rack: %(line)s", name=name, line=line) for line in excess_letters(setup.edition, counts)
    ]
    pile, memory, counted = state.pile, state.before_play, state.racks[event.player].size
    if pile is not None and counted is not None and counted != len(event.faces):
        notes.append(
            phrase(
                "%(name)s's rack has %(count)s tiles where %(counted)s were counted",
                name=name,
                count=len(event.faces),
                counted=counted,
            )
        )
        fewer = counted - len(event.faces)
        pile = max(0, pile + fewer)
        if memory is not None and memory.pile is not None and state.turns[memory.place].player != name:
            memory = replace(memory, pile=max(0, memory.pile + fewer))
    seen = state.with_rack(event.player, Rack(event.faces, 0))
    return replace(seen, pile=pile, before_play=memory, notes=(*state.notes, *notes))


def _check_faces(faces: Iterable[str], alphabet: Alphabet) -> None:
    for face in faces:
        if face not in alphabet.number:
            raise GameError(phrase("%(face)s is not a tile: use %(faces)s", face=quote(face), faces=alphabet.described))


def replay_log(setup: Setup, log: Iterable[Entry], lexicon: WordList | None) -> tuple[tuple[Event, ...], GameState]:
    """Replay a log; return the events that stand in the end, and the state after them.

    Raises GameError for the first impossible entry, even if it was undone later: no game writes such a log.
    """
    history: list[tuple[tuple[Event, ...], GameState]] = [((), initial_state(setup))]
    undone: list[tuple[tuple[Event, ...], GameState]] = []
    for number, entry in enumerate(log, start=1):
        events, state = history[-1]
        try:
            if isinstance(entry, Undone):
                if len(history) == 1:
                    raise GameError(phrase("there is nothing to undo"))
                undone.append(history.pop())
                continue
            if isinstance(entry, Redone):
                if not undone:
                    raise GameError(phrase("there is nothing to redo"))
                history.append(undone.pop())
                continue
            if isinstance(entry, Corrected):
                events, _ = apply_correction(events, entry)
                state = replay_events(setup, events, lexicon)
            else:
                state = apply_event(setup, state, entry, len(events), lexicon)
                events = (*events, entry)
        except UpscoreError as error:
            raise GameError(
                phrase("log entry %(number)s is impossible: %(error)s", number=number, error=error)
            ) from None
        history.append((events, state))
        undone.clear()
    return history[-1]


def undo_stacks(log: Sequence[Entry]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers (from 0) of the entries of a log that stand, and of those that can be redone.

    Each list ends with the next entry to undo or redo. Only events and corrections count. The log is one that
    `replay_log` accepts.
    """
    stands: list[int] = []
    undone: list[int] = []
    for number, entry in enumerate(log):
        if isinstance(entry, Undone):
            undone.append(stands.pop())
        elif isinstance(entry, Redone):
            stands.append(undone.pop())
        else:
            stands.append(number)
            undone.clear()
    return tuple(stands), tuple(undone)


def apply_correction(
    events: tuple[Event, ...], correction: Corrected
) -> tuple[tuple[Event, ...], tuple[int | None, ...]]:
    """Return the events after a correction, and the new number of each event before it, None if it is gone.

    A challenge stays with its play. It goes when the play goes. Where another word now comes between the two, the
    challenge moves to right behind its play. Raises GameError if there is no event of that number.
    """
    at, insert = correction.at, correction.insert
    if insert and not 0 <= at <= len(events):
        raise _no_event(events, at)
    if insert and correction.put is None:
        raise GameError(phrase("nothing to insert: say what happened"))
    put = [*correction.also] if insert else [(at, correction.put), *correction.also]
    actual: dict[int, Event | None] = dict(put)
    for number in actual:
        if not 0 <= number < len(events):
            raise _no_event(events, number)
    if len(actual) < len(put):
        raise GameError(phrase("one event is corrected twice in one step: say once what happened"))
    numbered: list[_Placed] = []
    for number, event in enumerate((*events, None)):
        if insert and number == at and correction.put is not None:
            numbered.append((None, correction.put))
        corrected = actual.get(number, event)
        if corrected is not None:
            numbered.append((number, corrected))
    for challenge, play in map_challenges(events).items():
        if isinstance(actual.get(challenge, events[challenge]), Challenged):
            numbered = _with_its_play(numbered, challenge, play)
    places = {was: now for now, (was, _) in enumerate(numbered)}
    return tuple(event for _, event in numbered), tuple(places.get(was) for was in range(len(events)))


def _no_event(events: Sequence[Event], number: int) -> GameError:
    return GameError(
        phrase("there is no event %(number)s to correct: %(count)s stand", number=number + 1, count=len(events))
    )


_Placed = tuple[int | None, Event]
"""An event, and its number before the correction, None for a new one."""


def map_challenges(events: Sequence[Event]) -> dict[int, int]:
    """Map the number of each challenge among the events to the number of its play."""
    plays: dict[int, int] = {}
    play: int | None = None
    for number, event in enumerate(events):
        if isinstance(event, Played):
            play = number
        elif isinstance(event, Challenged) and play is not None:
            plays[number] = play
    return plays


def _with_its_play(numbered: list[_Placed], challenge: int, play: int) -> list[_Placed]:
    """Move a challenge directly after its play, or drop it with the play.

    Both numbers are those before the correction.
    """
    play_at = next((at for at, (was, event) in enumerate(numbered) if was == play and isinstance(event, Played)), None)
    now = next(at for at, (was, _) in enumerate(numbered) if was == challenge)
    others = [*numbered[:now], *numbered[now + 1 :]]
    if play_at is None:
        return others
    if not any(isinstance(event, Played) for _, event in numbered[play_at + 1 : now]):
        return numbered
    behind = play_at + 1
    while behind < len(others) and isinstance(others[behind][1], Challenged):
        behind += 1
    return [*others[:behind], numbered[now], *others[behind:]]
