"""Heights from a comparison of all stacks of a board with each other, seen from above.

Apparent size comes first: of two equal tiles the one nearer to the camera looks larger. From straight above parallax
hardly shows heights, and a tile that lies off the middle of its square hides even that. The apparent size of a face
doesn't depend on its place. A network measures each face in a window around it.

Another network looks at each face and its surroundings: the visible walls, the face's size, the shade at its foot.
Attention (A. Vaswani et al., "Attention is all you need", 2017) then compares each stack with all others, because they
share one light, one camera and one thickness. Its answer depends on the thickness of the tiles, so the network is asked
for several thicknesses. `vision.heights.from_above` weighs what both say.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT
from vision.arrays import Floats, Tensor, log_softmax
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places, windows_at
from vision.heights.elevations import SliceState, make_uncompared, make_unmeasured
from vision.heights.plane_sweep import SLICE_STEP
from vision.heights.thickness import COMPARED_THICKNESSES
from vision.hidden.occlusion import VISIBLE
from vision.images import Image
from vision.networks import network, standardise

SIZE_PX = 48
"""Side of a window, pixels. The network was trained with it and with the other three SIZE constants."""
SIZE_SPAN = 1.3
"""Squares that a window spans: a face and its surroundings."""
SIZE_UNIT = 0.02
"""Unit of the network's sizes and errors, natural logarithms."""
SIZE_ERRORS = (-6.0, 3.0)
"""Range of the logarithm of an error, in SIZE_UNIT, that the network can give."""
STEEPEST = float(np.radians(25.0))
"""Largest tilt of the camera, radians, at which sizes add anything to parallax and walls. [by eye]"""
FEWEST = 3
"""Least number of faces that can be compared. [by eye]"""


def apparent_sizes(view: ReducedView, state: SliceState) -> Floats:
    """Measure the faces' apparent widths, (n, n, 2): the logarithm of each width, squares, and its standard error.

    A width is given on the scale of the board's plane. The error is infinite if a face wasn't measured: on bare and
    hidden squares, and everywhere in views from the side and with few tiles.
    """
    measured = make_unmeasured(state.hidden.shape)
    squares, elevations = faces_from_above(view, state)
    if squares:
        sizes, errors = read_sizes(size_windows(view.image, view.camera, square_places(squares, elevations)))
        rows, cols = np.array(squares).T
        larger = log_magnification(elevations, float(view.camera.position[2]))
        measured[rows, cols] = np.column_stack([sizes + larger, errors])
    return measured


def faces_from_above(
    view: ReducedView, state: SliceState, steepest: float = STEEPEST
) -> tuple[list[tuple[int, int]], Floats]:
    """Return the squares (row, col) of m faces to be measured, and their likeliest elevations (m,), cells.

    Return no faces if the camera is tilted by more than `steepest`, radians, or if there are fewer than FEWEST.
    """
    tiles = (state.log_probs[..., 0] < np.log(0.5)) & (state.hidden < VISIBLE.hidden)
    if tiles.sum() < FEWEST or view.tilt > steepest:
        return [], np.zeros(0)
    elevations = (1 + state.log_probs[tiles][:, 1:].argmax(axis=1)) * SLICE_STEP
    return [(int(row), int(col)) for row, col in np.argwhere(tiles)], elevations


def size_windows(image: Image, camera: Camera, places: npt.ArrayLike, zoom: npt.ArrayLike = 1.0) -> Image:
    """Cut windows (m, SIZE_PX, SIZE_PX, 3), SIZE_SPAN squares wide (times `zoom` in training), at `places` (m, 3)."""
    return windows_at(image, camera, places, SIZE_PX, SIZE_SPAN * np.asarray(zoom))


def read_sizes(windows: Image) -> tuple[Floats, Floats]:
    """Read the logarithms (m,) of the faces' widths, squares, and their errors (m,) from windows of `size_windows`."""
    out = network("sizes")(standardise(windows)).astype(np.float64)
    return out[:, 0] * SIZE_UNIT, np.exp(np.clip(out[:, 1], *SIZE_ERRORS)) * SIZE_UNIT


def log_magnification(elevations: Floats, away: float) -> Floats:
    """Return the logarithm of how much larger things at `elevations` (...), cells, look than on the board.

    Planes parallel to the board look alike except for one factor, the ratio of their distances from the camera. The
    camera is `away` cells above the board.
    """
    return -np.log(np.maximum(1.0 - elevations / away, 1e-3))


COMPARED_PX = 72
"""Side of a window, pixels. The network was trained with it and with all constants down to `_WAVES`."""
COMPARED_SPAN = 2.0
"""Squares that a window spans: a face, its walls, and half of the squares beside it."""
FACTS = 24
"""Numbers that the network gets for each stack beside its window."""
MIRRORED_FACTS = (0, 4, 6, 8, 10)
"""Indices of the facts whose sign changes in a mirror."""
USUAL_LAYER, LAYER_SPREAD = 0.25, 0.13
"""Thickness of an unknown layer, cells, and the standard deviation of its logarithm. The network was trained with these
numbers, so they don't follow those of `vision.heights.thickness`."""
_USUAL_AWAY, _USUAL_PITCH = 20.0, 40.0
"""Units of the camera's distance, cells, and of the squares' size, pixels, in the network's input."""
NOISE_DEVIATION = 8.0
"""Grey levels added to the deviation of a picture's windows, so that the noise of plain windows isn't amplified."""
_MAX_PARALLAX = 1.0
"""Parallax, cells for a cell of height, at which the network's input is clipped."""
_WAVES = (1.0, 2.0, 4.0)
"""Half waves over the board that encode a square's place."""
_ASSUMED_SPREAD = 0.02
"""Standard deviation of the logarithm of each thickness for which the network is asked. [by eye]"""
_COMPARISON_SHARE = ((20.0, 25.0), (0.6, 0.0))
"""Tilts, degrees, between which the comparison of stacks loses its share of the evidence, and the share there. Of 4,514
heights from above 725 are wrong with 0.6 and 762 with a half, after letters have been taken into account.
[by hand, sets, one dataset of games, three of simulated boards]"""
_LEAST_PROBABILITY = 1e-12
"""Number added to probabilities to keep their logarithms finite."""


class Layer(NamedTuple):
    """The thickness of a layer before stacks are compared: its logarithm (of cells), with a standard deviation."""

    log: float = float(np.log(USUAL_LAYER))
    spread: float = LAYER_SPREAD


def compare_heights(view: ReducedView, state: SliceState) -> Floats:
    """Return the log probabilities (n, n, K, 5) of the heights for each of the K COMPARED_THICKNESSES.

    They are all equal where nothing was compared: on bare and hidden squares, and everywhere in views from the side and
    with few tiles.
    """
    compared = make_uncompared(len(state.hidden))
    squares, _ = faces_from_above(view, state)
    if squares:
        windows = cut_compared_windows(view.image, view.camera, squares)
        layers = [Layer(float(np.log(thick)), _ASSUMED_SPREAD) for thick in COMPARED_THICKNESSES]
        facts = np.stack([stack_facts(view.camera, view.size, squares, layer) for layer in layers])
        out = network("comparison")(make_compared_planes(windows, facts[0]), told=facts).astype(np.float64)
        rows, cols = np.array(squares).T
        compared[rows, cols] = log_softmax(out[..., :MAX_HEIGHT]).transpose(1, 0, 2)
    return compared


def cut_compared_windows(image: Image, camera: Camera, squares: list[tuple[int, int]]) -> Image:
    """Cut windows (m, COMPARED_PX, COMPARED_PX, 3) on the board's plane around `squares` (row, col)."""
    return windows_at(image, camera, square_places(squares, 0.0), COMPARED_PX, COMPARED_SPAN)


def stack_facts(camera: Camera, size: int, squares: list[tuple[int, int]], layer: Layer) -> Tensor:
    """Return the facts (m, FACTS) that the network gets for the `squares` (row, col) of an n x n board.

    The facts of each square are, in this order: parallax x and y, their absolute values, the place on the board x and
    y, its sine and cosine waves, and the square's size in the picture. The facts of the picture follow: the camera's
    distance, the layer's thickness and its spread, the size of the board, and the number of stacks.
    """
    places = square_places(squares, 0.0)
    x, y, away = (float(part) for part in camera.position)
    slant = np.clip((places[:, :2] - (x, y)) / away, -_MAX_PARALLAX, _MAX_PARALLAX)
    place = places[:, :2] / size - 0.5
    waves = (np.pi * np.array(_WAVES)[:, None] * place[:, None, :]).reshape(len(places), -1)
    pitch = np.linalg.norm(camera.project(places + np.array([1.0, 0.0, 0.0])) - camera.project(places), axis=1)
    whole = (
        np.log(away / _USUAL_AWAY),
        (layer.log - np.log(USUAL_LAYER)) / LAYER_SPREAD,
        layer.spread / LAYER_SPREAD,
        size - 9.0,
        len(places) / 20.0,
    )
    facts = (
        4.0 * slant,
        4.0 * np.abs(slant),
        place,
        np.sin(waves),
        np.cos(waves),
        np.log(pitch / _USUAL_PITCH),
        np.broadcast_to(whole, (len(places), len(whole))),
    )
    return np.column_stack(facts).astype(np.float32)


def make_compared_planes(windows: Image, facts: Tensor) -> Tensor:
    """Make the network's input (m, 5, px, px): windows (m, px, px, 3), normalised together, and their parallax."""
    values = windows.astype(np.float32)
    colours = ((values - values.mean()) / (values.std() + NOISE_DEVIATION)).transpose(0, 3, 1, 2)
    slants = np.broadcast_to(facts[:, :2, None, None], (len(facts), 2, *windows.shape[1:3]))
    return np.ascontiguousarray(np.concatenate([colours, slants], axis=1), dtype=np.float32)


def pool_heights(measured: Floats, thicknesses: Floats, compared: Floats, tilt: float) -> tuple[Floats, Floats]:
    """Return the log probabilities of the heights of t stacks from measurements and from the comparison.

    The first result (t, m, 5) has the heights for each of m thicknesses, the second (m,) the thicknesses themselves.

    `measured` (t, m, 5) are probabilities of each of m `thicknesses` (cells) and each height by elevations, sizes and
    walls. `compared` (t, K, 5) is the field of `vision.heights.elevations.Elevations`. `tilt` is the camera's, radians.
    Both sources use the same pixels, so they are pooled and not multiplied (C. Genest and J. Zidek, "Combining
    probability distributions: a critique and an annotated bibliography", 1986), thickness by thickness.
    """
    was_compared = np.ptp(compared, axis=(1, 2)) > 0.0
    weight = float(np.interp(np.degrees(tilt), *_COMPARISON_SHARE)) if was_compared.any() else 0.0
    share = np.where(was_compared, weight, 0.0)[:, None, None]
    steps = np.eye(len(COMPARED_THICKNESSES))
    between = np.stack([np.interp(np.log(thicknesses), np.log(COMPARED_THICKNESSES), one) for one in steps], axis=1)
    layers = log_softmax(np.log(measured.sum(axis=(0, 2)) + _LEAST_PROBABILITY))
    heights = (1.0 - share) * log_softmax(np.log(measured + _LEAST_PROBABILITY)) + share * (between @ compared)
    return log_softmax(heights), (1.0 - weight) * layers
