"""Putting a scoresheet right by what is seen later: the last plays on it were really others, and what followed them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from engine.errors import GameError, UpscoreError
from engine.game.events import Challenged, Event, Played
from engine.game.game import Game
from engine.game.log import challenged
from engine.play import Play


@dataclass(frozen=True)
class Revision:
    """The last `replaces` events of a game were really the first of `events`, and the others came after.

    An event is a play, or None: the play before is taken back by its player (Rule 8), who has the turn again. Turns
    without tiles change no board and count for nothing here: they stay where they are.
    """

    events: tuple[Play | None, ...]
    replaces: int = 0

    def __post_init__(self) -> None:
        if self.replaces < 0:
            raise GameError(f"{self.replaces} plays cannot be put right: give 0 or more")

    @property
    def added(self) -> tuple[Play | None, ...]:
        """The events that come after all that is on the scoresheet."""
        return self.events[self.replaces :]

    def places(self, game: Game) -> tuple[int, ...]:
        """The numbers (from 0) of the game's events that are put right; raises GameError where there are fewer."""
        shown = [at for at, event in enumerate(game.events) if _changes_the_board(event)]
        if len(shown) < self.replaces:
            raise GameError("there are fewer plays on the scoresheet than are to be put right")
        return tuple(shown[len(shown) - self.replaces :])

    def applied(self, game: Game) -> Game:
        """The game put right; raises an UpscoreError where that cannot be."""
        return self.with_added(self.corrected(game))

    def corrected(self, game: Game) -> Game:
        """The game with its last plays put right, and nothing added; raises an UpscoreError where that cannot be."""
        places = self.places(game)
        really = [_event_of(event) for event in self.events[: self.replaces]]
        shown = _on_the_board(game)
        with suppress(UpscoreError):
            right = _put_right(game, places, really)
            if _shows(right, (*shown[: len(shown) - self.replaces], *really)):
                return right
        return _put_anew(game, places, really)

    def with_added(self, corrected: Game) -> Game:
        """The game that is put right already, with what came after; raises an UpscoreError where that cannot be."""
        for event in self.added:
            corrected = corrected.with_event(_event_of(event))
        return corrected


def _event_of(event: Play | None) -> Event:
    return Challenged(None, upheld=True) if event is None else Played(event)


def _changes_the_board(event: Event) -> bool:
    return isinstance(event, Played) or _is_taken_back(event)


def _on_the_board(game: Game) -> tuple[Event, ...]:
    return tuple(filter(_changes_the_board, game.events))


def _shows(game: Game, expected: tuple[Event, ...]) -> bool:
    """Whether these events and no others change the game's board.

    They are not looked for by number: challenges that went with their plays move what came after them.
    """
    shown = _on_the_board(game)
    return len(shown) == len(expected) and all(map(_same, shown, expected))


def _put_right(game: Game, places: tuple[int, ...], really: list[Event]) -> Game:
    """The game with what is too many removed, and each event corrected in its place.

    From the last on: a challenge goes with the play that it is of.
    """
    for at in reversed(places[len(really) :]):
        game = game.remove(at).game
    for at, event in reversed(list(zip(places, really, strict=False))):
        if not _same(game.events[at], event):
            game = game.correct(at, event).game
    return game


def _put_anew(game: Game, places: tuple[int, ...], really: list[Event]) -> Game:
    """The same where what comes later does not fit until it is put right, too: taken off from the last on, put anew.

    Challenges that failed go with their plays, and come back with them.
    """
    right: dict[int, Event] = dict(zip(places, really, strict=False))
    failed = {at: play for at, play in challenged(game.events).items() if at not in places and play in places}
    again = {at: game.events[at] for at, play in failed.items() if isinstance(right.get(play), Played)}
    for at in reversed(places):
        game = game.remove(at).game
    for at, event in sorted((right | again).items()):
        game = game.insert(at - sum(lost < at for lost in failed if lost not in again), event).game
    return game


def _same(one: Event, other: Event) -> bool:
    """Whether they are one event, whoever challenged."""
    return one == other or (_is_taken_back(one) and _is_taken_back(other))


def _is_taken_back(event: Event) -> bool:
    return isinstance(event, Challenged) and event.upheld
