"""Things that people put down on a board: sheets, cards, telephones, books, cloths, cups, drawn at random.

The renderer draws hands alone above a board. What else may lie there has no end of shapes and prints; a prism of any
outline that hides what is behind it teaches as much of it as the board needs: that squares are hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import Camera
from workshop.training.board_samples import BoardSample

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.floating[Any]]

_THICK, _THICK_SHARES = ((0.01, 0.08), (0.1, 0.5), (0.5, 3.0)), (0.4, 0.4, 0.2)
"""How thick things are, cells: sheets and cards, telephones and books, cups; and how often they are so. [by eye]"""
TEXTURE_PX = 160
"""Side of what is printed on a thing, pixels. [by eye]"""


@dataclass(frozen=True)
class Thing:
    """A prism that lies on a board.

    `outline` (m, 2) cells, its corners in order; it reaches from `bottom` to `top`, cells above the board; `print_on`
    (TEXTURE_PX, TEXTURE_PX, 3) BGR is what its top shows, `wall` (3) the colour of its sides.
    """

    outline: Floats
    bottom: float
    top: float
    print_on: Picture
    wall: Floats


def random_thing(sample: BoardSample, rng: np.random.Generator) -> Thing:
    """Draw a thing somewhere on the sample's board, on the tiles that are under it or, at times, between them."""
    outline = _OUTLINES[int(rng.integers(len(_OUTLINES)))](rng)
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    outline = outline @ np.array([[c, s], [-s, c]]) + rng.uniform(-0.5, sample.size + 0.5, 2)
    bottom = _highest_under(sample, outline) if rng.random() < 0.8 else 0.0
    thinnest, thickest = _THICK[int(rng.choice(len(_THICK), p=_THICK_SHARES))]
    ground = _ground_colour(sample, outline, rng)
    printed = _PRINTS[int(rng.integers(len(_PRINTS)))](np.full((TEXTURE_PX, TEXTURE_PX, 3), ground), rng)
    return Thing(outline, bottom, bottom + rng.uniform(thinnest, thickest), printed, ground * rng.uniform(0.4, 1.0))


def _ground_colour(sample: BoardSample, outline: Floats, rng: np.random.Generator) -> Floats:
    """Draw any colour, a colour of paper or of phones, or nearly that of the board under the thing."""
    kind = rng.random()
    if kind < 0.25:
        return np.asarray(rng.uniform(190, 250) + rng.normal(0, 6, 3))
    if kind < 0.5:
        return np.asarray(rng.uniform(8, 60) + rng.normal(0, 4, 3)).clip(3, 250)
    if kind < 0.7:
        height, width = sample.image.shape[:2]
        x, y = np.clip(project(sample.camera, outline[:1], 0.0)[0], 0, (width - 1, height - 1)).astype(int)
        return np.asarray(np.clip(sample.image[y, x] + rng.normal(0, 18, 3), 3, 250), dtype=np.float64)
    return np.asarray(rng.uniform(8, 245, 3))


def _highest_under(sample: BoardSample, outline: Floats) -> float:
    """Return how high, cells, the tiles lie on which the thing comes to rest."""
    tiles = np.argwhere(sample.heights > 0)
    shape = outline.astype(np.float32)
    under = [
        int(sample.heights[row, col])
        for row, col in tiles
        if cv2.pointPolygonTest(shape, (float(col) + 0.5, float(row) + 0.5), measureDist=True) > -0.4
    ]
    return sample.foot + sample.layer * max(under) if under else 0.0


def _rectangle(rng: np.random.Generator) -> Floats:
    """Draw a card, a sheet, a phone, a book."""
    half = np.array([rng.uniform(0.4, 2.2), rng.uniform(0.4, 3.2)])
    return np.asarray(half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), dtype=np.float64)


def _round(rng: np.random.Generator) -> Floats:
    """Draw a cup, a bowl, a coaster, seen from above."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.asarray(rng.uniform(0.4, 2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=-1))


def _draw_crumpled(rng: np.random.Generator) -> Floats:
    """Draw a cloth, a bag, a toy: a random outline without corners."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    radius = np.full(angles.shape, 1.0)
    for wave in range(2, 6):
        radius += rng.normal(0, 0.35 / wave) * np.cos(wave * angles + rng.uniform(0, 2 * np.pi))
    radius = rng.uniform(0.6, 2.2) * np.maximum(radius, 0.25)
    stretched = np.array([1.0, rng.uniform(0.4, 1.0)])
    return np.asarray(stretched * radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1))


def _plain(picture: Picture, rng: np.random.Generator) -> Picture:
    return picture


def _draw_stripes(picture: Picture, rng: np.random.Generator) -> Picture:
    """Draw lines of a pad, stripes of a cloth, or checks."""
    y, x = np.mgrid[0:TEXTURE_PX, 0:TEXTURE_PX] / TEXTURE_PX
    ways = [x, y] if rng.random() < 0.3 else [x]
    ink, wide, many = rng.uniform(8, 245, 3), rng.uniform(0.1, 0.5), rng.uniform(3, 16)
    lined = np.any([(way * many) % 1 < wide for way in ways], axis=0)
    return np.where(lined[..., None], ink, picture)


def _draw_framed(picture: Picture, rng: np.random.Generator) -> Picture:
    """Draw a screen, a cover, a card: a field in a frame."""
    rim = int(rng.uniform(0.03, 0.2) * TEXTURE_PX)
    framed = picture.copy()
    framed[rim:-rim, rim:-rim] = rng.uniform(5, 245, 3)
    return framed


def _draw_writing(picture: Picture, rng: np.random.Generator) -> Picture:
    """Draw words and numbers, as on covers and packets."""
    # from 5.0 on, OpenCV draws text on no other type
    written = np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))
    ink = tuple(float(part) for part in rng.uniform(5, 250, 3))
    for _ in range(int(rng.integers(1, 7))):
        text = "".join(chr(int(code)) for code in rng.integers(48, 91, int(rng.integers(2, 10))))
        at = (int(rng.integers(0, TEXTURE_PX // 2)), int(rng.integers(20, TEXTURE_PX)))
        cv2.putText(written, text, at, int(rng.integers(0, 5)), rng.uniform(0.4, 1.6), ink, int(rng.integers(1, 4)))
    return written.astype(np.float32)


def _draw_blotches(picture: Picture, rng: np.random.Generator) -> Picture:
    """Draw a photograph's blotches, a pattern without edges."""
    coarse = int(rng.integers(3, 24))
    blotches = rng.normal(0, rng.uniform(10, 60), (coarse, coarse, 3)).astype(np.float32)
    return picture + cv2.resize(blotches, (TEXTURE_PX, TEXTURE_PX), interpolation=cv2.INTER_CUBIC)


_OUTLINES: tuple[Callable[[np.random.Generator], Floats], ...] = (_rectangle, _rectangle, _round, _draw_crumpled)
_PRINTS: tuple[Callable[[Picture, np.random.Generator], Picture], ...] = (
    _plain, _plain, _plain, _draw_stripes, _draw_framed, _draw_writing, _draw_blotches,
)  # fmt: skip


def project(camera: Camera, outline: Floats, elevation: float) -> Floats:
    """Return pixels (m, 2) of an outline (m, 2) that lies at an elevation, cells."""
    return camera.project(np.column_stack([outline, np.full(len(outline), elevation)]))
