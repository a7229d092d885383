"""Corrections of a scoresheet, by later photographs or by a person, together with what follows from them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from engine.board import Board
from engine.errors import GameError, UpscoreError
from engine.game.events import Challenged, Corrected, Event, Exchanged, Played
from engine.game.game import Game
from engine.game.log import apply_correction, map_challenges
from engine.game.turns import shown_verdict, take_lost_turns
from engine.play import Play
from engine.wording import phrase


@dataclass(frozen=True)
class Revision:
    """What really happened: the first of `events` replace the last `replaces` events, the others come after.

    An event is a play, or None if the player took the previous play back (Rule 8) and has the turn again. Turns
    without tiles change no board. They don't count here and stay where they are.
    """

    events: tuple[Play | None, ...]
    replaces: int = 0

    def __post_init__(self) -> None:
        if self.replaces < 0:
            raise GameError(phrase("%(replaces)s plays cannot be corrected: give 0 or more", replaces=self.replaces))

    @property
    def added(self) -> tuple[Play | None, ...]:
        """The events that come after everything on the scoresheet."""
        return self.events[self.replaces :]

    def places(self, game: Game) -> tuple[int, ...]:
        """Return the numbers (from 0) of the game's events to correct; raise GameError if there are too few."""
        shown = [at for at, event in enumerate(game.events) if _changes_the_board(event)]
        if len(shown) < self.replaces:
            raise GameError(phrase("the scoresheet has fewer plays than should be corrected: correct fewer"))
        return tuple(shown[len(shown) - self.replaces :])

    def apply(self, game: Game) -> Game:
        """Return the corrected game with the added events; raise an UpscoreError if that is impossible."""
        corrected = self.correct(game)
        for event in self.added:
            corrected = corrected.with_event(_event_of(event))
        return corrected

    def correct(self, game: Game) -> Game:
        """Return the game with its last plays corrected and nothing added; raise an UpscoreError if impossible."""
        places = self.places(game)
        actual = [_event_of(event) for event in self.events[: self.replaces]]
        before = _on_the_board(game)
        expected = [*before[: len(before) - self.replaces], *actual]
        with suppress(UpscoreError):
            right = _put_right(game, places, actual)
            # Their numbers may differ: a challenge that went with its play moved the later events.
            shown = _on_the_board(right)
            if len(shown) == len(expected) and all(map(_same, shown, expected)):
                return right
        return _put_anew(game, places, actual)


def _event_of(event: Play | None) -> Event:
    return Challenged(None, upheld=True) if event is None else Played(event)


def _changes_the_board(event: Event) -> bool:
    return isinstance(event, Played) or _is_taken_back(event)


def _on_the_board(game: Game) -> tuple[Event, ...]:
    return tuple(filter(_changes_the_board, game.events))


def _put_right(game: Game, places: tuple[int, ...], actual: list[Event]) -> Game:
    """Remove surplus events and correct the others in their places, the last first: a challenge goes with its play."""
    for at in reversed(places[len(actual) :]):
        game = game.remove(at).game
    for at, event in reversed(list(zip(places, actual, strict=False))):
        if not _same(game.events[at], event):
            game = game.correct(at, event).game
    return game


def _put_anew(game: Game, places: tuple[int, ...], actual: list[Event]) -> Game:
    """Remove the events from the last to the first, then insert the corrected ones from the first to the last.

    Use this where later events don't fit until they are corrected too. Failed challenges go with their plays and come
    back with them.
    """
    right: dict[int, Event] = dict(zip(places, actual, strict=False))
    failed = {at: play for at, play in map_challenges(game.events).items() if at not in places and play in places}
    again = {at: game.events[at] for at, play in failed.items() if isinstance(right.get(play), Played)}
    for at in reversed(places):
        game = game.remove(at).game
    for at, event in sorted((right | again).items()):
        game = game.insert(at - sum(lost < at for lost in failed if lost not in again), event).game
    return game


def _same(one: Event, other: Event) -> bool:
    """Return whether two events are the same. It doesn't matter who challenged."""
    return one == other or (_is_taken_back(one) and _is_taken_back(other))


def _is_taken_back(event: Event) -> bool:
    return isinstance(event, Challenged) and event.upheld


@dataclass(frozen=True)
class Misfit:
    """A turn that can't stand after a correction of an earlier one; people must say what it really was.

    `event` is its number (from 0) before the correction, `game` the corrected game up to it. `play` is the rest of its
    play, None if no tile is left or it was no play.
    """

    event: int
    game: Game
    play: Play | None

    @property
    def number(self) -> int:
        """The number of the turn."""
        return take_lost_turns(self.game.setup, self.game.state, len(self.game.events)).number


def fit_correction(game: Game, correction: Corrected) -> Corrected | Misfit:
    """Fit a person's correction to the later events, or return the first later turn that can't stand.

    The tiles of a missed or misread turn were read as part of a later play. So a later play loses a tile if the
    correction already put its letter there. Events that the correction itself names stay as it says.

    A later turn can't stand if none of its tiles is left or if it is impossible now. Nor can it stand if it breaks a
    rule that it did not break before. `Game.put_right` refuses anything else that is impossible. Raises GameError
    where there is no event of that number.
    """
    events, places = apply_correction(game.events, correction)
    numbers = {now: was for was, now in enumerate(places) if now is not None}
    corrected = {number for number, _ in correction.also} | (set() if correction.insert else {correction.at})
    boards, also = _boards_before(game), [*correction.also]
    right = Game.from_log(game.setup, (), game.lexicon)
    for now, event in enumerate(events):
        number = numbers.get(now)
        if number is None or number in corrected:
            after = _game_after(right, event)
        else:
            actual = _actual_event(right, event, boards[number])
            after = None if actual is None else _game_after(right, actual)
            is_turn = isinstance(event, Played | Exchanged)
            if is_turn and (after is None or _breaks_more(after, game, number)):
                return Misfit(number, right, actual.play if isinstance(actual, Played) else None)
            if actual != event:
                also.append((number, actual))
        if after is None:
            break
        right = after
    return replace(correction, also=tuple(also))


def _boards_before(game: Game) -> list[Board]:
    """Return the board before each event of a game."""
    replayed, boards = Game.from_log(game.setup, (), game.lexicon), []
    for event in game.events:
        boards.append(replayed.board)
        replayed = replayed.with_event(event)
    return boards


def _actual_event(right: Game, event: Event, board: Board) -> Event | None:
    """Return the actual event, given the corrected game up to it and the board before it; None if nothing is left."""
    if isinstance(event, Played):
        tiles = tuple(
            tile
            for tile in event.play.tiles
            if right.board.top(tile.square) != tile.face or board.top(tile.square) == tile.face
        )
        return Played(Play(tiles)) if tiles else None
    if isinstance(event, Challenged) and event.challenger is not None and not right.setup.solo:
        record = right.open_play
        if record is not None and record.player == right.players[event.challenger]:
            # Nobody challenges their own play. With two players it was the other one; with more, nobody knows who.
            return replace(event, challenger=1 - event.challenger if len(right.players) == 2 else None)
    return event


def _game_after(game: Game, event: Event) -> Game | None:
    """Return the game after an event, None if that is impossible."""
    try:
        return game.with_event(event)
    except UpscoreError:
        return None


def _breaks_more(after: Game, was: Game, number: int) -> bool:
    """Return whether the newest play of `after` breaks a rule that event `number` of `was` did not break."""
    old, new = next(turn for turn in reversed(was.turns) if turn.event == number), after.turns[-1]
    if old.verdict is None or new.verdict is None or old.taken_back:
        return False
    known = {broken.text for broken in shown_verdict(old.verdict, was.setup).violations}
    return any(broken.text not in known for broken in shown_verdict(new.verdict, was.setup).violations)
