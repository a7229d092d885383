"""What is done to the faces that the letter network learns from: too much light, and too little."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vision.letters.classifier import FACE_PX
from workshop.training.faces.photographed import Light, bleach, cover, glare, grainy

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("lit", [bleach, glare])
@pytest.mark.parametrize("seed", range(3))
def test_too_much_light_only_ever_brightens(seed: int, lit: Callable[..., Light]) -> None:
    rng = np.random.default_rng(seed)
    face = rng.uniform(60, 200, (FACE_PX, FACE_PX, 3)).astype(np.float32)
    white = lit(face, rng)
    assert white.mean() > face.mean()
    assert white.max() <= 255


@pytest.mark.parametrize("seed", range(3))
def test_a_face_in_the_dark_is_dim_and_its_noise_blotchy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grey = np.full((FACE_PX, FACE_PX, 3), 120.0, np.float32)
    noisy = grainy(grey, rng)
    assert 0.25 * 120 < noisy.mean() < 1.05 * 120
    noise = noisy - noisy.mean(axis=(0, 1))
    beside = float((noise[:, 1:] * noise[:, :-1]).mean() / (noise**2).mean())
    assert beside > 0.05


@pytest.mark.parametrize("seed", range(5))
def test_most_of_a_covered_face_stays_in_view(seed: int) -> None:
    rng = np.random.default_rng(seed)
    face = np.full((FACE_PX, FACE_PX, 3), 100.0, np.float32)
    gone = (np.abs(cover(face, rng) - face).max(axis=2) > 8).mean()
    assert 0.05 < gone < 0.55
