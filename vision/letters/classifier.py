"""Reading faces: cutting them where they stand and telling which letter they show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.geometry.camera import Camera
from vision.geometry.rectify import Tensor, shrink_to_pitch, windows_at
from vision.hidden.occlusion import partly_covered
from vision.images import Image
from vision.networks import network, standardised

Masks = npt.NDArray[np.bool_]

FACE_PX = 32
"""Side of a window, pixels; what the network was trained on."""
REJECT = len(FACES)
"""Index of "no upright face here" in the network's output."""
SMOOTHING = 0.01
"""Share of every label that was spread over all faces in training; it is taken off again."""
_SMOOTHING_REMOVED = 4.0
"""How many times that share is taken off: what faces that are not seen keep varies, and is hardly ever more. Measured
on the development sets and five lots of rendered games: once and four times, log loss of the letters fell further at
four."""
_LEAST = 1e-6
"""Least probability of a face after that."""
_PLAIN = 0.998
"""Probability of what a whole face shows from which it is not looked at closely.

With 0.99, drawn faces in typefaces kept from training are surely (0.95) misread in 6 of 6,000 cases, not 4; more than
this changes nothing but the time (those faces, and 7,494 tiles of the development sets and three lots).
"""
LEGIBLE = 0.9
"""Probability from which a face is plain to see. By eye, not measured."""
PRINT_LIKE = ("O", "Qu", "I", "X")
"""Faces that rings, dots, lines and stars on a board resemble: never plain, and on marked squares no reason to see a
single tile."""
_PRINT_LIKE = np.array([FACES.index(face) for face in PRINT_LIKE])


def cut_faces(image: Image, camera: Camera, size: int, places: npt.ArrayLike) -> Image:
    """Windows (m, FACE_PX, FACE_PX, 3) one square wide around board points `places` (m, 3): x, y, height in cells."""
    return windows_at(*shrink_to_pitch(image, camera, size), places, FACE_PX)


def read_faces(windows: Image) -> Tensor:
    """Log probabilities (m, 27) of windows (m, FACE_PX, FACE_PX, 3): the faces as in FACES, then "no upright face"."""
    if not len(windows):
        return np.zeros((0, REJECT + 1), dtype=np.float32)
    return _log_probs(network("faces")(standardised(windows)))


def read_closely(windows: Image, covered: Masks) -> Tensor:
    """The same by a network four times as dear, told what of the windows is `covered` (m, FACE_PX, FACE_PX)."""
    if not len(windows):
        return np.zeros((0, REJECT + 1), dtype=np.float32)
    return _log_probs(network("close_faces")(with_covered(windows, covered)))


def read_twice(windows: Image, covered: Masks) -> Tensor:
    """The same, by a close look where the first leaves a doubt or where nearer stacks cover a part."""
    log_probs = read_faces(windows)
    again = np.union1d(partly_covered(covered), np.flatnonzero(log_probs.max(axis=1) < np.log(_PLAIN)))
    log_probs[again] = read_closely(windows[again], covered[again])
    return log_probs


def _log_probs(logits: Tensor) -> Tensor:
    """Log probabilities (m, 27) of a network's `logits` (m, 27), freed of the smoothing of its labels."""
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    unsmoothed = np.maximum(chances - _SMOOTHING_REMOVED * SMOOTHING / chances.shape[1], _LEAST)
    return np.asarray(np.log(unsmoothed / unsmoothed.sum(axis=1, keepdims=True)), dtype=np.float32)


def with_covered(windows: Image, covered: Masks) -> Tensor:
    """Network input (m, 4, px, px) of windows (m, px, px, 3) and what is `covered` (m, px, px) of them."""
    return np.concatenate([standardised(windows), covered[:, None].astype(np.float32)], axis=1)


def is_legible(faces: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which (...) of some faces (..., 26) are plain to see, and no shapes that boards and rims bear as well."""
    chances = np.asarray(faces)
    surely = chances.max(axis=-1) > LEGIBLE
    return np.asarray(surely & ~is_print_like(chances))


def is_print_like(faces: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which (...) of some faces (..., 26) most resemble shapes that boards and rims bear as well."""
    return np.isin(np.asarray(faces).argmax(axis=-1), _PRINT_LIKE)
