"""Cut faces where they stand, and read which letters they show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine import ENGLISH, Alphabet
from vision.arrays import Flags, Tensor
from vision.geometry.camera import Camera
from vision.geometry.rectify import shrink_to_pitch, windows_at
from vision.hidden.occlusion import find_partly_covered
from vision.images import Image
from vision.letters.eyes import ENGLISH_EYES, Eyes, eyes_of
from vision.networks import network, standardise

FACE_PX = 32
"""Side of a window, pixels, as in the network's training."""
REJECT = -1
"""Index of "no upright face here" in every table of faces: the last."""
SMOOTHING = 0.01
"""Share of every label that training spread over all faces. Reading subtracts it."""
_SMOOTHING_REMOVED = 4.0
"""How many times the smoothed share is subtracted. What unlikely faces keep varies, and is hardly ever more than this.
On the development sets and five datasets of rendered games the log loss of the letters fell further with four times
than with one. [by hand, sets]"""
_MIN_PROBABILITY = 1e-6
"""Least probability of a face after the smoothing is subtracted. [by eye]"""
_PLAIN_PROBABILITY = 0.998
"""Probability of a whole face's letter from which it gets no close look.

With 0.99, rendered faces in typefaces kept from training are surely (0.95) misread in 6 of 6,000 cases, not 4. A higher
value costs only time (those faces, and 7,494 tiles of the development sets and three simulated datasets). [by hand,
sets]"""
LEGIBLE = 0.9
"""Probability from which a face is plain to see. [by eye]"""
PRINT_LIKE = ("O", "Qu", "I", "X", "Q", "Ø")
"""Faces that resemble rings, dots, lines and stars on a board. They are never plain, and on marked squares they are no
evidence of a single tile."""


def cut_faces(image: Image, camera: Camera, size: int, places: npt.ArrayLike) -> Image:
    """Cut windows (m, FACE_PX, FACE_PX, 3), one square wide, around board points (m, 3): x, y, height in cells."""
    return windows_at(*shrink_to_pitch(image, camera, size), places, FACE_PX)


def read_faces(windows: Image, alphabet: Alphabet = ENGLISH) -> Tensor:
    """Return log probabilities (m, F + 1) of windows (m, FACE_PX, FACE_PX, 3): an alphabet, then "no upright face"."""
    if alphabet.is_english:
        return _log_probs("faces", standardise(windows))
    return read_closely(windows, np.zeros(windows.shape[:3], dtype=bool), alphabet)


def read_closely(windows: Image, covered: Flags, alphabet: Alphabet = ENGLISH) -> Tensor:
    """Read faces like `read_faces`, with a network four times as slow that knows the `covered` pixels (m, px, px).

    One network reads all other alphabets than English, at first sight and closely.
    """
    if alphabet.is_english:
        return _log_probs("close_faces", with_covered(windows, covered))
    return _log_probs("latin_faces", with_covered(windows, covered), eyes_of(alphabet))


def read_twice(windows: Image, covered: Flags, alphabet: Alphabet = ENGLISH) -> Tensor:
    """Read faces as `read_faces`, and read those closely that are in doubt or have `covered` pixels (m, px, px)."""
    if not alphabet.is_english:
        return read_closely(windows, covered, alphabet)
    log_probs = read_faces(windows)
    again = np.union1d(find_partly_covered(covered), np.flatnonzero(log_probs.max(axis=1) < np.log(_PLAIN_PROBABILITY)))
    log_probs[again] = read_closely(windows[again], covered[again])
    return log_probs


def _log_probs(name: str, windows: Tensor, eyes: Eyes = ENGLISH_EYES) -> Tensor:
    """Return log probabilities (m, F + 1) by the network of that name, less the smoothing of its labels."""
    if not len(windows):
        return np.zeros((0, eyes.count), dtype=np.float32)
    every = network(name)(windows)
    logits = eyes.of_alphabet(every)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    unsmoothed = np.maximum(chances - _SMOOTHING_REMOVED * SMOOTHING / every.shape[1], _MIN_PROBABILITY)
    return np.asarray(np.log(unsmoothed / unsmoothed.sum(axis=1, keepdims=True)), dtype=np.float32)


def with_covered(windows: Image, covered: Flags) -> Tensor:
    """Return network input (m, 4, px, px) of windows (m, px, px, 3) and their `covered` pixels (m, px, px)."""
    return np.concatenate([standardise(windows), covered[:, None].astype(np.float32)], axis=1)


def is_legible(faces: npt.ArrayLike, alphabet: Alphabet) -> Flags:
    """Return which faces (..., F), probabilities, are clear. Those that look like marks or rims never are."""
    chances = np.asarray(faces)
    surely = chances.max(axis=-1) > LEGIBLE
    return np.asarray(surely & ~is_print_like(chances, alphabet))


def is_print_like(faces: npt.ArrayLike, alphabet: Alphabet) -> Flags:
    """Return which faces (...), given as probabilities (..., F), look most like marks on boards or rims."""
    indices = [alphabet.number[face] for face in PRINT_LIKE if face in alphabet.number]
    return np.isin(np.asarray(faces).argmax(axis=-1), indices)
