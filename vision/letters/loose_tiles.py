"""Tiles that lie off any board, as those left on a rack at the end of a game: found by their letters."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import resize
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, read_faces
from vision.picture_quality import lightened

Floats = npt.NDArray[np.float64]

_SIDE = 1280
"""Longest side at which ink is looked for, px. This and what follows by eye, then measured as a whole on 90 photographs
of real letter tiles (docs/accuracy.md)."""
_BLOCKS = (0.04, 0.08, 0.16)
"""Sides of the neighbourhoods that ink is darker (or lighter) than, as shares of the longest side."""
_INK = 12.0
"""Grey levels by which it is."""
_CONTRAST = 35.0
"""Grey levels between a letter and what is around it, at least: glare and shadows have less."""
_SMALLEST, _LARGEST = 0.012, 0.12
"""Heights of letters that are looked for, as shares of the longest side."""
_FILLED = 0.04
"""Share of the square of its longer side that a letter's ink fills at least."""
_PAD = 0.35
"""How far around a letter what it lies on is looked at, as a share of its longer side."""
_ONE_PIECE, _ALIKE = 0.1, (0.8, 1.25)
"""Heights by which two pieces of ink are apart, and how much smaller or larger one is, while they are one."""
_MOST = 150
"""Pieces of ink that are looked at, the most contrasted first: it bounds the time."""
_TURNS = 24
"""Ways round at which a letter is read: every 15 degrees."""
_LETTER = 0.52
"""Height of a letter on a face, as a share of the window that the network was trained on (a square)."""
_TILE = 0.9
"""Probability of an upright letter from which a piece of ink is one."""
_APART = 0.95
"""Least distance of two letters, in heights of a letter: one tile has one."""
_SAME_SIZE = (0.66, 1.5)
"""How much smaller and larger than most a letter may be: they differ by perspective and by their shape."""
_LOBE = 3
"""Steps of a turn to either side within which a letter that is well read still is; half a turn on it may be again."""
_ALIGNED = 1
"""Steps of a turn by which tiles in a row may differ."""
_NEXT_ROW = 0.5
"""How much lower than a tile the next one lies that begins a row, as a share of the usual side. By eye: half a tile."""


@dataclass(frozen=True)
class LooseTile:
    """A tile that lies off any board.

    Attributes:
        centre: (x, y) of its letter in the picture, pixels.
        side: length of the square around its letter, pixels.
        turn: radians by which the letter is turned, clockwise as the picture is seen; 0 for upright.
        chances: (26,) the probability of each face, in the order of FACES; they sum to 1.
    """

    centre: tuple[float, float]
    side: float
    turn: float
    chances: Floats


@dataclass(frozen=True)
class _Ink:
    """A piece of ink: its centre (x, y), its longer side, and how far it stands out, grey levels."""

    centre: tuple[float, float]
    height: float
    contrast: float


def find_loose_tiles(image: Image) -> tuple[LooseTile, ...]:
    """The tiles in a picture (h, w, 3), row by row from the top, each from left to right; none where no letter is
    plain to see.

    Where all can be read one way round they are taken to lie so, or so that they can; else each is read however it may
    lie. What looks like another letter the other way up (N and Z, M and W) stays open where it can lie both ways.
    """
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    small = resize(lightened(image).image, scale)
    pieces = max((_pieces(small, light) for light in (False, True)), key=lambda found: _plain(found[1]))
    ink, chances = _one_size(*pieces)
    if not ink:
        return ()
    allowed = _one_way_round(chances)
    tiles = []
    for piece, read, turns in zip(ink, chances, allowed, strict=True):
        faces = (read[:, :REJECT] * turns[:, None]).max(axis=0)
        x, y = piece.centre
        tiles.append(
            LooseTile(
                (x / scale, y / scale),
                piece.height / _LETTER / scale,
                _turn(read[:, :REJECT].max(axis=1) * turns),
                faces / faces.sum(),
            )
        )
    return tuple(_row_by_row(tiles))


def _row_by_row(tiles: list[LooseTile]) -> list[LooseTile]:
    """The tiles as they are read: a row begins where the next tile lies so much lower."""
    lower = _NEXT_ROW * float(np.median([tile.side for tile in tiles]))
    rows: list[list[LooseTile]] = []
    for tile in sorted(tiles, key=lambda tile: tile.centre[1]):
        if rows and tile.centre[1] - rows[-1][-1].centre[1] < lower:
            rows[-1].append(tile)
        else:
            rows.append([tile])
    return [tile for row in rows for tile in sorted(row, key=lambda tile: tile.centre[0])]


def _turn(chances: Floats) -> float:
    """The turn, radians, in the middle of those (_TURNS,) at which a letter is read as surely as at the best."""
    steps = (np.arange(_TURNS) - int(chances.argmax()) + _TURNS // 2) % _TURNS - _TURNS // 2
    near = np.abs(steps) <= _LOBE
    middle = int(chances.argmax()) + float((steps * chances)[near].sum() / chances[near].sum())
    return 2 * np.pi * (middle % _TURNS) / _TURNS


def _pieces(image: Image, light: bool) -> tuple[list[_Ink], Floats]:
    """The pieces of ink that are letters, and their readings (m, _TURNS, 27); `light` ink on dark tiles."""
    ink = _ink(image, light)
    shown = 255 - image if light else image
    chances = (
        np.exp(read_faces(_windows(shown, ink))).astype(np.float64).reshape(len(ink), _TURNS, REJECT + 1)
    )
    kept: list[int] = []
    for at in np.argsort(-_upright(chances), kind="stable"):
        if _upright(chances[at : at + 1])[0] < _TILE:
            break
        apart = (np.hypot(*np.subtract(ink[at].centre, ink[other].centre)) for other in kept)
        if all(
            away > _APART * max(ink[at].height, ink[other].height)
            for away, other in zip(apart, kept, strict=True)
        ):
            kept.append(int(at))
    return [ink[at] for at in kept], chances[kept]


def _plain(chances: Floats) -> float:
    """How much there is to be read: the sum over the letters of the probability of the face that each shows."""
    return float(chances[..., :REJECT].max(axis=(1, 2), initial=0.0).sum())


def _upright(chances: Floats) -> Floats:
    """How probable an upright letter is (m,), at the turn that shows it best."""
    return np.asarray((1.0 - chances[..., REJECT]).max(axis=-1, initial=0.0))


def _ink(image: Image, light: bool) -> list[_Ink]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = 255 - grey if light else grey
    side = max(grey.shape)
    found: list[_Ink] = []
    for block in _BLOCKS:
        soft = cv2.GaussianBlur(grey, (3, 3), 0)
        dark = cv2.adaptiveThreshold(
            soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, int(side * block) | 1, _INK
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
        for label in range(1, count):
            piece = _piece(grey, labels, stats[label], label)
            if piece is not None and not any(_same(piece, other) for other in found):
                found.append(piece)
    return sorted(found, key=lambda piece: -piece.contrast)[:_MOST]


def _piece(
    grey: npt.NDArray[np.generic], labels: npt.NDArray[np.generic], stats: npt.NDArray[np.generic], label: int
) -> _Ink | None:
    """A piece of ink that may be a letter: of a letter's size, whole in the picture, plainly darker than around it."""
    x, y, width, height, area = (int(value) for value in stats)
    most, side = max(width, height), max(grey.shape)
    if not _SMALLEST * side <= most <= _LARGEST * side or area < _FILLED * most * most:
        return None
    if x <= 1 or y <= 1 or x + width >= grey.shape[1] - 1 or y + height >= grey.shape[0] - 1:
        return None
    inside = labels[y : y + height, x : x + width] == label
    points = np.argwhere(inside)[:, ::-1] + np.array([x, y])
    centre, sides, _ = cv2.minAreaRect(points.astype(np.float32))
    pad = int(_PAD * most) + 1
    rows, cols = slice(max(0, y - pad), y + height + pad), slice(max(0, x - pad), x + width + pad)
    around = grey[rows, cols][labels[rows, cols] == 0]
    contrast = float(np.median(around)) - float(np.median(grey[y : y + height, x : x + width][inside]))
    if contrast < _CONTRAST or max(sides) < 1:
        return None
    return _Ink((float(centre[0]), float(centre[1])), float(max(sides)), contrast)


def _same(one: _Ink, other: _Ink) -> bool:
    away = float(np.hypot(*np.subtract(one.centre, other.centre)))
    return away < _ONE_PIECE * one.height and _ALIKE[0] < one.height / other.height < _ALIKE[1]


def _windows(image: Image, ink: list[_Ink]) -> Image:
    """Windows (m * _TURNS, FACE_PX, FACE_PX, 3) around pieces of ink, turned every way."""
    cut = []
    for piece in ink:
        side = piece.height / _LETTER
        half = int(0.75 * side) + 2
        x, y = round(piece.centre[0]), round(piece.centre[1])
        around = cv2.getRectSubPix(image, (2 * half + 1, 2 * half + 1), (float(x), float(y)))
        less = min(1.0, FACE_PX / side)
        padded = resize(np.asarray(around, dtype=np.uint8), less)
        middle = (
            np.array([(size - 1) / 2 for size in padded.shape[1::-1]])
            + np.subtract(piece.centre, (x, y)) * less
        )
        step = side * less / FACE_PX
        for turn in range(_TURNS):
            angle = 2 * np.pi * turn / _TURNS
            matrix = step * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shift = middle - matrix @ np.full(2, (FACE_PX - 1) / 2)
            cut.append(
                cv2.warpAffine(
                    padded, np.column_stack([matrix, shift]), (FACE_PX, FACE_PX),
                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
                )
            )  # fmt: skip
    return np.asarray(cut, dtype=np.uint8).reshape(-1, FACE_PX, FACE_PX, 3)


def _one_size(ink: list[_Ink], chances: Floats) -> tuple[list[_Ink], Floats]:
    """Those about as large as most: what is much smaller or larger is print on something else."""
    if not ink:
        return ink, chances
    usual = float(np.median([piece.height for piece in ink]))
    kept = [at for at, piece in enumerate(ink) if _SAME_SIZE[0] <= piece.height / usual <= _SAME_SIZE[1]]
    return [ink[at] for at in kept], chances[kept]


def _one_way_round(chances: Floats) -> npt.NDArray[np.bool_]:
    """Which turns (m, _TURNS) are possible: those near one at which all letters can be read; else all."""
    upright = 1.0 - chances[..., REJECT]
    near = np.stack([np.roll(upright, step, axis=1) for step in range(-_ALIGNED, _ALIGNED + 1)]).max(axis=0)
    together = near.min(axis=0) >= _TILE
    if not together.any():
        return np.ones(upright.shape, dtype=bool)
    wide = np.stack([np.roll(together, step) for step in range(-_ALIGNED, _ALIGNED + 1)]).any(axis=0)
    return np.broadcast_to(wide, upright.shape)
