"""What follows from a game's log: the sheet, whose turn it is, what is left to draw and how the game may end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.board import Board
from engine.game import ending
from engine.game.challenges import OVER, open_play
from engine.game.ending import CanPlay, EndOffer
from engine.game.events import Entry, Event
from engine.game.records import EndRecord, GameState, Setup, TurnRecord
from engine.game.turns import exchange_problem, player_due, take_lost_turns
from engine.lexicon.word_list import WordList
from engine.play import Play
from engine.rules.referee import Verdict, referee
from engine.tiles import tiles_left


@dataclass(frozen=True)
class Scoresheet:
    """A game's log and what it comes to, as it is read; `engine.game.game.Game` is what writes on it.

    `log` holds everything that was ever entered, `events` those entries that stand, `state` what they come to.
    """

    setup: Setup
    log: tuple[Entry, ...]
    lexicon: WordList | None = field(compare=False, repr=False)
    events: tuple[Event, ...] = field(compare=False, repr=False)
    state: GameState = field(compare=False, repr=False)

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
        return self.players[player_due(self.setup, self.state)]

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
        due = player_due(self.setup, self.state)
        return None if unseen is None else unseen + Counter(self.state.racks[due].known)

    @property
    def exchange_problem(self) -> str | None:
        """Why the player whose turn it is can't exchange a tile, None where nothing is against it."""
        if self.state.end is not None:
            return OVER
        return exchange_problem(self.setup, take_lost_turns(self.setup, self.state, len(self.events)))

    def end_offers(self, can_play: CanPlay | None = None) -> tuple[EndOffer, ...]:
        """The ends of Rule 11 that have come about; see `engine.game.ending.end_offers`.

        Without `can_play` the solver says whether anybody can play, where the word list is a `Lexicon`.
        """
        solver = ending.solver_for(self.setup, self.lexicon)
        return ending.end_offers(self.setup, self.state, can_play or solver)

    def judge(self, play: Play) -> Verdict:
        """What the referee says of a play now; nothing is recorded. Raises as `engine.rules.referee.referee`."""
        rack = self.state.racks[player_due(self.setup, self.state)]
        return referee(
            self.board,
            play,
            edition=self.setup.edition,
            lexicon=self.lexicon,
            rules=self.setup.rules,
            rack_size=rack.size,
        )
