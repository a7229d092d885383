"""Sunlight and the shade beside it, on what a picture shows: how bright each becomes, and what a camera makes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.images import Image
from workshop.training.sunlight.patterns import Light, Pattern, random_pattern

Floats = npt.NDArray[np.float64]

_GAMMA = 2.2
_BRIGHTEST = (0.8, 2.0)
"""Range of how bright what the sun shines on becomes, of what it was: phones expose for the mean, and burn some out.
[by eye]"""
_RATIO = (1.6, 14.0)
"""Range of how many times as bright as the shade it is. [by eye]"""
_WARMTH = 0.15
"""How much redder sunlight is than what it was, at most, and shade bluer. [by eye]"""
_LOWEST = 2.5
"""Cells that shade is displaced, at most, on a face a cell higher: the sun 22 degrees above the table. [by eye]"""
_LINEAR = ((np.arange(256) / 255.0) ** _GAMMA).astype(np.float32)
_PIXEL = np.round(255.0 * np.linspace(0.0, 1.0, 4096) ** (1 / _GAMMA)).astype(np.uint8)


@dataclass(frozen=True)
class Sun:
    """Sunlight and shade.

    Attributes:
        pattern: what it shines through.
        slant: (2,) cells by which shade is displaced a cell higher.
        lit: (3,) BGR, how bright what it shines on becomes, of the light that was.
        shade: (3,) the same of what it does not shine on.
    """

    pattern: Pattern
    slant: Floats
    lit: Floats
    shade: Floats


def random_sun(rng: np.random.Generator, size: int) -> Sun:
    """Draw a sun that shines on an n x n board through something."""
    turn, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, _LOWEST)
    brightest = float(np.exp(rng.uniform(*np.log(_BRIGHTEST))))
    ratio = float(np.exp(rng.uniform(*np.log(_RATIO))))
    warmth = rng.uniform(0.0, _WARMTH) * np.array([-1.0, 0.0, 1.0])
    return Sun(
        random_pattern(rng, size),
        low * np.array([np.cos(turn), np.sin(turn)]),
        brightest * (1.0 + warmth),
        brightest / ratio * (1.0 - warmth),
    )


def shone_on(image: Image, light: Light, sun: Sun) -> Image:
    """Return the picture (h, w, 3) with `light` (h, w), 0 to 1, of the sun on it."""
    gain = sun.shade + (sun.lit - sun.shade) * np.asarray(light, dtype=np.float32)[..., None]
    linear = np.clip(_LINEAR[image] * gain.astype(np.float32), 0.0, 1.0)
    return np.asarray(_PIXEL[(linear * (len(_PIXEL) - 1)).astype(np.int32)])
