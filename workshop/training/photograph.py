"""A photograph of a scene with its exact truth: what is drawn, worked out and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.march import HAND
from workshop.training.rendering.phone_processing import develop
from workshop.training.rendering.ray_marcher import Array, Camera, points_seen, render
from workshop.training.rendering.scene_arrays import Byte, Float
from workshop.training.scene.build import Scene
from workshop.training.views import grid_corners

Renderer = Callable[[np.random.Generator, Scene, Camera], tuple[Float, NDArray[np.bool_]]]
"""Renders a scene: the picture (h, w, 3 linear BGR), and the pixels (h, w) that show a hand."""


@dataclass(frozen=True)
class Sample:
    """A picture (h, w, 3 BGR) and its truth; arrays over squares are [row, col]; lengths in cells.

    `n` is 0 and the arrays over squares are empty where the picture shows no board.

    `face_corners` (n, n, 4, 2): pixels of the flat top face (of the square, where empty), TL TR BR BL as the
    letters read; `visible`: share of that face that the camera sees; `hand_hidden`: share behind the hand;
    `hand_mask` (h, w): pixels that show the hand.
    """

    image: Byte
    n: int
    camera: Camera
    layer_h: float
    foot: float
    heights: NDArray[np.int64]
    faces: tuple[tuple[str, ...], ...]
    face_corners: Array
    visible: Array
    hand_hidden: Array
    hand_mask: NDArray[np.bool_]
    style: dict[str, Any]

    def project(self, points: Array) -> Array:
        """Return the pixels (..., 2) of board points (..., 3)."""
        return self.camera.project(points)

    def truth(self) -> dict[str, Any]:
        """Return the truth as plain JSON types."""
        rvec, tvec = self.camera.opencv_pose()
        return {
            "n": self.n,
            "width": self.camera.width,
            "height": self.camera.height,
            "K": self.camera.matrix.tolist(),
            "dist": list(self.camera.dist),
            "rvec_y_up": rvec.tolist(),
            "tvec": tvec.tolist(),
            "R": self.camera.rotation.tolist(),
            "layer_h": self.layer_h,
            "foot": self.foot,
            "grid_corners": _plain(self.project(grid_corners(self.n))) if self.n else [],
            "heights": self.heights.tolist(),
            "faces": [list(row) for row in self.faces],
            "face_corners": _plain(self.face_corners),
            "visible": np.round(self.visible, 3).tolist(),
            "hand_hidden": np.round(self.hand_hidden, 3).tolist(),
            "style": self.style,
        }


def _plain(pixels: Array) -> Any:
    return np.where(np.isfinite(pixels), np.round(pixels, 3), -1e6).tolist()


def march(_: np.random.Generator, scene: Scene, camera: Camera) -> tuple[Float, NDArray[np.bool_]]:
    """Return what the ray marcher shows, which draws nothing at random."""
    light, ids = render(scene.arrays, camera, 2)
    return light, ids == HAND


def photograph(rng: np.random.Generator, scene: Scene, camera: Camera, renderer: Renderer = march) -> Sample:
    """Render a scene and work out what the picture shows of it."""
    light, hand = renderer(rng, scene, camera)
    image = develop(rng, light)
    points = _face_points(scene, 7)
    seen, behind = points_seen(scene.arrays, camera, points)
    edge = np.array([0.0, 1.0])
    corners = _face_points(scene, 2, edge)
    order = camera.project(corners)[:, :, [0, 1, 3, 2]]
    return Sample(
        image,
        scene.n,
        camera,
        scene.tiles.shape.layer_h,
        scene.tiles.foot,
        scene.content.heights,
        scene.content.faces,
        order,
        seen.mean(axis=2),
        behind.mean(axis=2),
        hand,
        scene.describe() | _view(camera, scene.span),
    )


def _view(camera: Camera, n: int) -> dict[str, Any]:
    away = camera.centre - [n / 2, n / 2, 0]
    tilt = np.degrees(np.arccos(away[2] / np.linalg.norm(away)))
    return {"tilt": round(float(tilt), 2), "azimuth": round(float(np.degrees(np.arctan2(away[1], away[0]))), 2)}


def _face_points(scene: Scene, count: int, steps: Array | None = None) -> Array:
    """Return (n, n, count^2, 3): a raster over each top face, or over the square where there is no tile."""
    n = scene.n
    steps = (np.arange(count) + 0.5) / count if steps is None else steps
    v, u = (axis.ravel() for axis in np.meshgrid(steps, steps, indexing="ij"))
    heights = scene.content.heights
    points = np.zeros((n, n, len(u), 3))
    points[..., 0] = np.arange(n)[None, :, None] + u
    points[..., 1] = np.arange(n)[:, None, None] + v
    stacks = scene.arrays
    for k, (row, col) in enumerate(np.argwhere(heights > 0)):
        x, y, c, s = stacks.tiles[k, heights[row, col] - 1]
        du, dv = (u - 0.5) * 2 * scene.face_half, (v - 0.5) * 2 * scene.face_half
        points[row, col, :, 0] = x + c * du - s * dv
        points[row, col, :, 1] = y + s * du + c * dv
    points[..., 2] = scene.face_height(heights)[..., None]
    return points


def save_sample(record: Path, sample: Sample, quality: int) -> None:
    """Write a sample's truth to `seen` (.json) and its picture beside it; the truth appears last, whole or not."""
    cv2.imwrite(str(record.with_suffix(".jpg")), sample.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if sample.hand_mask.any():
        cv2.imwrite(str(record.with_name(f"{record.stem}_hand.png")), sample.hand_mask * np.uint8(255))
    partial_file = record.with_suffix(".part")
    partial_file.write_text(json.dumps(sample.truth()), encoding="utf-8")
    partial_file.replace(record)
