"""Hands of capsules: how far a point or a ray is from one (compiled)."""

from __future__ import annotations

import math

from workshop.training.rendering.scene_arrays import Float, jit

FAR = 400.0
"""Cells: farther than anything."""


@jit
def hand_distance(capsules: Float, ball: Float, x: float, y: float, z: float) -> tuple[float, int]:
    """Return the distance to the hand's capsules (smoothly joined) and the nearest part."""
    bx, by, bz = x - ball[0], y - ball[1], z - ball[2]
    far = math.sqrt(bx * bx + by * by + bz * bz) - ball[3]
    if far > 0.6:
        return far, 0
    best, part = 1e9, 0
    joined = 0.0
    for i in range(capsules.shape[0]):
        c = capsules[i]
        px, py, pz = x - c[0], y - c[1], z - c[2]
        ax, ay, az = c[3] - c[0], c[4] - c[1], c[5] - c[2]
        h = (px * ax + py * ay + pz * az) / (ax * ax + ay * ay + az * az)
        h = min(max(h, 0.0), 1.0)
        ex, ey, ez = px - ax * h, py - ay * h, pz - az * h
        d = math.sqrt(ex * ex + ey * ey + ez * ez) - (c[6] + (c[7] - c[6]) * h)
        if d < 0.5:
            joined += math.exp(-max(d, -1.0) * 16.0)
        if d < best:
            best, part = d, int(c[8])
    if best > 0.3:
        return best - 0.12, part
    return -math.log(joined) / 16.0, part


@jit
def hand_march(capsules: Float, ball: Float, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> float:
    """Return the length of a ray up to the hand, or a far value; only if it meets a part's bounding sphere."""
    bx, by, bz = ball[0] - ox, ball[1] - oy, ball[2] - oz
    along = bx * dx + by * dy + bz * dz
    if bx * bx + by * by + bz * bz - along * along > ball[3] * ball[3]:
        return FAR
    enter, leave = FAR, -1.0
    for i in range(capsules.shape[0]):
        c = capsules[i]
        mx, my, mz = 0.5 * (c[0] + c[3]) - ox, 0.5 * (c[1] + c[4]) - oy, 0.5 * (c[2] + c[5]) - oz
        lx, ly, lz = c[3] - c[0], c[4] - c[1], c[5] - c[2]
        radius = 0.5 * math.sqrt(lx * lx + ly * ly + lz * lz) + max(c[6], c[7]) + 0.12
        along = mx * dx + my * dy + mz * dz
        left = radius * radius - (mx * mx + my * my + mz * mz - along * along)
        if left > 0 and along + math.sqrt(left) > 0:
            enter = min(enter, max(0.0, along - math.sqrt(left)))
            leave = max(leave, along + math.sqrt(left))
    t = enter
    for _ in range(80):
        if t > leave:
            return FAR
        gap = hand_distance(capsules, ball, ox + t * dx, oy + t * dy, oz + t * dz)[0]
        if gap < 0.006:
            return t
        t += max(gap, 0.015)
    return FAR
