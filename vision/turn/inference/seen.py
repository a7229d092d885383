"""What a review of a look has before it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board
from engine.play import Play
from engine.squares import Square
from vision.board.grid_doubt import SPOILED
from vision.reading import BoardReading
from vision.turn.context import Context
from vision.turn.inference.prior import Gap
from vision.turn.inference.story import Event, Start, Story
from vision.turn.inference.story_search import Explained
from vision.turn.look import Floats, Look
from vision.turn.thresholds import HIDDEN, MANY_HIDDEN, PLACE_KNOWN


@dataclass(frozen=True)
class Seen:
    """What a review looks at: where the stories start, what is entered, what explains the looks, the newest look.

    `table` (n, n, 6, 26) is what it says, less what looked so before and was not; so many looks before were `doubts`,
    of which `before` are those that were understood: none where one of the pictures showed no board. `typed` is the
    last play where it was entered by hand, and no look has shown it yet.
    """

    start: Start
    entered: tuple[Event, ...]
    explained: Explained
    look: Look
    table: Floats
    reading: BoardReading
    context: Context
    gap: Gap
    doubts: int
    before: tuple[Look, ...] = ()
    typed: Play | None = None

    @property
    def sheet_board(self) -> Board:
        """The board as the scoresheet has it."""
        return Story(self.entered).board(self.start)

    @property
    def much_hidden(self) -> bool:
        """Whether a hand hides so much, or the picture shows so little, that a turn may be there that nobody sees."""
        under_a_hand = int((self.reading.hidden > HIDDEN).sum()) >= MANY_HIDDEN
        return under_a_hand or self.reading.grid_doubt in SPOILED

    def was_legible(self, square: Square) -> bool:
        """Whether the letter on a square could be read in a look before."""
        return any(look.legible[square.row, square.col] >= PLACE_KNOWN for look in self.before)
