"""The sun on rendered boards: where it shines, how shade is displaced on top of stacks, and what stays as it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import camera

from vision.geometry.camera import corners_of, homography_from_corners
from workshop.training.board_samples import BoardSample
from workshop.training.sunlight.falling import in_sunlight, sunlit, top_faces
from workshop.training.sunlight.patterns import Light, Pattern, Points, random_pattern, stripes
from workshop.training.sunlight.shining import Sun

pytestmark = pytest.mark.slow

_STACK = (3, 5)


def with_stack(height: int) -> BoardSample:
    """Return a picture of one grey: a board with one stack on it."""
    heights = np.zeros((8, 8), dtype=np.int64)
    heights[_STACK] = height
    image = np.full((960, 1280, 3), 120, dtype=np.uint8)
    return BoardSample(image, 8, camera(), 0.3, 0.0, heights, np.ones((8, 8)), np.zeros((8, 8)))


def lit(sample: BoardSample, pattern: Pattern, slant: tuple[float, float] = (0.0, 0.0)) -> npt.NDArray[np.uint8]:
    """Return the sample's picture, full light where the pattern lets the sun through and a tenth of it elsewhere."""
    sun = Sun(pattern, np.array(slant), np.ones(3), np.full(3, 0.1))
    ground = homography_from_corners(corners_of(sample.camera, 8), 8)
    return sunlit(sample.image, ground, top_faces(sample.camera, sample.elevations), sample.elevations, sun)


def right_of(edge: float) -> Pattern:
    """The sun shines right of a line down the board."""

    def light(points: Points) -> Light:
        return np.asarray(points[..., 0] > edge, dtype=np.float32)

    return light


def at(sample: BoardSample, image: npt.NDArray[np.uint8], x: float, y: float, height: float = 0.0) -> int:
    """Return the value of the pixel that shows a point."""
    column, row = np.round(sample.camera.project(np.array([x, y, height]))).astype(int)
    return int(image[row, column, 0])


@given(st.floats(0.4, 4.0), st.floats(0.1, 0.9), st.floats(0.0, 3.2), st.floats(0.0, 1.0))
def test_stripes_let_through_the_share_that_they_are_said_to(
    period: float, share: float, angle: float, shift: float
) -> None:
    along = np.linspace(0.0, 40.0 * period, 20001)[:, None] * np.array([np.cos(angle), np.sin(angle)])
    light = stripes(period, share, 0.02, angle, shift)(along)
    assert light.min() >= 0.0
    assert light.max() <= 1.0
    assert abs(float(light.mean()) - share) < 0.02


@given(st.integers(0, 2**32 - 1))
def test_every_pattern_is_a_share_of_light_wherever_the_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1000, 1000, (50, 4, 2)).astype(np.float32)
    light = random_pattern(rng, 8)(points)
    assert light.shape == (50, 4)
    assert light.min() >= 0.0
    assert light.max() <= 1.0


def test_full_light_leaves_the_picture_as_it_was() -> None:
    sample = with_stack(3)
    assert np.abs(lit(sample, right_of(-1e6)).astype(int) - sample.image).max() <= 1


def test_the_board_is_lit_where_the_pattern_lets_the_sun_through() -> None:
    sample = with_stack(0)
    image = lit(sample, right_of(4.0))
    assert at(sample, image, 3.8, 4.0) < 60
    assert at(sample, image, 4.2, 4.0) > 110


@pytest.mark.parametrize("height", [1, 3, 5])
def test_shade_is_displaced_on_top_of_a_stack_by_its_height(height: int) -> None:
    sample = with_stack(height)
    row, col = _STACK
    rise = 0.3 * height
    # on the board shade ends at the square's middle; on the face, as far aside as the sun is low
    slant = 0.25 / rise
    image = lit(sample, right_of(col + 0.5), (slant, 0.0))
    assert at(sample, image, col + 0.65, row + 0.5, rise) < 60
    assert at(sample, image, col + 0.85, row + 0.5, rise) > 110


def test_truth_stays_and_pictures_without_boards_are_lit_too() -> None:
    for seed in range(10):
        sample = with_stack(2)
        after = in_sunlight(sample, np.random.default_rng(seed))
        assert after.heights is sample.heights
        assert after.camera is sample.camera
        assert after.visible is sample.visible
        assert after.hand is sample.hand
        empty = replace(sample, size=0, heights=np.zeros(0, dtype=np.int64))
        assert in_sunlight(empty, np.random.default_rng(seed)).image.shape == sample.image.shape


def test_the_sun_throws_patterns_nearly_always() -> None:
    sample = with_stack(2)
    changed = [in_sunlight(sample, np.random.default_rng(seed)).image.std() for seed in range(20)]
    assert np.median(changed) > 10
