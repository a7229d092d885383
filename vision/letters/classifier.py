"""Reading faces: cutting them where they stand and telling which letter they show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.faces import FACES
from vision.geometry.camera import Camera
from vision.geometry.rectify import Tensor, shrink_to_pitch, windows_at
from vision.images import Image
from vision.networks import network

Floats = npt.NDArray[np.float64]

FACE_PX = 32
REJECT = len(FACES)
"""Index of "no upright face here" in the network's output."""
SMOOTHING = 0.01
"""Share of every label that was spread over all faces in training; what is read is freed of it."""
_FREED_BY = 4.0
"""How many times that share is taken off: what faces that are not seen keep varies, and is hardly ever more."""
_LEAST = 1e-6
"""Least probability of a face once it is freed."""


def cut_faces(image: Image, camera: Camera, size: int, places: npt.ArrayLike) -> Image:
    """Windows (m, FACE_PX, FACE_PX, 3) one square wide around board points `places` (m, 3): x, y, height in cells."""
    return windows_at(*shrink_to_pitch(image, camera, size), places, FACE_PX)


def square_places(squares: Sequence[tuple[int, int]], heights: npt.ArrayLike) -> Floats:
    """Board points (m, 3) of the middles of squares (row, col) at `heights` (cells)."""
    grid = np.asarray(squares, dtype=np.float64).reshape(-1, 2)
    return np.column_stack(
        [grid[:, 1] + 0.5, grid[:, 0] + 0.5, np.broadcast_to(np.asarray(heights), (len(grid),))]
    )


def face_tensor(windows: Image) -> Tensor:
    """Network input (m, 3, px, px) of windows (m, px, px, 3): each with zero mean and unit deviation."""
    values = windows.astype(np.float32)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True) + 6.0
    return np.ascontiguousarray(((values - mean) / spread).transpose(0, 3, 1, 2))


def read_faces(windows: Image) -> Tensor:
    """Log probabilities (m, 27): the faces in the order of FACES, then "no upright face"."""
    if not len(windows):
        return np.zeros((0, REJECT + 1), dtype=np.float32)
    logits = network("faces")(face_tensor(windows))
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    plain = np.maximum(chances - _FREED_BY * SMOOTHING / chances.shape[1], _LEAST)
    return np.asarray(np.log(plain / plain.sum(axis=1, keepdims=True)), dtype=np.float32)
