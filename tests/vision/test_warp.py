"""The frames into which a photograph is resampled."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from readings import camera

from vision.warp import parallax


@given(st.floats(0.0, 0.9), st.floats(-3.0, 3.0), st.integers(0, 5), st.integers(0, 5))
def test_parallax_says_where_what_stands_up_is_seen(tilt: float, turn: float, row: int, col: int) -> None:
    view, low = camera(8, tilt, turn, 0.0), 0.01
    told = parallax(view, 8, 1, 2)[:, row + 2, col + 2]
    foot = np.array([col + 0.5, row + 0.5])
    seen = view.to_board(view.project([*foot, low]))
    assert np.allclose((seen - foot) / low, told, atol=0.02)


def test_parallax_does_not_grow_without_bounds() -> None:
    low = camera(8, 1.54, 0.0, 0.0)
    assert np.abs(parallax(low, 8, 4, 2)).max() <= 4.0
