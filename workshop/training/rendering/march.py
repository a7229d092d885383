"""Ray marching through a heightfield with stacked tiles and capsule hands (compiled)."""

from __future__ import annotations

import math

from workshop.training.rendering.hand_rays import FAR, hand_march
from workshop.training.rendering.scene_arrays import COARSE, REACH, SceneArrays, inline, jit
from workshop.training.rendering.solids import GROUND, MISS, inside, near_step

HAND = -3


@inline
def surface(
    s: SceneArrays,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    low: float,
    high: float,
    fine: bool,
) -> tuple[float, int]:
    """Find where between `low` and `high` along a ray something begins, and what; bisect where it is to be `fine`."""
    what = MISS
    for q in range(10 if fine else 1):
        mid = high if q == 9 or not fine else 0.5 * (low + high)
        here = inside(s, ox + mid * dx, oy + mid * dy, oz + mid * dz)
        if here == MISS:
            low = mid
        else:
            high, what = mid, here
    return high, what


@inline
def free_step(s: SceneArrays, x: float, y: float, z: float, dz: float, flat: float) -> float:
    """Return how far a ray whose slope is `dz`, and `flat` along the table, meets nothing; 0 inside of something."""
    u, v = x - s.x0, y - s.y0
    ci, cj = math.floor(v * COARSE), math.floor(u * COARSE)
    if 0 <= ci < s.coarse_top.shape[0] and 0 <= cj < s.coarse_top.shape[1]:
        above = z - s.coarse_top[ci, cj]
        if above > 1e-3:
            step = REACH / flat
            if dz < 0:
                step = min(step, above / -dz)
            step += 1e-4
        else:
            step = near_step(s, ci, cj, x, y, z)
    elif z < s.table_z:
        step = 0.0
    else:
        width, height = s.ground.shape[1] / s.res, s.ground.shape[0] / s.res
        outside = max(max(-u, u - width), max(-v, v - height))
        step = max(outside, REACH) / flat
        if dz < 0:
            step = min(step, (z - s.table_z) / -dz + 1e-4)
    return step


@jit
def march(
    s: SceneArrays, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, fine: bool, hands: bool
) -> tuple[float, int]:
    """Follow a unit ray; return its length and what it meets (stack number, GROUND, HAND or MISS)."""
    t = 0.0
    hand = FAR
    if hands and s.ball[3] > 0:
        hand = hand_march(s.capsules, s.ball, ox, oy, oz, dx, dy, dz)
        if hand < FAR and not fine:
            return hand, HAND
    if oz > s.ztop:
        if dz > -1e-6:
            return hand, HAND if hand < FAR else MISS
        t = (oz - s.ztop) / -dz
    flat = math.sqrt(dx * dx + dy * dy) + 1e-9
    before = t
    for _ in range(220):
        x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
        if t > hand:
            return hand, HAND
        if (z > s.ztop + 1e-3 and dz > 0) or t > FAR:
            return hand, HAND if hand < FAR else MISS
        step = free_step(s, x, y, z, dz, flat)
        if step == 0.0:
            high, what = surface(s, ox, oy, oz, dx, dy, dz, before, t, fine)
            if hand < high:
                return hand, HAND
            return high, GROUND if what == MISS else what
        before = t
        t += step
    return t, GROUND if dz < 0 else MISS
