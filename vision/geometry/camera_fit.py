"""Fit a camera to points of the board's plane: robust Levenberg-Marquardt over eleven parameters.

The picture may have been cropped, or squeezed into another shape. Without evidence its middle is the principal point
and its pixels are square. But people crop photographs before they send them, and network cameras often squeeze the
picture of a whole sensor into a smaller one of another shape. Either moves the faces of stacks away from where the
reader looks for them.

The squares of a board show both: one plane seen at an angle gives two equations for the intrinsics (Zhang, "A flexible
new technique for camera calibration", 2000, eq. 3 and 4), and focal lengths are much alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.geometry.camera import (
    Camera,
    corner_gap,
    focal_from_homography,
    grid_corners,
    homography_from_corners,
    pose_from_homography,
    side_lengths,
)

_CAMERA_SHAPES = (11 / 9, 5 / 4, 4 / 3, 3 / 2, 16 / 10, 16 / 9, 2.0, 18.5 / 9, 19 / 9, 19.5 / 9, 20 / 9, 21 / 9)
"""Longer side over shorter of the pictures that sensors take and phones show. A picture of another shape, or a square
one, has usually been cropped."""
_SENSOR_SHAPES = (4 / 3, 16 / 9)
"""Width over height of the sensors of video cameras."""
_SQUEEZED_SHAPES = (8 / 9, 11 / 9, 5 / 4, 4 / 3, 22 / 15, 3 / 2, 16 / 9)
"""Width over height of the pictures into which cameras squeeze the sensor's: those of television (ITU-R BT.601), of
recorders that keep half the columns, and the sensors' own."""
_SAME_SHAPE_DIFFERENCE = 0.01
"""Relative difference up to which two shapes are the same: sizes are rounded. [by eye]"""


def same_shape(first: float, second: float) -> bool:
    """Return whether two widths over heights are the same."""
    return abs(first / second - 1.0) < _SAME_SHAPE_DIFFERENCE


def is_as_taken(image_size_wh: tuple[float, float]) -> bool:
    """Return whether a picture of that width and height has a shape in which cameras take pictures."""
    longer, shorter = max(image_size_wh), min(image_size_wh)
    return any(same_shape(longer / shorter, taken) for taken in _CAMERA_SHAPES)


def possible_stretches(image_size_wh: tuple[int, int]) -> list[float]:
    """Return the factors other than 1 by which a picture of that size may be stretched across."""
    shape = image_size_wh[0] / image_size_wh[1]
    if not any(same_shape(shape, known) for known in _SQUEEZED_SHAPES):
        return []
    return [shape / sensor for sensor in _SENSOR_SHAPES if not same_shape(shape, sensor)]


FOCAL_PRIOR = 0.95
"""Usual focal length of phones and webcams over the longer image side, if the picture does not show it. [by eye]"""
FOCAL_SPREAD = 0.22
"""Standard deviation of the logarithm of the focal length. [by eye]"""
CROPPED_FOCAL, CROPPED_FOCAL_SPREAD = 1.42, 0.35
"""Usual focal length of cropped pictures over the longer side, and the standard deviation of its logarithm: their
longer side is only part of the original. On the development sets every picture was cropped at random around its board:
of 796 heights from above 627 are right, with the values of whole pictures 536. [by hand, sets]"""
_FOCAL_RANGE = (0.55, 1.8)
"""Range of the focal length with which a fit starts if tilt shows one, relative to the usual. [by eye]"""
K1_SPREAD = 0.06
"""Standard deviation of the first distortion coefficient, about 0. [by eye]"""
ASPECT_SPREAD = 0.06
"""Standard deviation of the logarithm of a cell's height over its width, for boards other than Upwords's own. With it
the real photographs of another game went from 55 to 100 % found. [by hand, real photographs]"""
SQUARE_SPREAD = 1e-4
"""Standard deviation of the logarithm of a cell's height over its width for Upwords's boards: their cells are square.
"""
CROPPED_SPREAD = 0.1
"""Standard deviation of the distance from a cropped picture's middle to the principal point, over its longer side.
[by eye]"""
WHOLE_SPREAD = 1e-6
"""Standard deviation of the distance from a whole picture's middle to the principal point, over its longer side: nearly
none."""
ITERATIONS = 20
"""Most steps of a fit. [by eye]"""
CONVERGED = 1e-6
"""Gain of a step, relative to the cost, below which the fit ends. [by eye]"""
OUTLYING = 9.0
"""Squared standard deviations at which a point loses three quarters of its weight: three standard deviations."""
_LENS = [0, 1, 2, 9, 10]
"""Places of log focal length, log aspect, k1 and centre among the derivatives of `Camera.project_with_slopes`."""
_MAX_INLIER_DEVIATIONS = 3.0
"""Standard deviations within which a point confirms the fit: the usual three."""


@dataclass(frozen=True)
class Correspondences:
    """Points of the `board` (m, 2), cells; their `pixels` (m, 2); and the `spread` (m,) of these, deviations in px."""

    board: Floats
    pixels: Floats
    spread: Floats


@dataclass(frozen=True)
class CameraFit:
    """A fitted camera and how well the points agree with it.

    Attributes:
        camera: the fitted camera.
        inliers: share of the points within three standard deviations.
        cost: squared standard deviations by which points and priors are missed; an outlier's share is bounded.
        framing_in_doubt: the picture may have been cropped or squeezed, or so in another way (`fit_framing`).
        bulge: how far the board seems to bulge from a plane, cells (`measure_bulge`).
    """

    camera: Camera
    inliers: float
    cost: float = np.inf
    framing_in_doubt: bool = False
    bulge: float = 0.0


@dataclass(frozen=True)
class _Prior:
    """Expected log focal length, log aspect, k1 and centre: means and standard deviations, (5,) each."""

    mean: Floats
    spread: Floats


def initial_camera(
    homography: Floats, image_size_wh: tuple[int, int], *, square: bool = True, like: Camera | None = None
) -> Camera:
    """Return a first camera for a board plane homography (3, 3), cells to px.

    The focal length is the picture's own if tilt shows it, else the usual one. If cells may not be square, tilt doesn't
    show it. Principal point and pixel shape are those of `like`; without it, the picture's middle and square.
    """
    width, height = image_size_wh
    centre, stretch = ((width - 1) / 2, (height - 1) / 2), 1.0
    if like is not None:
        centre, stretch = like.centre, like.stretch
    unstretched = np.array([[1.0 / stretch, 0.0, centre[0] * (1.0 - 1.0 / stretch)], [0, 1, 0], [0, 0, 1]])
    plane = unstretched @ homography
    cropped = like is not None and like.cropped
    prior, _ = usual_focal(image_size_wh, stretch, cropped=cropped)
    seen = focal_from_homography(plane, centre) if square else None
    least, most = _FOCAL_RANGE
    focal = prior if seen is None else float(np.clip(seen, least * prior, most * prior))
    posed = pose_from_homography(plane, focal, centre, square=square)
    return replace(posed, stretch=stretch, cropped=cropped)


def usual_focal(image_size_wh: tuple[int, int], stretch: float, *, cropped: bool) -> tuple[float, float]:
    """Return the usual focal length, px, of a picture, and the standard deviation of its logarithm.

    The picture is `stretch` times as wide as with square pixels, and `cropped` or not.
    """
    width, height = image_size_wh[0] / stretch, image_size_wh[1]
    longer = max(width, height)
    if is_as_taken((width, height)) and not cropped:
        return FOCAL_PRIOR * longer, FOCAL_SPREAD
    return CROPPED_FOCAL * longer, CROPPED_FOCAL_SPREAD


def fit_camera(
    start: Camera,
    points: Correspondences,
    image_size_wh: tuple[int, int],
    *,
    square: bool = True,
    outlying: float = OUTLYING,
) -> CameraFit:
    """Return the most probable camera for the points, starting from `start`; `square` cells have equal sides.

    Residuals are weighted by their spread and by Geman-McClure weights. Outliers, such as tiles read as board, lose
    their weight beyond `outlying` squared standard deviations. Focal length, aspect and k1 have Gaussian priors, and so
    has the centre of a cropped picture.
    """
    prior = _prior(start, image_size_wh, square=square)
    camera, damping = start, 1e-3
    state = _State.at(camera, points, prior, outlying)
    for _ in range(ITERATIONS):
        damped = state.normal + damping * np.diag(np.diag(state.normal) + 1e-9)
        moved = _step(camera, np.linalg.solve(damped, -state.gradient))
        trial = _State.at(moved, points, prior, outlying)
        if trial.cost < state.cost:
            done = state.cost - trial.cost < CONVERGED * state.cost
            camera, state = moved, trial
            damping = max(damping / 5, 1e-9)
            if done:
                break
        else:
            damping *= 8
    return CameraFit(camera, float(np.mean(state.squared < _MAX_INLIER_DEVIATIONS**2)), state.cost)


def _prior(start: Camera, image_size_wh: tuple[int, int], *, square: bool) -> _Prior:
    """Return the prior of a picture of this size, cropped or stretched as `start` is."""
    longer = max(image_size_wh)
    focal, spread = usual_focal(image_size_wh, start.stretch, cropped=start.cropped)
    centre = [(side - 1) / 2 for side in image_size_wh] if start.cropped else start.centre
    wander = longer * (CROPPED_SPREAD if start.cropped else WHOLE_SPREAD)
    return _Prior(
        np.array([np.log(focal), 0.0, 0.0, *centre]),
        np.array([spread, SQUARE_SPREAD if square else ASPECT_SPREAD, K1_SPREAD, wander, wander]),
    )


def _step(camera: Camera, step: npt.NDArray[np.floating]) -> Camera:
    """Return the camera moved by a step (11,), in the order of `Camera.project_with_slopes`."""
    turn = cv2.Rodrigues(step[3:6])[0]
    focal, aspect = np.exp(step[:2])
    return replace(
        camera,
        focal=float(camera.focal * focal),
        k1=float(camera.k1 + step[2]),
        aspect=float(camera.aspect * aspect),
        rotation=turn @ camera.rotation,
        translation=camera.translation + step[6:9],
        centre=(float(camera.centre[0] + step[9]), float(camera.centre[1] + step[10])),
    )


@dataclass(frozen=True)
class _State:
    """The state of a fit at one camera.

    Attributes:
        squared: (m,), by how many squared standard deviations each point is missed.
        gradient, normal: (11,) half the gradient of the cost, and (11, 11) the normal matrix, of the next step.
        cost: as in `CameraFit`.
    """

    squared: Floats
    gradient: Floats
    normal: Floats
    cost: float

    @staticmethod
    def at(
        camera: Camera, points: Correspondences, prior: _Prior, outlying: float, more: Floats | None = None
    ) -> _State:
        """Evaluate a camera against the points and the prior.

        `more` (m, 2, k) are the points' derivatives by k further parameters, all 0 so far. Gradient and normal matrix
        then have 11 + k rows.
        """
        pixels, slopes = camera.project_with_slopes(np.column_stack([points.board, np.zeros(len(points.board))]))
        slopes = slopes if more is None else np.concatenate([slopes, more], axis=-1)
        off = (pixels - points.pixels) / points.spread[:, None]
        squared = np.sum(off**2, axis=1)
        jacobian = (slopes / points.spread[:, None, None]).reshape(-1, slopes.shape[-1])
        weighted = jacobian.T * np.repeat((outlying / (outlying + squared)) ** 2, 2)
        gradient, normal = weighted @ off.ravel(), weighted @ jacobian
        lens = np.array([np.log(camera.focal), np.log(camera.aspect), camera.k1, *camera.centre])
        missed = (lens - prior.mean) / prior.spread
        gradient[_LENS] += missed / prior.spread
        normal[_LENS, _LENS] += 1.0 / prior.spread**2
        cost = np.sum(outlying * squared / (outlying + squared)) + np.sum(missed**2)
        return _State(squared, gradient, normal, float(cost))


_BEND_SPREAD, _RAISED = 0.15, 0.05
"""Standard deviation, cells, of how far a board's edges may stand above its middle; and the elevation, cells, over
which the slopes by elevation are taken. [by eye]"""


def measure_bulge(
    camera: Camera, points: Correspondences, size: int, image_size_wh: tuple[int, int], *, square: bool = True
) -> float:
    """Return how far, cells, the points say that an n x n board bulges from a plane where it bulges most.

    Its elevation is taken to be a quadratic form of the distances from its middle: a gutter, a bowl or a saddle. The
    form is estimated by one Gauss-Newton step from `camera`, a fit to a flat board, in which the camera moves, too. A
    prior pulls it towards 0: of a bulge of 0.09 the middle one of 50 pictures shows 0.05.
    """
    low, high = (
        camera.project(np.column_stack([points.board, np.full(len(points.board), elevation)]))
        for elevation in (0.0, _RAISED)
    )
    x, y = (points.board * 2.0 / size - 1.0).T
    forms = np.stack([x * x, x * y, y * y], axis=-1)
    by_form = ((high - low) / _RAISED)[..., None] * forms[:, None]
    state = _State.at(camera, points, _prior(camera, image_size_wh, square=square), OUTLYING, by_form)
    added = np.arange(-forms.shape[1], 0)
    state.normal[added, added] += 1.0 / _BEND_SPREAD**2
    bend = np.linalg.solve(state.normal, -state.gradient)[added]
    elevations = (forms @ bend)[(np.abs(x) < 1.0) & (np.abs(y) < 1.0)]
    return float(np.abs(elevations - elevations.mean()).max())


_CROPPED_COST, _CROPPED_TO_SHAPE_COST, _SQUEEZED_COST = 6.0, 10.0, 14.0
"""By how much (squared standard deviations) an explanation must fit better than an untouched picture: a picture that
was cropped, cropped to a usual shape, or squeezed. Of 302 pictures of the development sets, as they are, none fits
better by more than 2.5. Of 72 seen from low down by wide lenses (`--hard`) one does by 16. The development sets,
squeezed from 16:9 to 4:3, mostly fit better by 15 to 330. [by hand, sets]"""
_DOUBTED_COST = 3.0
"""By how much (squared standard deviations) a cropped or squeezed picture must fit better before one that is taken to
be whole is in doubt; and by how much better the likeliest way of cropping or squeezing must fit than any other. Of 302
pictures of the development sets, as they are, none fits better by more than 2.5. [by hand, sets]"""
_SAME_PARALLAX = 0.04
"""Share of a stack's parallax by which two cameras may differ and still see it equally high: a fifth of a layer at five
layers. A picture cropped around its middle, or taken with a long lens, looks cropped, but its stacks stay. [by eye]"""
_CORNER_SPREAD_SQUARES = 0.2
"""Error (standard deviation, squares) of corners that a network finds or a finger shows. [by eye]"""
_UNBOUNDED = 1e9
"""Squared standard deviations so large that no point is an outlier."""
_EXACT_SPREAD_SQUARES, _MAX_GIVEN_GAP_SQUARES = 0.05, 0.1
"""Standard deviation of corners that a camera must see, and squares by which it may miss one. With corners moved at
random by 0.2 of a square a camera of the whole picture misses one by 0.16 at most, by 0.06 mostly; one of a cropped
picture by 0.02. [by hand, sample images]"""


@dataclass(frozen=True)
class Framing:
    """What may have happened to a picture since the lens.

    Attributes:
        stretch: its width over its width with square pixels.
        cropped: it is a part of what the lens saw, so the principal point need not be its middle.
        unlikely: how much better (squared standard deviations) it must fit than an untouched picture.
    """

    stretch: float = 1.0
    cropped: bool = False
    unlikely: float = 0.0

    def is_of(self, camera: Camera) -> bool:
        """Return whether a camera was fitted under this framing."""
        return camera.cropped == self.cropped and same_shape(camera.stretch, self.stretch)


AS_TAKEN = Framing()
"""The framing of an untouched picture."""


def fit_framing(
    fit: CameraFit, points: Correspondences, image_size_wh: tuple[int, int], outlying: float = OUTLYING
) -> CameraFit:
    """Return the fit to the points under the likeliest framing, for a board of square cells.

    Its `framing_in_doubt` is true if another framing may be the right one. Give `outlying` as for `fit_camera`. A
    stretch that belongs to no framing, such as that of a calibrated lens, stays as it is.
    """
    cropped = Framing(cropped=True, unlikely=_CROPPED_TO_SHAPE_COST if is_as_taken(image_size_wh) else _CROPPED_COST)
    stretches = possible_stretches(image_size_wh)
    possible = [AS_TAKEN, cropped, *(Framing(stretch=stretch, unlikely=_SQUEEZED_COST) for stretch in stretches)]
    current = [framing for framing in possible if framing.is_of(fit.camera)]
    if not current or fit.cost + current[0].unlikely < _DOUBTED_COST:
        return fit
    homography = np.asarray(cv2.findHomography(points.board, points.pixels, cv2.LMEDS)[0], dtype=np.float64)
    middle = ((image_size_wh[0] - 1) / 2, (image_size_wh[1] - 1) / 2)

    def fit_under(framing: Framing) -> CameraFit:
        like = replace(fit.camera, centre=middle, stretch=framing.stretch, cropped=framing.cropped)
        start = initial_camera(homography, image_size_wh, like=like)
        return fit_camera(start, points, image_size_wh, outlying=outlying)

    fits = [(fit if framing is current[0] else fit_under(framing), framing) for framing in possible]
    best, likeliest = min(fits, key=lambda fitted: fitted[0].cost + fitted[1].unlikely)
    most = best.cost + (-_DOUBTED_COST if likeliest is AS_TAKEN else _DOUBTED_COST)
    others = [other for other, _ in fits if other is not best and other.cost < most]
    return replace(best, framing_in_doubt=any(_shift_faces(other, best, points.board) for other in others))


def _shift_faces(one: CameraFit, other: CameraFit, board: Floats) -> bool:
    """Return whether two cameras that fit a board see faces above its points (m, 2) in different places."""
    low, high = (np.column_stack([board, np.full(len(board), elevation)]) for elevation in (0.0, 1.0))
    first, second = (fit.camera.project(high) - fit.camera.project(low) for fit in (one, other))
    return bool(np.linalg.norm(first - second, axis=1).mean() > _SAME_PARALLAX * np.linalg.norm(first, axis=1).mean())


def camera_from_corners(corners: npt.ArrayLike, size: int, image_size_wh: tuple[int, int]) -> Camera | None:
    """Return a first camera for rough corners of a board, or None if they don't show a cropped or squeezed picture.

    `corners` (4, 2) px are those of n x n square cells.
    """
    quad = np.asarray(corners, dtype=np.float64)
    square = float(side_lengths(quad).mean()) / size
    points = Correspondences(grid_corners(size), quad, np.full(4, _CORNER_SPREAD_SQUARES * square))
    start = initial_camera(homography_from_corners(quad, size), image_size_wh)
    # no corner may count as an outlier, because any framing fits three of them
    plain = fit_camera(start, points, image_size_wh, outlying=_UNBOUNDED)
    fit = fit_framing(plain, points, image_size_wh, _UNBOUNDED)
    return None if AS_TAKEN.is_of(fit.camera) else fit.camera


def camera_at_corners(
    start: Camera, corners: npt.ArrayLike, size: int, image_size_wh: tuple[int, int], *, square: bool
) -> Camera:
    """Return a camera that sees the grid's corners at `corners` (4, 2) px, fitted from `start`.

    To fit corners that no lens sees like this, the principal point moves off the picture's middle.
    """
    quad = np.asarray(corners, dtype=np.float64)
    spread = _EXACT_SPREAD_SQUARES * float(side_lengths(quad).mean()) / size
    points = Correspondences(grid_corners(size), quad, np.full(4, spread))
    plain = fit_camera(start, points, image_size_wh, square=square, outlying=_UNBOUNDED).camera
    if corner_gap(quad, plain, size) <= _MAX_GIVEN_GAP_SQUARES:
        return plain
    freed = replace(start, cropped=True)
    return fit_camera(freed, points, image_size_wh, square=square, outlying=_UNBOUNDED).camera
