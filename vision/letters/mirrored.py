"""Whether the picture shows the board in a mirror, as front cameras do: letters are plain that way round alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.reduced_view import ReducedView
from vision.heights.elevations import Elevations
from vision.heights.stack_heights import Heights
from vision.images import Image
from vision.letters.faces import clearest_faces
from vision.letters.orientation import UNREAD, plainness, read_each_way

Floats = npt.NDArray[np.float64]

_FACES = 12
"""Faces that are looked at, at most: it saves time. By eye."""
_LEAST_FACES = 5
"""Faces below which nothing is said: three that a hand touched passed for mirrored ones in a rendered picture."""
_PLAINER = 0.2
"""How much plainer faces must be in a mirror, mean log probability. Measured on 50 pictures of the development sets and
of rendered games: -0.11 at most as they are; more than 0.11 all of them in a mirror, more than 0.2 all but one."""
_PLAIN = -0.3
"""How plain they must be there: what cannot be read either way is no mirror image. One rendered board of 12 px a square
was taken for one without it."""
_HARD_TO_READ = -0.08
"""Mean log probability of the letters of a reading below which the mirror is tried; of mirrored ones all were."""


MIRRORED = "The picture is mirrored, as front cameras show it: switch mirroring off, or use the other camera."


def is_hard_to_read(face_probs: Floats, tiles: npt.NDArray[np.bool_]) -> bool:
    """Whether the letters (n, n, 26) on the squares that bear `tiles` (n, n) are so unsure that a mirror may be why."""
    sure = face_probs.max(axis=-1)[tiles]
    return sure.size >= _LEAST_FACES and float(np.log(sure + UNREAD).mean()) < _HARD_TO_READ


def is_mirrored(view: ReducedView, seen: Elevations, heights: Heights) -> bool:
    """Whether letters can be read in a mirror, and hardly as they are."""
    windows, _ = clearest_faces(view, seen, heights)
    return len(windows) >= _LEAST_FACES and plainer_in_a_mirror(windows) > _PLAINER


def plainer_in_a_mirror(windows: Image) -> float:
    """How much plainer faces (m, FACE_PX, FACE_PX, 3), turned any way, are in a mirror: mean log probability; 0 where
    they are not plain there, either."""
    chosen = windows[np.linspace(0, len(windows) - 1, min(_FACES, len(windows))).astype(int)]
    there = _plainness(chosen[:, :, ::-1])
    return there - _plainness(chosen) if there > _PLAIN else 0.0


def _plainness(windows: Image) -> float:
    """The mean log probability of the likeliest letters the way round that reads best."""
    return float(plainness(read_each_way(windows)).mean(axis=1).max())
