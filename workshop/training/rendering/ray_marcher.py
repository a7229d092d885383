"""Camera model and the renderer's public face.

Board coordinates: cells, x right, y down as the letters read, z up, origin at the grid's top-left corner, z = 0
where tiles rest. With y down and z up they are left-handed, so the matrix `rotation` in X_cam = R X + t has
determinant -1. `rvec`/`tvec` of `Camera.opencv_pose` are the right-handed twin for points (x, -y, z).
Pixels are (x, y) with centres at whole numbers; the distortion is OpenCV's k1, k2.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.pixel_loop import render_pixels, visibility
from workshop.training.rendering.scene_arrays import CameraArrays, Float, SceneArrays

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera: `matrix` (3, 3) K, `dist` (k1, k2), X_cam = `rotation` X + `translation` (cells)."""

    width: int
    height: int
    matrix: Array
    dist: tuple[float, float]
    rotation: Array
    translation: Array

    @property
    def centre(self) -> Array:
        """The camera's place in board coordinates, (3,)."""
        return np.asarray(-self.rotation.T @ self.translation, np.float64)

    def project(self, points: Array) -> Array:
        """Return the pixels (..., 2) of board points (..., 3); NaN behind the camera or past the lens's fold."""
        shape = points.shape[:-1]
        seen = points.reshape(-1, 3) @ self.rotation.T + self.translation
        depth = np.where(seen[:, 2] > 1e-6, seen[:, 2], np.nan)
        flat = seen[:, :2] / depth[:, None]
        rr = (flat**2).sum(axis=1)
        k1, k2 = self.dist
        rises = 1 + 3 * k1 * rr + 5 * k2 * rr**2 > 0
        bent = flat * (1 + k1 * rr + k2 * rr**2)[:, None]
        bent[~rises] = np.nan
        pixels = bent * [self.matrix[0, 0], self.matrix[1, 1]] + self.matrix[:2, 2]
        return np.asarray(pixels.reshape(*shape, 2), np.float64)

    def opencv_pose(self) -> tuple[Array, Array]:
        """Return rvec (3,) and tvec (3,) for board points written as (x, -y, z), a right-handed frame."""
        rvec, _ = cv2.Rodrigues(self.rotation @ np.diag([1.0, -1.0, 1.0]))
        return np.asarray(rvec, np.float64).ravel(), self.translation

    def arrays(self) -> CameraArrays:
        """Return the camera for compiled code."""
        k = self.matrix
        return CameraArrays(
            np.ascontiguousarray(self.rotation),
            np.ascontiguousarray(self.centre),
            float(k[0, 0]),
            float(k[1, 1]),
            float(k[0, 2]),
            float(k[1, 2]),
            float(self.dist[0]),
            float(self.dist[1]),
        )


def look_at(
    width: int, height: int, hfov_deg: float, dist: tuple[float, float], eye: Array, target: Array, roll_deg: float
) -> Camera:
    """Return a camera at `eye` looking at `target` (board points); `hfov_deg` spans the longer side.

    With `roll_deg` 0 and the eye straight above, the picture's up is the board's up.
    """
    focal = max(width, height) / 2 / np.tan(np.radians(hfov_deg) / 2)
    forward = (target - eye) / np.linalg.norm(target - eye)
    up = np.array([0.0, -1.0, 0.0]) if abs(forward[2]) > 1 - 1e-9 else np.array([0.0, 0.0, 1.0])
    # in this left-handed frame right = up x forward reversed; checked by the tests against a drawn board
    right = np.cross(up, forward)
    right /= np.linalg.norm(right)
    down = np.cross(right, forward)
    down /= np.linalg.norm(down)
    if down @ up > 0:
        down = -down
    base = np.stack([right, down, forward])
    if np.linalg.det(base) > 0:
        base[0] = -base[0]
    c, s = np.cos(np.radians(roll_deg)), np.sin(np.radians(roll_deg))
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ base
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return Camera(width, height, matrix, dist, rotation, -rotation @ eye)


def render(scene: SceneArrays, camera: Camera, extra: int) -> tuple[Float, NDArray[np.int16]]:
    """Return the picture (h, w, 3 linear BGR) and what each pixel shows (h, w): a stack's number or a negative code.

    One ray a pixel, `extra` more at edges.
    """
    shape = (camera.height, camera.width)
    image = np.zeros((*shape, 3), np.float32)
    ids = np.zeros(shape, np.int16)
    first, work = np.zeros_like(image), np.zeros((7, 3), np.float32)
    render_pixels(scene, camera.arrays(), first, ids, work, image, extra)
    return image, ids


def points_seen(scene: SceneArrays, camera: Camera, points: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return, for board points (..., 3), whether they are in view past everything solid, and whether the hand hides
    them.
    """
    flat = np.ascontiguousarray(points.reshape(-1, 3), dtype=np.float32)
    codes = np.zeros(len(flat), np.uint8)
    visibility(scene, camera.arrays(), flat, codes)
    pixels = camera.project(points.reshape(-1, 3))
    with np.errstate(invalid="ignore"):
        framed = ((pixels > -0.5) & (pixels < [camera.width - 0.5, camera.height - 0.5])).all(axis=1)
    hand = (codes & 2) > 0
    shape = points.shape[:-1]
    return ((codes & 1 > 0) & framed & ~hand).reshape(shape), hand.reshape(shape)
