"""What lenses and phones do to faces after the light: out of focus, sharpening, tone mapping, smears, JPEG.

Windows are (h, w, 3), BGR, 0 to 255.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Light = npt.NDArray[np.floating[Any]]

_WIDEST = 6.0
"""Radius, px of a window 32 wide, of the largest disc into which a lens out of focus spreads a point: letters that it
leaves are read by people with words around them, and no longer by themselves. [by eye]"""


def unfocus(image: Light, rng: np.random.Generator) -> Light:
    """Put the window out of focus: every point a disc, as an open lens has it, or a softer spot, as small ones do."""
    radius = float(rng.uniform(1.0, _WIDEST))
    if rng.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), radius / 2), dtype=np.float32)
    return np.asarray(cv2.filter2D(image, -1, disc(radius)), dtype=np.float32)


def disc(radius: float) -> Light:
    """Return the kernel with which an open lens out of focus spreads a point over a disc with this radius, pixels."""
    side = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-side : side + 1, -side : side + 1]
    inside = np.clip(radius + 0.5 - np.hypot(x, y), 0.0, 1.0)
    return np.asarray(inside / inside.sum())


def soft_side(image: Light, rng: np.random.Generator) -> Light:
    """Put one side of the window out of focus: the serifs of a foot or a head run away."""
    high, wide = image.shape[:2]
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.choice([0.5, 1.5]) * np.pi
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    along = (np.cos(turn) * (x / wide - 0.5) + np.sin(turn) * (y / high - 0.5)).astype(np.float32)
    share = 1 / (1 + np.exp(-(along - rng.uniform(-0.25, 0.25)) / rng.uniform(0.05, 0.25)))
    blurred = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.2))
    return np.asarray(image + share[..., None] * (blurred - image), dtype=np.float32)


def sharpen(image: Light, rng: np.random.Generator) -> Light:
    """Apply an unsharp mask: halos along the strokes, white beside dark ones."""
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 2.5))
    return np.asarray(np.clip(image + rng.uniform(0.4, 2.2) * (image - soft), 0, 255), dtype=np.float32)


def map_tones(image: Light, rng: np.random.Generator) -> Light:
    """Apply local tone mapping: lift dark areas and hold back bright ones."""
    around = cv2.GaussianBlur(np.asarray(image, np.float32).mean(axis=-1), (0, 0), rng.uniform(3, 8))
    gain = ((np.clip(around, 0, 255) + 20) / 140) ** -rng.uniform(0.2, 0.7)
    return np.asarray(np.clip(image * gain[..., None], 0, 255), dtype=np.float32)


def denoise(image: Light, rng: np.random.Generator) -> Light:
    """Smear like noise reduction, which flattens thin strokes and serifs into their surroundings."""
    values = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        return cv2.medianBlur(values, 3).astype(np.float32)
    kept = cv2.bilateralFilter(values, 7, float(rng.uniform(20, 70)), float(rng.uniform(1.5, 4)))
    return kept.astype(np.float32)


def compress(image: Light, rng: np.random.Generator) -> Light:
    """Add JPEG's blocks, at the sizes that a reduced picture's squares have."""
    high, wide = image.shape[:2]
    scale = float(rng.uniform(0.6, 1.6))
    size = (max(8, round(wide * scale)), max(8, round(high * scale)))
    sized = cv2.resize(np.clip(image, 0, 255).astype(np.uint8), size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", sized, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(18, 80))])
    seen = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return cv2.resize(seen, (wide, high), interpolation=cv2.INTER_LINEAR).astype(np.float32)
