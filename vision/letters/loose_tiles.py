"""Find tiles that lie off any board, such as those left on a rack at the end of a game, by their letters.

The limits here were chosen by eye, then measured as a whole on 90 photographs of real letter tiles (docs/accuracy.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import ENGLISH, Alphabet
from vision.arrays import Flags, Floats
from vision.geometry.rectify import resize
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, read_faces
from vision.picture_quality import lighten

_SIDE = 1280
"""Longest side, px, at which ink is searched. [by eye]"""
_BLOCK_SHARES = (0.04, 0.08, 0.16)
"""Sides of the neighbourhoods with which ink is compared, as shares of the longest side. [by eye]"""
_INK_CONTRAST = 12.0
"""Grey levels by which ink is darker (or lighter) than its neighbourhood. [by eye]"""
_MIN_LETTER_CONTRAST = 35.0
"""Least contrast, grey levels, of a letter with its surroundings: glare and shadows have less. [by eye]"""
_MIN_HEIGHT_SHARE, _MAX_HEIGHT_SHARE = 0.012, 0.12
"""Least and largest height of a letter, as shares of the longest side. [by eye]"""
_MIN_INK_SHARE = 0.04
"""Least share of the square of its longer side that a letter's ink fills. [by eye]"""
_SURROUND_SHARE = 0.35
"""Width of a letter's surroundings that are compared with it, as a share of its longer side. [by eye]"""
_SAME_PLACE_HEIGHTS, _SAME_PIECE_RATIO = 0.1, (0.8, 1.25)
"""Two finds are one piece of ink if they are less than this apart, heights, and their ratio of heights is within the
range. [by eye]"""
_MAX_PIECES = 150
"""Most pieces of ink that are read, the most contrasted first; it bounds the time. [by eye]"""
_TURNS = 24
"""Number of turns at which a letter is read: every 15 degrees. [by eye]"""
_LETTER_HEIGHT_SHARE = 0.52
"""Height of a letter on a face, as a share of the network's window (a square). [by eye]"""
_MIN_UPRIGHT = 0.9
"""Least probability of an upright letter for a piece of ink to be one. [by eye]"""
_MIN_DISTANCE_HEIGHTS = 0.95
"""Least distance of two letters, in heights of a letter: a tile bears only one. [by eye]"""
_SAME_SIZE_RATIO = (0.66, 1.5)
"""Range of a letter's size relative to the usual: sizes differ by perspective and by shape. [by eye]"""
_NEAR_STEPS = 3
"""Steps of a turn to either side within which a letter that is well read still is. Half a turn on it may be again.
[by eye]"""
_ROW_STEPS = 1
"""Steps of a turn by which tiles in a row may differ. [by eye]"""
_NEXT_ROW_SIDES = 0.5
"""How much lower than a tile the next one lies if it begins a row, in usual sides: half a tile. [by eye]"""


@dataclass(frozen=True)
class LooseTile:
    """A tile that lies off any board.

    Attributes:
        chances: the probability of each face, in the order of the alphabet; they sum to 1.
        x: the centre of its letter, from the left, as a share of the picture's width.
        y: the same from the top, as a share of its height.
        side: length of the square around its letter, as a share of the picture's width.
        turn: radians by which the letter is turned clockwise in the picture; 0 for upright.
    """

    chances: tuple[float, ...]
    x: float
    y: float
    side: float
    turn: float


@dataclass(frozen=True)
class _Ink:
    """A piece of ink: its centre (x, y), its longer side and its contrast in grey levels."""

    centre: tuple[float, float]
    height: float
    contrast: float


def find_loose_tiles(image: Image, alphabet: Alphabet = ENGLISH) -> tuple[LooseTile, ...]:
    """Find the tiles in a picture (h, w, 3), row by row from the top, each row from left to right.

    Returns none if no letter is clear. If all letters can be read the same way up, they are; otherwise each is read
    whichever way it lies. A letter that looks like another upside down (N and Z, M and W) stays open if it can lie both
    ways.
    """
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    small = resize(lighten(image).image, scale)
    dark_and_light = (_pieces(small, light, alphabet) for light in (False, True))
    # the letters of a picture are all dark or all light: take the plainer ones
    pieces = max(dark_and_light, key=lambda read: float(read[1][..., :REJECT].max(axis=(1, 2), initial=0.0).sum()))
    ink, chances = _of_usual_size(*pieces)
    if not ink:
        return ()
    allowed = _possible_turns(chances)
    height, width = small.shape[:2]
    tiles = []
    for piece, read, turns in zip(ink, chances, allowed, strict=True):
        faces = (read[:, :REJECT] * turns[:, None]).max(axis=0)
        (x, y), side = piece.centre, piece.height / _LETTER_HEIGHT_SHARE / width
        turn = _average_turn(read[:, :REJECT].max(axis=1) * turns)
        tiles.append(LooseTile(tuple(map(float, faces / faces.sum())), x / width, y / height, side, turn))
    return tuple(_row_by_row(tiles, width / height))


def _row_by_row(tiles: list[LooseTile], aspect: float) -> list[LooseTile]:
    """Sort tiles as people read; a row begins where the next tile lies much lower. `aspect` is width over height."""
    lower = _NEXT_ROW_SIDES * float(np.median([tile.side for tile in tiles])) * aspect
    rows: list[list[LooseTile]] = []
    for tile in sorted(tiles, key=lambda tile: tile.y):
        if rows and tile.y - rows[-1][-1].y < lower:
            rows[-1].append(tile)
        else:
            rows.append([tile])
    return [tile for row in rows for tile in sorted(row, key=lambda tile: tile.x)]


def _average_turn(chances: Floats) -> float:
    """Return the middle, radians, of the turns near the best of (_TURNS,) that read the letter just as surely."""
    steps = (np.arange(_TURNS) - int(chances.argmax()) + _TURNS // 2) % _TURNS - _TURNS // 2
    near = np.abs(steps) <= _NEAR_STEPS
    middle = int(chances.argmax()) + float((steps * chances)[near].sum() / chances[near].sum())
    return 2 * np.pi * (middle % _TURNS) / _TURNS


def _pieces(image: Image, light: bool, alphabet: Alphabet) -> tuple[list[_Ink], Floats]:
    """Return the letters, `light` on dark tiles or dark on light ones, and their readings (m, _TURNS, F + 1)."""
    ink = _ink(image, light)
    shown = 255 - image if light else image
    read = read_faces(_windows(shown, ink), alphabet).astype(np.float64)
    chances = np.exp(read).reshape(len(ink), _TURNS, len(alphabet) + 1)
    kept: list[int] = []
    # the probability of an upright letter, at the turn that shows it best
    upright = (1.0 - chances[..., REJECT]).max(axis=-1, initial=0.0)
    for at in np.argsort(-upright, kind="stable"):
        if upright[at] < _MIN_UPRIGHT:
            break
        if all(
            np.hypot(*np.subtract(ink[at].centre, ink[other].centre))
            > _MIN_DISTANCE_HEIGHTS * max(ink[at].height, ink[other].height)
            for other in kept
        ):
            kept.append(int(at))
    return [ink[at] for at in kept], chances[kept]


def _ink(image: Image, light: bool) -> list[_Ink]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = 255 - grey if light else grey
    side = max(grey.shape)
    pieces: list[_Ink] = []
    for block in _BLOCK_SHARES:
        soft = cv2.GaussianBlur(grey, (3, 3), 0)
        dark = cv2.adaptiveThreshold(
            soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, int(side * block) | 1, _INK_CONTRAST
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
        for label in range(1, count):
            piece = _piece(grey, labels, stats[label], label)
            if piece is not None and not any(_is_same_piece(piece, other) for other in pieces):
                pieces.append(piece)
    return sorted(pieces, key=lambda piece: -piece.contrast)[:_MAX_PIECES]


def _piece(
    grey: npt.NDArray[np.generic], labels: npt.NDArray[np.generic], stats: npt.NDArray[np.generic], label: int
) -> _Ink | None:
    """Return a piece of ink that may be a letter by its size, is whole, and is plainly darker than its surroundings."""
    x, y, width, height, area = (int(value) for value in stats)
    most, side = max(width, height), max(grey.shape)
    if not _MIN_HEIGHT_SHARE * side <= most <= _MAX_HEIGHT_SHARE * side or area < _MIN_INK_SHARE * most * most:
        return None
    if x <= 1 or y <= 1 or x + width >= grey.shape[1] - 1 or y + height >= grey.shape[0] - 1:
        return None
    inside = labels[y : y + height, x : x + width] == label
    points = np.argwhere(inside)[:, ::-1] + np.array([x, y])
    centre, sides, _ = cv2.minAreaRect(points.astype(np.float32))
    pad = int(_SURROUND_SHARE * most) + 1
    rows, cols = slice(max(0, y - pad), y + height + pad), slice(max(0, x - pad), x + width + pad)
    around = grey[rows, cols][labels[rows, cols] == 0]
    contrast = float(np.median(around)) - float(np.median(grey[y : y + height, x : x + width][inside]))
    if contrast < _MIN_LETTER_CONTRAST or max(sides) < 1:
        return None
    return _Ink((float(centre[0]), float(centre[1])), float(max(sides)), contrast)


def _is_same_piece(one: _Ink, other: _Ink) -> bool:
    away = float(np.hypot(*np.subtract(one.centre, other.centre)))
    return (
        away < _SAME_PLACE_HEIGHTS * one.height
        and _SAME_PIECE_RATIO[0] < one.height / other.height < _SAME_PIECE_RATIO[1]
    )


def _windows(image: Image, ink: list[_Ink]) -> Image:
    """Cut windows (m * _TURNS, FACE_PX, FACE_PX, 3) around pieces of ink, turned every way."""
    cut = []
    for piece in ink:
        side = piece.height / _LETTER_HEIGHT_SHARE
        half = int(0.75 * side) + 2
        x, y = round(piece.centre[0]), round(piece.centre[1])
        around = cv2.getRectSubPix(image, (2 * half + 1, 2 * half + 1), (float(x), float(y)))
        less = min(1.0, FACE_PX / side)
        padded = resize(np.asarray(around, dtype=np.uint8), less)
        middle = np.array([(size - 1) / 2 for size in padded.shape[1::-1]]) + np.subtract(piece.centre, (x, y)) * less
        step = side * less / FACE_PX
        for turn in range(_TURNS):
            angle = 2 * np.pi * turn / _TURNS
            matrix = step * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shift = middle - matrix @ np.full(2, (FACE_PX - 1) / 2)
            cut.append(
                cv2.warpAffine(
                    padded,
                    np.column_stack([matrix, shift]),
                    (FACE_PX, FACE_PX),
                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                    borderMode=cv2.BORDER_REPLICATE,
                )
            )
    return np.asarray(cut, dtype=np.uint8).reshape(-1, FACE_PX, FACE_PX, 3)


def _of_usual_size(ink: list[_Ink], chances: Floats) -> tuple[list[_Ink], Floats]:
    """Keep the pieces about as large as most. Much smaller or larger ones are print on something else."""
    if not ink:
        return ink, chances
    usual = float(np.median([piece.height for piece in ink]))
    kept = [at for at, piece in enumerate(ink) if _SAME_SIZE_RATIO[0] <= piece.height / usual <= _SAME_SIZE_RATIO[1]]
    return [ink[at] for at in kept], chances[kept]


def _possible_turns(chances: Floats) -> Flags:
    """Return which turns (m, _TURNS) are possible: those near one at which all letters can be read, else all."""
    upright = 1.0 - chances[..., REJECT]
    near = np.stack([np.roll(upright, step, axis=1) for step in range(-_ROW_STEPS, _ROW_STEPS + 1)]).max(axis=0)
    together = near.min(axis=0) >= _MIN_UPRIGHT
    if not together.any():
        return np.ones(upright.shape, dtype=bool)
    wide = np.stack([np.roll(together, step) for step in range(-_ROW_STEPS, _ROW_STEPS + 1)]).any(axis=0)
    return np.broadcast_to(wide, upright.shape)
