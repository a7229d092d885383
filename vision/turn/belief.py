"""The belief about one game between looks.

`Belief` is all that is remembered. It is frozen, saved with the game, and the same for photographs, films and the
hands-free camera. It begins at a certain board, and holds the looks since then with the stories that explain them.
`vision.turn.steps` changes it after a look or a decision of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import takewhile

import numpy as np

from engine import Board, Play
from vision.arrays import Floats
from vision.geometry.camera import Camera
from vision.hidden.bare_squares import BareSquares
from vision.turn.candidates import board_arrays
from vision.turn.look import Look
from vision.turn.prior import FRESH, UNKNOWN_PACE, Gap, Pace
from vision.turn.story import CertainBoard, Event, Story, differing

_BIAS_SHARE = 0.9
"""Share of an earlier look's error that the next looks are expected to repeat. Chosen on dev's turns.
[by hand, sets]"""


@dataclass(frozen=True)
class Reference:
    """The look of a board that is certain by now. Later looks will repeat its errors."""

    board: Board
    look: Look

    def bias(self, board: Board) -> Floats:
        """Return the log likelihood (n, n, 6, 26) to subtract from looks at `board`.

        It is how far this look favoured each state over the true one. It is 0 on squares that have changed since. An
        empty board has no upside, so the maximum over four rotations counts: printed rings and dots look like letters.
        """
        heights, tops = board_arrays(self.board)
        rows, cols = np.indices(heights.shape)
        now = self.look.table[rows, cols, heights, np.maximum(tops, 0)]
        favoured = np.maximum(self.look.table - now[..., None, None], 0.0)
        if self.board.is_empty:
            favoured = np.max([np.rot90(favoured, turns) for turns in range(4)], axis=0)
        for square in differing(self.board, board):
            favoured[square.row, square.col] = 0.0
        return np.asarray(_BIAS_SHARE * favoured, dtype=np.float64)


@dataclass(frozen=True)
class Knowledge:
    """What a game's pictures have shown of the set and the camera.

    Attributes:
        thickness_weights: log weights of `vision.heights.thickness.THICKNESSES`, empty if nothing was learned.
        camera: the last one whose letters' orientation is known; None before.
        bare: how the bare squares looked, None if nothing was learned.
        other_set: whether this game is played with other tiles than the calibrated ones.
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
        entered: the events on the scoresheet since then, each with the number of the look that told it.
        looks: the looks since, oldest first.
        gaps: the gap before each of them.
        gap: the gap before the next.
        answered: the gap that the newest play closed when entered by hand. It opens again if the play comes off.
        stories: what may have happened since, likeliest first.
        reference: the look of a certain board, None before there was one.
        knowledge: what is known of the set and the camera.
        typed: the newest play if it was entered by hand and no look has shown it yet; None otherwise.
        to_lift: tiles that came off the scoresheet and that no look has shown lifted; None for none.
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
        """The events on the scoresheet since the start."""
        return tuple(event for event, _ in self.entered)

    @property
    def in_doubt(self) -> bool:
        """True if the last picture left open what was played."""
        return self.gap != FRESH

    @property
    def doubts(self) -> int:
        """The number of looks in a row up to now that were left in doubt, those without a board among them."""
        gaps = takewhile(lambda gap: gap != FRESH, reversed((*self.gaps, self.gap)))
        return sum(gap.open + gap.unseen + gap.merged for gap in gaps)

    @property
    def open_from(self) -> int:
        """The number of the first look after the one that told the scoresheet's last event."""
        return self.entered[-1][1] + 1 if self.entered else 0

    @property
    def sheet_board(self) -> Board:
        """The board as the scoresheet has it."""
        return Story(self.events).board(self.start)

    def board_with_tiles_to_lift(self) -> Board:
        """Return the scoresheet's board with the tiles to lift still on it. Raises PositionError if they do not fit."""
        return self.sheet_board if self.to_lift is None else self.sheet_board.with_play(self.to_lift)

    @property
    def board(self) -> Board:
        """The most probable board."""
        return self.stories[0].board(self.start)

    @property
    def open_looks(self) -> tuple[Look, ...]:
        """The looks since the scoresheet was known to be right; none if a picture since showed no board."""
        gaps = (*self.gaps[self.open_from :], self.gap)
        return () if any(gap.unseen for gap in gaps) else self.looks[self.open_from :]

    def referred(self, board: Board, look: Look) -> Reference | None:
        """Return a look at a certain board as the reference; the present one if the look is blank."""
        return self.reference if look.is_blank else Reference(board, look)

    def doubting(self, look: Look, likeliest: tuple[Story, ...] = ()) -> Belief:
        """Add a look that was asked about. `likeliest` are its stories; they come before the others."""
        looks, gaps = (*self.looks, look), (*self.gaps, self.gap)
        stories = tuple(dict.fromkeys((*likeliest, *self.stories)))
        return replace(self, looks=looks, gaps=gaps, gap=replace(self.gap, open=True), stories=stories)

    @property
    def last_play(self) -> Play | None:
        """The play on the scoresheet's board that may still be taken back."""
        return self.events[-1] if self.entered else self.start.last_play


def certain(board: Board, last_play: Play | None = None) -> Belief:
    """Return the belief that this board lies there and nothing is in doubt. `last_play` may still be taken back."""
    return Belief(CertainBoard(board, last_play))


def anew(belief: Belief, board: Board, last_play: Play | None = None) -> Belief:
    """Restart the belief at this board. Keep what was learned of the board, the set and the camera."""
    return replace(certain(board, last_play), reference=belief.reference, knowledge=belief.knowledge)
