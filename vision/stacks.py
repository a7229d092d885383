"""Telling how high each stack is from a plane sweep, and how thick a layer of this set is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.images import Image
from vision.networks import network
from vision.sweep import SLICES, SWEEP_MARGIN, quarter_towards_camera, sweep

Floats = npt.NDArray[np.float64]

NOMINAL_LAYER = 0.262
"""Thickness of a layer over the pitch before anything is known of the set; sets measure 0.20 to 0.32."""
LAYER_SPREAD = 0.12
"""Standard deviation of its logarithm."""


@dataclass(frozen=True)
class StackReading:
    """Heights of all squares.

    Attributes:
        height_logits: (n, n, SLICES).
        hidden: (n, n) probability that a hand or another object hides the square.
        layer: thickness of a layer, cells, as this picture shows it.
        layer_spread: standard deviation of its logarithm.
    """

    height_logits: Floats
    hidden: Floats
    layer: float
    layer_spread: float


def read_stacks(image: Image, camera: Camera, size: int, layer: float | None = None) -> StackReading:
    """Read all stacks; with the layer unknown, a first look measures it and a second one uses it."""
    if layer is not None:
        return _look(image, camera, size, layer)
    first = _look(image, camera, size, NOMINAL_LAYER)
    return _look(image, camera, size, first.layer)


def _look(image: Image, camera: Camera, size: int, layer: float) -> StackReading:
    turns = quarter_towards_camera(camera, size)
    out = network("stacks")(sweep(image, camera.turned(turns, size), size, layer)[None])[0].astype(np.float64)
    inner = slice(SWEEP_MARGIN, SWEEP_MARGIN + size)
    out = np.rot90(out[:, inner, inner].transpose(1, 2, 0), -turns)
    heights, hidden = out[..., :SLICES], 1.0 / (1.0 + np.exp(-out[..., SLICES]))
    measured, spread = _measure_layer(
        out[..., SLICES + 1], np.exp(np.clip(out[..., SLICES + 2], -5, 3)), heights, layer
    )
    return StackReading(np.ascontiguousarray(heights), np.ascontiguousarray(hidden), measured, spread)


def _measure_layer(ratio: Floats, spread: Floats, logits: Floats, layer: float) -> tuple[float, float]:
    """Layer thickness from what each square shows of it, held by the prior over sets."""
    tile = 1.0 / (1.0 + np.exp(logits[..., 0] - np.logaddexp.reduce(logits[..., 1:], axis=-1)))
    weight = (tile > 0.5) / (4.0 * spread**2 + 0.002)
    prior = 1.0 / LAYER_SPREAD**2
    known = float(weight.sum()) + prior
    mean = (float((weight * (np.log(layer) + ratio)).sum()) + prior * np.log(NOMINAL_LAYER)) / known
    return float(np.exp(mean)), float(np.sqrt(1.0 / known))
