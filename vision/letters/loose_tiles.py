"""Find tiles that lie off any board, such as those left on a rack at the end of a game, by their letters.

The limits here were chosen by eye. Those of single tiles were then measured as a whole on 90 photographs of real letter
tiles; those of tiles in rows were chosen on 28 simulated sets laid out, and measured on 12 others (docs/accuracy.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from unicodedata import normalize

import cv2
import numpy as np
import numpy.typing as npt

from engine import ENGLISH, Alphabet
from vision.arrays import Flags, Floats
from vision.geometry.rectify import resize
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, read_closely, read_faces
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
_MIN_UPRIGHT_NZ = 0.3
"""Least such probability for an N and a Z in rows. All tiles lie the same way up there, and an N on its side looks like
a Z. [by eye]"""
_MIN_DISTANCE_HEIGHTS = 0.95
"""Least distance of two letters, in heights of a letter: a tile bears only one. [by eye]"""
_SAME_SIZE_RATIO = (0.66, 1.5)
"""Range of a letter's size relative to the usual: sizes differ by perspective and by shape. [by eye]"""
_NEAR_STEPS = 3
"""Steps of a turn to either side within which a letter that is well read still is. Half a turn on it may be again.
[by eye]"""
_ROW_STEPS = 1
"""Steps of a turn by which tiles in a row may differ. [by eye]"""
_SAME_WAY_TILES, _SAME_WAY_SHARE = 9, 0.8
"""Tiles lie the same way up if all of them can be read at one turn, or at least so many and this share of them: on
patterned tables some of what is found is no tile. [by eye]"""
_SMALL_SIDE_SHARE, _NEARER_SHARE, _MARGIN_SIDES = 0.05, 0.7, 4.0
"""Tiles whose sides are less than the first share of the picture's longest side are searched again in a part of the
picture, if that is less than the second share of it. The part has half as much again around what was found, and this
many sides. [by eye]"""
_NEIGHBOURS = 7
"""The number of letters, itself included, by which the usual size of a letter is judged where it lies. [by eye]"""
_PART_SIZES = (0.25, 1.5)
"""Range of the size of another piece of ink on the same tile, such as the H of a Ch, relative to the usual. [by eye]"""
_SCALES = (1.0, 0.85, 0.72, 0.6)
"""Sizes of windows, relative to the usual, in which tiles in rows are read: letters fill more or less of their tiles.
[by eye]"""
_SAME_TILE_GAPS, _MOST_APART_SIZES = 0.6, 1.4
"""Two pieces of ink are on one tile if they are nearer than this share of the usual gap between letters, at most this
many usual sizes apart. [by eye]"""
_SAME_TILE_SIZES = 0.75
"""Two letters whose prints lie less than this apart, in usual sizes, are on one tile. [by eye]"""
_CALMED = 0.25
"""Power to which the chances of a second reading are raised: it is surer than it should be. [by eye]"""
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
        is_odd: True if most tiles lie the same way up, and this one doesn't, or it is hardly a letter. It may be a
            pattern on the table.
    """

    chances: tuple[float, ...]
    x: float
    y: float
    side: float
    turn: float
    is_odd: bool = False


@dataclass(frozen=True)
class _Ink:
    """A piece of ink: its centre (x, y), its longer side and its contrast in grey levels."""

    centre: tuple[float, float]
    height: float
    contrast: float

    def distance(self, other: _Ink) -> float:
        """Return how far away the centre of another piece lies, px."""
        return float(np.hypot(*np.subtract(self.centre, other.centre)))


@dataclass(frozen=True)
class _Found:
    """The ink of a picture, which `shown` (h, w, 3) has dark on light, and the letters among it.

    `chances` (m, _TURNS, F + 1) are the readings of the letters.
    """

    shown: Image
    ink: list[_Ink]
    letters: list[_Ink]
    chances: Floats

    def keep(self, kept: list[int]) -> _Found:
        """Return what was found with some of the letters."""
        return replace(self, letters=[self.letters[at] for at in kept], chances=self.chances[kept])


@dataclass(frozen=True)
class _Print:
    """What a tile shows: its ink, its turn, radians, the weights of its faces (F,), and `LooseTile.is_odd`."""

    ink: _Ink
    turn: float
    faces: Floats
    is_odd: bool


def find_loose_tiles(image: Image, alphabet: Alphabet = ENGLISH) -> tuple[LooseTile, ...]:
    """Find the tiles in a picture (h, w, 3), row by row from the top, each row from left to right.

    Returns none if no letter is clear. If the letters can be read the same way up, they are, and then once more with
    everything that is printed on their tiles. Otherwise each is read whichever way it lies. A letter that looks like
    another upside down (N and Z, M and W) stays open if it can lie both ways.
    """
    shown = lighten(image).image
    tiles = _find_tiles(shown, alphabet)
    left, top, right, bottom = _find_surroundings(tiles, image)
    if (right - left) * (bottom - top) < _NEARER_SHARE * image.shape[0] * image.shape[1]:
        nearer = _find_tiles(shown[top:bottom, left:right], alphabet)
        if len(nearer) > len(tiles):
            tiles = [_move_back(tile, (left, top), (right - left, bottom - top), image) for tile in nearer]
    return tuple(_row_by_row(tiles, image.shape[1] / image.shape[0]))


def _find_surroundings(tiles: list[LooseTile], image: Image) -> tuple[int, int, int, int]:
    """Return the part of a picture (h, w, 3) in which small tiles and others beside them lie: left, top, right, bottom.

    It is the whole picture if the tiles are large enough.
    """
    height, width = image.shape[:2]
    if not tiles or float(np.median([tile.side for tile in tiles])) * width >= _SMALL_SIDE_SHARE * max(width, height):
        return 0, 0, width, height
    places = np.array([(tile.x * width, tile.y * height) for tile in tiles])
    low, high = places.min(axis=0), places.max(axis=0)
    margin = (high - low) / 2 + _MARGIN_SIDES * tiles[0].side * width
    left, top = np.maximum(low - margin, 0).astype(int)
    right, bottom = np.minimum(high + margin, (width, height)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _move_back(tile: LooseTile, corner: tuple[int, int], size: tuple[int, int], image: Image) -> LooseTile:
    """Return a tile that was found in a part of a picture (h, w, 3) as it lies in the whole."""
    height, width = image.shape[:2]
    x, y = (corner[0] + tile.x * size[0]) / width, (corner[1] + tile.y * size[1]) / height
    return replace(tile, x=x, y=y, side=tile.side * size[0] / width)


def _find_tiles(image: Image, alphabet: Alphabet) -> list[LooseTile]:
    """Find the tiles in a picture (h, w, 3), reduced to `_SIDE`, in no order."""
    small = resize(image, min(1.0, _SIDE / max(image.shape[:2])))
    dark_and_light = (_find_letters(small, light, alphabet) for light in (False, True))
    # the letters of a picture are all dark or all light: take the plainer ones
    found = max(dark_and_light, key=lambda each: float(each.chances[..., :REJECT].max(axis=(1, 2), initial=0.0).sum()))
    found = _of_usual_size(found)
    if not found.letters:
        return []
    allowed = _possible_turns(found.chances)
    alike: Flags = np.logical_not(allowed.all(axis=1))
    read = found.chances[..., :REJECT] * allowed[..., None]
    prints = [
        _Print(letter, _average_turn(each.max(axis=1)), each.max(axis=0), bool(alike.any() and not same))
        for letter, each, same in zip(found.letters, read, alike, strict=True)
    ]
    if alike.any():
        prints = _read_again(found, prints, alphabet)
    height, width = small.shape[:2]
    return [
        LooseTile(
            tuple(map(float, each.faces / each.faces.sum())),
            each.ink.centre[0] / width,
            each.ink.centre[1] / height,
            each.ink.height / _LETTER_HEIGHT_SHARE / width,
            each.turn,
            each.is_odd,
        )
        for each in prints
    ]


def _read_again(found: _Found, prints: list[_Print], alphabet: Alphabet) -> list[_Print]:
    """Read the letters that lie the same way up again, in windows of one size, and other ink as if it lay like them.

    At first the size of a window depends on its letter alone, and some letters are missed.
    """
    rows = [each for each in prints if not each.is_odd]
    gap = _measure_gap(rows)
    framed = [_frame(each.ink, found.ink, rows, gap) for each in rows]
    framed += [_frame(ink, found.ink, rows, gap) for ink in found.ink if ink not in found.letters]
    scales = (_read_framed(found.shown, framed, scale, alphabet) for scale in _SCALES)
    # how large the letters are on their tiles is the same for all
    framed, chances = max(scales, key=lambda each: -each[1][: len(rows), REJECT].sum())
    plain = (normalize("NFD", face)[0] for face in alphabet.faces)
    least = np.array([_MIN_UPRIGHT_NZ if letter in "NZ" else _MIN_UPRIGHT for letter in plain])
    again = [
        _Print(ink, turn, each[:REJECT] ** _CALMED, bool(1 - each[REJECT] < least[each[:REJECT].argmax()]))
        for (ink, turn), each in zip(framed, chances, strict=True)
    ]
    known, new = again[: len(rows)], [each for each in again[len(rows) :] if not each.is_odd]
    apart: list[_Print] = []
    for each in (*known, *new, *(each for each in prints if each.is_odd)):
        if all(each.ink.distance(other.ink) > _SAME_TILE_SIZES * other.ink.height for other in apart):
            apart.append(each)
    return apart


def _read_framed(
    image: Image, framed: list[tuple[_Ink, float]], scale: float, alphabet: Alphabet
) -> tuple[list[tuple[_Ink, float]], Floats]:
    """Return ink of another size, with its turns, and the readings (m, F + 1) in windows of that size."""
    scaled = [(replace(ink, height=scale * ink.height), turn) for ink, turn in framed]
    windows = _windows(image, [ink for ink, _ in scaled], np.array([[turn] for _, turn in scaled]))
    covered = np.zeros(windows.shape[:3], dtype=bool)
    return scaled, np.exp(read_closely(windows, covered, alphabet).astype(np.float64))


def _measure_gap(rows: list[_Print]) -> float:
    """Return how far a letter usually lies from the nearest other one, px; 0 for a single letter."""
    gaps = [sorted(each.ink.distance(other.ink) for other in rows)[1:2] for each in rows]
    return float(np.median(gaps)) if len(rows) > 1 else 0.0


def _frame(letter: _Ink, ink: list[_Ink], rows: list[_Print], gap: float) -> tuple[_Ink, float]:
    """Return all that is printed on a letter's tile, as large as letters are there, and its turn.

    The tile of a Ch shows two pieces of ink side by side, nearer than the usual `gap` between letters.
    """
    near = sorted(rows, key=lambda each: letter.distance(each.ink))[:_NEIGHBOURS]
    size, turn = float(np.median([each.ink.height for each in near])), near[0].turn
    reach = float(np.clip(_SAME_TILE_GAPS * gap, _MIN_DISTANCE_HEIGHTS * size, _MOST_APART_SIZES * size))
    along = np.array([np.cos(turn), np.sin(turn)])
    places = [0.0]
    for piece in ink:
        is_part = _PART_SIZES[0] < piece.height / size < _PART_SIZES[1]
        if is_part and letter.distance(piece) < reach:
            places.append(float(np.subtract(piece.centre, letter.centre) @ along))
    x, y = np.array(letter.centre) + along * (min(places) + max(places)) / 2
    return _Ink((float(x), float(y)), size, letter.contrast), turn


def _row_by_row(tiles: list[LooseTile], aspect: float) -> list[LooseTile]:
    """Sort tiles as people read; a row begins where the next tile lies much lower. `aspect` is width over height."""
    lower = _NEXT_ROW_SIDES * aspect * (float(np.median([tile.side for tile in tiles])) if tiles else 0.0)
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


def _find_letters(image: Image, light: bool, alphabet: Alphabet) -> _Found:
    """Find the ink and read the letters, `light` on dark tiles or dark on light ones."""
    ink = _ink(image, light)
    shown = np.asarray(255 - image if light else image, dtype=np.uint8)
    every_turn = np.tile(2 * np.pi * np.arange(_TURNS) / _TURNS, (len(ink), 1))
    read = read_faces(_windows(shown, ink, every_turn), alphabet).astype(np.float64)
    chances = np.exp(read).reshape(len(ink), _TURNS, len(alphabet) + 1)
    kept: list[int] = []
    # the probability of an upright letter, at the turn that shows it best
    upright = (1.0 - chances[..., REJECT]).max(axis=-1, initial=0.0)
    for at in np.argsort(-upright, kind="stable"):
        if upright[at] < _MIN_UPRIGHT:
            break
        if all(
            ink[at].distance(ink[other]) > _MIN_DISTANCE_HEIGHTS * max(ink[at].height, ink[other].height)
            for other in kept
        ):
            kept.append(int(at))
    return _Found(shown, ink, ink, chances).keep(kept)


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
    return (
        one.distance(other) < _SAME_PLACE_HEIGHTS * one.height
        and _SAME_PIECE_RATIO[0] < one.height / other.height < _SAME_PIECE_RATIO[1]
    )


def _windows(image: Image, ink: list[_Ink], turns: Floats) -> Image:
    """Cut windows (m * k, FACE_PX, FACE_PX, 3) around pieces of ink, turned clockwise by `turns` (m, k) radians."""
    cut = []
    for piece, angles in zip(ink, turns, strict=True):
        side = piece.height / _LETTER_HEIGHT_SHARE
        half = int(0.75 * side) + 2
        x, y = round(piece.centre[0]), round(piece.centre[1])
        around = cv2.getRectSubPix(image, (2 * half + 1, 2 * half + 1), (float(x), float(y)))
        less = min(1.0, FACE_PX / side)
        padded = resize(np.asarray(around, dtype=np.uint8), less)
        middle = np.array([(size - 1) / 2 for size in padded.shape[1::-1]]) + np.subtract(piece.centre, (x, y)) * less
        step = side * less / FACE_PX
        for angle in angles:
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


def _of_usual_size(found: _Found) -> _Found:
    """Keep the letters about as large as most. Much smaller or larger ones are print on something else."""
    heights = [piece.height for piece in found.letters]
    usual = float(np.median(heights)) if heights else 0.0
    return found.keep([at for at, h in enumerate(heights) if _SAME_SIZE_RATIO[0] <= h / usual <= _SAME_SIZE_RATIO[1]])


def _possible_turns(chances: Floats) -> Flags:
    """Return which turns (m, _TURNS) of each letter are possible: those near one at which most can be read.

    All are if there is no such turn, and for a letter that can't be read at it.
    """
    upright = 1.0 - chances[..., REJECT]
    near = np.stack([np.roll(upright, step, axis=1) for step in range(-_ROW_STEPS, _ROW_STEPS + 1)]).max(axis=0)
    readable = near >= _MIN_UPRIGHT
    together = readable.sum(axis=0) >= min(len(upright), max(_SAME_WAY_TILES, _SAME_WAY_SHARE * len(upright)))
    wide = np.stack([np.roll(together, step) for step in range(-_ROW_STEPS, _ROW_STEPS + 1)]).any(axis=0)
    return np.asarray(wide | ~(readable & together).any(axis=1)[:, None])
