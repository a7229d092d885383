"""The sample photographs, and how far from the truth a grid was found in one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import sample_images
from vision import load_image
from vision.images import Image

SAMPLES = Path(sample_images.__file__).parent


def photograph(name: str) -> tuple[Image, np.ndarray]:
    """A sample and the true corners (4, 2) of its grid."""
    file = SAMPLES / name
    truth = json.loads(file.with_suffix(".json").read_text())
    return load_image(file)[0], np.array(truth["grid_corners"])


def squares_off(found: np.ndarray, true: np.ndarray, size: int) -> float:
    """The largest distance between corners, whichever comes first, in squares."""
    pitch = np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean() / size
    return float(min(np.linalg.norm(np.roll(found, k, axis=0) - true, axis=1).max() for k in range(4)) / pitch)
