"""A game: an append-only log of events, the scoresheet that follows from it, and the ways to go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.board import Board
from engine.editions import Edition
from engine.errors import GameError, UpscoreError, quote
from engine.game import ending
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
    Redone,
    Undone,
)
from engine.game.log import apply_correction, apply_event, assignment, replay_events, replay_log, undo_stacks
from engine.game.records import EndRecord, GameState, KnownBoard, Setup, TurnRecord, make_setup
from engine.game.turns import (
    GAME_OVER,
    exchange_problem,
    new_challenge,
    open_play,
    player_due,
    shown_verdict,
    take_lost_turns,
)
from engine.lexicon.lexicon import WordList
from engine.play import Play
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.rules.referee import Verdict, referee
from engine.tiles import count_tiles_left
from engine.wording import phrase


@dataclass(frozen=True)
class Game:
    """A game of one to four players: its log, and everything that follows from it.

    Immutable: an event returns a new game, or raises an error and changes nothing. Two games are equal if their set-ups
    and logs are. Make one with `Game.start` or `Game.from_log`. `log` holds everything that was ever entered, `events`
    the entries that stand, `state` the state after them.

    >>> from engine import find_edition, parse_play
    >>> game = Game.start(find_edition("8x8"), ["Red", "Blue"])
    >>> game = game.play(parse_play("b4-MOOD")).play(parse_play("W@b4"))
    >>> game.totals, game.current_player
    ({'Red': 8, 'Blue': 5}, 'Red')
    >>> game.undo().totals
    {'Red': 8, 'Blue': 0}
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
        """Start a new game.

        A game that starts in the middle gets `board` and each player's `scores` so far. Player number `first` (from 0)
        has the first turn. Raises GameError for impossible players or scores.
        """
        name = None if lexicon is None else lexicon.name
        points = None if scores is None else tuple(scores)
        setup = make_setup(edition, tuple(players), rules, start=board, lexicon_name=name, scores=points, first=first)
        return cls.from_log(setup, (), lexicon)

    @classmethod
    def from_log(cls, setup: Setup, log: Iterable[Entry], lexicon: WordList | None) -> Game:
        """Replay a log and return its game; raise GameError for an impossible log."""
        entries = tuple(log)
        events, state = replay_log(setup, entries, lexicon)
        return cls(setup, entries, lexicon, events, state)

    # The scoresheet

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
        """The player whose turn it is, None once the game is over."""
        if self.state.end is not None:
            return None
        return self.players[player_due(self.setup, self.state)]

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        """The lines of the scoresheet."""
        return self.state.turns

    @property
    def open_play(self) -> TurnRecord | None:
        """The line of the play that can still be challenged or taken back (Rule 8), None if there is none."""
        return open_play(self.state)

    def find_known_board(self, line: int) -> KnownBoard:
        """Return the board from which the turns up to line `line` (from 1) go on: the start, or one taken as it lay."""
        earlier = [taken for taken in self.state.taken if taken.place < line]
        return earlier[-1] if earlier else KnownBoard(0, self.setup.start)

    def board_after(self, line: int) -> Board:
        """Return the board after line `line` of the sheet (from 1), 0 for the start, without tiles that came off."""
        known = self.find_known_board(line)
        board = known.board
        for record in self.turns[known.place : line]:
            if record.play is not None and not record.taken_back:
                board = board.with_play(record.play)
        return board

    @property
    def totals(self) -> dict[str, int]:
        """Each player's points, with the penalty for tiles left (6F) once the game is over."""
        return ending.totals(self.setup, self.state)

    @property
    def ended(self) -> EndRecord | None:
        """The end of the game, None while it goes on."""
        return self.state.end

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners, several for a tie; empty while the game goes on."""
        return ending.winners(self.setup, self.state)

    @property
    def pile(self) -> int | None:
        """The number of tiles in the draw pile, None if the set's number of tiles is not known."""
        return self.state.pile

    @property
    def flags(self) -> tuple[str, ...]:
        """A note on everything that contradicts the numbers of tiles, in the order in which it happened."""
        return self.state.flags

    def count_tiles_left(self) -> Counter[str] | None:
        """Count the tiles that nobody has seen, neither on the board nor on a known rack; None for an unknown set."""
        on_racks = [face for rack in self.state.racks for face in rack.known]
        return count_tiles_left(self.setup.edition, self.board, on_racks)

    def tiles_possible(self) -> Counter[str] | None:
        """Count the tiles that the current player may hold: those nobody has seen, and the known ones of the rack.

        Return None for a set whose tiles are unknown.
        """
        unseen = self.count_tiles_left()
        due = player_due(self.setup, self.state)
        return None if unseen is None else unseen + Counter(self.state.racks[due].known)

    @property
    def exchange_problem(self) -> str | None:
        """The reason why the current player can't exchange a tile, or None."""
        if self.state.end is not None:
            return GAME_OVER
        return exchange_problem(self.setup, take_lost_turns(self.setup, self.state, len(self.events)))

    def end_offers(self, can_play: CanPlay | None = None) -> tuple[EndOffer, ...]:
        """Return the ends under Rule 11 that have been reached.

        Without `can_play`, the solver decides who can play, if the word list is a `Lexicon`.
        """
        return ending.end_offers(self.setup, self.state, can_play or ending.solver_for(self.setup, self.lexicon))

    def judge(self, play: Play) -> Verdict:
        """Referee a play now and record nothing; raises the errors of `engine.rules.referee.referee`.

        >>> from engine import find_edition, parse_play
        >>> game = Game.start(find_edition("8x8"), ["Red", "Blue"])
        >>> game.judge(parse_play("a1-MOOD")).violations[0].text
        'Rule 3, first play: it must cover at least one of the centre squares (d4, e4, d5 and e5).'
        """
        edition, rules = self.setup.edition, self.setup.rules
        rack = self.state.racks[player_due(self.setup, self.state)]
        return referee(self.board, play, edition=edition, lexicon=self.lexicon, rules=rules, rack_size=rack.size)

    def shown_verdict(self, play: Play) -> Verdict:
        """Return what people may hear about a play before anybody challenges; raises the errors of `judge`."""
        return shown_verdict(self.judge(play), self.setup)

    # Events

    def draw(self, faces: Sequence[str | None]) -> Game:
        """Record the draw for the first turn, one face a player; raise GameError for a tie: draw again."""
        return self.with_event(Drawn(tuple(faces)))

    def play(self, play: Play) -> Game:
        """Play for the current player. An illegal play stands and scores, with its verdict on record (Rule 8).

        Raises GameError, PositionError or RulesError for a play that leaves no possible board: off the board, six
        high, two tiles on a square.
        """
        return self.with_event(Played(play))

    def pass_turn(self) -> Game:
        """Pass for the current player."""
        return self.with_event(Passed())

    def exchange(self, given: str | None = None, drawn: str | None = None) -> Game:
        """Exchange a tile for the current player, with the faces where they are known."""
        return self.with_event(Exchanged(given, drawn))

    def challenge(self, challenger: str | None, *, upheld: bool) -> Game:
        """Challenge the last word played; if `upheld`, it comes off and its player has the turn again.

        The game's word list is advice: if the table rules against it, the challenge says so. Raises GameError if
        no play is open to a challenge, for the play's own player, and for a player who challenged it before.

        >>> from engine import find_edition, parse_play
        >>> game = Game.start(find_edition("8x8"), ["Red", "Blue"]).play(parse_play("b4-MOOD"))
        >>> game.challenge("Blue", upheld=True).totals
        {'Red': 0, 'Blue': 0}
        """
        number = None if challenger is None else self._number(challenger)
        return self.with_event(new_challenge(self.setup, self.state, number, upheld=upheld))

    def take_back(self) -> Game:
        """Take the last word played off the board again, at its player's wish or by agreement.

        That player has the turn.
        """
        return self.with_event(Challenged(None, upheld=True))

    def end(self, reason: str | None = None, left: Sequence[int] | None = None) -> Game:
        """End the game; without a `reason`, for the first that `end_offers` returns, or else as agreed.

        `left` counts the tiles on each rack; leave it out if the log accounts for them. Raises GameError for an
        unknown reason, for impossible racks, and for reason "out" if no rack is empty.
        """
        if reason is None:
            offers = self.end_offers()
            reason = offers[0].reason if offers else "agreed"
        game = self.with_event(Ended(reason, None if left is None else tuple(left)))
        # An older log may hold such an end, so only a new one is checked (Rule 11).
        if reason == "out" and game.ended is not None and all(game.ended.left):
            raise GameError(phrase("nobody has used all tiles: correct how many are left, or the reason"))
        return game

    def with_event(self, event: Event) -> Game:
        """Return the game after one more event; raise GameError, PositionError or RulesError if it is impossible."""
        state = apply_event(self.setup, self.state, event, len(self.events), self.lexicon)
        return replace(self, log=(*self.log, event), events=(*self.events, event), state=state)

    @property
    def nothing_entered(self) -> bool:
        """True if the game began with a bare board and has no event yet, so that its board may change."""
        return not self.events and self.setup.start.is_empty

    def on_board_of(self, edition: Edition) -> Game:
        """Return the game on the board of another edition, and keep everything else of its set-up.

        Its log begins anew, since undone or removed entries belong to the old board. Raises GameError once something
        is entered.
        """
        if not self.nothing_entered:
            raise GameError(
                phrase("the board can change only while nothing is entered: undo what is, or begin a new game")
            )
        setup = replace(self.setup, edition=edition, start=Board.empty(edition.size, edition.alphabet))
        return Game.from_log(setup, (), self.lexicon)

    # Corrections

    def undo(self) -> Game:
        """Undo the last entry that stands, be it an event or a correction."""
        if not undo_stacks(self.log)[0]:
            raise GameError(phrase("there is nothing to undo"))
        return Game.from_log(self.setup, (*self.log, Undone()), self.lexicon)

    def redo(self) -> Game:
        """Redo the entry that was undone last, if nothing was entered since."""
        if not undo_stacks(self.log)[1]:
            raise GameError(phrase("there is nothing to redo"))
        return Game.from_log(self.setup, (*self.log, Redone()), self.lexicon)

    def correct(self, at: int, event: Event) -> Rescored:
        """Replace event number `at` (from 0) of `events` by `event`.

        >>> from engine import find_edition, parse_play
        >>> game = Game.start(find_edition("8x8"), ["Red", "Blue"]).play(parse_play("b4-MOOD"))
        >>> corrected = game.correct(0, Played(parse_play("b4-MOODY")))
        >>> corrected.totals_before, corrected.game.totals
        ({'Red': 8, 'Blue': 0}, {'Red': 10, 'Blue': 0})
        """
        return self.put_right(Corrected(at, event))

    def insert(self, at: int, event: Event) -> Rescored:
        """Insert a missed `event` before event number `at` (from 0) of `events`."""
        return self.put_right(Corrected(at, event, insert=True))

    def remove(self, at: int) -> Rescored:
        """Remove event number `at` (from 0) of `events`, which never happened."""
        return self.put_right(Corrected(at, None))

    def assign(self, at: int, player: str) -> Rescored:
        """Give the turn that is event number `at` (from 0) of `events` to `player`; play goes round from there.

        Raises GameError if that event isn't a turn, or if later events don't fit the change.
        """
        correction = assignment(self.setup, self.events, at, self._number(player))
        return Rescored(self, (), self.totals) if correction is None else self.put_right(correction)

    def put_right(self, correction: Corrected) -> Rescored:
        """Enter a correction as it is; `engine.game.revision.fit_correction` can first fit it to later events."""
        events, places = apply_correction(self.events, correction)
        try:
            state = replay_events(self.setup, events, self.lexicon)
        except UpscoreError as error:
            raise GameError(phrase("that doesn't fit the later turns: %(error)s", error=error)) from None
        game = replace(self, log=(*self.log, correction), events=events, state=state)
        return Rescored(game, changes(self.turns, game.turns, places), self.totals)

    def _number(self, player: str) -> int:
        if player not in self.players:
            raise GameError(
                phrase(
                    "%(player)s does not play: use %(players)s", player=quote(player), players=", ".join(self.players)
                )
            )
        return self.players.index(player)


@dataclass(frozen=True)
class Rescored:
    """A game after a correction, the changes on its scoresheet, and the totals before."""

    game: Game
    changes: tuple[Change, ...]
    totals_before: dict[str, int]
