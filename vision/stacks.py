"""Telling how high each stack is from a plane sweep, and how thick a layer of this set is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.images import Image
from vision.networks import network
from vision.seams import seam_scores
from vision.sweep import SLICES, SWEEP_MARGIN, quarter_towards_camera, sweep

Floats = npt.NDArray[np.float64]
Heights = npt.NDArray[np.int64]

NOMINAL_LAYER = 0.25
"""Thickness of a layer over the pitch before anything is known of the set; sets measure 0.20 to 0.32."""
LAYER_SPREAD = 0.13
"""Standard deviation of its logarithm."""
_STEP = 0.12
_CANDIDATES = tuple(NOMINAL_LAYER * float(np.exp(k * _STEP)) for k in (-2, -1, 1, 2))
_SEAMS_SAY = 0.3
"""Weight of the seams beside the faces: blur and bevels make them less independent than they look."""
_FINE = np.log(NOMINAL_LAYER) + np.linspace(-2.3, 2.3, 65) * _STEP
_TELLING_TILT = 0.17
"""Tilt (radians) below which parallax says too little about the thickness."""
_TELLING_TILES = 4
"""Tiles above the first layer from which the thickness can be measured."""


@dataclass(frozen=True)
class StackReading:
    """Heights of all squares.

    Attributes:
        height_logits: (n, n, SLICES).
        hidden: (n, n) probability that a hand or another object hides the square.
        layer: thickness of a layer, cells, as this picture shows it.
    """

    height_logits: Floats
    hidden: Floats
    layer: float


def read_stacks(image: Image, camera: Camera, size: int, layer: float | None = None) -> StackReading:
    """Read all stacks.

    With the layer unknown several thicknesses are tried: only with the right one do the faces of all stacks lie
    exactly in one of the sweep's slices, and the reading is then surest of itself. The seams on the walls join in.
    """
    if layer is not None:
        return _look(image, camera, size, layer)
    looks = [_look(image, camera, size, NOMINAL_LAYER)]
    if not _any_stacked(looks[0]) or camera.tilt((size / 2, size / 2)) < _TELLING_TILT:
        return looks[0]
    looks += [_look(image, camera, size, candidate) for candidate in _CANDIDATES]
    layers = np.log([look.layer for look in looks])
    order = np.argsort(layers)
    certain = np.array([_certainty(look) for look in looks])[order]
    scores = (
        np.interp(_FINE, layers[order], certain) - 0.5 * ((_FINE - np.log(NOMINAL_LAYER)) / LAYER_SPREAD) ** 2
    )
    turns = quarter_towards_camera(camera, size)
    tops = np.rot90(looks[0].height_logits.argmax(axis=-1) * looks[0].layer, turns)
    scores += _SEAMS_SAY * seam_scores(image, camera.turned(turns, size), tops, np.exp(_FINE))
    return _look(image, camera, size, float(np.exp(_FINE[scores.argmax()])))


def measure_layer(image: Image, camera: Camera, size: int, heights: Heights) -> float | None:
    """The set's layer thickness (cells) from a picture of stacks whose heights (n, n) are known; None if untold.

    The thickness with which the picture bears out the known heights best.
    """
    telling = int(np.clip(heights - 1, 0, None).sum())
    if telling < _TELLING_TILES or camera.tilt((size / 2, size / 2)) < _TELLING_TILT:
        return None
    layers = np.log(NOMINAL_LAYER) + np.linspace(-2, 2, 9) * _STEP
    scores = np.array([_bears_out(_look(image, camera, size, float(np.exp(x))), heights) for x in layers])
    scores -= 0.5 * ((layers - np.log(NOMINAL_LAYER)) / LAYER_SPREAD) ** 2
    return _peak(layers, scores)


def _bears_out(look: StackReading, heights: Heights) -> float:
    sure = look.height_logits - np.logaddexp.reduce(look.height_logits, axis=-1)[..., None]
    known = np.take_along_axis(sure, heights[..., None], axis=-1)[..., 0]
    return float(np.maximum(known, -4.0)[(heights > 0) & (look.hidden < 0.5)].sum())


def _any_stacked(look: StackReading) -> bool:
    """Whether a stack of two or more may stand anywhere: else the thickness does not matter."""
    chance = np.exp(look.height_logits - np.logaddexp.reduce(look.height_logits, axis=-1)[..., None])
    return bool((chance[..., 2:].sum(axis=-1) > 0.2).any())


def _certainty(look: StackReading) -> float:
    """Log probability of the surest heights, over the squares that bear tiles."""
    sure = look.height_logits - np.logaddexp.reduce(look.height_logits, axis=-1)[..., None]
    tiles = (sure[..., 0] < np.log(0.5)) & (look.hidden < 0.5)
    return float(sure.max(axis=-1)[tiles].sum())


def _peak(layers: Floats, scores: Floats) -> float:
    """The layer at the top of the parabola through the best score and its neighbours."""
    order = np.argsort(layers)
    x, y = layers[order], scores[order]
    k = int(np.clip(y.argmax(), 1, len(y) - 2))
    bend, slope, _ = np.polyfit(x[k - 1 : k + 2] - x[k], y[k - 1 : k + 2], 2)
    if bend >= 0:
        return float(np.exp(x[y.argmax()]))
    return float(np.exp(x[k] + np.clip(-slope / (2 * bend), x[k - 1] - x[k], x[k + 1] - x[k])))


def _look(image: Image, camera: Camera, size: int, layer: float) -> StackReading:
    turns = quarter_towards_camera(camera, size)
    out = network("stacks")(sweep(image, camera.turned(turns, size), size, layer)[None])[0].astype(np.float64)
    inner = slice(SWEEP_MARGIN, SWEEP_MARGIN + size)
    out = np.rot90(out[:, inner, inner].transpose(1, 2, 0), -turns)
    hidden = 1.0 / (1.0 + np.exp(-out[..., SLICES]))
    return StackReading(np.ascontiguousarray(out[..., :SLICES]), np.ascontiguousarray(hidden), layer)
