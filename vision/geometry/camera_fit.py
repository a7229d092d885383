"""What the shape of a picture, its width over its height, tells of where it comes from.

Fitting the camera to points of the board plane: robust Levenberg-Marquardt over eleven parameters.

What became of a picture between the lens and here: it may have been cropped, or squeezed into another shape.

Unless a picture says otherwise its middle is taken for the principal point, and its pixels for square. People crop
photographs before they send them; cameras in the network often squeeze the whole of their sensor's picture into a
smaller one of another shape. Either moves the faces of stacks to where they are not looked for. The squares of a board
tell of both: one plane seen aslant gives two equations for the intrinsics (Zhang, "A flexible new technique for camera
calibration", 2000, eq. 3 and 4), and focal lengths are much alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import (
    Camera,
    focal_from_homography,
    grid_corners,
    homography_from_corners,
    pose_from_homography,
    side_lengths,
)

_TAKEN = (11 / 9, 5 / 4, 4 / 3, 3 / 2, 16 / 10, 16 / 9, 2.0, 18.5 / 9, 19 / 9, 19.5 / 9, 20 / 9, 21 / 9)
"""Longer side over shorter of pictures as sensors see them, and phones show them: one of another shape, a square one,
too, was cropped as a rule."""
_SENSORS = (4 / 3, 16 / 9)
"""Width over height of what sensors of cameras for films see."""
_SQUEEZED_INTO = (8 / 9, 11 / 9, 5 / 4, 4 / 3, 22 / 15, 3 / 2, 16 / 9)
"""Width over height of the pictures into which it is squeezed: those of television (ITU-R BT.601), of recorders that
keep half the columns, and the sensors' own."""
_SAME = 0.01
"""Relative difference up to which two shapes are one: sizes are rounded. By eye, not measured."""


def same_shape(first: float, second: float) -> bool:
    """Whether two widths over heights are the same."""
    return abs(first / second - 1.0) < _SAME


def is_as_taken(image_size_wh: tuple[float, float]) -> bool:
    """Whether a picture of that width and height has a shape in which cameras take pictures."""
    longer, shorter = max(image_size_wh), min(image_size_wh)
    return any(same_shape(longer / shorter, taken) for taken in _TAKEN)


def possible_stretches(image_size_wh: tuple[int, int]) -> list[float]:
    """How many times as wide as with square pixels a picture of that width and height may be, but for 1.

    Empty where no camera squeezes pictures into that shape.
    """
    shape = image_size_wh[0] / image_size_wh[1]
    if not any(same_shape(shape, known) for known in _SQUEEZED_INTO):
        return []
    return [shape / sensor for sensor in _SENSORS if not same_shape(shape, sensor)]


Floats = npt.NDArray[np.float64]

FOCAL_PRIOR = 0.95
"""Focal length over the longer image side of phones and webcams, where the picture does not tell. By eye, not
measured."""
FOCAL_SPREAD = 0.22
"""Standard deviation of its logarithm. By eye, not measured."""
CROPPED_FOCAL, CROPPED_FOCAL_SPREAD = 1.42, 0.35
"""The same of pictures that were cropped: the longer side is no longer all of it. Measured on the development sets,
every picture cropped at random around its board: of 796 heights from above 627 are right, 536 with what is usual of
whole ones."""
_FOCAL_RANGE = (0.55, 1.8)
"""Range of what tilt shows of it that a fit begins with, over what is usual. By eye, not measured."""
K1_SPREAD = 0.06
"""Standard deviation of the first distortion coefficient, about 0. By eye, not measured."""
ASPECT_SPREAD = 0.06
"""Standard deviation of the logarithm of a cell's height over its width, for boards other than Upwords's own. With it
the real photographs of another game went from 55 to 100 % found."""
SQUARE_SPREAD = 1e-4
"""The same for Upwords's boards: their cells are square."""
CROPPED_SPREAD = 0.1
"""Standard deviation of where the middle of a picture that was cropped lies off the principal point, over its longer
side. By eye, not measured."""
WHOLE_SPREAD = 1e-6
"""The same for one that was not."""
ITERATIONS = 20
"""Steps of the fit at most. By eye, not measured."""
CONVERGED = 1e-6
"""Share of the cost below which a step's gain ends the fit. By eye."""
OUTLYING = 9.0
"""Squared standard deviations at which a sighting has lost three quarters of its say: three standard deviations."""
_INLYING = 3.0
"""Standard deviations within which a sighting counts as one that bears the fit out: the usual three."""


@dataclass(frozen=True)
class Correspondences:
    """Points of the board's plane and where they were seen.

    Attributes:
        board: (m, 2) cells.
        pixels: (m, 2) px.
        spread: (m,) standard deviation of each sighting, px.
    """

    board: Floats
    pixels: Floats
    spread: Floats


@dataclass(frozen=True)
class CameraFit:
    """A fitted camera and how well the points bear it out.

    Attributes:
        camera: the fitted camera.
        inliers: share of the points within three standard deviations.
        cost: squared standard deviations by which points and priors are missed, outliers' bounded.
    """

    camera: Camera
    inliers: float
    cost: float = np.inf


@dataclass(frozen=True)
class _Prior:
    """What is expected of log focal length, log aspect, k1 and the centre: means and standard deviations, (5,) each."""

    mean: Floats
    spread: Floats


def initial_camera(
    homography: Floats, image_size_wh: tuple[int, int], *, square: bool = True, like: Camera | None = None
) -> Camera:
    """A first camera for a board plane homography (3, 3), cells to px; the focal length is the picture's own where
    tilt shows it.

    Of cells that are not known to be square tilt shows no focal length: the usual one is taken. The principal point
    and the pixels' shape are those of `like`, else the picture's middle and square.
    """
    width, height = image_size_wh
    centre, stretch = ((width - 1) / 2, (height - 1) / 2), 1.0
    if like is not None:
        centre, stretch = like.centre, like.stretch
    unstretched = np.array([[1.0 / stretch, 0.0, centre[0] * (1.0 - 1.0 / stretch)], [0, 1, 0], [0, 0, 1]])
    plane = np.asarray(unstretched @ homography, dtype=np.float64)
    cropped = like is not None and like.cropped
    prior, _ = usual_focal(image_size_wh, stretch, cropped=cropped)
    seen = focal_from_homography(plane, centre) if square else None
    least, most = _FOCAL_RANGE
    focal = prior if seen is None else float(np.clip(seen, least * prior, most * prior))
    posed = pose_from_homography(plane, focal, centre, square=square)
    return replace(posed, stretch=stretch, cropped=cropped)


def usual_focal(image_size_wh: tuple[int, int], stretch: float, *, cropped: bool) -> tuple[float, float]:
    """The usual focal length, px, of a picture that is `stretch` times as wide as with square pixels, `cropped` or not,
    and the standard deviation of its logarithm."""
    width, height = image_size_wh[0] / stretch, image_size_wh[1]
    longer = max(width, height)
    if is_as_taken((width, height)) and not cropped:
        return FOCAL_PRIOR * longer, FOCAL_SPREAD
    return CROPPED_FOCAL * longer, CROPPED_FOCAL_SPREAD


def fit_camera(
    start: Camera, points: Correspondences, image_size_wh: tuple[int, int], *, square: bool = True,
    outlying: float = OUTLYING,
) -> CameraFit:  # fmt: skip
    """The most probable camera for the points, from `start`; `square` cells have one side.

    Residuals are weighted by their spread and by Geman-McClure weights (outliers such as tiles read as board lose
    their say, as from `outlying` squared standard deviations on); focal length, aspect and k1 have Gaussian priors, and
    the centre where the picture was cropped.
    """
    prior = _prior(start, image_size_wh, square=square)
    camera, damping = start, 1e-3
    state = _State.at(camera, points, prior, outlying)
    for _ in range(ITERATIONS):
        scaled = state.jacobian * state.weights[:, None]
        normal = scaled.T @ state.jacobian
        damped = normal + damping * np.diag(np.diag(normal) + 1e-9)
        moved = _stepped(camera, np.linalg.solve(damped, -scaled.T @ state.residuals))
        trial = _State.at(moved, points, prior, outlying)
        if trial.cost < state.cost:
            done = state.cost - trial.cost < CONVERGED * state.cost
            camera, state = moved, trial
            damping = max(damping / 5, 1e-9)
            if done:
                break
        else:
            damping *= 8
    return CameraFit(camera, _inliers(state.residuals), state.cost)


def _prior(start: Camera, image_size_wh: tuple[int, int], *, square: bool) -> _Prior:
    """What is expected of a picture of this size, cropped or stretched as `start` has it."""
    longer = max(image_size_wh)
    focal, spread = usual_focal(image_size_wh, start.stretch, cropped=start.cropped)
    centre = [(side - 1) / 2 for side in image_size_wh] if start.cropped else start.centre
    wander = longer * (CROPPED_SPREAD if start.cropped else WHOLE_SPREAD)
    return _Prior(
        np.array([np.log(focal), 0.0, 0.0, *centre]),
        np.array([spread, SQUARE_SPREAD if square else ASPECT_SPREAD, K1_SPREAD, wander, wander]),
    )


def _inliers(residuals: Floats) -> float:
    """The share of the sightings within three standard deviations; the last five residuals are the priors'."""
    distance = np.linalg.norm(residuals[:-5].reshape(-1, 2), axis=1)
    return float(np.mean(distance < _INLYING))


def _stepped(camera: Camera, step: npt.NDArray[np.floating]) -> Camera:
    """The camera a step (11,) on, as `Camera.project_with_slopes` orders it."""
    turn = np.asarray(cv2.Rodrigues(step[3:6])[0], dtype=np.float64)
    focal, aspect = np.exp(step[:2])
    return replace(
        camera, focal=float(camera.focal * focal), k1=float(camera.k1 + step[2]), aspect=float(camera.aspect * aspect),
        rotation=turn @ camera.rotation, translation=camera.translation + step[6:9],
        centre=(float(camera.centre[0] + step[9]), float(camera.centre[1] + step[10])),
    )  # fmt: skip


@dataclass(frozen=True)
class _State:
    """Where the fit stands.

    `residuals` (2 m + 5,), the last five the priors'; their `jacobian` (2 m + 5, 11) and `weights`; the `cost`.
    """

    residuals: Floats
    jacobian: Floats
    weights: Floats
    cost: float

    @staticmethod
    def at(camera: Camera, points: Correspondences, prior: _Prior, outlying: float) -> _State:
        board = np.column_stack([points.board, np.zeros(len(points.board))])
        pixels, slopes = camera.project_with_slopes(board)
        off = (pixels - points.pixels) / points.spread[:, None]
        lens = np.array([np.log(camera.focal), np.log(camera.aspect), camera.k1, *camera.centre])
        prior_residuals = (lens - prior.mean) / prior.spread
        squared = np.sum(off**2, axis=1)
        weights = np.repeat((outlying / (outlying + squared)) ** 2, 2)
        jacobian = np.zeros((2 * len(off) + 5, 11))
        jacobian[:-5] = (slopes / points.spread[:, None, None]).reshape(-1, 11)
        jacobian[-5:-2, :3] = np.diag(1.0 / prior.spread[:3])
        jacobian[-2:, 9:] = np.diag(1.0 / prior.spread[3:])
        return _State(
            np.concatenate([off.ravel(), prior_residuals]), jacobian, np.concatenate([weights, np.ones(5)]),
            float(np.sum(outlying * squared / (outlying + squared)) + np.sum(prior_residuals**2)),
        )  # fmt: skip


_CROPPED, _CROPPED_TO_SHAPE, _SQUEEZED = 6.0, 10.0, 14.0
"""By how much (squared standard deviations) it must explain a picture better that it was cropped, cropped to a usual
shape, or squeezed than that nothing became of it. By eye: of 302 pictures of the development sets, as they are, none is
explained better by more than 2.5, of 72 seen from low down by wide lenses (`--hard`) one by 16; those of the
development sets, squeezed from 16:9 to 4:3, mostly by 15 to 330."""
_ASTRAY = 0.2
"""Squares (standard deviation) by which corners that a network finds, or a finger shows, miss their places. By eye, not
measured."""
_NO_OUTLIERS = 1e9
"""Squared standard deviations at which nothing is outlying."""


@dataclass(frozen=True)
class Framing:
    """What may have become of a picture.

    Attributes:
        stretch: its width over what it would be with square pixels.
        cropped: it is a part of what the lens saw, and the principal point need not be its middle.
        unlikely: by how much (squared standard deviations) it must explain the picture better than that nothing became
            of it.
    """

    stretch: float = 1.0
    cropped: bool = False
    unlikely: float = 0.0

    def is_of(self, camera: Camera) -> bool:
        """Whether a camera was fitted with it."""
        return camera.cropped == self.cropped and same_shape(camera.stretch, self.stretch)


AS_TAKEN = Framing()


def framings(image_size_wh: tuple[int, int]) -> Iterator[Framing]:
    """What may have become of a picture of this size, the likeliest first."""
    yield AS_TAKEN
    yield Framing(cropped=True, unlikely=_CROPPED_TO_SHAPE if is_as_taken(image_size_wh) else _CROPPED)
    for stretch in possible_stretches(image_size_wh):
        yield Framing(stretch=stretch, unlikely=_SQUEEZED)


def fit_framing(
    fit: CameraFit, points: Correspondences, image_size_wh: tuple[int, int], outlying: float = OUTLYING
) -> CameraFit:
    """The fit to the same points of a board of square cells under the likeliest framing; `outlying` as it was fitted.

    A stretch that is no framing's, as a calibrated lens may have, is left as it is.
    """
    possible = list(framings(image_size_wh))
    taken = [framing for framing in possible if framing.is_of(fit.camera)]
    if not taken or fit.cost + taken[0].unlikely < min(framing.unlikely for framing in possible[1:]):
        return fit
    homography = np.asarray(cv2.findHomography(points.board, points.pixels, cv2.LMEDS)[0], dtype=np.float64)
    middle = ((image_size_wh[0] - 1) / 2, (image_size_wh[1] - 1) / 2)
    best, least = fit, fit.cost + taken[0].unlikely
    for framing in possible:
        if framing.is_of(fit.camera):
            continue
        like = replace(fit.camera, centre=middle, stretch=framing.stretch, cropped=framing.cropped)
        start = initial_camera(homography, image_size_wh, like=like)
        other = fit_camera(start, points, image_size_wh, outlying=outlying)
        if other.cost + framing.unlikely < least:
            best, least = other, other.cost + framing.unlikely
    return best


def camera_from_corners(corners: npt.ArrayLike, size: int, image_size_wh: tuple[int, int]) -> Camera | None:
    """A first camera for rough corners (4, 2) px of n x n square cells in a picture that was cropped or squeezed.

    None where they do not say so.
    """
    quad = np.asarray(corners, dtype=np.float64)
    square = float(side_lengths(quad).mean()) / size
    points = Correspondences(grid_corners(size), quad, np.full(4, _ASTRAY * square))
    start = initial_camera(homography_from_corners(quad, size), image_size_wh)
    # of four corners none is an outlier: any three are met whatever became of the picture
    plain = fit_camera(start, points, image_size_wh, outlying=_NO_OUTLIERS)
    fit = fit_framing(plain, points, image_size_wh, _NO_OUTLIERS)
    return None if AS_TAKEN.is_of(fit.camera) else fit.camera
