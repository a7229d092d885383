"""Readings that the reader might give of any board: drawn, square by square, from what it said of photographs.

A square's heights and its faces are each drawn from what was said of squares like it: of the same photograph where
there are any, else of the same set, else of another set, for a letter the same all game; all in pictures tilted alike.
Alike are heights with the same truth, and both new or both old; faces with the same letter; hidden about as far by
nearer stacks and by a hand. Errors come again: while a camera stands still, most faces and heights keep what was drawn
for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

import numpy as np

from engine import FACES, MAX_HEIGHT, Board
from vision import BoardReading, Camera
from workshop.bench.turns.alike import BURIED, GONE, Hid, face_key, height_key, heights_like, hid_of, shift, wider
from workshop.bench.turns.observations import (
    VEILED,
    Floats,
    Ints,
    Photograph,
    classify_covered,
    heights_of,
    shares_covered,
    tops_of,
)

_HANDS = 0.25
"""Share of the pictures with a hand in them. [by eye]"""
_AGAIN = 0.8
"""Share of faces and heights that a camera standing still reads as before. [by eye]"""
_A_HAND = 4
"""Squares that must be hidden in part for a picture to lend its hand. [by eye]"""
_ALL = -1

Place = tuple[int, int, int]
"""Number of a photograph, row and column."""


@dataclass(frozen=True)
class Drawn:
    """A simulated reading of a board, and the share (n, n) of each top face that is truly hidden."""

    reading: BoardReading | None
    hidden: Floats


@dataclass
class Style:
    """The look of the pictures of one game: from one set, and in the order of `others` for content that it lacks.

    `camera` is the fixed camera, None for a phone; `kept` has the squares that such a camera sees again.
    """

    name: str
    size: int
    camera: Camera | None
    others: tuple[str, ...] = ()
    kept: dict[Hashable, Place] = field(default_factory=dict)


class Stock:
    """Squares of photographs, found by their properties."""

    def __init__(self, photographs: list[Photograph]) -> None:
        self.photographs = photographs
        self._squares: dict[Hashable, list[Place]] = defaultdict(list)
        self._lent: dict[int, list[Floats]] = defaultdict(list)
        self._sets: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(photographs):
            self._sets[each.name].append(number)
            if each.reading is not None:
                self._put(number, each)
                if int((each.veiled > VEILED[1]).sum()) >= _A_HAND:
                    self._lent[each.size].append(each.veiled)

    def style(self, rng: np.random.Generator) -> Style:
        """Return the style of a game: that of a photograph."""
        read = [each for each in self.photographs if each.reading is not None]
        one = read[int(rng.integers(len(read)))]
        names = [name for name in self._sets if name != one.name]
        others = tuple(names[k] for k in rng.permutation(len(names)))
        return Style(one.name, one.size, one.read.camera if one.still else None, others)

    def draw(self, style: Style, board: Board, known: Board, rng: np.random.Generator) -> Drawn:
        """Return a reading of a board by a reader who knows of another, `known`."""
        of_set = self._sets[style.name]
        number = of_set[int(rng.integers(len(of_set)))]
        source = self.photographs[number]
        if source.reading is None:
            return Drawn(None, np.zeros((board.size, board.size)))
        camera = style.camera or source.reading.camera
        heights = heights_of(board)
        shares = shares_covered(source.reading, camera, heights)
        veiled = self._hand(board.size, rng)
        squares = _Squares(
            self, self.scopes(number, style.others), style, classify_covered(shares),
            np.digitize(veiled, VEILED), rng,
        )  # fmt: skip
        n = board.size
        reading = replace(
            source.reading, camera=camera, height_probs=np.zeros((n, n, MAX_HEIGHT + 1)),
            face_probs=np.zeros((n, n, len(FACES))), hidden=np.zeros((n, n)),
        )  # fmt: skip
        squares.fill(reading, heights, heights > heights_of(known), tops_of(board))
        read = reading.height_probs.cumsum(axis=-1)
        medians = np.asarray((read >= 0.5).argmax(axis=-1), dtype=np.int64)
        seen = shares_covered(source.reading, camera, medians)
        return Drawn(replace(reading, covered=seen), np.maximum(shares, veiled))

    def among(self, scopes: tuple[Hashable, ...], what: Hashable) -> list[Place]:
        """Return the squares with the key `what`, from the first scope that has any."""
        for scope in scopes:
            found = self._squares.get((scope, what))
            if found:
                return found
        return []

    def scopes(self, number: int, others: tuple[str, ...] = ()) -> tuple[Hashable, ...]:
        """Return the groups of photographs to draw from, the best first."""
        each = self.photographs[number]
        sets = ((name, each.tilt_class) for name in (each.name, *others))
        return (number, *sets, each.tilt_class, _ALL)

    def _put(self, number: int, each: Photograph) -> None:
        tops = tops_of(each.board)
        fresh, hidden = each.fresh, np.stack([each.covered_class, each.veiled_class], axis=-1)
        for row, col in np.ndindex(each.size, each.size):
            height, hid = int(each.heights[row, col]), hid_of(hidden[row, col])
            keys = [height_key(height, bool(fresh[row, col]), hid)]
            if height:
                keys += [face_key(int(tops[row, col]), hid), face_key(None, hid)]
            for scope in self.scopes(number):
                for key in keys:
                    self._squares[scope, key].append((number, row, col))

    def _hand(self, size: int, rng: np.random.Generator) -> Floats:
        lent = self._lent[size]
        if not lent or rng.random() >= _HANDS:
            return np.zeros((size, size))
        mask = np.rot90(lent[int(rng.integers(len(lent)))], int(rng.integers(4)))
        return np.asarray(mask.T if rng.random() < 0.5 else mask, dtype=np.float64)


@dataclass
class _Squares:
    """The squares of one reading that is being drawn."""

    stock: Stock
    scopes: tuple[Hashable, ...]
    style: Style
    covered: Ints
    veiled: Ints
    rng: np.random.Generator

    def fill(self, reading: BoardReading, heights: Ints, fresh: np.typing.NDArray[np.bool_], tops: Ints) -> None:
        """Set the reading's arrays."""
        for row, col in np.ndindex(heights.shape):
            hid = (int(self.covered[row, col]), int(self.veiled[row, col]))
            height, top = int(heights[row, col]), int(tops[row, col])
            row_of_heights, hidden, at = self._heights((row, col), height, bool(fresh[row, col]), hid)
            reading.height_probs[row, col] = row_of_heights
            reading.hidden[row, col] = hidden
            reading.face_probs[row, col] = self._faces(top, height, hid) if top >= 0 else self._read(at)[1]

    def _read(self, at: Place) -> tuple[Floats, Floats, float]:
        number, row, col = at
        read = self.stock.photographs[number].read
        return read.height_probs[row, col], read.face_probs[row, col], float(read.hidden[row, col])

    def _heights(self, square: tuple[int, int], height: int, fresh: bool, hid: Hid) -> tuple[Floats, float, Place]:
        """Return the reading of a square's height, whether it is hidden, and the square from which this comes."""

        def draw() -> Place:
            for by, like in heights_like(height, hid):
                if at := self._one(height_key(height + by, fresh, like)):
                    return at
            raise ValueError(f"no photograph shows a square like one {height} high")

        at = self._keep((square, height, fresh, hid), draw)
        probs, _, hidden = self._read(at)
        photograph = self.stock.photographs[at[0]]
        return shift(probs, height - int(photograph.heights[at[1], at[2]])), hidden, at

    def _faces(self, top: int, height: int, hid: Hid) -> Floats:
        """Return the reading of a letter, or of a different letter in its place if there is none like it."""

        def draw() -> Place:
            if hid[0] < BURIED and hid[1] < GONE:
                for like in wider(hid):
                    if at := self._one(face_key(top, like)):
                        return at
            for like in wider(hid):
                if at := self._one(face_key(None, like)):
                    return at
            raise ValueError("no photograph shows a letter")

        at = self._keep((top, height, hid), draw)
        faces = self._read(at)[1].copy()
        stack = self.stock.photographs[at[0]].board.stacks[at[1]][at[2]]
        other = FACES.index(stack[-1])
        if hid[0] < BURIED and hid[1] < GONE:
            faces[[top, other]] = faces[[other, top]]
        return faces

    def _one(self, what: Hashable) -> Place | None:
        found = self.stock.among(self.scopes, what)
        return found[int(self.rng.integers(len(found)))] if found else None

    def _keep(self, key: Hashable, draw: Callable[[], Place]) -> Place:
        """Return the square that this camera used before for the same content, or a new one."""
        kept = self.style.kept
        if self.style.camera is None or key not in kept or self.rng.random() >= _AGAIN:
            kept[key] = draw()
        return kept[key]
