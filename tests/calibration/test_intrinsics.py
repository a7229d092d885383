"""From views to a lens, and the refusals."""

from __future__ import annotations

import numpy as np
import pytest
from calibkit import CENTRE, FOCAL, K1, POSES, SIZE_WH, photograph_of, pose, project_view

from calibration import CalibrationError
from calibration.intrinsics import MIN_VIEWS, TargetView, calibrate_lens, coverage, find_target


@pytest.mark.slow
def test_the_lens_of_rendered_photographs() -> None:
    views = [find_target(photograph_of(at), f"{number}") for number, at in enumerate(POSES)]
    report = calibrate_lens([view for view in views if view is not None])
    report.check()
    lens = report.lens
    assert lens.size_wh == SIZE_WH
    assert lens.focal == pytest.approx(FOCAL, rel=0.005)
    assert lens.centre == pytest.approx(CENTRE, abs=3.0)
    assert lens.k1 == pytest.approx(K1, abs=0.01)
    assert report.rms < 0.3
    assert report.coverage > 0.7
    assert len(report.used) == len(POSES)


def test_a_picture_that_disagrees_is_left_out() -> None:
    views = [project_view(at, f"{number}", 0.1, number) for number, at in enumerate(POSES)]
    views.append(project_view(pose(20, 45), "bent", noise=6.0))
    report = calibrate_lens(views)
    report.check()
    assert report.dropped == ("bent",)
    assert report.lens.focal == pytest.approx(FOCAL, rel=0.005)


@pytest.mark.parametrize("stretch", [1.0, 0.75, 15 / 16, 4 / 3])
def test_pixels_that_are_not_square(stretch: float) -> None:
    report = calibrate_lens([project_view(at, noise=0.2, seed=k, stretch=stretch) for k, at in enumerate(POSES)])
    report.check()
    assert report.lens.stretch == pytest.approx(stretch, rel=0.0 if stretch == 1.0 else 0.005)
    assert report.lens.focal == pytest.approx(FOCAL, rel=0.005)
    assert 0.0 < report.focal_spread < 0.01


def test_too_few_pictures() -> None:
    with pytest.raises(CalibrationError, match=f"show the target: 2; at least {MIN_VIEWS} are needed"):
        calibrate_lens([project_view(at) for at in POSES[:2]])


@pytest.mark.parametrize(
    ("views", "told"),
    [
        ([project_view(at, noise=3.0, seed=k) for k, at in enumerate(POSES)], "do not fit a lens"),
        ([project_view(pose(30, k * 60, away=25.0), noise=0.1, seed=k) for k in range(6)], "of the frame"),
        ([project_view(pose(3, k * 45, (x, y), 11.0), noise=0.1, seed=k)
          for k, (x, y) in enumerate([(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1), (0, 0), (0, 0)])],
         "nearly one direction"),
    ],
)  # fmt: skip
def test_pictures_that_tell_too_little(views: list[TargetView], told: str) -> None:
    report = calibrate_lens(views)
    with pytest.raises(CalibrationError, match=told) as refused:
        report.check()
    assert "\n" not in str(refused.value)


def test_coverage_counts_the_frames_cells() -> None:
    view = project_view(pose(0, 0))
    assert coverage([view]) < coverage([view, project_view(POSES[1])]) <= 1.0
    assert np.isclose(coverage([view]), coverage([view, view]))
