"""What light and a camera make of a drawn face: gradients, shadow, glare, lost detail, blur, exposure, noise."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.letters.classifier import FACE_PX
from workshop.training.faces.processed import compress, denoise, map_tones, sharpen, soft_side

Light = npt.NDArray[np.floating[Any]]

_PROCESSING = ((soft_side, 0.12), (denoise, 0.1), (map_tones, 0.08), (sharpen, 0.2), (compress, 0.15))
"""Changes that lens and phone make to a window, in that order, and the share of windows with each. [by eye]"""


_LONGEST = 14.0
"""Pixels of a window over which a hand that moved smears a point at most. [by eye]"""
_DEEP = 60.0
"""Exponent from which shade is nothing, and past which it would overflow. [by eye]"""


def photograph(window: Light, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return the drawn window (FACE_PX, FACE_PX, 3), BGR 0..255, as a phone might have seen it."""
    image = window
    if rng.random() < 0.6:
        image = image * (1 + _slope(0.14, rng))
    if rng.random() < 0.15:
        image = _shadow(image, rng)
    if rng.random() < 0.12:
        image = _glare(image, rng)
    if rng.random() < 0.65:
        image = _coarsen(image, rng)
    if rng.random() < 0.45:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3)), dtype=image.dtype)
    if rng.random() < 0.12:
        image = smear(image, rng)
    image = (image - 128) * rng.uniform(0.45, 1.1) + 128 + rng.uniform(-50, 40)
    image = image * rng.uniform(0.85, 1.15, 3) + rng.normal(0, rng.uniform(0, 9), image.shape)
    for change, share in _PROCESSING:
        if rng.random() < share:
            image = change(image, rng)
    return np.clip(image, 0, 255).astype(np.uint8)


def _slope(spread: float, rng: np.random.Generator) -> Light:
    """Draw a plane (FACE_PX, FACE_PX, 1) through 0 in the middle, of any steepness along both sides."""
    ramp = np.linspace(-1, 1, FACE_PX, dtype=np.float32)
    tilt = rng.normal(0, spread, 2)
    return np.asarray(tilt[0] * ramp[None, :, None] + tilt[1] * ramp[:, None, None])


def _axes(turn: float, middle: tuple[float, float] = (0.5, 0.5)) -> tuple[Light, Light]:
    """Return two axes over the window at an angle (radians), each (FACE_PX, FACE_PX): 0 at `middle` (x, y), 1 a
    window on."""
    y, x = np.mgrid[0:FACE_PX, 0:FACE_PX].astype(np.float32) / FACE_PX
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    x, y = x - np.float32(middle[0]), y - np.float32(middle[1])
    return c * x + s * y, c * y - s * x


def _shadow(image: Light, rng: np.random.Generator) -> Light:
    """Lay a soft straight edge of shade across the window."""
    edge = _axes(rng.uniform(0, 2 * np.pi))[0] - rng.uniform(-0.4, 0.4)
    soft = 1 / (1 + np.exp(np.minimum(-edge / rng.uniform(0.01, 0.1), _DEEP)))
    return np.asarray(image * (1 - rng.uniform(0.2, 0.65) * soft[..., None]), dtype=np.float32)


def _glare(image: Light, rng: np.random.Generator) -> Light:
    y, x = np.mgrid[0:FACE_PX, 0:FACE_PX].astype(np.float32) / FACE_PX
    at, size = rng.uniform(0, 1, 2), rng.uniform(0.1, 0.6, 2)
    spot = np.exp(-(((x - at[0]) / size[0]) ** 2 + ((y - at[1]) / size[1]) ** 2))
    return np.asarray(image + rng.uniform(20, 170) * spot[..., None], dtype=np.float32)


def _coarsen(image: Light, rng: np.random.Generator) -> Light:
    """Coarsen as a foreshortened or distant view does: fewer pixels along one direction or both."""
    wide = int(rng.integers(13, FACE_PX + 1))
    high = int(np.clip(wide * rng.uniform(0.6, 1.0), 11, FACE_PX))
    if rng.random() < 0.5:
        wide, high = high, wide
    small = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
    back = cv2.resize(small, (FACE_PX, FACE_PX), interpolation=cv2.INTER_LINEAR)
    return np.asarray(back, dtype=np.float32)


def smear(image: Light, rng: np.random.Generator) -> Light:
    """Blur the picture (h, w, 3) as a hand that moved does."""
    angle, length = rng.uniform(0, np.pi), rng.uniform(1.5, _LONGEST)
    middle = round(_LONGEST / 2) + 1
    kernel = np.zeros((2 * middle + 1, 2 * middle + 1), np.float32)
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    start = (round((middle - dx) * 16), round((middle - dy) * 16))
    end = (round((middle + dx) * 16), round((middle + dy) * 16))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.float32)


def bleach(image: Light, rng: np.random.Generator) -> Light:
    """Bleach the face (FACE_PX, FACE_PX, 3): print and edges fade into white, more on one side."""
    slope = _slope(0.25, rng)
    gain = rng.uniform(1.1, 2.2) * np.exp(slope)
    veil = rng.uniform(0, 60)
    return np.asarray(np.clip(image * (1 - veil / 255) * gain + veil, 0, 255), dtype=np.float32)


def grainy(image: Light, rng: np.random.Generator) -> Light:
    """Add the coloured, blotchy noise (h, w, 3) of a picture taken in the dark."""
    noise = rng.normal(0, 1, image.shape).astype(np.float32)
    blotched = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.4, 1.2))
    plain = rng.uniform(0, 1)
    # the mean of three colours is 1.7 times weaker than one of them
    grain = plain * blotched.mean(axis=-1, keepdims=True) * 1.7 + (1 - plain) * blotched
    dim = rng.uniform(0.3, 1.0)
    return np.asarray(image * dim + rng.uniform(6, 32) * dim * grain / grain.std(), dtype=np.float32)


def glare(image: Light, rng: np.random.Generator) -> Light:
    """Put a lamp's image on the face (FACE_PX, FACE_PX, 3): a spot or streak that washes print and ground out alike."""
    along, across = _axes(rng.uniform(0, np.pi), (rng.uniform(0, 1), rng.uniform(0, 1)))
    spot = (along / rng.uniform(0.25, 1.2)) ** 2 + (across / rng.uniform(0.12, 0.5)) ** 2
    veil = rng.uniform(0.4, 0.95) * np.exp(-(spot ** rng.uniform(0.8, 2.5)))
    white = np.array([255, 255, 255]) * rng.uniform(0.85, 1.0, 3)
    return np.asarray(image + veil[..., None] * (white - image), dtype=np.float32)


def cover(image: Light, rng: np.random.Generator) -> Light:
    """Hide a side of a face (FACE_PX, FACE_PX, 3), a tenth to a half, behind a finger, a stack or another thing."""
    along, across = _axes(rng.uniform(0, 2 * np.pi))
    bend = rng.uniform(-0.4, 1.2) * (across - rng.normal(0, 0.15)) ** 2
    edge = along - (0.5 - rng.uniform(0.04, 0.28)) + bend
    hidden = 1 / (1 + np.exp(-np.clip(edge / rng.uniform(0.006, 0.05), -30, 30)))
    skin = np.array([rng.uniform(40, 180), rng.uniform(60, 200), rng.uniform(90, 240)])
    colour = skin if rng.random() < 0.5 else rng.uniform(10, 240, 3)
    shade = 1 + rng.normal(0, 0.5) * along + rng.normal(0, 0.3) * across
    return np.asarray(image + hidden[..., None] * (shade[..., None] * colour - image), dtype=np.float32)
