"""Colours in a picture: their look-up on the board, models of tiles and board, and the evening of the light.

Colours are L*a*b* (..., 3) in OpenCV's ranges for float pictures: L* is 0 to 100, a* and b* lie around 0.

Evidence of stacks from colours: the tiles of a set have one colour, and the board has another.

Rings and stars printed on a board look like letters, but the ground beside them seldom looks like a tile. A stack has
walls, too: if the board shows where a near wall would be, there is no stack. The picture's own certain tiles and bare
squares give the colours of all. Colours are compared both as they appear and in evened light, and only what both agree
on counts. A shadow makes a tile look like board, and a shadow's edge spoils the evening.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Ints
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, resample
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP
from vision.hidden.occlusion import VISIBLE, measure_covered
from vision.images import Image

_DEGREES_OF_FREEDOM = 4.0
"""Degrees of freedom of the colours' distributions, the textbook's choice if outliers are expected. [by eye]"""
_BELONGING = ((8.0, 16.0), (1.0, 0.0))
"""Squared Mahalanobis distances up to which a colour belongs to a model, and from which it doesn't (2.8 and 4 standard
deviations), and the weights there. [by eye]"""
_CLIP_DEVIATIONS = 4.5
"""Distance from the middle at which outlying colours are clipped, in median deviations. These are three standard
deviations of a normal distribution. [by eye]"""
_LEAST_CLIP = 1.0
"""Colour difference that is never clipped, about the differences within an even patch. [by eye]"""
_NEIGHBOURS = 6
"""Number of near bare squares that determine the light on a square. Half of them may be painted. [by eye]"""
_LEAST_LIGHT = 1e-3
"""Least light of a square, of 1. It keeps the gain finite."""


@dataclass(frozen=True)
class ColourModel:
    """Colours that belong together, as a Student's t distribution, whose broad tails allow for light, shade and paint.

    Attributes:
        middle: (3,) median colour.
        inverse: (3, 3) inverse of the scatter matrix.
        half_log_det: half the logarithm of the scatter matrix's determinant.
    """

    middle: Floats
    inverse: Floats
    half_log_det: float

    @staticmethod
    def of(known: Floats, differ: Floats) -> ColourModel:
        """Fit a model to colours `known` (m, 3), a few outliers among them; `differ` (3,) are the least deviations."""
        middle = np.median(known, axis=0)
        off = known - middle
        wide = _CLIP_DEVIATIONS * np.median(np.abs(off), axis=0) + _LEAST_CLIP
        off = np.clip(off, -wide, wide)
        spread = off.T @ off / len(off) + np.diag(differ**2)
        inverse = np.asarray(np.linalg.inv(spread), dtype=np.float64)
        return ColourModel(np.asarray(middle), inverse, 0.5 * float(np.linalg.slogdet(spread)[1]))

    def squared_distance(self, colours: Floats) -> Floats:
        """Return the squared Mahalanobis distance (...) of colours (..., 3) from the middle."""
        away = colours - self.middle
        return np.asarray(np.einsum("...i,ij,...j->...", away, self.inverse, away), dtype=np.float64)


def log_odds(colours: Floats, one: ColourModel, other: ColourModel) -> Floats:
    """Return the log odds (...) of `one` model against the `other` for colours (..., 3); 0 if they fit neither."""
    off, off_other = one.squared_distance(colours), other.squared_distance(colours)
    power = 0.5 * (_DEGREES_OF_FREEDOM + 3.0)
    ratio = np.log1p(off_other / _DEGREES_OF_FREEDOM) - np.log1p(off / _DEGREES_OF_FREEDOM)
    odds = other.half_log_det - one.half_log_det + power * ratio
    nearer = np.where(odds > 0, off, off_other)
    return odds * np.interp(nearer, *_BELONGING)


def colours_at(image: Image, camera: Camera, places: Floats) -> Floats:
    """Return the median colours (..., 3) of a picture at board points `places` (..., k, 3): x, y and height, cells."""
    maps = camera.project(places).astype(np.float32).reshape(-1, places.shape[-2], 2)
    pixels = resample(image, maps, grey_outside=False).astype(np.float32) / 255.0
    colours = np.median(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB), axis=1)
    return np.asarray(colours, dtype=np.float64).reshape(*places.shape[:-2], 3)


def illumination_gain(squares: Floats, bare: Flags) -> Floats:
    """Return the factor (n, n, 3) that evens the light on each square: blue, green and red, in linear light.

    With it the board looks alike on all squares. `squares` (n, n, 3) are the squares' colours. `bare` (n, n) says which
    squares show the board.
    """
    light = np.maximum(_linear(squares), _LEAST_LIGHT)
    known = np.argwhere(bare)
    away = np.indices(bare.shape).reshape(2, -1).T[:, None] - known
    nearest = known[np.argsort((away**2).sum(axis=-1), axis=-1, kind="stable")[:, :_NEIGHBOURS]]
    local = np.median(light[nearest[..., 0], nearest[..., 1]], axis=1).reshape(squares.shape)
    return np.asarray(np.median(light[bare], axis=0) / local, dtype=np.float64)


def relight(colours: Floats, change: Floats) -> Floats:
    """Return colours (..., 3) in light changed by a factor of `illumination_gain`. The brightest result is white."""
    light = (_linear(colours) * change).astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(light, cv2.COLOR_LBGR2LAB), dtype=np.float64).reshape(colours.shape)


def _linear(colours: Floats) -> Floats:
    flat = colours.astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_LAB2LBGR), dtype=np.float64).reshape(colours.shape)


_FACE_CORNERS = np.array(TILE.ground)
_ALONG_WALL = TILE.wall_span * np.array([-1.0, 0.0, 1.0])
"""Places along a wall, cells from its middle, away from the corners."""
_SURE_MARGIN = 0.02
"""How far from certain (probability) a tile or a bare square may be that others are compared with.

This and the limits that follow were tuned together on two datasets of eight rendered games (901, 902) and on the
development sets. In the games empty squares read as tiles went from 0.69 and 0.42 % to 0.02 and 0.04 %. In the sets
misread letters went from 19 to 12 of 2,062. The effect of single limits was not measured. [by hand, 901, 902, sets]"""
_MIN_TILES, _MIN_BARE = 4, 8
"""Least number of certain tiles, or pieces of wall, for any evidence from their colours, and of certain bare squares
for any evidence. [by hand, 901, 902, sets]"""
_FACE_DEVIATIONS, _WALL_DEVIATIONS = np.array([6.0, 4.0, 4.0]), np.array([12.0, 5.0, 5.0])
"""Least standard deviations of L*, a* and b* on faces and squares, because light varies, and on walls, where it varies
most. [by hand, 901, 902, sets]"""
_FACE_RANGE, _SQUARE_RANGE = (-8.0, 1.0), (0.0, 3.0)
"""Ranges of the log odds of a tile: from a face's ground, upwards small because the ground may be another, nearer
tile's; and from the square's own ground, where no other stack can hide it, only upwards because of shade and paint.
[by hand, 901, 902, sets]"""
_MIN_CONCEIVABLE = 0.02
"""Least probability of a slice that may hide others. [by hand, 901, 902, sets]"""
_MIN_PIECE_ODDS, _FREE_WALL_ODDS, _WALL_WEIGHT, _MIN_WALL_ODDS = -5.0, 0.5, 2.0, -6.0
"""Least log odds of a piece of wall; mean log odds of a wall, downwards, that mean nothing yet; the weight of what goes
beyond these; and the least log odds of a stack from its wall. [by hand, 901, 902, sets]"""


def colour_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Return the log odds (n, n, k) of a face in each slice, against a bare square (first slice), by colours alone.

    Faces are examined in each square's likeliest slice only and say the same about all slices. Walls distinguish the
    slices. The camera must stand on the lower side of the board (`quarter_towards_camera`). All log odds are 0 if too
    few tiles or bare squares are certain.
    """
    size, slices = view.size, state.log_probs.shape[-1]
    empty, seen = np.exp(state.log_probs[..., 0]), state.hidden < VISIBLE.reference
    tiles, bare = seen & (empty < _SURE_MARGIN), seen & (empty > 1.0 - _SURE_MARGIN)
    if tiles.sum() < _MIN_TILES or bare.sum() < _MIN_BARE:
        return np.zeros_like(state.log_probs)
    tops = state.log_probs[..., 1:].argmax(axis=-1) + 1
    faces = _corners(view.image, view.camera, tops * SLICE_STEP)
    squares = _corners(view.image, view.camera, np.zeros(tops.shape))
    walls = _walls(view.image, view.camera, size, slices - 1)
    # squares whose ground other stacks hardly hide, even at their greatest possible heights
    highest = ((np.exp(state.log_probs) > _MIN_CONCEIVABLE) * np.arange(slices)).max(axis=-1) * SLICE_STEP
    in_view = measure_covered(view.camera, np.zeros(highest.shape), highest) < VISIBLE.covered_ground
    sure_tops, gain = np.where(tiles, tops, 0), illumination_gain(squares, bare)
    plain_odds = _part_log_odds(faces, squares, walls, sure_tops, bare, in_view)
    evened = relight(faces, gain), relight(squares, gain), relight(walls, gain[:, :, None])
    evened_odds = _part_log_odds(*evened, sure_tops, bare, in_view)
    agreed = np.sign(plain_odds) * np.minimum(np.abs(plain_odds), np.abs(evened_odds))
    total = np.where(plain_odds * evened_odds > 0, agreed, 0.0).sum(axis=0)
    return np.concatenate([np.zeros((size, size, 1)), total], axis=-1)


def _part_log_odds(faces: Floats, squares: Floats, walls: Floats, tops: Ints, bare: Flags, in_view: Flags) -> Floats:
    """Return log odds (3, n, n, k) of a stack up to each slice, from colours of faces, squares and walls.

    `faces` and `squares` are (n, n, 3), `walls` (n, n, k, 3), from the board upwards. `tops` (n, n) are the slices of
    the certain stacks, 0 elsewhere. `bare` (n, n) are the certain bare squares.
    """
    tiles, bare_squares = faces[tops > 0], squares[bare]
    by_face = log_odds(faces, ColourModel.of(tiles, _FACE_DEVIATIONS), ColourModel.of(bare_squares, _FACE_DEVIATIONS))
    board = ColourModel.of(bare_squares, _WALL_DEVIATIONS)
    by_square = in_view * log_odds(squares, ColourModel.of(tiles, _WALL_DEVIATIONS), board)
    by_wall = _wall_log_odds(walls, tops, board)
    flat = [np.clip(by_face, *_FACE_RANGE), np.clip(by_square, *_SQUARE_RANGE)]
    return np.stack([*(np.broadcast_to(each[..., None], by_wall.shape) for each in flat), by_wall])


def _wall_log_odds(walls: Floats, tops: Ints, board: ColourModel) -> Floats:
    """Return the log odds (n, n, k), at most 0, of stacks up to each slice: less if their near wall looks like board.

    `walls` (n, n, k, 3) are the colours of the near walls, from the board upwards. `tops` (n, n) are the slices of the
    certain stacks, 0 elsewhere.
    """
    slices = np.arange(walls.shape[2])
    known = walls[slices < tops[..., None] - 1]
    if len(known) < _MIN_TILES:
        return np.zeros(walls.shape[:3])
    amiss = np.clip(log_odds(walls, ColourModel.of(known, _WALL_DEVIATIONS), board), _MIN_PIECE_ODDS, 0.0)
    mean = amiss.cumsum(axis=-1) / (slices + 1)
    # The topmost of several pieces may be the face's edge, so it doesn't count.
    mean = np.concatenate([mean[..., :1], mean[..., :-1]], axis=-1)
    return np.clip(_WALL_WEIGHT * (mean + _FREE_WALL_ODDS), _MIN_WALL_ODDS, 0.0)


def _corners(image: Image, camera: Camera, heights: Floats) -> Floats:
    """Return the median colour (n, n, 3) of the corners of a face on each square at `heights` (n, n), cells."""
    size = len(heights)
    row, col, dy, dx = np.meshgrid(np.arange(size), np.arange(size), _FACE_CORNERS, _FACE_CORNERS, indexing="ij")
    places = np.stack([col + 0.5 + dx, row + 0.5 + dy, heights[row, col]], axis=-1)
    return colours_at(image, camera, places.reshape(size, size, -1, 3))


def _walls(image: Image, camera: Camera, size: int, slices: int) -> Floats:
    """Return the colours (n, n, slices, 3) of each square's near wall, slice by slice from the board upwards."""
    levels = (np.arange(slices) + 0.5) * SLICE_STEP
    row, col, z, dx = np.meshgrid(np.arange(size), np.arange(size), levels, _ALONG_WALL, indexing="ij")
    return colours_at(image, camera, np.stack([col + 0.5 + dx, row + 0.5 + TILE.wall, z], axis=-1))
