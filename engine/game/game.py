"""A game: an append-only log of events, and all that follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.board import Board
from engine.editions import Edition
from engine.errors import GameError, UpscoreError, quoted
from engine.game import ending
from engine.game.challenges import new_challenge, open_play
from engine.game.corrections import Change, changes
from engine.game.ending import CanPlay, EndOffer
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
    RackSeen,
    Redone,
    Undone,
)
from engine.game.log import follow, put_right, standing
from engine.game.log_json import log_from_dict, log_to_dict
from engine.game.records import EndRecord, GameState, Setup, TurnRecord, make_setup
from engine.game.state import apply_event, assignment, play_out
from engine.game.turns import turn_due
from engine.lexicon.word_list import WordList
from engine.play import Play
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.rules.referee import Verdict, referee
from engine.tiles import tiles_left


@dataclass(frozen=True)
class Game:
    """A game of one to four players. Immutable: what happens gives a new game, or an error and no change.

    `log` holds everything that was ever entered, `events` those entries that stand, `state` what they come
    to. Two games are equal when set-up and log are. Make one with `Game.start`, `Game.from_log` or
    `Game.from_dict`.
    """

    setup: Setup
    log: tuple[Entry, ...]
    lexicon: WordList | None = field(compare=False, repr=False)
    events: tuple[Event, ...] = field(compare=False, repr=False)
    state: GameState = field(compare=False, repr=False)

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
        setup = make_setup(edition, tuple(players), rules, board, name, points, first)
        return cls.from_log(setup, (), lexicon)

    @classmethod
    def from_log(cls, setup: Setup, log: Iterable[Entry], lexicon: WordList | None) -> Game:
        """The game that a log replays to; raises GameError for a log that can't be."""
        entries = tuple(log)
        events, state = follow(setup, entries, lexicon)
        return cls(setup, entries, lexicon, events, state)

    @classmethod
    def from_dict(cls, data: object, lexicon: WordList | None) -> Game:
        """The game that `to_dict` wrote, its plays judged by `lexicon`.

        Raises an UpscoreError, one line: for data that is no game, a newer version, a log that was cut off,
        or an entry that can't be, with its number.
        """
        setup, log = log_from_dict(data)
        return cls.from_log(setup, log, lexicon)

    def to_dict(self) -> dict[str, object]:
        """The game as JSON data, its whole log (docs/notation.md)."""
        return log_to_dict(self.setup, self.log)

    # What follows from the log

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in the order of play."""
        return self.setup.players

    @property
    def board(self) -> Board:
        """The board as it stands."""
        return self.state.board

    @property
    def current_player(self) -> str | None:
        """Whose turn it is, None once the game is over."""
        if self.state.end is not None:
            return None
        return self.players[turn_due(self.setup, self.state)]

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        """The lines of the scoresheet."""
        return self.state.turns

    @property
    def open_play(self) -> TurnRecord | None:
        """The line of the play that can still be challenged or taken back (Rule 8), None where there is none."""
        return open_play(self.state)

    @property
    def totals(self) -> dict[str, int]:
        """Each player's points, with the penalty for tiles left (6F) once the game is over."""
        return ending.totals(self.setup, self.state)

    @property
    def ended(self) -> EndRecord | None:
        """How the game ended, None while it goes on."""
        return self.state.end

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won, several for a tie; empty while the game goes on."""
        return ending.winners(self.setup, self.state)

    @property
    def pile(self) -> int | None:
        """The number of tiles in the draw pile, None where the set's number of tiles is not known."""
        return self.state.pile

    @property
    def flags(self) -> tuple[str, ...]:
        """Everything that can't be right by the numbers of tiles, in the order in which it came up."""
        return self.state.flags

    def tiles_left(self) -> Counter[str] | None:
        """The tiles that nobody has seen, neither on the board nor on a known rack; None: not known."""
        known = [face for rack in self.state.racks for face in rack.known]
        return tiles_left(self.setup.edition, self.board, known)

    def tiles_possible(self) -> Counter[str] | None:
        """The tiles that the player whose turn it is may hold: those nobody has seen, and those known of the rack.

        None where the set's tiles are not known.
        """
        unseen = self.tiles_left()
        due = turn_due(self.setup, self.state)
        return None if unseen is None else unseen + Counter(self.state.racks[due].known)

    def end_offers(self, can_play: CanPlay | None = None) -> tuple[EndOffer, ...]:
        """The ends of Rule 11 that have come about; see `engine.game.ending.end_offers`.

        Without `can_play` the solver says whether anybody can play, where the word list is a `Lexicon`.
        """
        solver = ending.solver_for(self.setup, self.lexicon)
        return ending.end_offers(self.setup, self.state, can_play or solver)

    def judge(self, play: Play) -> Verdict:
        """What the referee says of a play now; nothing is recorded. Raises as `engine.rules.referee.referee`."""
        rack = self.state.racks[turn_due(self.setup, self.state)]
        return referee(
            self.board,
            play,
            edition=self.setup.edition,
            lexicon=self.lexicon,
            rules=self.setup.rules,
            held=rack.size,
        )

    # What happens

    def draw(self, faces: Sequence[str | None]) -> Game:
        """The draw for the first turn, one face a player; a tie raises GameError: draw again."""
        return self.with_event(Drawn(tuple(faces)))

    def see_rack(self, player: str, faces: Sequence[str]) -> Game:
        """A player's whole rack becomes known."""
        return self.with_event(RackSeen(self._number(player), tuple(faces)))

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

        `left` counts the tiles on each rack; it may be left out where they are accounted for.
        """
        if reason is None:
            offers = self.end_offers()
            reason = offers[0].reason if offers else "agreed"
        return self.with_event(Ended(reason, None if left is None else tuple(left)))

    def with_event(self, event: Event) -> Game:
        """The game after one more event; raises GameError, PositionError or RulesError where it can't be."""
        state = apply_event(self.setup, self.state, event, len(self.events), self.lexicon)
        return replace(self, log=(*self.log, event), events=(*self.events, event), state=state)

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
        return self._put_right(Corrected(at, event))

    def insert(self, at: int, event: Event) -> Rescored:
        """Before event number `at` (from 0) of `events` something happened that was missed."""
        return self._put_right(Corrected(at, event, insert=True))

    def remove(self, at: int) -> Rescored:
        """Event number `at` (from 0) of `events` never happened."""
        return self._put_right(Corrected(at, None))

    def assign(self, at: int, player: str) -> Rescored:
        """The turn that is event number `at` (from 0) of `events` was this player's; play goes round from there.

        Raises GameError where that event is no turn, or play does not fit what came after.
        """
        correction = assignment(self.setup, self.events, at, self._number(player))
        return Rescored(self, (), self.totals) if correction is None else self._put_right(correction)

    def _put_right(self, correction: Corrected) -> Rescored:
        events, places = put_right(self.events, correction)
        try:
            state = play_out(self.setup, events, self.lexicon)
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
