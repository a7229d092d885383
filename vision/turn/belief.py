"""What is believed of one game between looks.

`Belief` is all that is remembered: frozen, saved with the game, the same for photographs, films and the hands-free
camera. It begins at a board that is certain, and holds the looks since then with the stories that explain them.
How a look changes it is in `vision.turn.steps`, a decision of the table in `vision.turn.steps`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from engine import Board, Play
from vision.geometry.camera import Camera
from vision.hidden.bare_squares import BareSquares
from vision.turn.candidates import board_arrays
from vision.turn.look import Floats, Look
from vision.turn.prior import FRESH, UNKNOWN_PACE, Gap, Pace
from vision.turn.story import CertainBoard, Event, Story, differing

_AS_BEFORE = 0.9
"""How far what was taken for something else before is expected to be so again. Chosen on dev's turns."""


@dataclass(frozen=True)
class Reference:
    """How a board looked that is certain by now: what was taken for something else then will be so again."""

    board: Board
    look: Look

    def bias(self, board: Board) -> Floats:
        """(n, n, 6, 26) log likelihood to take off looks at `board`: how far each state was favoured over the true one.

        0 on squares where the board is another by now. On an empty board, which has no upside, it is what was favoured
        any way round: rings and dots that are printed on a board pass for letters.
        """
        heights, tops = board_arrays(self.board)
        rows, cols = np.indices(heights.shape)
        now = self.look.table[rows, cols, heights, np.maximum(tops, 0)]
        favoured = np.maximum(self.look.table - now[..., None, None], 0.0)
        if self.board.is_empty:
            favoured = np.max([np.rot90(favoured, turns) for turns in range(4)], axis=0)
        for square in differing(self.board, board):
            favoured[square.row, square.col] = 0.0
        return np.asarray(_AS_BEFORE * favoured, dtype=np.float64)


@dataclass(frozen=True)
class Knowledge:
    """What pictures have taught of the set and the camera.

    Attributes:
        thickness_weights: log weights of `vision.heights.thickness.THICKNESSES`, empty where nothing was learned.
        camera: one whose letters' orientation is known, where the board was seen last; None before.
        bare: how the bare squares looked, None where nothing was learned.
        other_set: this game is played with other tiles than those that were calibrated.
        pace: how often this table forgets to photograph a turn.
    """

    thickness_weights: tuple[float, ...] = ()
    camera: Camera | None = field(default=None, compare=False)
    bare: BareSquares | None = None
    other_set: bool = False
    pace: Pace = UNKNOWN_PACE


@dataclass(frozen=True)
class Belief:
    """All that is remembered of a game between looks.

    Attributes:
        start: the last board that is certain.
        entered: what the scoresheet says has happened since, each with the number of the look that told it.
        looks: the looks since, oldest first.
        gaps: the gap before each of them.
        gap: the gap before the next.
        answered: the gap that the newest play closed when it was entered by hand; it is open again if that comes off.
        stories: what may have happened since, likeliest first.
        reference: how a board looked that is certain, None before there was one.
        knowledge: what is known of the set and the camera.
        typed: the newest play where it was entered by hand, and no look has shown it yet; None otherwise.
        to_lift: tiles that came off the scoresheet and were not seen lifted yet, None for none.
    """

    start: CertainBoard
    entered: tuple[tuple[Event, int], ...] = ()
    looks: tuple[Look, ...] = ()
    gaps: tuple[Gap, ...] = ()
    gap: Gap = FRESH
    answered: Gap = FRESH
    stories: tuple[Story, ...] = (Story(),)
    reference: Reference | None = None
    knowledge: Knowledge = Knowledge()
    typed: Play | None = None
    to_lift: Play | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """What the scoresheet says has happened since the start."""
        return tuple(event for event, _ in self.entered)

    @property
    def in_doubt(self) -> bool:
        """Whether it is open what was played, since the last picture was not understood."""
        return self.gap != FRESH

    @property
    def open_from(self) -> int:
        """The number of the first look that nothing on the scoresheet was told by, nor any after it."""
        return self.entered[-1][1] + 1 if self.entered else 0

    @property
    def sheet_board(self) -> Board:
        """The board as the scoresheet has it."""
        return Story(self.events).board(self.start)

    @property
    def board(self) -> Board:
        """The most probable board."""
        return self.stories[0].board(self.start)

    @property
    def open_looks(self) -> tuple[Look, ...]:
        """The looks since the scoresheet was known to be right; none where a picture since showed no board."""
        gaps = (*self.gaps[self.open_from :], self.gap)
        return () if any(gap.unseen for gap in gaps) else self.looks[self.open_from :]

    def referred(self, board: Board, look: Look) -> Reference | None:
        """How a board looked that is certain; as it was before where the look says nothing."""
        return self.reference if look.is_blank else Reference(board, look)

    def doubting(self, look: Look, likeliest: tuple[Story, ...] = ()) -> Belief:
        """The same with one look more, which was asked about; `likeliest` are stories that it tells before others."""
        looks, gaps = (*self.looks, look), (*self.gaps, self.gap)
        stories = tuple(dict.fromkeys((*likeliest, *self.stories)))
        return replace(self, looks=looks, gaps=gaps, gap=replace(self.gap, open=True), stories=stories)

    @property
    def last_play(self) -> Play | None:
        """The play on the scoresheet's board that may still be taken back."""
        return self.events[-1] if self.entered else self.start.last_play


def certain(board: Board, last_play: Play | None = None) -> Belief:
    """The belief that this board lies there, with that play to be taken back still, and that nothing is in doubt."""
    return Belief(CertainBoard(board, last_play))


def anew(belief: Belief, board: Board, last_play: Play | None = None) -> Belief:
    """The same of a board of a game that is under way: what was learned of board, set and camera is kept."""
    return replace(certain(board, last_play), reference=belief.reference, knowledge=belief.knowledge)
