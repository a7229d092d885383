"""What makers leave on a tile besides its letter: moulded marks that light shades, values of any size, small logos.

Canvases are (h, w, 3) float32, BGR from 0 to 255; places and lengths are in their pixels, DRAW to a cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from workshop.training.faces.flat_tiles import DRAW

Floats = npt.NDArray[np.float32]
Glyph = npt.NDArray[np.uint8]
Point = tuple[float, float]

_PATTERNS: tuple[tuple[Point, ...], ...] = (
    ((-1, -1), (1, -1), (-1, 1), (1, 1)), ((-1, -1), (1, -1)), ((-1, 1), (1, 1)), ((-1, -1), (1, -1), (0, 1)),
    ((-1, 0), (1, 0)), ((0, 1),), ((0, -1),), ((1, 1),), ((0, 0),),
)  # fmt: skip
"""Where dimples, studs and the marks of ejectors lie, of their reach from the middle to the right and down."""
_PATTERN_SHARES = (0.26, 0.24, 0.08, 0.14, 0.1, 0.05, 0.05, 0.05, 0.03)
_MARKS, _PLATEAUS = 0.75, 0.35
"""Shares of moulded sets with such marks and with a raised or sunk plateau or rim. [by eye]"""
_SIDE = DRAW + 4
"""Pixels of a moulding, a tile and a little around."""
_PALER = 0.55
"""Strongest shading, against the contrast of the ink: what is moulded is paler than what is printed. [by eye]"""
_VALUES = ("1", "1", "1", "1", "2", "3", "4", "5", "6", "8", "10")
_WHERE = ("foot", "beside", "head", "under", "corner")
_WHERE_SHARES = (0.36, 0.12, 0.07, 0.13, 0.32)
_LOGOS = 0.06
"""Share of values that are a small logo instead. [by eye]"""
_ROOM = 0.9
"""Cells that a letter and its value take up at most, in width and in height. [by eye]"""


@dataclass(frozen=True)
class Moulding:
    """Raised and sunk shapes of a set's tiles, as light falls on them: `shade` (_SIDE, _SIDE), 0 if it is flat."""

    shade: Floats

    def lay(self, canvas: Floats, at: Point) -> None:
        """Shade the tile whose middle is `at`."""
        x, y = round(at[0] - _SIDE / 2), round(at[1] - _SIDE / 2)
        h, w = canvas.shape[:2]
        top, left, low, right = max(y, 0), max(x, 0), min(y + _SIDE, h), min(x + _SIDE, w)
        canvas[top:low, left:right] *= 1 + self.shade[top - y : low - y, left - x : right - x, None]


def random_moulding(contrast: float, rng: np.random.Generator) -> Moulding:
    """Draw what a mould left on a set whose ink differs by `contrast` from its tiles, as a share of their light."""
    turn, strongest = rng.uniform(0, 2 * np.pi), min(0.5, _PALER * contrast)
    shade = np.zeros((_SIDE, _SIDE), np.float32)
    shapes = [shape for shape, share in ((draw_marks, _MARKS), (_plateau, _PLATEAUS)) if rng.random() < share]
    for shape in shapes or [draw_marks]:
        soft = cv2.GaussianBlur(shape(rng), (0, 0), rng.uniform(0.5, 2.2))
        lit = np.cos(turn) * cv2.Sobel(soft, cv2.CV_32F, 1, 0) + np.sin(turn) * cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        lit /= float(np.abs(lit).max()) + 1e-6
        shade += rng.uniform(0.1, 1) * strongest * lit + rng.normal(0, 0.15) * strongest * soft
    return Moulding(shade)


def draw_marks(rng: np.random.Generator) -> Floats:
    """Draw how high (_SIDE, _SIDE) discs or rings, or small bars, in one of the patterns stand, 0 to 1."""
    height = np.zeros((_SIDE, _SIDE), np.float32)
    reach, radius = rng.uniform((0.14, 0.24), (0.4, 0.4)) * DRAW, rng.uniform(0.03, 0.13) * DRAW
    line = -1 if rng.random() < 0.8 else 1
    flat = rng.uniform(0.3, 1) if rng.random() < 0.15 else 1.0
    for right, down in _PATTERNS[int(rng.choice(len(_PATTERNS), p=_PATTERN_SHARES))]:
        middle = (round((_SIDE / 2 + right * reach[0]) * 8), round((_SIDE / 2 + down * reach[1]) * 8))
        axes = (round(radius * 8), round(radius * flat * 8))
        cv2.ellipse(height, middle, axes, 0, 0, 360, 1.0, line, cv2.LINE_AA, 3)
    return height


def _plateau(rng: np.random.Generator) -> Floats:
    """Draw a plateau, square or round, or the line of a rim around it."""
    height = np.zeros((_SIDE, _SIDE), np.float32)
    half, line = rng.uniform(0.3, 0.46) * DRAW, -1 if rng.random() < 0.7 else int(rng.integers(1, 3))
    if rng.random() < 0.4:
        cv2.circle(height, (round(_SIDE / 2 * 8),) * 2, round(half * 8), 1.0, line, cv2.LINE_AA, 3)
        return height
    low, high = round((_SIDE / 2 - half) * 8), round((_SIDE / 2 + half) * 8)
    cv2.rectangle(height, (low, low), (high, high), 1.0, line, cv2.LINE_AA, 3)
    return height


@dataclass(frozen=True)
class Value:
    """How a set prints the values of its letters.

    Attributes:
        where: one of `_WHERE`.
        size: height against that of the letter.
        gap: pixels between letter and value.
        along: how far along the letter's side it lies, -1 to 1.
        corner: from the tile's middle, for values that keep to one place.
        moves: share of the room that the letter makes for its value.
    """

    where: str
    size: float
    gap: float
    along: float
    corner: Point
    moves: float

    def place(self, letter: Point, value: Point) -> tuple[float, Point, Point]:
        """Return by how much both shrink, and their middles from the tile's, for sizes (wide, high)."""
        if self.where == "corner":
            away = -0.3 * self.moves
            return 1.0, (away * self.corner[0], away * self.corner[1]), self.corner
        (wide, high), (broad, tall) = letter, value
        beside = np.sign(self.corner[0]) * (wide / 2 + self.gap + broad / 2)
        down = {"foot": high / 2 - tall / 2 + 0.15 * abs(self.along) * tall, "head": tall / 2 - high / 2}
        x, y = beside, down.get(self.where, self.along * (high - tall) / 2)
        if self.where == "under":
            x, y = self.along * wide / 2, high / 2 + self.gap + tall / 2
        low = np.minimum((-wide / 2, -high / 2), (x - broad / 2, y - tall / 2))
        far = np.maximum((wide / 2, high / 2), (x + broad / 2, y + tall / 2))
        shrink = min(1.0, float((_ROOM * DRAW / (far - low)).min()))
        low, far = low * shrink, far * shrink
        edge = 0.5 * _ROOM * DRAW
        shift = -self.moves * (low + far) / 2
        shift = np.clip(shift, -edge - low, edge - far)
        return shrink, (shift[0], shift[1]), (x * shrink + shift[0], y * shrink + shift[1])


def random_value(rng: np.random.Generator) -> Value:
    """Draw where a set prints its values, and how large: mostly low on the right, beside the letter's foot."""
    where = str(rng.choice(_WHERE, p=_WHERE_SHARES))
    size = rng.uniform(0.22, 0.42) if where == "corner" or rng.random() < 0.3 else rng.uniform(0.25, 0.75)
    right, low = (1 if rng.random() < 0.85 else -1), (1 if rng.random() < 0.8 else -1)
    corner = (right * rng.uniform(0.14, 0.36) * DRAW, low * rng.uniform(0.2, 0.36) * DRAW)
    gap = rng.uniform(0.2, 5.0) if rng.random() < 0.8 else rng.uniform(-0.4, 0.5)
    return Value(where, size, gap, rng.uniform(-1, 1), corner, rng.uniform(0, 1))


def value_glyph(digits: Callable[[str], Glyph], rng: np.random.Generator) -> Glyph:
    """Return the mask of a value, of `digits` in the set's typeface, or of a logo in its place."""
    if rng.random() >= _LOGOS:
        return digits(str(rng.choice(_VALUES)))
    logo = np.zeros((92, int(rng.integers(30, 70))), np.uint8)
    middle, axes = (logo.shape[1] // 2, 46), (logo.shape[1] // 2 - 4, int(rng.integers(8, 24)))
    if rng.random() < 0.6:
        cv2.ellipse(logo, middle, axes, 0, 0, 360, 255, int(rng.choice([-1, 6])), cv2.LINE_AA)
        return logo
    for x in range(2, logo.shape[1] - 6, 12):
        cv2.rectangle(logo, (x, 46 - axes[1]), (x + 6, 46 + axes[1]), 255, -1)
    return logo
