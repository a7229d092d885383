"""What a game's log comes to: set-up, turns and the end, as scoresheets show them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.board import Board
from engine.editions import MAX_PLAYERS, Edition
from engine.errors import GameError, quoted
from engine.houserules import SHEET_RULES, HouseRules
from engine.play import Play
from engine.racks import Rack
from engine.rules import Verdict

TurnKind = Literal["play", "pass", "exchange", "lost"]
MAX_NAME = 40


@dataclass(frozen=True)
class Setup:
    """What is settled before the first turn; `start` is the board the game starts from.

    Raises GameError for players that can't be, or a board that is not the edition's.
    """

    edition: Edition
    players: tuple[str, ...]
    rules: HouseRules
    start: Board
    lexicon_name: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MAX_PLAYERS:
            raise GameError(f"{len(self.players)} players: a game has one to {MAX_PLAYERS}")
        for name in self.players:
            if not name.strip() or name != name.strip() or len(name) > MAX_NAME or not name.isprintable():
                raise GameError(
                    f"{quoted(name)} is no player's name: use 1 to {MAX_NAME} letters on one line"
                )
        if len(set(self.players)) < len(self.players):
            raise GameError(f"two players have one name ({', '.join(self.players)}): tell them apart")
        list_name = self.lexicon_name
        if list_name is not None and not (list_name.strip() == list_name != "" and list_name.isprintable()):
            raise GameError(f"{quoted(list_name)} is no word list's name: use letters on one line")
        if self.start.size != self.edition.size:
            raise GameError(
                f"the board has {self.start.size} rows, edition {self.edition.name} {self.edition.size}"
            )

    @property
    def solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.players) == 1


def make_setup(
    edition: Edition,
    players: tuple[str, ...],
    rules: HouseRules = SHEET_RULES,
    start: Board | None = None,
    lexicon_name: str | None = None,
) -> Setup:
    """A set-up that starts from an empty board unless `start` is given."""
    return Setup(edition, players, rules, Board.empty(edition.size) if start is None else start, lexicon_name)


@dataclass(frozen=True)
class TurnRecord:
    """One line of the scoresheet.

    `number` counts turns from 1; the second try after an upheld challenge keeps the number. `event` is the
    index of the event that it comes from, among those that stand. `taken_back` is true for a play whose
    challenge was upheld: its `points` are 0. `lost` turns are those that a failed challenge cost.
    `refused_challenges` holds the players (None: nobody says who) whose challenges of the play failed.
    """

    number: int
    player: str
    kind: TurnKind
    event: int
    play: Play | None = None
    verdict: Verdict | None = None
    points: int = 0
    taken_back: bool = False
    refused_challenges: tuple[str | None, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class EndRecord:
    """The end of a game: why, the tiles left on each rack, and what they cost (6F), in the players' order."""

    reason: str
    left: tuple[int, ...]
    penalties: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Memory:
    """What an upheld challenge brings back: the board, rack and pile before the last play."""

    board: Board
    rack: Rack
    pile: int | None
    passes: int


@dataclass(frozen=True)
class GameState:
    """Where a game stands.

    `turn` is the index of the player whose turn it is, before any lost turns (`skips`) are counted off.
    `passes` counts the passes in a row, `exchanges` those of a solo game. `before_play` is set while the
    last turn is a play that can still be challenged.
    """

    board: Board
    racks: tuple[Rack, ...]
    pile: int | None
    turn: int = 0
    number: int = 1
    turns: tuple[TurnRecord, ...] = ()
    skips: frozenset[int] = frozenset()
    passes: int = 0
    exchanges: int = 0
    before_play: Memory | None = None
    notes: tuple[str, ...] = ()
    end: EndRecord | None = None

    def with_rack(self, player: int, rack: Rack) -> GameState:
        """The state with another rack for one player."""
        racks = (*self.racks[:player], rack, *self.racks[player + 1 :])
        return replace(self, racks=racks)
