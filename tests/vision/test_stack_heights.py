"""Heights from elevations: one thickness of a layer must explain all faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from readings import camera, elevations_with
from samples import photograph

from engine import Board
from vision import BoardReader
from vision.arrays import Tensor
from vision.evidence import all_sources
from vision.geometry.camera import grid_corners
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import ReducedView, shrink_to_pitch
from vision.heights import plane_sweep
from vision.heights.elevations import Elevations, read_elevations
from vision.heights.plane_sweep import (
    SLICE_STEP,
    SLICES,
    SWEEP_MARGIN,
    SWEEP_PX,
    average_logits,
    mirror,
    quarter_towards_camera,
    sweep,
)
from vision.heights.stack_heights import (
    MAX_BULGE,
    Heights,
    doubt_by_elevations,
    doubt_by_scale,
    doubt_by_thickness,
    expect_heights,
    expect_slices,
    fit_heights,
    temper_heights,
)
from vision.heights.thickness import STACK_PRIOR, THICKNESSES, favour_flat, relative_weights, thickness_evidence
from vision.networks import network
from vision.pipeline import Hints, doubt_of_heights

HEIGHTS = np.zeros((8, 8), dtype=np.int64)
HEIGHTS[3, 1:7] = [1, 2, 1, 3, 1, 1]
HEIGHTS[4:7, 3] = [2, 5, 1]
HEIGHTS[0, :3] = [1, 4, 1]


def elevations_of(heights: np.ndarray, layer: float, sure: float = 0.97, foot: float = 0.0) -> np.ndarray:
    """Log probabilities (n, n, SLICES) as a network would give them: the truth shared by the two slices beside it."""
    at = (heights > 0) * (foot + heights * layer) / SLICE_STEP
    shares = np.clip(1.0 - np.abs(np.arange(SLICES) - at[..., None]), 0.0, None)
    return np.asarray(np.log(sure * shares + (1.0 - sure) / SLICES))


def see(heights: np.ndarray, layer: float, foot: float = 0.0) -> Elevations:
    return elevations_with(elevations_of(heights, layer, foot=foot))


def test_heights_are_kept_for_each_group_of_thicknesses() -> None:
    told = fit_heights(see(HEIGHTS, 0.25))
    layered = there(told.layered)
    assert layered.heights.shape == (len(layered.weights), 8, 8, 5)
    assert layered.heights.sum(axis=-1) == pytest.approx(np.ones(layered.heights.shape[:-1]))
    of_tiles = np.take_along_axis(
        np.log(layered.heights[:, HEIGHTS > 0]), (HEIGHTS[HEIGHTS > 0] - 1)[None, :, None], axis=-1
    )
    best = layered.heights[int((layered.weights + of_tiles.sum(axis=(1, 2))).argmax())]
    assert (best.argmax(axis=-1) + 1 == HEIGHTS)[HEIGHTS > 0].all()
    turned = layered.turn(1)
    assert (turned.heights[0] == np.rot90(layered.heights[0])).all()


@pytest.mark.slow
@examples(30)
@given(st.floats(0.19, 0.31))
def test_heights_and_thickness_are_found_together(layer: float) -> None:
    told = fit_heights(see(HEIGHTS, layer))
    assert told.layer_thickness == pytest.approx(layer, rel=0.06)
    assert (told.logits.argmax(axis=-1) == HEIGHTS).all()


def test_single_tiles_are_single_tiles() -> None:
    flat = (HEIGHTS > 0).astype(np.int64)
    told = fit_heights(see(flat, 0.24))
    assert (told.logits.argmax(axis=-1) == flat).all()


def test_printed_squares_that_may_be_tiles_do_not_make_thick_single_tiles_two() -> None:
    heights = np.zeros((8, 8), dtype=np.int64)
    heights[:4, ::2] = heights[1, 1] = 1
    log_probs = elevations_of(heights, 0.33)
    printed = np.zeros((8, 8), dtype=np.bool_)
    printed[6:] = True
    log_probs[printed] = np.log(0.5 * np.exp(elevations_of(printed * 1, 0.15)[printed]) + 0.5 * np.eye(SLICES)[0])
    fitted = fit_heights(elevations_with(log_probs))
    assert (fitted.logits.argmax(axis=-1)[heights > 0] == 1).all()


@pytest.mark.slow
@examples(30)
@given(st.floats(0.24, 0.32), st.floats(0.07, 0.1))
def test_a_grid_askew_lifts_all_faces_alike(layer: float, foot: float) -> None:
    """Thick single tiles, lifted by a few hundredths, are no two thin ones."""
    spread = (HEIGHTS > 0).astype(np.int64)
    spread[3, 4] = spread[5, 3] = 2
    told = fit_heights(see(spread, layer, foot))
    assert (told.logits.argmax(axis=-1) == spread).all()


def test_probabilities_sum_to_one() -> None:
    told = fit_heights(see(HEIGHTS, 0.27))
    assert np.exp(told.logits).sum(axis=-1) == pytest.approx(np.ones((8, 8)), abs=2e-3)


def test_what_earlier_pictures_told_decides_where_one_picture_cannot() -> None:
    """Faces at 0.44 alone may be two layers of 0.22, hardly a single one of 0.44."""
    alone = np.zeros((8, 8), dtype=np.int64)
    alone[3, 3:6] = 4
    ambiguous = see(alone, 0.2475)  # four of 0.2475 are as high as three of 0.33
    thick = -0.5 * ((THICKNESSES - 0.33) / 0.004) ** 2
    thin = -0.5 * ((THICKNESSES - 0.2475) / 0.004) ** 2
    assert fit_heights(ambiguous, thick).logits[3, 3].argmax() == 3
    assert fit_heights(ambiguous, thin).logits[3, 3].argmax() == 4


def test_expected_heights_help_to_tell_the_thickness() -> None:
    alone = np.zeros((8, 8), dtype=np.int64)
    alone[3, 3:6] = 4
    expected = np.full((8, 8, 6), -6.0)
    np.put_along_axis(expected, alone[..., None], 0.0, axis=-1)
    told = fit_heights(see(alone, 0.215), None, expected)
    assert told.layer_thickness == pytest.approx(0.215, rel=0.12)


@pytest.mark.parametrize("layer", [0.2, 0.235, 0.27, 0.3])
def test_known_heights_give_the_thickness(layer: float) -> None:
    evidence = thickness_evidence(elevations_of(HEIGHTS, layer), np.zeros((8, 8)), HEIGHTS)
    assert THICKNESSES[evidence.argmax()] == pytest.approx(layer, rel=0.04)


def test_hidden_squares_tell_nothing_of_the_thickness() -> None:
    hidden = np.ones((8, 8))
    evidence = thickness_evidence(elevations_of(HEIGHTS, 0.3), hidden, HEIGHTS)
    assert np.ptp(evidence) == pytest.approx(0.0)


def test_turning_moves_the_squares() -> None:
    told = fit_heights(see(HEIGHTS, 0.25))
    assert (told.turn(1).logits.argmax(axis=-1) == np.rot90(HEIGHTS)).all()


def test_squares_outside_the_picture_cannot_be_seen() -> None:
    view = camera(tilt=0.4)
    corners = view.project(np.column_stack([grid_corners(8), np.zeros(4)]))
    left, top = (int(least) for least in corners.min(axis=0))
    right, bottom = (int(most) for most in corners.max(axis=0))
    assert left > 0
    assert top > 0
    whole = np.full((bottom + 20, right + 20, 3), 128, dtype=np.uint8)
    part = np.ascontiguousarray(whole[:, : (left + right) // 2])
    seen = read_elevations(ReducedView(part, view, 8), all_sources())
    hidden = seen.hidden
    middles = np.stack(np.meshgrid(np.arange(8) + 0.5, np.arange(8) + 0.5), axis=-1)
    at = view.project(np.concatenate([middles, np.zeros((8, 8, 1))], axis=-1))
    far = at[..., 0] > part.shape[1] + 40
    assert far.any()
    assert (hidden[far] == 1.0).all()


def test_what_is_told_of_the_mirror_image_counts_for_the_square_that_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    view = camera(tilt=0.6)
    planes = sweep(rng.integers(0, 256, (600, 800, 3)).astype(np.uint8), view, 8)
    assert (mirror(mirror(planes)) == planes).all()
    # the canvas of a mirrored scene is not the same: the camera stands on its other side
    assert not (mirror(planes)[SLICES + 2] == planes[SLICES + 2]).all()
    asked = []

    def means(name: str) -> Callable[[Tensor], Tensor]:
        """Return a network that tells the mean of each square in each plane."""
        asked.append(name)
        return lambda sweeps: sweeps.reshape(1, -1, 10, SWEEP_PX, 10, SWEEP_PX).mean(axis=(3, 5))

    monkeypatch.setattr(plane_sweep, "network", means)
    told = average_logits(planes)[: SLICES + 2]
    assert told == pytest.approx(means("")(planes[None])[0, : SLICES + 2], abs=1e-5)
    assert asked[:2] == ["stacks", "wide_stacks"]


def test_the_two_networks_of_stacks_look_for_the_same() -> None:
    picture, _ = photograph("classic_8x8/04.jpg")
    reading = BoardReader(without={"tesseract"}).read(picture, 8)
    turned = reading.camera.turn(quarter_towards_camera(reading.camera, 8), 8)
    small, camera_there = shrink_to_pitch(picture, turned, 8)
    planes = sweep(small, camera_there, 8)
    one, other = (network(name)(planes[None])[0] for name in ("stacks", "wide_stacks"))
    inner = slice(SWEEP_MARGIN, -SWEEP_MARGIN)
    faces = [np.asarray(each[:SLICES, inner, inner]).argmax(axis=0) for each in (one, other)]
    assert ((faces[0] > 0) == (faces[1] > 0)).all()
    assert np.abs(faces[0] - faces[1]).max() <= 1


def test_faces_are_expected_where_stacks_as_high_as_before_or_one_higher_have_them() -> None:
    heights = Heights(np.zeros((8, 8, 6)), layer_thickness=0.25, base_offset=0.05)
    expected = there(expect_heights(play_all(Board.empty(8), "A@b2", "B@b2")))
    told = expect_slices(expected, heights)
    assert told.shape == (8, 8, SLICES)
    assert np.allclose(np.exp(told / 0.7).sum(axis=-1), 1.0)
    stack = told[1, 1]
    faces = [round(elevation / SLICE_STEP) for elevation in heights.face_elevations([2, 3, 4])]
    assert stack.argmax() == faces[0]
    assert stack[faces[0]] > stack[faces[1]] > stack[faces[2]]
    assert stack[0] < stack[faces[1]]
    assert told[4, 4].argmax() == 0


def test_a_board_of_many_tiles_without_a_single_one_is_sure_of_no_height() -> None:
    heights = np.zeros((8, 8, 6))
    heights[..., 0] = 1.0
    heights[:3, :5] = np.eye(6)[2]
    doubt = doubt_by_scale(heights.argmax(axis=-1))
    tempered = temper_heights(heights, doubt)
    assert tempered[:3, :5].max() < 0.95
    assert (tempered.argmax(axis=-1) == heights.argmax(axis=-1)).all()
    assert tempered[3:, :, 0].min() == 1.0


def test_a_single_tile_proves_the_scale_and_a_few_stacks_prove_nothing_against_it() -> None:
    heights = np.zeros((8, 8), dtype=np.int64)
    heights[:3, :5] = 2
    few, single = heights.copy(), heights.copy()
    few[0, 0], single[0, 0] = 0, 1
    assert doubt_by_scale(few) == doubt_by_scale(single) == 0.0


@pytest.mark.parametrize(("lifted", "doubted"), [(0.0, False), (0.13, True)])
def test_faces_between_layers_make_all_heights_doubtful(lifted: float, doubted: bool) -> None:
    faces = elevations_of(HEIGHTS, 0.25)
    faces[3] = elevations_of(HEIGHTS, 0.25, foot=lifted)[3]
    doubt = doubt_by_elevations(elevations_with(faces), Heights(np.log(np.eye(6)[HEIGHTS] + 1e-4), 0.25), HEIGHTS)
    assert (doubt > 0.05) == doubted


def weights_at(layer: float) -> np.ndarray:
    """Return log weights (m,) of THICKNESSES that are sure of one."""
    return relative_weights(-0.5 * (np.log(THICKNESSES / layer) / 0.03) ** 2)


@pytest.mark.parametrize(("layer", "doubted"), [(0.14, True), (0.2, False), (0.28, False), (0.32, False), (0.41, True)])
@pytest.mark.parametrize("heights", [HEIGHTS, np.minimum(HEIGHTS, 1)], ids=["stacks", "single tiles"])
def test_tiles_as_thick_as_those_of_no_known_set_have_no_sure_height(
    heights: np.ndarray, layer: float, doubted: bool
) -> None:
    assert (doubt_by_thickness(see(heights, layer), None) > 0.05) == doubted


def test_a_lone_pair_may_be_a_thick_single_tile() -> None:
    pair = np.zeros((8, 8), dtype=np.int64)
    pair[3, 3] = 2
    assert doubt_by_thickness(see(pair, 0.2), None) > 0.05


@examples(20)
@given(st.floats(0.2, 0.3), st.sampled_from([0.72, 1.0, 1.3]))
def test_a_known_thickness_that_the_picture_contradicts_makes_all_heights_doubtful(layer: float, times: float) -> None:
    doubt = doubt_by_thickness(see(HEIGHTS, layer), weights_at(layer * times))
    assert (doubt > 0.05) == (times != 1.0)


PLAYED = Hints(board=Board.empty(8))


@pytest.mark.parametrize(
    ("fit", "layer", "hints", "doubted"),
    [
        ({}, 0.25, Hints(), False),
        ({"framing_in_doubt": True}, 0.25, PLAYED, True),
        ({"bulge": 2 * MAX_BULGE}, 0.25, PLAYED, True),
        ({}, 0.41, Hints(), True),
        ({}, 0.41, PLAYED, False),
        ({}, 0.41, replace(PLAYED, assumed=True), True),
    ],
)
def test_what_makes_all_heights_doubtful(fit: dict[str, Any], layer: float, hints: Hints, doubted: bool) -> None:
    view = ReducedView(np.zeros((720, 1280, 3), dtype=np.uint8), camera(), 8)
    seen = see(HEIGHTS, layer)
    doubt = doubt_of_heights(view, CameraFit(view.camera, 1.0, **fit), seen, fit_heights(seen), hints, None)
    assert (doubt > 0.05) == doubted


def test_a_bare_board_says_nothing_against_a_thickness() -> None:
    assert doubt_by_thickness(see(np.zeros((8, 8), dtype=np.int64), 0.25), weights_at(0.3)) == 0.0


def tiles_of(likelihoods: list[list[float]], there: float = 0.97) -> np.ndarray:
    """Return P(height) (1, m, 6) of tiles of an Upwords board, given how likely the picture is for each height."""
    stacked = np.exp(STACK_PRIOR) * np.array(likelihoods)
    stacked *= there / stacked.sum(axis=-1, keepdims=True)
    return np.concatenate([np.full((len(stacked), 1), 1.0 - there), stacked], axis=-1)[None]


def test_tiles_of_another_game_that_all_look_a_little_single_are_single() -> None:
    heights = tiles_of([[1.0, 0.8, 0.5, 0.3, 0.2]] * 30)
    assert heights[..., 1].max() < 0.5
    assert favour_flat(heights)[..., 1].min() > 0.95


def test_a_board_of_another_game_on_which_a_stack_is_seen_keeps_its_heights() -> None:
    heights = tiles_of([[1.0, 0.8, 0.5, 0.3, 0.2]] * 4 + [[1e-6, 1e-6, 1.0, 1e-6, 1e-6]] * 3)
    told = favour_flat(heights)
    assert told[0, 4:, 3].min() > 0.95
    assert np.abs(told[0, :4] - heights[0, :4]).max() < 0.05


@given(st.lists(st.lists(st.floats(1e-6, 1.0), min_size=5, max_size=5), min_size=1, max_size=9), st.floats(0.0, 1.0))
@examples(50)
def test_whether_a_tile_is_there_does_not_depend_on_the_game(likelihoods: list[list[float]], there: float) -> None:
    heights = tiles_of(likelihoods, there)
    told = favour_flat(heights)
    assert np.array_equal(told[..., 0], heights[..., 0])
    assert np.allclose(told.sum(axis=-1), 1.0, atol=1e-6)
