"""Colours in a picture: looked up on the board, likened to models of tiles and board, rid of uneven light.

Colours are L*a*b* (..., 3) as OpenCV has them for float pictures: L* 0 to 100, a* and b* around 0.

What colours tell of stacks: the tiles of a set are of one colour, the board is of another.

Rings and stars printed on a board look like letters, and one square's letter like another's; the ground beside them
seldom does. And a stack has walls: where the board shows where its near wall would be, there is none. The colours of
the picture's own tiles and bare squares, as far as they are beyond doubt, are taken to be those of all. Both as they
look and in evened light: a shadow makes a tile look like board, its edge spoils the evening, and only what both tell
is believed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, resample
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP
from vision.hidden.occlusion import VISIBLE, covered_shares
from vision.images import Image

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_DEGREES_OF_FREEDOM = 4.0
"""Of the colours' distributions; the textbook's choice where outliers are expected, not measured here."""
_IN_AND_OUT = ((8.0, 16.0), (1.0, 0.0))
"""Squared Mahalanobis distances up to which a colour belongs to a model, and from which it does not (2.8 and 4 standard
deviations); chosen by eye, not measured."""
_OUTLYING = 4.5
"""Median deviations, three standard ones of a normal distribution, beyond which a colour is clipped to its model."""
_GRAIN = 1.0
"""By how much, at least, a colour must lie off to be clipped: so much differ those of one even patch. By eye."""
_NEIGHBOURS = 6
"""Bare squares near by that tell how light falls on a square: half of them may be painted. By eye, not measured."""
_BLACK = 1e-3
"""Least light, of 1, that a square counts as having; keeps the gain finite."""


@dataclass(frozen=True)
class ColourModel:
    """Colours that belong together, as a Student's t distribution: middle (3,), inverse scatter (3, 3), half its log
    determinant.

    Light, shade and paint leave outliers, which the broad tails allow for.
    """

    middle: Floats
    inverse: Floats
    half_log_det: float

    @staticmethod
    def of(known: Floats, differ: Floats) -> ColourModel:
        """The model of the colours `known` (m, 3), which `differ` (3,) at least; a few outliers do no harm."""
        middle = np.median(known, axis=0)
        off = known - middle
        wide = _OUTLYING * np.median(np.abs(off), axis=0) + _GRAIN
        off = np.clip(off, -wide, wide)
        spread = off.T @ off / len(off) + np.diag(differ**2)
        inverse = np.asarray(np.linalg.inv(spread), dtype=np.float64)
        return ColourModel(np.asarray(middle), inverse, 0.5 * float(np.linalg.slogdet(spread)[1]))

    def squared_distance(self, colours: Floats) -> Floats:
        """Squared Mahalanobis distance (...) of colours (..., 3) from the middle."""
        away = colours - self.middle
        return np.asarray(np.einsum("...i,ij,...j->...", away, self.inverse, away), dtype=np.float64)


def log_odds(colours: Floats, one: ColourModel, other: ColourModel) -> Floats:
    """Log odds (...) of `one` model against the `other` for colours (..., 3); 0 where they resemble neither."""
    off, off_other = one.squared_distance(colours), other.squared_distance(colours)
    power = 0.5 * (_DEGREES_OF_FREEDOM + 3.0)
    ratio = np.log1p(off_other / _DEGREES_OF_FREEDOM) - np.log1p(off / _DEGREES_OF_FREEDOM)
    odds = other.half_log_det - one.half_log_det + power * ratio
    nearer = np.where(odds > 0, off, off_other)
    return np.asarray(odds * np.interp(nearer, *_IN_AND_OUT), dtype=np.float64)


def colours_at(image: Image, camera: Camera, places: Floats) -> Floats:
    """Median colours (..., 3) of the picture at board points `places` (..., k, 3): x, y and height in cells."""
    maps = camera.project(places).astype(np.float32).reshape(-1, places.shape[-2], 2)
    seen = resample(image, maps, grey_outside=False).astype(np.float32) / 255.0
    colours = np.median(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), axis=1)
    return np.asarray(colours, dtype=np.float64).reshape(*places.shape[:-2], 3)


def illumination_gain(squares: Floats, bare: Flags) -> Floats:
    """By how much (n, n, 3) light is to be changed on each square for its board to look as it does elsewhere.

    `squares` (n, n, 3) are colours of the board, `bare` (n, n) where it is seen; blue, green, red, in linear light.
    """
    light = np.maximum(_linear(squares), _BLACK)
    known = np.argwhere(bare)
    away = np.indices(bare.shape).reshape(2, -1).T[:, None] - known
    nearest = known[np.argsort((away**2).sum(axis=-1), axis=-1, kind="stable")[:, :_NEIGHBOURS]]
    there = np.median(light[nearest[..., 0], nearest[..., 1]], axis=1).reshape(squares.shape)
    return np.asarray(np.median(light[bare], axis=0) / there, dtype=np.float64)


def relight(colours: Floats, change: Floats) -> Floats:
    """Colours (..., 3) in light changed as `illumination_gain` tells; what becomes brighter than white is white."""
    light = (_linear(colours) * change).astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(light, cv2.COLOR_LBGR2LAB), dtype=np.float64).reshape(colours.shape)


def _linear(colours: Floats) -> Floats:
    flat = colours.astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_LAB2LBGR), dtype=np.float64).reshape(colours.shape)


_FACE_CORNERS = np.array(TILE.ground)
_ALONG_WALL = TILE.wall_span * np.array([-1.0, 0.0, 1.0])
"""Places along a wall, cells from its middle, clear of the corners."""


@dataclass(frozen=True)
class ColourLimits:
    """How much colours may say, and of whom.

    Measured as a whole, and tuned, on two lots of eight rendered games (901, 902), in which empty squares read as tiles
    went from 0.69 and 0.42 % to 0.02 and 0.04 %, and on the development sets, where letters misread went from 19 to 12
    of 2,062. What each figure adds by itself was not measured.

    Attributes:
        sure: how far from certain a tile or a bare square may be that others are compared with.
        least_tiles: tiles, or pieces of wall, beyond doubt without which nothing is said of their colours.
        least_bare: the same for bare squares.
        faces_differ: standard deviations of L*, a* and b* at least: light differs from place to place.
        walls_differ: the same on walls, where it differs most.
        face: how far a face's ground may change the log odds of a tile. It may be another, nearer tile's: little
            upwards.
        square: likewise for the square's own ground, where no other stack can hide it. Shade and paint: only upwards.
        conceivable: probability from which a slice is reckoned with as one that may hide others.
        wall_least: least log odds of a piece of wall.
        wall_free: mean log odds of a wall, downwards, that mean nothing yet.
        wall_weight: the weight of what is beyond.
        wall_most: and its limit.
    """

    sure: float = 0.02
    least_tiles: int = 4
    least_bare: int = 8
    faces_differ: tuple[float, float, float] = (6.0, 4.0, 4.0)
    walls_differ: tuple[float, float, float] = (12.0, 5.0, 5.0)
    face: tuple[float, float] = (-8.0, 1.0)
    square: tuple[float, float] = (0.0, 3.0)
    conceivable: float = 0.02
    wall_least: float = -5.0
    wall_free: float = 0.5
    wall_weight: float = 2.0
    wall_most: float = -6.0


LIMITS = ColourLimits()


@dataclass(frozen=True)
class _Seen:
    """Colours (n, n, 3) of faces where they would lie and of the squares themselves; walls (n, n, k, 3), upwards."""

    faces: Floats
    squares: Floats
    walls: Floats

    def relight(self, change: Floats) -> _Seen:
        """The same in light changed by (n, n, 3)."""
        return _Seen(
            relight(self.faces, change),
            relight(self.squares, change),
            relight(self.walls, change[:, :, None]),
        )


def colour_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Log odds (n, n, k) of a face in each slice, against a bare square (the first slice), from colours alone.

    Faces are looked at in each square's likeliest slice, and tell the same of all; walls tell the slices apart.
    The camera looks from the lower side of the board (`quarter_towards_camera`). Where few tiles or bare squares are
    beyond doubt, colour says nothing.
    """
    size, slices = view.size, state.log_probs.shape[-1]
    empty, seen = np.exp(state.log_probs[..., 0]), state.hidden < VISIBLE.reference
    tiles, bare = seen & (empty < LIMITS.sure), seen & (empty > 1.0 - LIMITS.sure)
    if tiles.sum() < LIMITS.least_tiles or bare.sum() < LIMITS.least_bare:
        return np.zeros_like(state.log_probs)
    tops = state.log_probs[..., 1:].argmax(axis=-1) + 1
    colours = _Seen(
        _corners(view.image, view.camera, tops * SLICE_STEP),
        _corners(view.image, view.camera, np.zeros(tops.shape)),
        _walls(view.image, view.camera, size, slices - 1),
    )
    even = colours.relight(illumination_gain(colours.squares, bare))
    in_view, sure_tops = _in_view(view.camera, state.log_probs), np.where(tiles, tops, 0)
    once, again = (_by_part(each, sure_tops, bare, in_view) for each in (colours, even))
    agreed = np.sign(once) * np.minimum(np.abs(once), np.abs(again))
    total = np.where(once * again > 0, agreed, 0.0).sum(axis=0)
    return np.concatenate([np.zeros((size, size, 1)), total], axis=-1)


def _by_part(seen: _Seen, tops: npt.NDArray[np.int64], bare: Flags, in_view: Flags) -> Floats:
    """What faces, squares and walls tell (3, n, n, k): log odds of a stack up to each slice.

    `tops` (n, n) are the slices of the stacks that are beyond doubt, 0 elsewhere; `bare` (n, n) the squares that are.
    """
    tiles, bare_squares = seen.faces[tops > 0], seen.squares[bare]
    on_faces, on_walls = np.array(LIMITS.faces_differ), np.array(LIMITS.walls_differ)
    faces = log_odds(seen.faces, ColourModel.of(tiles, on_faces), ColourModel.of(bare_squares, on_faces))
    board = ColourModel.of(bare_squares, on_walls)
    squares = in_view * log_odds(seen.squares, ColourModel.of(tiles, on_walls), board)
    walls = _walls_say(seen.walls, tops, board)
    flat = [np.clip(faces, *LIMITS.face), np.clip(squares, *LIMITS.square)]
    return np.stack([*(np.broadcast_to(each[..., None], walls.shape) for each in flat), walls])


def _in_view(camera: Camera, elevations: Floats) -> Flags:
    """The squares (n, n) whose ground other stacks hardly hide, even if all are as high as they may be."""
    conceivable = np.exp(elevations) > LIMITS.conceivable
    highest = (conceivable * np.arange(elevations.shape[-1])).max(axis=-1) * SLICE_STEP
    return np.asarray(
        covered_shares(camera, np.zeros(highest.shape), highest) < VISIBLE.covered_ground, dtype=np.bool_
    )


def _walls_say(walls: Floats, tops: npt.NDArray[np.int64], board: ColourModel) -> Floats:
    """Log odds (n, n, k), 0 or less, of stacks up to each slice, by how much of their near wall is board.

    `walls` (n, n, k, 3) are its colours, from the board upwards; `tops` (n, n) the slices of the stacks that are beyond
    doubt, 0 elsewhere.
    """
    slices = np.arange(walls.shape[2])
    known = walls[slices < tops[..., None] - 1]
    if len(known) < LIMITS.least_tiles:
        return np.zeros(walls.shape[:3])
    amiss = np.clip(
        log_odds(walls, ColourModel.of(known, np.array(LIMITS.walls_differ)), board), LIMITS.wall_least, 0.0
    )
    mean = amiss.cumsum(axis=-1) / (slices + 1)
    # of more pieces than one the topmost may be the face's edge
    mean = np.concatenate([mean[..., :1], mean[..., :-1]], axis=-1)
    return np.clip(LIMITS.wall_weight * (mean + LIMITS.wall_free), LIMITS.wall_most, 0.0)


def _corners(image: Image, camera: Camera, heights: Floats) -> Floats:
    """Colours (n, n, 3) of the corners of a face on each square at `heights` (n, n), cells."""
    size = len(heights)
    row, col, dy, dx = np.meshgrid(
        np.arange(size), np.arange(size), _FACE_CORNERS, _FACE_CORNERS, indexing="ij"
    )
    places = np.stack([col + 0.5 + dx, row + 0.5 + dy, heights[row, col]], axis=-1)
    return colours_at(image, camera, places.reshape(size, size, -1, 3))


def _walls(image: Image, camera: Camera, size: int, slices: int) -> Floats:
    """Colours (n, n, slices, 3) of each square's near wall, slice by slice from the board upwards."""
    levels = (np.arange(slices) + 0.5) * SLICE_STEP
    row, col, z, dx = np.meshgrid(np.arange(size), np.arange(size), levels, _ALONG_WALL, indexing="ij")
    return colours_at(image, camera, np.stack([col + 0.5 + dx, row + 0.5 + TILE.wall, z], axis=-1))
