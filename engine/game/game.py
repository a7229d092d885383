"""A game: an append-only log of events, and all that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.board import Board
from engine.editions import Edition
from engine.errors import GameError, UpscoreError, quoted
from engine.game.challenges import new_challenge
from engine.game.corrections import Change, changes
from engine.game.ending import check_end
from engine.game.events import (
    Challenged,
    Corrected,
    Drawn,
    Ended,
    Entry,
    Event,
    Exchanged,
    Passed,
    Played,
    Redone,
    Undone,
)
from engine.game.log import apply_correction, replay_log, standing
from engine.game.records import Setup, make_setup
from engine.game.scoresheet import Scoresheet
from engine.game.state import apply_event, assignment, replay_events
from engine.lexicon.word_list import WordList
from engine.play import Play
from engine.rules.house_rules import SHEET_RULES, HouseRules


@dataclass(frozen=True)
class Game(Scoresheet):
    """A game of one to four players. Immutable: what happens gives a new game, or an error and no change.

    Two games are equal when set-up and log are. Make one with `Game.start` or `Game.from_log`.
    """

    @classmethod
    def start(
        cls,
        edition: Edition,
        players: Sequence[str],
        rules: HouseRules = SHEET_RULES,
        *,
        lexicon: WordList | None = None,
        board: Board | None = None,
        scores: Sequence[int] | None = None,
        first: int = 0,
    ) -> Game:
        """A new game.

        Where it starts in the middle, from `board`, with each player's points so far, and with the turn of
        player number `first` (from 0). Raises GameError for players or scores that can't be.
        """
        name = None if lexicon is None else lexicon.name
        points = None if scores is None else tuple(scores)
        setup = make_setup(
            edition, tuple(players), rules, start=board, lexicon_name=name, scores=points, first=first
        )
        return cls.from_log(setup, (), lexicon)

    @classmethod
    def from_log(cls, setup: Setup, log: Iterable[Entry], lexicon: WordList | None) -> Game:
        """The game that a log replays to; raises GameError for a log that can't be."""
        entries = tuple(log)
        events, state = replay_log(setup, entries, lexicon)
        return cls(setup, entries, lexicon, events, state)

    # What happens

    def draw(self, faces: Sequence[str | None]) -> Game:
        """The draw for the first turn, one face a player; a tie raises GameError: draw again."""
        return self.with_event(Drawn(tuple(faces)))

    def play(self, play: Play) -> Game:
        """The current player plays. An illegal play is recorded with its verdict, stands and scores (Rule 8).

        Raises GameError, PositionError or RulesError for a play after which no board could exist: off the
        board, six high, two tiles on a square.
        """
        return self.with_event(Played(play))

    def pass_turn(self) -> Game:
        """The current player passes."""
        return self.with_event(Passed())

    def exchange(self, given: str | None = None, drawn: str | None = None) -> Game:
        """The current player exchanges a tile; the faces where they are known."""
        return self.with_event(Exchanged(given, drawn))

    def challenge(self, challenger: str | None, *, upheld: bool) -> Game:
        """The last word played is challenged; upheld, it comes off and its player has the turn again.

        The word list of the game is advice: where the table rules otherwise, the challenge says so. Raises GameError
        where no play is open to a challenge, for its own player, and where that player challenged it already.
        """
        number = None if challenger is None else self._number(challenger)
        return self.with_event(new_challenge(self.setup, self.state, number, upheld=upheld))

    def take_back(self) -> Game:
        """The last word played comes off again, by its player's own wish or by agreement; that player has the turn."""
        return self.with_event(Challenged(None, upheld=True))

    def end(self, reason: str | None = None, left: Sequence[int] | None = None) -> Game:
        """The game is over; without a `reason`, for the first that `end_offers` knows, or else agreed.

        `left` counts the tiles on each rack; it may be left out where they are accounted for. Raises GameError for an
        unknown reason, for racks that can't be, and where somebody is to be out though no rack is empty.
        """
        if reason is None:
            offers = self.end_offers()
            reason = offers[0].reason if offers else "agreed"
        game = self.with_event(Ended(reason, None if left is None else tuple(left)))
        if game.ended is not None:
            check_end(game.ended)
        return game

    def with_event(self, event: Event) -> Game:
        """The game after one more event; raises GameError, PositionError or RulesError where it can't be."""
        state = apply_event(self.setup, self.state, event, len(self.events), self.lexicon)
        return replace(self, log=(*self.log, event), events=(*self.events, event), state=state)

    @property
    def nothing_entered(self) -> bool:
        """The game began with a bare board and nothing is entered, so its board may change."""
        return not self.events and self.setup.start.is_empty

    def on_board_of(self, edition: Edition) -> Game:
        """Return the game on the board of another edition, with all else that was settled before it.

        Its log begins anew: what was undone or removed was of the other board. Raises GameError once something is
        entered.
        """
        if not self.nothing_entered:
            raise GameError(
                "the board can change only while nothing is entered: undo what is, or begin a new game"
            )
        setup = replace(self.setup, edition=edition, start=Board.empty(edition.size))
        return Game.from_log(setup, (), self.lexicon)

    # What is put right

    def undo(self) -> Game:
        """The game without its last entry that stands, be it an event or a correction."""
        if not standing(self.log)[0]:
            raise GameError("there is nothing to undo")
        return Game.from_log(self.setup, (*self.log, Undone()), self.lexicon)

    def redo(self) -> Game:
        """The game with the entry that was undone last, which nothing may have been entered since."""
        if not standing(self.log)[1]:
            raise GameError("there is nothing to redo")
        return Game.from_log(self.setup, (*self.log, Redone()), self.lexicon)

    def correct(self, at: int, event: Event) -> Rescored:
        """Event number `at` (from 0) of `events` was really `event`."""
        return self.put_right(Corrected(at, event))

    def insert(self, at: int, event: Event) -> Rescored:
        """Before event number `at` (from 0) of `events` something happened that was missed."""
        return self.put_right(Corrected(at, event, insert=True))

    def remove(self, at: int) -> Rescored:
        """Event number `at` (from 0) of `events` never happened."""
        return self.put_right(Corrected(at, None))

    def assign(self, at: int, player: str) -> Rescored:
        """The turn that is event number `at` (from 0) of `events` was this player's; play goes round from there.

        Raises GameError where that event is no turn, or play does not fit what came after.
        """
        correction = assignment(self.setup, self.events, at, self._number(player))
        return Rescored(self, (), self.totals) if correction is None else self.put_right(correction)

    def put_right(self, correction: Corrected) -> Rescored:
        """Enter a correction as it is; `engine.game.revision.fitted` first makes it fit what came after."""
        events, places = apply_correction(self.events, correction)
        try:
            state = replay_events(self.setup, events, self.lexicon)
        except UpscoreError as error:
            raise GameError(f"that correction does not fit what came after: {error}") from None
        game = replace(self, log=(*self.log, correction), events=events, state=state)
        return Rescored(game, changes(self.turns, game.turns, places), self.totals)

    def _number(self, player: str) -> int:
        if player not in self.players:
            raise GameError(f"{quoted(player)} does not play: use {', '.join(self.players)}")
        return self.players.index(player)


@dataclass(frozen=True)
class Rescored:
    """A game after a correction, what changed on its scoresheet, and the totals before."""

    game: Game
    changes: tuple[Change, ...]
    totals_before: dict[str, int]
