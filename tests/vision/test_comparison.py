"""Comparing stacks: which are compared, what is told of them, and how what comes of it is pooled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import camera, slices_with

from vision import Camera
from vision.geometry.rectify import ReducedView
from vision.heights.comparison import (
    COMPARED_PX,
    FACTS,
    MIRRORED_FACTS,
    Layer,
    compare_heights,
    cut_compared_windows,
    make_compared_planes,
    pool_heights,
    stack_facts,
)
from vision.heights.elevations import make_uncompared
from vision.heights.thickness import COMPARED_THICKNESSES, THICKNESSES, average

ABOVE = camera(tilt=0.02)
PICTURE = np.random.default_rng(1).integers(40, 200, (960, 1280, 3), dtype=np.uint8)
TILES = {(1, 1): 3, (1, 2): 3, (1, 3): 8, (4, 4): 5, (6, 2): 3}
"""Slices in which the faces of some squares lie."""
SQUARES = sorted(TILES)
LAYERS = THICKNESSES[::3]


def weigh(view: Camera, hidden: np.ndarray | None = None) -> np.ndarray:
    return compare_heights(ReducedView(PICTURE, view, 8), slices_with(TILES, hidden))


def find_compared(table: np.ndarray) -> set[tuple[int, int]]:
    return {(int(row), int(col)) for row, col in np.argwhere(np.ptp(table, axis=(2, 3)) > 0.0)}


def test_every_stack_in_view_is_compared_for_every_thickness() -> None:
    table = weigh(ABOVE)
    assert table.shape == (8, 8, len(COMPARED_THICKNESSES), 5)
    assert np.exp(table).sum(axis=-1) == pytest.approx(np.ones(table.shape[:3]))
    assert find_compared(table) == set(TILES)
    assert np.ptp(table[1, 3], axis=0).max() > 0.0


def test_hidden_stacks_few_tiles_and_views_from_the_side_are_not_compared() -> None:
    hidden = np.zeros((8, 8))
    hidden[4, 4] = 1.0
    assert find_compared(weigh(ABOVE, hidden)) == set(TILES) - {(4, 4)}
    hidden[1, 1:3] = 1.0
    assert (weigh(ABOVE, hidden) == make_uncompared(8)).all()
    assert (weigh(camera(tilt=0.6)) == make_uncompared(8)).all()


def test_what_a_stack_is_said_to_be_depends_on_the_others() -> None:
    hidden = np.zeros((8, 8))
    hidden[4, 4] = 1.0
    assert np.abs(weigh(ABOVE)[1, 3] - weigh(ABOVE, hidden)[1, 3]).max() > 1e-4


def test_windows_show_the_square_and_half_of_those_beside_it() -> None:
    windows = cut_compared_windows(PICTURE, ABOVE, SQUARES)
    assert windows.shape == (len(SQUARES), COMPARED_PX, COMPARED_PX, 3)
    left, right = cut_compared_windows(PICTURE, ABOVE, [(3, 3), (3, 4)])
    assert np.abs(left[:, COMPARED_PX // 2 :].astype(int) - right[:, : COMPARED_PX // 2]).mean() < 1.0


def test_light_and_contrast_drop_out_of_the_planes_but_not_what_differs_between_stacks() -> None:
    windows = np.full((2, COMPARED_PX, COMPARED_PX, 3), 100, np.uint8)
    windows[1] = 140
    facts = stack_facts(ABOVE, 8, SQUARES[:2], Layer())
    planes = make_compared_planes(windows, facts)
    assert planes.shape == (2, 5, COMPARED_PX, COMPARED_PX)
    assert planes[0, :3].mean() == pytest.approx(-planes[1, :3].mean())
    assert planes[1, :3].mean() > 0.5
    assert (planes[:, 3:] == facts[:, :2, None, None]).all()


@examples(25)
@given(x=st.floats(-2.0, 10.0), y=st.floats(-2.0, 10.0), away=st.floats(8.0, 40.0), log=st.floats(-1.8, -1.1))
def test_facts_of_the_mirrored_board_differ_in_their_signs_alone(x: float, y: float, away: float, log: float) -> None:
    def above(at: float) -> Camera:
        return Camera(900.0, (500.0, 500.0), 0.0, np.eye(3), np.array([-at, -y, away]))

    layer = Layer(log, 0.05)
    facts = stack_facts(above(x), 8, SQUARES, layer)
    assert facts.shape == (len(SQUARES), FACTS)
    mirrored = stack_facts(above(8.0 - x), 8, [(row, 7 - col) for row, col in SQUARES], layer)
    signs = np.ones(FACTS)
    signs[list(MIRRORED_FACTS)] = -1.0
    assert mirrored == pytest.approx(facts * signs, abs=1e-4)


def heights_of(*logits: float) -> np.ndarray:
    logs = np.array(logits)
    return np.asarray(logs - np.log(np.exp(logs).sum()))


def measure_as(heights: np.ndarray, layers: np.ndarray) -> np.ndarray:
    """Probabilities (1, m, 5) of thicknesses and heights that do not depend on each other."""
    return np.asarray(np.exp(layers)[None, :, None] * np.exp(heights)[None, None, :])


def pool(measured: np.ndarray, thicknesses: np.ndarray, compared: np.ndarray, tilt: float) -> np.ndarray:
    """Return the pooled heights (t, 5) over all thicknesses."""
    return average(*pool_heights(measured, thicknesses, compared, tilt))


EVEN = np.full(len(LAYERS), -np.log(len(LAYERS)))
VAGUE = heights_of(0.0, 1.0, 1.0, 0.0, -1.0)


def test_where_nothing_is_compared_heights_are_as_they_were_measured() -> None:
    assert pool(measure_as(VAGUE, EVEN), LAYERS, make_uncompared(1)[0], 0.1)[0] == pytest.approx(VAGUE)


def test_seen_from_the_side_heights_are_as_they_were_measured() -> None:
    sure = np.tile(heights_of(0, 0, 0, 9, 0), (1, len(COMPARED_THICKNESSES), 1))
    told_so = pool(measure_as(VAGUE, EVEN), LAYERS, sure, float(np.radians(26.0)))
    assert told_so[0] == pytest.approx(VAGUE)


def test_comparing_settles_what_measuring_left_open() -> None:
    sure = np.tile(heights_of(0, 0, 4, 0, 0), (1, len(COMPARED_THICKNESSES), 1))
    told_so = pool(measure_as(VAGUE, EVEN), LAYERS, sure, 0.1)[0]
    assert told_so.argmax() == 2
    assert told_so[2] > VAGUE[2] + 0.2


def test_comparing_counts_for_the_thickness_that_was_measured() -> None:
    """Three thin tiles, or two thick ones."""
    steps = len(COMPARED_THICKNESSES)
    by_layer = np.stack(
        [heights_of(0, 0, 5, 0, 0) if k < steps // 2 else heights_of(0, 5, 0, 0, 0) for k in range(steps)]
    )
    for at, height in ((2, 2), (-3, 1)):
        layers = np.full(len(LAYERS), -30.0)
        layers[at] = 0.0
        assert pool(measure_as(VAGUE, layers), LAYERS, by_layer[None], 0.1)[0].argmax() == height


@examples(25)
@given(seed=st.integers(0, 1000), tilt=st.floats(0.0, 0.5))
def test_what_is_pooled_are_probabilities(seed: int, tilt: float) -> None:
    rng = np.random.default_rng(seed)
    measured = rng.dirichlet(np.ones(5 * len(LAYERS)), 3).reshape(3, -1, 5)
    compared = np.log(rng.dirichlet(np.ones(5), (3, len(COMPARED_THICKNESSES))) + 1e-9)
    logs = pool(measured, LAYERS, compared, tilt)
    assert logs.shape == (3, 5)
    assert np.exp(logs).sum(axis=1) == pytest.approx(np.ones(3))
