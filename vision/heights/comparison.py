"""Heights by comparing all stacks of a board with each other, seen from above.

A network looks at each face and what surrounds it: the walls that show, how large it is, the shade at its foot. What it
saw is then held against all other stacks by attention (A. Vaswani et al., "Attention is all you need", 2017), as one
light, one camera and one thickness of the tiles made them all. What it says depends on how thick the tiles are, so it
is asked for several thicknesses; `vision.heights.from_above` weighs these.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places, windows_at
from vision.heights.apparent_size import faces_from_above
from vision.heights.elevations import SliceState, uncompared
from vision.heights.thickness import COMPARED_THICKNESSES
from vision.images import Image
from vision.networks import Tensor, network
from vision.probability import log_softmax, logsumexp

Floats = npt.NDArray[np.float64]

COMPARED_PX = 72
"""Side of a window, pixels; what the network was trained on, like all that follow down to `_WAVES`."""
COMPARED_SPAN = 2.0
"""Squares that a window spans: a face, its walls, and half of the squares beside it."""
FACTS = 24
"""How many numbers are told of each stack beside its window."""
MIRRORED_FACTS = (0, 4, 6, 8, 10)
"""Those of them whose sign changes where left and right change places."""
USUAL_LAYER, LAYER_SPREAD = 0.25, 0.13
"""Thickness of a layer where nothing is known of it, cells, and the standard deviation of its logarithm: what it was
trained on, whatever `ThicknessModel` comes to suppose."""
_USUAL_AWAY, _USUAL_PITCH = 20.0, 40.0
"""What distances of the camera, cells, and squares, pixels, are told in proportion to."""
FLAT = 8.0
"""Added to the deviation of a picture's windows, so that the noise of plain ones is not blown up."""
_STEEPEST = 1.0
"""Parallax, cells for a cell of height, beyond which the network is told no more."""
_WAVES = (1.0, 2.0, 4.0)
"""Half waves over the board by which a square's place is told."""
_KNOWN_TO = 0.02
"""Standard deviation of the logarithm with which each thickness is told to be known. By eye."""
_SAY = ((20.0, 25.0), (0.6, 0.0))
"""Tilts, degrees, between which comparing stacks loses its say, and its share there. Of 4,514 heights from above in the
development sets, a lot of games and three of drawn boards 762 are wrong with a half, 725 with 0.6, once letters have
had their say, too."""
_LEAST = 1e-12
"""Probability below which no thickness and no height sinks."""


class Layer(NamedTuple):
    """What is known of a layer's thickness before stacks are compared.

    Attributes:
        log: its logarithm, cells.
        spread: the standard deviation of that.
    """

    log: float = float(np.log(USUAL_LAYER))
    spread: float = LAYER_SPREAD


def compared_heights(view: ReducedView, state: SliceState) -> Floats:
    """Log probabilities (n, n, K, 5) of the heights for each of the K COMPARED_THICKNESSES.

    All alike where nothing was compared: on bare and hidden squares, and in views from the side and of few tiles
    everywhere.
    """
    told = uncompared(len(state.hidden))
    squares, _ = faces_from_above(view, state)
    if squares:
        windows = compared_windows(view.image, view.camera, squares)
        layers = [Layer(float(np.log(thick)), _KNOWN_TO) for thick in COMPARED_THICKNESSES]
        facts = np.stack([stack_facts(view.camera, view.size, squares, layer) for layer in layers])
        out = network("comparison")(compared_planes(windows, facts[0]), told=facts).astype(np.float64)
        rows, cols = np.array(squares).T
        told[rows, cols] = log_softmax(out[..., :MAX_HEIGHT]).transpose(1, 0, 2)
    return told


def compared_windows(image: Image, camera: Camera, squares: list[tuple[int, int]]) -> Image:
    """Windows (m, COMPARED_PX, COMPARED_PX, 3) on the board's plane around `squares` (row, col)."""
    return windows_at(image, camera, square_places(squares, 0.0), COMPARED_PX, COMPARED_SPAN)


def stack_facts(camera: Camera, size: int, squares: list[tuple[int, int]], layer: Layer) -> Tensor:
    """What is told (m, FACTS) of each of the `squares` (row, col) of an n x n board beside its window.

    In their order: parallax x and y, both without their signs, the place on the board x and y, its waves, how large a
    square is in the picture; and of the whole picture how far away the camera is, how thick the tiles are and how well
    that is known, the size of the board, and how many stacks are compared.
    """
    at = square_places(squares, 0.0)
    x, y, away = (float(part) for part in camera.position)
    slant = np.clip((at[:, :2] - (x, y)) / away, -_STEEPEST, _STEEPEST)
    place = at[:, :2] / size - 0.5
    waves = (np.pi * np.array(_WAVES)[:, None] * place[:, None, :]).reshape(len(at), -1)
    pitch = np.linalg.norm(camera.project(at + np.array([1.0, 0.0, 0.0])) - camera.project(at), axis=1)
    whole = (
        np.log(away / _USUAL_AWAY), (layer.log - np.log(USUAL_LAYER)) / LAYER_SPREAD, layer.spread / LAYER_SPREAD,
        size - 9.0, len(at) / 20.0,
    )  # fmt: skip
    told = np.column_stack([
        4.0 * slant, 4.0 * np.abs(slant), place, np.sin(waves), np.cos(waves), np.log(pitch / _USUAL_PITCH),
        np.broadcast_to(whole, (len(at), len(whole))),
    ])  # fmt: skip
    return told.astype(np.float32)


def compared_planes(windows: Image, facts: Tensor) -> Tensor:
    """Network input (m, 5, px, px): the windows (m, px, px, 3), normalised together, and the parallax of each."""
    values = windows.astype(np.float32)
    colours = ((values - values.mean()) / (values.std() + FLAT)).transpose(0, 3, 1, 2)
    slants = np.broadcast_to(facts[:, :2, None, None], (len(facts), 2, *windows.shape[1:3]))
    return np.ascontiguousarray(np.concatenate([colours, slants], axis=1), dtype=np.float32)


def pooled(measured: Floats, thicknesses: Floats, compared: Floats, tilt: float) -> Floats:
    """Log probabilities (t, 5) of the heights of t stacks by all that was measured, and by comparing them.

    `measured` (t, m, 5) are the probabilities of each of m `thicknesses` (cells) and each height by elevations, sizes
    and walls, `compared` (t, K, 5) is as `vision.heights.elevations.Elevations` has it, `tilt` is the camera's, in
    radians. Both looked at the same pixels, so they are pooled (C. Genest and J. Zidek, "Combining probability
    distributions: a critique and an annotated bibliography", 1986), thickness by thickness.
    """
    told = np.ptp(compared, axis=(1, 2)) > 0.0
    say = float(np.interp(np.degrees(tilt), *_SAY)) if told.any() else 0.0
    share = np.where(told, say, 0.0)[:, None, None]
    steps = np.eye(len(COMPARED_THICKNESSES))
    between = np.stack(
        [np.interp(np.log(thicknesses), np.log(COMPARED_THICKNESSES), one) for one in steps], axis=1
    )
    layers = log_softmax(np.log(measured.sum(axis=(0, 2)) + _LEAST))
    heights = (1.0 - share) * log_softmax(np.log(measured + _LEAST)) + share * (between @ compared)
    joint = log_softmax(heights) + (1.0 - say) * layers[:, None]
    return log_softmax(logsumexp(joint.swapaxes(1, 2)))
