"""Fitting the camera to points of the board plane: robust Levenberg-Marquardt over nine parameters."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera, focal_from_homography, pose_from_homography

Floats = npt.NDArray[np.float64]

FOCAL_PRIOR = 0.95
"""Focal length over the longer image side of phones and webcams, where the picture does not tell."""
FOCAL_SPREAD = 0.22
"""Standard deviation of its logarithm."""
K1_SPREAD = 0.06
ASPECT_SPREAD = 0.06
"""Standard deviation of the logarithm of a cell's height over its width, for boards other than Upwords's own."""
SQUARE_SPREAD = 1e-4
"""The same for Upwords's boards: their cells are square."""
ITERATIONS = 12
_STEPS = np.array([1e-4, 1e-4, 1e-4, 1e-5, 1e-5, 1e-5, 1e-4, 1e-4, 1e-4])


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
        residual: root mean square of the residuals over their standard deviations (about 1 when all is well).
        inliers: share of the points within three standard deviations.
    """

    camera: Camera
    residual: float
    inliers: float


@dataclass(frozen=True)
class _Prior:
    """What is expected of log focal length, log aspect and k1: means and standard deviations, (3,) each."""

    mean: Floats
    spread: Floats


def initial_camera(homography: Floats, image_size_wh: tuple[int, int], *, square: bool = True) -> Camera:
    """A first camera for a board plane homography; the focal length is the picture's own where tilt shows it.

    Of cells that are not known to be square tilt shows no focal length: the usual one is taken.
    """
    width, height = image_size_wh
    centre = ((width - 1) / 2, (height - 1) / 2)
    prior = FOCAL_PRIOR * max(width, height)
    seen = focal_from_homography(homography, centre) if square else None
    focal = prior if seen is None else float(np.clip(seen, 0.55 * prior, 1.8 * prior))
    return pose_from_homography(homography, focal, centre, square=square)


def fit_camera(
    start: Camera, points: Correspondences, image_size_wh: tuple[int, int], *, square: bool = True
) -> CameraFit:
    """The most probable camera for the points, from `start`; `square` cells have one side.

    Residuals are weighted by their spread and by Geman-McClure weights (outliers such as tiles read as board lose
    their say); focal length, aspect and k1 have Gaussian priors.
    """
    prior = _Prior(
        np.array([np.log(FOCAL_PRIOR * max(image_size_wh)), 0.0, 0.0]),
        np.array([FOCAL_SPREAD, SQUARE_SPREAD if square else ASPECT_SPREAD, K1_SPREAD]),
    )
    params = _pack(start)
    damping = 1e-3
    cost, residuals, weights = _cost(params, start.centre, points, prior)
    for _ in range(ITERATIONS):
        jacobian = _jacobian(params, start.centre, points, prior)
        scaled = jacobian * weights[:, None]
        normal = scaled.T @ jacobian
        gradient = scaled.T @ residuals
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
        trial = params + step
        trial_cost, trial_residuals, trial_weights = _cost(trial, start.centre, points, prior)
        if trial_cost < cost:
            done = cost - trial_cost < 1e-7 * cost
            params, cost, residuals, weights = trial, trial_cost, trial_residuals, trial_weights
            damping = max(damping / 5, 1e-9)
            if done:
                break
        else:
            damping *= 8
    camera = _unpack(params, start.centre)
    return CameraFit(camera, *_quality(residuals))


def _quality(residuals: Floats) -> tuple[float, float]:
    """Root mean square of the inliers' residuals, and the share of inliers; the last three are the priors."""
    distance = np.linalg.norm(residuals[:-3].reshape(-1, 2), axis=1)
    inlying = distance < 3.0
    residual = float(np.sqrt(np.mean(distance[inlying] ** 2) / 2)) if inlying.any() else float("inf")
    return residual, float(np.mean(inlying))


def _pack(camera: Camera) -> Floats:
    rotation = cv2.Rodrigues(camera.rotation)[0][:, 0]
    lens = [np.log(camera.focal), np.log(camera.aspect), camera.k1]
    return np.concatenate([lens, rotation, camera.translation]).astype(np.float64)


def _unpack(params: Floats, centre: tuple[float, float]) -> Camera:
    rotation = np.asarray(cv2.Rodrigues(params[3:6])[0], dtype=np.float64)
    focal, aspect = np.exp(params[:2])
    return Camera(float(focal), centre, float(params[2]), rotation, params[6:].copy(), float(aspect))


def _residuals(params: Floats, centre: tuple[float, float], points: Correspondences, prior: _Prior) -> Floats:
    board = np.column_stack([points.board, np.zeros(len(points.board))])
    off = (_unpack(params, centre).project(board) - points.pixels) / points.spread[:, None]
    held = (params[:3] - prior.mean) / prior.spread
    return np.concatenate([off.ravel(), held])


def _cost(
    params: Floats, centre: tuple[float, float], points: Correspondences, prior: _Prior
) -> tuple[float, Floats, Floats]:
    residuals = _residuals(params, centre, points, prior)
    squared = np.sum(residuals[:-3].reshape(-1, 2) ** 2, axis=1)
    scale = 9.0
    weights = np.repeat((scale / (scale + squared)) ** 2, 2)
    cost = float(np.sum(scale * squared / (scale + squared)) + np.sum(residuals[-3:] ** 2))
    return cost, residuals, np.concatenate([weights, np.ones(3)])


def _jacobian(params: Floats, centre: tuple[float, float], points: Correspondences, prior: _Prior) -> Floats:
    columns = []
    for index, step in enumerate(_STEPS):
        ahead, behind = params.copy(), params.copy()
        ahead[index] += step
        behind[index] -= step
        difference = _residuals(ahead, centre, points, prior) - _residuals(behind, centre, points, prior)
        columns.append(difference / (2 * step))
    return np.stack(columns, axis=1)
