"""The records that follow from a game's log: set-up, turns and the end, as scoresheets show them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.board import Board
from engine.editions import MAX_PLAYERS, Edition
from engine.errors import GameError, quote
from engine.game.events import Authority
from engine.play import Play
from engine.rules.house_rules import HouseRules
from engine.rules.referee import Verdict
from engine.tiles import Rack
from engine.wording import is_one_line, number_of, phrase

TurnKind = Literal["play", "pass", "exchange", "lost"]
MAX_NAME = 40
"""The most characters in a player's name. [by eye]"""
MAX_SCORE = 9999
"""The most points that a player can bring to a game that starts in the middle. [by eye]"""


@dataclass(frozen=True)
class Setup:
    """Everything that is decided before the first turn; `start` is the board at the start.

    A game that starts in the middle has points already, `scores`, one number a player. It may begin with another
    player, number `first` (from 0).

    Raises GameError for impossible players or scores, RulesError for a board that is not the edition's.
    """

    edition: Edition
    players: tuple[str, ...]
    rules: HouseRules
    start: Board
    lexicon_name: str | None
    scores: tuple[int, ...]
    first: int

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MAX_PLAYERS:
            raise GameError(
                phrase("%(count)s players: a game has one to %(most)s", count=len(self.players), most=MAX_PLAYERS)
            )
        for name in self.players:
            if name != name.strip() or len(name) > MAX_NAME or not is_one_line(name):
                raise GameError(
                    phrase(
                        "%(name)s can't be a player's name. Use up to %(most)s characters on one line",
                        name=quote(name),
                        most=MAX_NAME,
                    )
                )
        if len(set(self.players)) < len(self.players):
            raise GameError(
                phrase("two players have the same name (%(names)s): tell them apart", names=", ".join(self.players))
            )
        list_name = self.lexicon_name
        if list_name is not None and not (list_name.strip() == list_name != "" and list_name.isprintable()):
            raise GameError(
                phrase("%(name)s isn't a name for a word list: use letters on one line", name=quote(list_name))
            )
        self.edition.check_size(self.start.size)
        if len(self.scores) != len(self.players):
            many = number_of(len(self.players), "player")
            raise GameError(
                phrase(
                    "%(count)s scores to start with for %(players)s: give one each",
                    count=len(self.scores),
                    players=many,
                )
            )
        for name, score in zip(self.players, self.scores, strict=True):
            if not 0 <= score <= MAX_SCORE:
                raise GameError(
                    phrase(
                        "%(name)s cannot start with %(score)s points: give a score from 0 to %(most)s",
                        name=name,
                        score=score,
                        most=MAX_SCORE,
                    )
                )
        self.check_player(self.first)

    @property
    def solo(self) -> bool:
        """True if one player plays alone."""
        return len(self.players) == 1

    @property
    def words_always_checked(self) -> bool:
        """True if the house rules report a word that is not in the list at once, before anybody challenges it."""
        return self.rules.solo_words_always_checked if self.solo else self.rules.words_always_checked

    def check_player(self, number: int) -> None:
        """Check that there is a player of that number (from 0); raise GameError if not."""
        if not 0 <= number < len(self.players):
            raise GameError(
                phrase(
                    "there is no player %(number)s: the game has %(count)s", number=number + 1, count=len(self.players)
                )
            )


def make_setup(
    edition: Edition,
    players: tuple[str, ...],
    rules: HouseRules,
    *,
    start: Board | None = None,
    lexicon_name: str | None = None,
    scores: tuple[int, ...] | None = None,
    first: int = 0,
) -> Setup:
    """Make a set-up; by default from an empty board, without points, with the first player to begin."""
    board = Board.empty(edition.size, edition.alphabet) if start is None else start
    if board.alphabet != edition.alphabet:
        board = Board.of(board.stacks, edition.alphabet)
    points = (0,) * len(players) if scores is None else scores
    return Setup(edition, players, rules, board, lexicon_name, points, first)


@dataclass(frozen=True)
class Challenge:
    """A challenge of a play: the player who challenged (None if nobody says who), the ruling, and who ruled.

    `costs_turn` says that it failed and costs the challenger the next turn. It is false if an earlier challenge already
    costs that turn. `event` is the index of its event among those that stand.
    """

    challenger: str | None
    upheld: bool
    authority: Authority | None
    costs_turn: bool
    event: int


@dataclass(frozen=True)
class TurnRecord:
    """One line of the scoresheet.

    `number` counts turns from 1; the second try right after an upheld challenge keeps the number. `event` is the index
    of the line's event among those that stand. `taken_back` marks a play whose challenge was upheld, for 0 points.
    """

    number: int
    player: str
    kind: TurnKind
    event: int
    play: Play | None = None
    verdict: Verdict | None = None
    points: int = 0
    taken_back: bool = False
    challenges: tuple[Challenge, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def refused_challenges(self) -> tuple[str | None, ...]:
        """The players whose challenges of the play failed, None for one where nobody says who."""
        return tuple(each.challenger for each in self.challenges if not each.upheld)


@dataclass(frozen=True)
class KnownBoard:
    """A board from which the turns after line `place` of the sheet go on: the start, or one taken as it lay."""

    place: int
    board: Board


@dataclass(frozen=True)
class EndRecord:
    """The end of a game: its reason, the tiles left on each rack, and what they cost (6F), in the players' order."""

    reason: str
    left: tuple[int, ...]
    penalties: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Memory:
    """The board, rack and pile before the last play, which an upheld challenge brings back.

    `place` is the index of the play's line on the sheet. Later events that change this rack or the pile change them
    here too.
    """

    board: Board
    rack: Rack
    pile: int | None
    place: int


@dataclass(frozen=True)
class GameState:
    """The state of a game after its events.

    `turn` is the index of the player whose turn it is, without taking off lost turns (`lost_turns`). `exchanges`
    counts all exchanges, since a solo game allows only some. `before_play` is set while the last word played can still
    be challenged. `again` is the index of the player whose tiles just came off and who now plays again or passes;
    events without a line of their own don't clear it. `taken` are the boards that were taken as they lay.
    """

    board: Board
    racks: tuple[Rack, ...]
    pile: int | None
    turn: int = 0
    number: int = 1
    turns: tuple[TurnRecord, ...] = ()
    lost_turns: frozenset[int] = frozenset()
    exchanges: int = 0
    before_play: Memory | None = None
    again: int | None = None
    notes: tuple[str, ...] = ()
    end: EndRecord | None = None
    taken: tuple[KnownBoard, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """A note on everything that contradicts the numbers of tiles, in the order in which it happened."""
        notes = [*self.notes]
        for record in self.turns:
            if not record.taken_back:
                notes += [
                    phrase(
                        "turn %(number)s, %(player)s: %(note)s", number=record.number, player=record.player, note=note
                    )
                    for note in record.notes
                ]
        return (*notes, *(self.end.notes if self.end else ()))

    def with_rack(self, player: int, rack: Rack) -> GameState:
        """Return the state with another rack for one player."""
        racks = (*self.racks[:player], rack, *self.racks[player + 1 :])
        return replace(self, racks=racks)
