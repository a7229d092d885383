"""Grids printed on paper: crosswords, squared sheets, diagrams, which lie as flat and as regular as a board.

A board may be printed, too, and white: what looks like paper is doubted, not refused. What is moulded has edges that
catch the light on one side and cast a shadow on the other, and so its lines are darker one way than the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import rectify
from vision.images import Image

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_PX, _COARSE = 32, 6
"""Pixels a square at which lines, and the colour of the whole, are looked at."""
_SPARSE = 8
"""Pixels of the picture between those that tell what is white in it."""
_PALE, _GREY = 0.7, 0.35
"""Brightness, as a share of the picture's white, and saturation, from which and up to which squares may be paper."""
_ALIKE = 30.0
"""Grey levels within which a square is of the usual colour. By eye."""
_LEAST_LINES = 5
"""Lines between two bare squares, each way, from which their profile is known. By eye."""
_DARK, _EVEN, _NOISE, _LIT = 0.006, 0.93, 0.0012, 0.02
"""Darkness of a line, share of the ground a square wide; that of the fainter way by the other's, or how much less it
may be; and how far beside a line the ground may be lighter. Measured with the two above on drawn empty grids,
crosswords and sheets for battleships seen aslant, and on letter-tile boards: of 21 of the former, not looked at
before, 18 pass, of the latter six of 234 drawn ones (`hard_views`), which are white with dark lines."""
_STACKED, _LEAST_STACKS = 0.97, 2
"""Probability of two tiles or more, and the squares with it, from which no paper lies there. Measured: none of 529
letters, numbers and crosses on twelve sheets of paper had it with 0.9."""
_RAISED, _LEAST_RAISED = 0.15, 3
"""Probability that a face lies so many slices of the sweep above the board, or more, from which it stands up from it;
no paper lies where two do. Measured on the first play of 55 games (48 of which have it), two of them on pale boards
with dark lines, and on 74 drawn sheets seen aslant with words written on them: there the second of a picture has 0.05
at most."""
_FULL = 0.6
"""Share of the squares with letters from which some lie on others, on a board. By eye: none of 299 pictures of the
development sets has as many without."""


def is_printed(image: Image, camera: Camera, size: int) -> bool:
    """Whether the n x n grid that `camera` sees in the picture (h, w, 3) looks like dark lines on paper."""
    ground = _ground(image, camera, size)
    white = float(np.percentile(image[::_SPARSE, ::_SPARSE].max(axis=2), 99))
    if ground.mean() < _PALE * white or np.ptp(ground) > _GREY * ground.max():
        return False
    flat = rectify(image, camera, size, _PX, 0.0).astype(np.float64)
    bare = np.abs(_squares(flat, size) - ground).max(axis=-1) < _ALIKE
    grey = flat.mean(axis=-1)
    across, down = _profile(grey, bare, size), _profile(grey.T, bare.T, size)
    return across is not None and down is not None and are_printed(across, down)


def are_printed(across: Floats, down: Floats) -> bool:
    """Whether lines whose profiles (px,), shares of the ground, are seen each way are printed."""
    dark = [float(np.maximum(1.0 - profile, 0.0).mean()) for profile in (across, down)]
    lit = max(float(across.max()), float(down.max())) - 1.0
    even = max(dark) - min(dark) < max(_NOISE, (1.0 - _EVEN) * max(dark))
    return min(dark) > _DARK and even and lit < _LIT


def are_stacked(height_probs: Floats) -> bool:
    """Whether tiles (n, n, 6), P(height), surely lie on others, which nothing on paper looks like."""
    return int((height_probs[..., 2:].sum(axis=-1) > _STACKED).sum()) >= _LEAST_STACKS


def stand_up(elevations: Floats) -> bool:
    """Whether faces stand up from the board, as letters on paper do not: log probabilities (n, n, SLICES)."""
    raised = np.exp(elevations[..., _LEAST_RAISED:]).sum(axis=-1)
    return int((raised > _RAISED).sum()) >= _LEAST_STACKS


def is_flat_print(height_probs: Floats) -> bool:
    """Whether letters fill the grid and hardly one seems to lie on another: heights (n, n, 6), as P(height)."""
    occupied = height_probs.argmax(axis=-1) > 0
    return bool(occupied.mean() >= _FULL) and not are_stacked(height_probs)


def _ground(image: Image, camera: Camera, size: int) -> Floats:
    """The usual colour (3,) of the grid."""
    coarse = rectify(image, camera, size, _COARSE, 0.0)
    return np.asarray(np.median(coarse.reshape(-1, 3), axis=0), dtype=np.float64)


def _squares(flat: Floats, size: int) -> Floats:
    """The median colour (n, n, 3) of the middle of each square."""
    middle = slice(_PX // 4, -(_PX // 4), 2)
    cut = flat.reshape(size, _PX, size, _PX, 3)[:, middle, :, middle].transpose(0, 2, 1, 3, 4)
    return np.asarray(np.median(cut.reshape(size, size, -1, 3), axis=2), dtype=np.float64)


def _profile(grey: Floats, bare: Flags, size: int) -> Floats | None:
    """The usual profile (px,) across upright lines between two bare squares; None where there are too few."""
    half, middle = _PX // 2, slice(_PX // 4, -(_PX // 4))
    lines = grey[:, half:-half].reshape(size, _PX, size - 1, _PX)[:, middle]
    between = bare[:, :-1] & bare[:, 1:]
    if between.sum() < _LEAST_LINES:
        return None
    profiles = np.median(lines, axis=1)[between]
    ground = np.median(profiles, axis=1, keepdims=True)
    return np.asarray(np.median(profiles / np.maximum(ground, 1.0), axis=0), dtype=np.float64)
