"""One face belongs to one stack: claims of several squares to what falls on one place in the picture."""

from __future__ import annotations

import numpy as np
import pytest
from readings import along_columns, camera

from vision import Camera
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import SliceState, overlap_log_odds, resolve_overlaps
from vision.heights.plane_sweep import SLICE_STEP, SLICES

NEAR, FAR = (3, 4), (2, 4)


def alias(seen: Camera, level: int) -> int:
    """Return the slice at which a face on NEAR covers one that lies on FAR at `level`."""
    _, y, z = seen.position
    rise = (z - level * SLICE_STEP) / (y - (FAR[0] + 0.5))
    return level + round(float(rise) / SLICE_STEP)


def table(**squares: dict[int, float]) -> np.ndarray:
    chance = np.full((8, 8, SLICES), 1e-5)
    chance[..., 0] = 1.0
    for name, shares in squares.items():
        row, col = {"near": NEAR, "far": FAR}[name]
        chance[row, col] = 1e-5
        for level, share in shares.items():
            chance[row, col, level] = share
    return np.asarray(np.log(chance / chance.sum(axis=-1, keepdims=True)))


def test_an_empty_board_stays_as_it_is() -> None:
    empty = table()
    assert np.allclose(resolve_overlaps(along_columns(0.75), empty), empty)


def test_a_face_seen_for_sure_is_not_another_squares_too() -> None:
    seen = along_columns(0.75)
    level = alias(seen, 5)
    found = np.exp(resolve_overlaps(seen, table(far={5: 0.97, 0: 0.03}, near={0: 0.7, level: 0.3})))
    assert found[(*NEAR, level)] < 0.06
    assert found[(*FAR, 5)] > 0.95


def test_the_doubt_of_one_square_is_settled_by_its_neighbour() -> None:
    seen = along_columns(0.75)
    level = alias(seen, 3)
    found = np.exp(resolve_overlaps(seen, table(near={level: 0.99, 0: 0.01}, far={3: 0.8, 8: 0.2})))
    assert found[FAR].argmax() == 8


def odds(seen: Camera, log_probs: np.ndarray, expected: np.ndarray | None = None) -> np.ndarray:
    """Return the evidence of other squares' claims about each square, given these expected heights."""
    view = ReducedView(np.zeros((8, 8, 3), dtype=np.uint8), seen, 8)
    return overlap_log_odds(view, SliceState(log_probs, np.zeros((8, 8)), expected))


def test_a_face_that_two_squares_explain_goes_to_the_one_where_it_is_expected() -> None:
    seen = along_columns(0.75)
    level = alias(seen, 3)
    claims = table(near={level: 0.5, 0: 0.5}, far={3: 0.5, 0: 0.5})
    near, far = table(near={level: 0.95, 0: 0.05}), table(far={3: 0.95, 0: 0.05})
    told = [odds(seen, claims, expected) for expected in (near, None, far)]
    for_near, for_far = (
        [float(each[(*square, at)] - each[(*square, 0)]) for each in told] for square, at in ((NEAR, level), (FAR, 3))
    )
    assert for_near[0] > for_near[1] > for_near[2]
    assert for_far[0] < for_far[1] < for_far[2]


def test_what_is_expected_is_in_no_squares_own_odds() -> None:
    alone = table(near={5: 0.5, 0: 0.5})
    assert np.allclose(odds(along_columns(0.75), alone, table(near={5: 0.9, 0: 0.1})), 0.0, atol=2e-3)


def test_faces_that_lie_apart_do_not_touch_each_other() -> None:
    apart = table(near={5: 0.6, 7: 0.4}, far={5: 0.9, 0: 0.1})
    assert np.allclose(resolve_overlaps(along_columns(0.75), apart), apart, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_what_comes_out_are_probabilities(seed: int) -> None:
    chance = np.random.default_rng(seed).dirichlet(np.full(SLICES, 0.3), size=(8, 8))
    found = np.exp(resolve_overlaps(camera(tilt=0.6, turn=float(seed)), np.log(chance + 1e-9)))
    assert np.allclose(found.sum(axis=-1), 1.0, atol=1e-6)
