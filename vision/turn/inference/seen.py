"""What a review of a look has before it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board
from vision.reading import BoardReading
from vision.turn.context import Context
from vision.turn.inference.prior import Gap
from vision.turn.inference.story import Event, Start, Story
from vision.turn.inference.story_search import Explained
from vision.turn.look import Floats, Look


@dataclass(frozen=True)
class Seen:
    """What a review looks at: where the stories start, what is entered, what explains the looks, the newest look.

    `table` (n, n, 6, 26) is what it says, less what looked so before and was not; so many looks before were `doubts`,
    of which `before` is the last, None where that picture showed no board.
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
    before: Look | None = None

    @property
    def sheet_board(self) -> Board:
        """The board as the scoresheet has it."""
        return Story(self.entered).board(self.start)
