"""Pixels and visibility: the two loops over rays (compiled)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.hand_rays import hand_march
from workshop.training.rendering.march import HAND, march
from workshop.training.rendering.scene_arrays import CameraArrays, Float, SceneArrays, jit
from workshop.training.rendering.shade import shade, sky_light
from workshop.training.rendering.solids import MISS


@jit
def pixel_direction(cam: CameraArrays, px: float, py: float) -> tuple[float, float, float]:
    """Return the unit direction, in board coordinates, of the ray through pixel (px, py), lens distortion undone."""
    xd, yd = (px - cam.cx) / cam.fx, (py - cam.cy) / cam.fy
    x, y = xd, yd
    for _ in range(5):
        rr = x * x + y * y
        scale = 1 + cam.k1 * rr + cam.k2 * rr * rr
        x, y = xd / scale, yd / scale
    size = 1.0 / math.sqrt(x * x + y * y + 1)
    r = cam.rotation
    return (
        (r[0, 0] * x + r[1, 0] * y + r[2, 0]) * size,
        (r[0, 1] * x + r[1, 1] * y + r[2, 1]) * size,
        (r[0, 2] * x + r[1, 2] * y + r[2, 2]) * size,
    )


@jit
def add_sample(s: SceneArrays, cam: CameraArrays, px: float, py: float, work: Float, colour: Float) -> int:
    """Add the light through picture point (px, py) to `colour`; return what is seen there."""
    dx, dy, dz = pixel_direction(cam, px, py)
    ox, oy, oz = cam.centre[0], cam.centre[1], cam.centre[2]
    t, what = march(s, ox, oy, oz, dx, dy, dz, True, True)
    if what == MISS:
        for c in range(3):
            colour[c] += sky_light(s, dz, c)
        return what
    work[0, 0], work[0, 1], work[0, 2] = ox + t * dx, oy + t * dy, oz + t * dz
    work[1, 0], work[1, 1], work[1, 2] = dx, dy, dz
    shade(s, what, work, colour)
    return what


@jit
def busy(image: Float, ids: NDArray[np.int16], i: int, j: int, contrast: float) -> bool:
    """Return whether a pixel differs from the next ones, so that one ray is not enough."""
    h, w = ids.shape
    for q in range(4):
        y = min(max(i + (q == 0) - (q == 1), 0), h - 1)
        x = min(max(j + (q == 2) - (q == 3), 0), w - 1)
        if ids[y, x] != ids[i, j]:
            return True
        a, b = image[y, x, 1], image[i, j, 1]
        if abs(a - b) > contrast * (a + b + 0.02):
            return True
    return False


@jit
def render_pixels(
    s: SceneArrays, cam: CameraArrays, first: Float, ids: NDArray[np.int16], work: Float, image: Float, extra: int
) -> None:
    """Fill `image` (h, w, 3 linear BGR) and `ids` (h, w: what the pixel's middle meets).

    `first` (zeros) takes one ray a pixel; `extra` more are spent where neighbours differ. `work` is (7, 3) room.
    """
    np.random.seed(extra * 7919 + ids.shape[0])
    h, w = ids.shape
    for i in range(h):
        for j in range(w):
            # neighbours look at different sixteenths of a light, so that soft shadows are even after a small blur
            work[5, 0] = ((i * 7 + j * 5) % 16 + np.random.random()) / 8 - 1
            work[5, 1] = ((i * 5 + j * 11) % 16 + np.random.random()) / 8 - 1
            ids[i, j] = add_sample(s, cam, j, i, work, first[i, j])
    for i in range(h):
        for j in range(w):
            count = 1
            colour = image[i, j]
            for c in range(3):
                colour[c] = first[i, j, c]
            if busy(first, ids, i, j, 0.22):
                count += extra
                for q in range(extra):
                    jx = (q + np.random.random()) / extra - 0.5
                    work[5, 0], work[5, 1] = 2 * np.random.random() - 1, 2 * np.random.random() - 1
                    add_sample(s, cam, j + jx, i + np.random.random() - 0.5, work, colour)
            for c in range(3):
                colour[c] /= count


@jit
def visibility(s: SceneArrays, cam: CameraArrays, points: Float, seen: NDArray[np.uint8]) -> None:
    """Fill `seen` for points (m, 3): bit 1 = the camera sees it past boards and tiles, bit 2 = a hand is before it."""
    for i in range(points.shape[0]):
        p = points[i]
        dx, dy, dz = cam.centre[0] - p[0], cam.centre[1] - p[1], cam.centre[2] - p[2]
        far = math.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / far, dy / far, dz / far
        _, what = march(s, p[0], p[1], p[2] + 0.01, dx, dy, dz, False, False)
        seen[i] = 1 if what in (MISS, HAND) else 0
        if s.ball[3] > 0 and hand_march(s.capsules, s.ball, p[0], p[1], p[2], dx, dy, dz) < far:
            seen[i] |= 2
