"""Coarse maps of how high a scene stands: where rays may begin, and what shades what."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.scene_arrays import COARSE, REACH, Float
from workshop.training.scene.canvas import MARGIN, RES, Canvas
from workshop.training.scene.tiles import TileStyle


def coarse_maps(canvas: Canvas, style: TileStyle, stacks: Float, tiles: Float) -> tuple[Float, NDArray[np.int16]]:
    """Return tops (ch, cw) and stack numbers (ch, cw, 6), both good within REACH of each coarse cell."""
    count = (canvas.n + 2 * MARGIN) * COARSE
    step = RES // COARSE
    body = canvas.ground[: count * step, : count * step].reshape(count, step, count, step)
    tops = np.asarray(body.max(axis=(1, 3)), np.float32)
    ids = np.full((count, count, 6), -1, np.int16)
    used = np.zeros((count, count), int)
    half = style.shape.half
    for k in range(len(stacks)):
        layers = int(stacks[k, 1])
        spots = tiles[k, :layers]
        if stacks[k, 0] < -40:
            continue
        grow = (half * (np.abs(spots[:, 2]) + np.abs(spots[:, 3]))).max()
        low = np.floor((spots[:, :2].min(axis=0) - grow - REACH + MARGIN) * COARSE).astype(int)
        high = np.floor((spots[:, :2].max(axis=0) + grow + REACH + MARGIN) * COARSE).astype(int)
        for i in range(max(0, low[1]), min(count, high[1] + 1)):
            for j in range(max(0, low[0]), min(count, high[0] + 1)):
                if used[i, j] < 6:
                    ids[i, j, used[i, j]] = k
                    used[i, j] += 1
                tops[i, j] = max(tops[i, j], stacks[k, 2])
    return np.asarray(cv2.dilate(tops, np.ones((3, 3), np.uint8)), np.float32), ids


def shade_maps(canvas: Canvas, style: TileStyle, stacks: Float, tiles: Float) -> tuple[Float, Float]:
    """Return what stands around each place, blurred a little and far: what takes the light away there."""
    total = cv2.blur(canvas.ground, (4, 4))[::4, ::4].copy()
    scale = RES / 4
    for k in range(len(stacks)):
        x, y, c, s = tiles[k, 0]
        half = style.shape.half
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        turned = corners @ np.array([[c, s], [-s, c]]) + [x, y]
        if stacks[k, 0] > -40:
            points = np.round((turned + MARGIN) * scale * 16).astype(np.int32)
            cv2.fillConvexPoly(total, points, float(stacks[k, 2]), cv2.LINE_8, 4)
    near = cv2.GaussianBlur(total, (0, 0), 0.25 * scale)
    far = cv2.GaussianBlur(total, (0, 0), 0.9 * scale)
    return np.asarray(near, np.float32), np.asarray(far, np.float32)
