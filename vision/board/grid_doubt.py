"""Reasons to doubt the grid that was found: it may lie a square aside, on paper, or on another game's board.

A grid can lie a whole square off on moulded boards with a rim a square wide, where tiles or hands hide the border. Rows
of tiles then lie off the grid. Rims bear names and patterns as well, so letters alone prove nothing. A grid is moved
only if the picture allows for the neighbour grid, too, and more letters are connected there.

Lines that cross tell nothing of the game: floors, windows and othello boards have as fine a grid. Letters on tiles do,
where they hang together as words do (rule 4): those of crosswords and diagrams lie about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum

import cv2
import numpy as np

from engine import Board, WordList
from engine.squares import runs_along
from engine.wording import phrase
from vision.arrays import Flags, Floats
from vision.board.lattice import GOOD, LOST, Lattice, is_off, judge_lattice, refine_lattice
from vision.board.sightings import take_sightings
from vision.geometry.camera import Camera, corner_shift, corners_of
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import outside, shrink_to_pitch
from vision.images import Image
from vision.picture_quality import Fault

Step = tuple[float, float]
"""A move of a grid: squares in x and in y."""

STEPS: tuple[Step, ...] = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""The moves by one whole square."""
_SEPARATE_GRID_SQUARES = 0.5
"""Distance in squares from which a fit beside another is a different one and has not slid back. Grids lie one square
apart, so this is half of that."""
_SURE_BORDER_ERROR = 0.05
"""Border error, squares over a side, below which a grid that is beyond doubt has no rivals. With it, 9 of 100 grids of
the development sets are compared with their neighbours. [by hand, sets]"""
_GOOD_FIT_DOUBT = 0.022
"""Doubt from which a grid is compared with its neighbours, however exact its border. In one picture light had burnt out
all grooves. Its grid lay a row off without a sign of it (doubt 0.028), and every square was sure. Of 1,648 grids in no
doubt (development sets as they are, too bright and in the sun, six simulated datasets) only that one has a rival. One
in six grids of the unchanged sets has so much doubt. [by hand, sets]"""
_BAD_FIT_DOUBT = 0.031
"""Doubt from which a grid may lie elsewhere, whatever its neighbours are like. Four grids in no other doubt lay
elsewhere under stripes of sun, with doubts of 0.033 to 0.043. They were two of 139 in two samples of the development
sets, and two of 92 in every third picture of the sets. Four of 469 right grids outside the sun, and 15 of 137 right
ones in the sun, have so much doubt. [by hand, sets, own6503, traced3501, hard6421]"""
_SIDE_OUTSIDE_SHARE = 0.02
"""Share of the grid out of the picture from which it is compared with its neighbours, because a border out of view
proves nothing. Without it, one picture (`hard_views`, faint) lay a row off without doubt. [by hand, hard_views]"""
_RIVAL_DOUBT_RATIO = 1.7
"""Doubt of a rival, over the doubt of the grid it would replace, up to which it is a rival. All four grids that lay
elsewhere had a neighbour with less than 1.6 times their doubt, and so had 18 of 447 right ones. A ratio of 1.5 missed
one. [by hand, sets, hard_views (174 pictures)]"""
_RIVAL_BORDER_ERROR = 1.0
"""Border error of a rival, squares over a side, below which letters off the grid may move the grid there. [by eye]"""
_FAR_STEPS, _EDGE_SHARE = (2.0, 3.0), 0.5
"""Longer moves (squares) that are compared where the picture ends at a side of the grid, and a share. The picture ends
at a side if so large a share of the squares beyond it lie out of view, each by so large a share. A board with whole
rows cut off may go on there. Of 1,277 boards (development sets, rendered games, `hard_views`) 108 ended so without
doubt. One of them lay two columns off with 80 sure squares. The rule put that one and two right ones in doubt.
[by hand, sets, hard_views]"""
_CUT_SHARE = 0.3
"""Mean share of the squares beyond a side that lies out of the picture, from which the grid over that side is compared,
however well this one fits. In one picture with its near edge cut off, a tiled floor beyond the far edge passed for a
row, and ten sure squares were wrong. Of 769 boards (development sets, rendered games, simulated datasets) 191 end so.
Of the right ones the rule put at most three in doubt, all simulated. [by hand, sets]"""
_OUTSIDE_SHARE = 0.2
"""Share of the grid out of the picture from which nobody can tell which square in view is the first. Of 109 photographs
cropped until a side lay outside, 12 were read on a wrong grid, 39 of their squares without doubt. Since this rule they
are in doubt. [by hand]"""
_LEAST_LETTERS = 2
"""Least letters off one side of the grid, and least gain of connected letters, for a move to the neighbour grid.
Without the move one picture of eight rendered games (seed 904) lay a column off, with 34 sure squares wrong. With it
none is wrong. [by hand, sets]"""


def neighbour_lattices(image: Image, fit: CameraFit, size: int, steps: Sequence[Step] = STEPS) -> Iterator[Lattice]:
    """Yield the lattices that lie each of `steps` beside a fit to a picture (h, w, 3)."""
    small, reduced = shrink_to_pitch(image, fit.camera, size)
    for step in steps:
        moved = replace(fit, camera=reduced.move(step))
        lattice = judge_lattice(small, take_sightings(small, moved.camera, size), moved, size)
        yield lattice.scale(image.shape[1] / small.shape[1])


def is_rival(other: Lattice, taken: Lattice) -> bool:
    """Return whether the picture supports the `other` grid nearly as well as the one that is `taken`."""
    return other.doubt < _RIVAL_DOUBT_RATIO * taken.doubt


def is_beyond_doubt(lattice: Lattice) -> bool:
    """Return whether the squares and the border of a lattice fit well."""
    return lattice.doubt < GOOD and lattice.border_error < _SURE_BORDER_ERROR


def is_in_doubt(lattice: Lattice) -> bool:
    """Return whether the board's grid may lie elsewhere: there is a rival, or too much lies out of the picture."""
    return lattice.rivalled or lattice.outside > _OUTSIDE_SHARE


def mark_rivalled(image: Image, lattice: Lattice, size: int) -> Lattice:
    """Return the lattice with `rivalled` set if another grid beside it fits the picture (h, w, 3) nearly as well.

    A lattice that fits well and has its border in view has no rivals. One that fits badly always counts as rivalled.
    """
    if lattice.doubt >= _BAD_FIT_DOUBT:
        return replace(lattice, rivalled=True)
    settled = is_beyond_doubt(lattice) and lattice.doubt < _GOOD_FIT_DOUBT and lattice.outside < _SIDE_OUTSIDE_SHARE
    steps = [*(() if settled else STEPS), *_steps_out_of_view(image, lattice.fit.camera, size)]
    others = neighbour_lattices(image, lattice.fit, size, steps) if steps else []
    return replace(lattice, rivalled=any(is_rival(other, lattice) for other in others))


def _steps_out_of_view(image: Image, camera: Camera, size: int) -> list[Step]:
    """Return the moves over those sides of the grid at which the picture (h, w, 3) ends.

    A move is one square where the picture's edge cuts the squares beyond the side, and also longer where the picture
    ends before them.
    """
    around = outside(image, camera.move((-1.0, -1.0)), size + 2)
    beyond = (around[1:-1, -1], around[1:-1, 0], around[-1, 1:-1], around[0, 1:-1])
    steps = [step for step, squares in zip(STEPS, beyond, strict=True) if squares.mean() > _CUT_SHARE]
    ended = [s for s, squares in zip(STEPS, beyond, strict=True) if (squares > _EDGE_SHARE).mean() > _EDGE_SHARE]
    return [*steps, *((far * x, far * y) for x, y in ended for far in _FAR_STEPS)]


def neighbour_corners(image: Image, camera: Camera, size: int) -> list[Floats]:
    """Return the corners (4, 2) px of the neighbour grids that a picture (h, w, 3) allows for, best first."""
    near = sorted(neighbour_lattices(image, CameraFit(camera, 1.0), size), key=lambda lattice: lattice.doubt)
    return [corners_of(lattice.fit.camera, size) for lattice in near if lattice.doubt < LOST]


def shift_lattice(image: Image, camera: Camera, step: Step, taken: Lattice, size: int) -> Lattice | None:
    """Return the lattice one `step` beside that of `camera`, or None if the picture (h, w, 3) shows none there."""
    other = refine_lattice(image, camera.move(step), size)
    slid_back = corner_shift(camera, other.fit.camera, size) < _SEPARATE_GRID_SQUARES
    allowed = other.doubt < LOST and other.border_error < _RIVAL_BORDER_ERROR and is_rival(other, taken)
    return other if allowed and not slid_back else None


def step_onto_grid(letters: Sequence[tuple[int, int]], size: int) -> Step | None:
    """Return the step that brings the most `letters` (row, col) off an n x n grid onto it, None if that gains few."""
    letters_gained = {
        (x, y): sum(0 <= row - int(y) < size and 0 <= col - int(x) < size for row, col in letters) for x, y in STEPS
    }
    best = max(STEPS, key=lambda step: letters_gained[step])
    return best if letters_gained[best] >= _LEAST_LETTERS else None


def more_letters_together(there: int, here: int) -> bool:
    """Return whether the neighbour grid, with `there` connected letters, is better than this one, with `here`."""
    return there - here >= _LEAST_LETTERS


def letters_together(tiles: Flags, hidden: Flags, legible: Flags) -> int:
    """Count the legible letters of the connected group of tiles that has the most.

    Each argument is (n, n). All plays of a game are connected (rule 4). Hidden squares may connect two groups, but
    their letters don't count.
    """
    groups, group_of = cv2.connectedComponents((tiles | hidden).astype(np.uint8), connectivity=4)
    letters = tiles & ~hidden & legible
    return max((int(letters[group_of == group].sum()) for group in range(1, groups)), default=0)


Letters = Sequence[Sequence[str]]
"""The top face of every square, (n, n), "" if there is none."""


class GridDoubt(Enum):
    """A reason to doubt a grid, as a sentence for people."""

    FAINT = phrase("The grid is hard to see. Check the squares.")
    BORDER = phrase("The edge of the board isn't clear. Everything may be one square off.")
    GIVEN = phrase("The corners you gave don't fit the squares in the picture. Check all four.")
    PRINTED = phrase("This looks like a grid printed on paper. Is the board itself in the picture?")
    UNLETTERED = phrase("Hardly any letter can be read. Is this the right board?")
    DARK = Fault.DARK.value
    BLURRED = Fault.BLURRED.value
    DAZZLED = Fault.DAZZLED.value
    SCATTERED = phrase("The letters don't form words. Is this the right board?")

    @property
    def asks(self) -> bool:
        """True if the sentence asks something."""
        return self in (GridDoubt.PRINTED, GridDoubt.UNLETTERED, GridDoubt.SCATTERED)


def doubt_of_given(lattice: Lattice) -> GridDoubt | None:
    """Return GridDoubt.GIVEN if the picture contradicts corners that a person gave, None if it agrees."""
    return GridDoubt.GIVEN if lattice.rivalled or is_off(lattice) else None


SPOILED = frozenset(GridDoubt[fault.name] for fault in Fault)
"""Those of pictures that were taken so badly that next to nothing can be made out in them."""
GRID_CHANCE: dict[GridDoubt | None, float] = {
    None: 1.0,
    **dict.fromkeys(GridDoubt, 0.6),
    **dict.fromkeys((GridDoubt.UNLETTERED, *SPOILED), 0.85),
}
"""Probability of a grid in doubt: no square of it is sure. A bare board is this game's more often than not.
[by eye]"""
_PLAIN, _LEAST_PLAIN, _PLAIN_SHARE = 0.9, 2, 0.5
"""Probability of a tile and its letter from which it is plain, and the squares, and their share of those with tiles,
that must be so. Measured: of the pictures of the development sets with tiles on them only four that a hand hides have
fewer; of 99 looks at drawn sheets, floors and boards of other games that are taken for a board 43 had squares of 0.9
and more without it, and four have. [by hand, sets]"""
_MAY_BE, _LEAST_TO_TELL, _TOGETHER = 0.05, 4, 0.5
"""Probability of a tile from which a square may join two groups of letters, letters from which it is asked whether they
hang together, and the share of them that must. Measured: of 852 pictures of boards (development sets, rendered games,
`hard_views`) none had fewer than 0.56, of the six looks that were still believed in among 143 at sheets, floors and
boards of other games none more than 0.33. [by hand, sets]"""
_LONG, _LEAST_LONG, _LAWFUL_SHARE = 3, 2, 0.65
"""Letters of a long word, how many such words must stand on a grid in doubt, and the share of all runs that must be
words. Measured on the refused looks of `vision.board.lattice.may_be_board`: of the six grids of boards five have 0.69
and more of them; so has the one that lay aside, which letters beside it tell. [by hand, sets]"""
_AS_BEFORE = 0.6
"""Share of the tiles known from before, _LEAST_TO_TELL of them at least, whose letters must be read where they lay:
hands and stacks hide some. [by eye]"""


def is_lettered(height_probs: Floats, face_probs: Floats) -> bool:
    """Return whether letters show that this game lies there, by P(height) (n, n, 6) and P(face) (n, n, F)."""
    tiles = height_probs.argmax(axis=-1) > 0
    return int(_plain(height_probs, face_probs).sum()) >= max(_LEAST_PLAIN, _PLAIN_SHARE * int(tiles.sum()))


def are_scattered(height_probs: Floats, face_probs: Floats, hidden: Flags) -> bool:
    """Return whether most letters, by P(height) and P(face), lie apart. `hidden` squares (n, n) may join them."""
    plain = _plain(height_probs, face_probs) & ~hidden
    letters = int(plain.sum())
    between = hidden | (~plain & (1.0 - height_probs[..., 0] > _MAY_BE))
    return letters >= _LEAST_TO_TELL and letters_together(plain, between, plain) < _TOGETHER * letters


def lies_there(letters: Letters, board: Board) -> bool:
    """Return whether the `letters` that were read, (n, n) faces, are those of a board known from before."""
    known = tuple(board.list_occupied())
    same = sum(letters[square.row][square.col] == board.top(square) for square in known)
    return same >= _LEAST_TO_TELL and same >= _AS_BEFORE * len(known)


def spell_words(letters: Letters, hidden: Flags, words: WordList) -> bool:
    """Return whether the faces (n, n) that were read spell words: most runs are in the list, and two are long.

    `hidden` squares (n, n) count as bare.
    """
    runs = list(_runs(letters, hidden))
    lawful = [run for run in runs if run.upper() in words]
    long = [run for run in lawful if len(run) >= _LONG]
    return len(long) >= _LEAST_LONG and len(lawful) >= _LAWFUL_SHARE * len(runs)


def _runs(letters: Letters, hidden: Flags) -> Iterator[str]:
    """Yield the letters that stand in a row, across and down."""
    rows = [
        ["" if hid else face for face, hid in zip(*each, strict=True)] for each in zip(letters, hidden, strict=True)
    ]
    for line in (*rows, *zip(*rows, strict=True)):
        for start, end in runs_along(line):
            yield "".join(line[start:end])


def _plain(height_probs: Floats, face_probs: Floats) -> Flags:
    """Return the squares (n, n) whose tile and letter are plain."""
    tiles = height_probs.argmax(axis=-1) > 0
    chance = (1.0 - height_probs[..., 0]) * face_probs.max(axis=-1)
    return np.asarray(tiles & (chance > _PLAIN), dtype=np.bool_)
