"""What stacks hide of each other: lines of sight from every face to the camera."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.camera import Camera

Floats = npt.NDArray[np.float64]

_ACROSS = np.linspace(-0.36, 0.36, 5)
_STEP = 0.08
_REACH = 3.2
"""How far (cells) along a line of sight other stacks are looked for."""
_GRAZING = 0.04


def covered(camera: Camera, tops: Floats) -> Floats:
    """The share (n, n) of each square's top face that nearer stacks hide.

    `tops` (n, n) are the elevations of the faces, cells; 0 where the square is empty. Every face is sampled, and the
    straight line from each sample to the camera is followed over the squares that it crosses.
    """
    size = len(tops)
    dx, dy = (part.ravel() for part in np.meshgrid(_ACROSS, _ACROSS))
    row, col = (part.ravel()[:, None] for part in np.mgrid[0:size, 0:size])
    x, y = col + 0.5 + dx, row + 0.5 + dy
    z = np.broadcast_to(tops.ravel()[:, None], x.shape)
    away_x, away_y = camera.position[0] - x, camera.position[1] - y
    distance = np.maximum(np.hypot(away_x, away_y), 1e-6)
    rise = (camera.position[2] - z) / distance
    hidden = np.zeros(x.shape, dtype=bool)
    # further on the line of sight is above all stacks
    reach = min(_REACH, float(tops.max() / max(float(rise.min()), 1e-6)))
    for step in np.arange(_STEP, reach, _STEP):
        at_col = np.floor(x + away_x / distance * step).astype(np.int64)
        at_row = np.floor(y + away_y / distance * step).astype(np.int64)
        on_board = (at_col >= 0) & (at_col < size) & (at_row >= 0) & (at_row < size)
        elsewhere = on_board & ((at_col != col) | (at_row != row)) & (step < distance)
        there = tops[np.clip(at_row, 0, size - 1), np.clip(at_col, 0, size - 1)]
        hidden |= elsewhere & (there > z + rise * step + _GRAZING)
    return np.asarray(hidden.mean(axis=1).reshape(size, size), dtype=np.float64)
