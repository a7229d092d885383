"""Put a scoresheet right: by what later photographs show, or as a person says, with what follows from that later on."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from engine.board import Board
from engine.errors import GameError, UpscoreError
from engine.game.challenges import told_now
from engine.game.events import Challenged, Corrected, Event, Exchanged, Played
from engine.game.game import Game
from engine.game.log import apply_correction, challenged
from engine.game.turns import take_lost_turns
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


@dataclass(frozen=True)
class Misfit:
    """A turn that can't stand after a correction of an earlier one: people say what it really was.

    `event` is its number (from 0) before the correction, `game` the corrected game up to it. `play` is what is left of
    its play, None where nothing is left or it was no play.
    """

    event: int
    game: Game
    play: Play | None

    @property
    def number(self) -> int:
        """The number of the turn."""
        return take_lost_turns(self.game.setup, self.game.state, len(self.game.events)).number


def fitted(game: Game, correction: Corrected) -> Corrected | Misfit:
    """Make a person's correction fit what came after it, or return the first later turn that can't stand.

    The tiles of a turn that was missed or misread were read as part of a later play. So a tile is left out of a later
    play if the correction put its letter there already. What the correction itself says of a turn stays as it is.

    A later turn can't stand if no tile of it is left, if it is impossible now, or if it breaks a rule that it did not
    break before. Anything else that can't be is left for `Game.put_right` to refuse. Raises GameError where there is no
    such event.
    """
    events, places = apply_correction(game.events, correction)
    numbers = {now: was for was, now in enumerate(places) if now is not None}
    said = {number for number, _ in correction.also} | (set() if correction.insert else {correction.at})
    boards, also = _boards_before(game), [*correction.also]
    right = Game.from_log(game.setup, (), game.lexicon)
    for now, event in enumerate(events):
        number = numbers.get(now)
        if number is None or number in said:
            after = _after(right, event)
        else:
            really = _really(right, event, boards[number])
            after = None if really is None else _after(right, really)
            is_turn = isinstance(event, Played | Exchanged)
            if is_turn and (after is None or _breaks_more(after, game, number)):
                return Misfit(number, right, really.play if isinstance(really, Played) else None)
            if really != event:
                also.append((number, really))
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


def _really(right: Game, event: Event, board: Board) -> Event | None:
    """Return what an event was, by the corrected game up to it and the board before it; None if nothing is left."""
    if isinstance(event, Played):
        tiles = tuple(
            tile
            for tile in event.play.tiles
            if right.board.top(tile.square) != tile.face or board.top(tile.square) == tile.face
        )
        return Played(Play(tiles)) if tiles else None
    if isinstance(event, Challenged) and event.challenger is not None and not right.setup.solo:
        made = right.open_play
        if made is not None and made.player == right.players[event.challenger]:
            # Nobody challenges their own play: of two players it was the other, of more nobody knows who.
            return replace(event, challenger=1 - event.challenger if len(right.players) == 2 else None)
    return event


def _after(game: Game, event: Event) -> Game | None:
    """Return the game after an event, None where that can't be."""
    try:
        return game.with_event(event)
    except UpscoreError:
        return None


def _breaks_more(after: Game, was: Game, number: int) -> bool:
    """Return whether the newest play of a game breaks a rule that it did not break as event `number` of the other."""
    old, new = next(turn for turn in reversed(was.turns) if turn.event == number), after.turns[-1]
    if old.verdict is None or new.verdict is None or old.taken_back:
        return False
    told = {broken.text for broken in told_now(old.verdict, was.setup).violations}
    return any(broken.text not in told for broken in told_now(new.verdict, was.setup).violations)
