"""Where the lamps of rendered rooms stand."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")

from workshop.training.scene.light import low_lamp

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(8))
def test_a_low_lamp_stands_beside_the_board_hardly_above_it_in_a_dark_room(seed: int) -> None:
    sky, lights = low_lamp(np.random.default_rng(seed), 8)
    (lamp,) = lights
    away = float(np.linalg.norm(lamp[:2] - 4.0))
    assert away > 6.0
    assert 0.0 < lamp[2] < 0.6 * away
    assert sky.max() < 0.15 < lamp[9:12].max()
