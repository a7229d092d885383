"""Ray marching through a heightfield with stacked tiles and capsule hands (compiled)."""

from __future__ import annotations

import math

from calibration.training.rendering.scene_arrays import (
    COARSE,
    REACH,
    Float,
    SceneArrays,
    TileShape,
    inlined,
    jit,
)

MISS = -1
GROUND = -2
HAND = -3
_MIN_STEP = 0.012
_FAR = 400.0


@inlined
def lookup(grid: Float, x: float, y: float) -> float:
    """Bilinear value of `grid` at pixel position (x, y), clamped at the edges."""
    h, w = grid.shape
    x = min(max(x, 0.0), w - 1.001)
    y = min(max(y, 0.0), h - 1.001)
    i, j = int(y), int(x)
    a, b = x - j, y - i
    top: float = grid[i, j] * (1 - a) + grid[i, j + 1] * a
    low: float = grid[i + 1, j] * (1 - a) + grid[i + 1, j + 1] * a
    return top * (1 - b) + low * b


@inlined
def ground_height(s: SceneArrays, x: float, y: float) -> float:
    px = (x - s.x0) * s.res
    py = (y - s.y0) * s.res
    if px < 0 or py < 0 or px > s.ground.shape[1] - 1 or py > s.ground.shape[0] - 1:
        return s.table_z
    return lookup(s.ground, px, py)


@inlined
def box_depth(lx: float, ly: float, half: float, radius: float) -> float:
    """Depth of a point inside a rounded square (negative outside)."""
    qx = abs(lx) - half + radius
    qy = abs(ly) - half + radius
    ox, oy = max(qx, 0.0), max(qy, 0.0)
    return radius - (math.sqrt(ox * ox + oy * oy) + min(max(qx, qy), 0.0))


@inlined
def skirt_inset(shape: TileShape, rise: float, span: float) -> float:
    """Inset of a tile's side at height `rise` of `span`: rounded at both ends, slightly tapered."""
    inset = shape.draft * rise / span
    if rise < shape.foot:
        q = 1.0 - rise / shape.foot
        inset += shape.foot * (1.0 - math.sqrt(max(0.0, 1.0 - q * q)))
    left = span - rise
    if left < shape.bevel:
        q = 1.0 - left / shape.bevel
        inset += shape.bevel * (1.0 - math.sqrt(max(0.0, 1.0 - q * q)))
    return inset


@inlined
def stack_inset(shape: TileShape, u: float, layers: float) -> float:
    """Inset of a whole stack's outline at `u` above its foot; large where there is no tile."""
    total = layers * shape.layer_h
    if u > total:
        return 9.0
    if u > total - shape.shelf:  # the raised face of the top tile
        left = total - u
        edge = min(shape.bevel, shape.shelf)
        inset = shape.plateau
        if left < edge:
            q = 1.0 - left / edge
            inset += edge * (1.0 - math.sqrt(max(0.0, 1.0 - q * q)))
        return inset
    if shape.nested > 0.5:
        v = u + shape.shelf
        if v < 0:
            return 9.0
        rise = v - shape.layer_h * math.floor(v / shape.layer_h)
        return skirt_inset(shape, rise, shape.layer_h)
    if u < 0:
        return 9.0
    rise = u - shape.layer_h * math.floor(u / shape.layer_h)
    if rise > shape.layer_h - shape.shelf:
        return shape.plateau
    return skirt_inset(shape, rise, shape.layer_h - shape.shelf)


@inlined
def layer_at(shape: TileShape, u: float, layers: float) -> int:
    v = u + shape.shelf if shape.nested > 0.5 else u
    return int(min(max(math.floor(v / shape.layer_h), 0.0), layers - 1.0))


@inlined
def stack_depth(s: SceneArrays, k: int, x: float, y: float, z: float) -> tuple[float, float]:
    """Depth inside the outline of stack `k` at height z, and the inset asked for there."""
    u = z - s.stacks[k, 0]
    layer = layer_at(s.shape, u, s.stacks[k, 1])
    dx = x - s.tiles[k, layer, 0]
    dy = y - s.tiles[k, layer, 1]
    c, sn = s.tiles[k, layer, 2], s.tiles[k, layer, 3]
    depth = box_depth(c * dx + sn * dy, c * dy - sn * dx, s.shape.half, s.shape.radius)
    return depth, stack_inset(s.shape, u, s.stacks[k, 1])


@jit
def hand_distance(capsules: Float, ball: Float, x: float, y: float, z: float) -> tuple[float, int]:
    """Distance to the hand's capsules (smoothly joined) and the nearest part."""
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
def hand_march(
    capsules: Float, ball: Float, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> float:
    """Return the length of a ray up to the hand, or a far value; only where it meets a part's bounding sphere."""
    bx, by, bz = ball[0] - ox, ball[1] - oy, ball[2] - oz
    along = bx * dx + by * dy + bz * dz
    if bx * bx + by * by + bz * bz - along * along > ball[3] * ball[3]:
        return _FAR
    enter, leave = _FAR, -1.0
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
            return _FAR
        gap = hand_distance(capsules, ball, ox + t * dx, oy + t * dy, oz + t * dz)[0]
        if gap < 0.006:
            return t
        t += max(gap, 0.015)
    return _FAR


@inlined
def inside(s: SceneArrays, x: float, y: float, z: float) -> int:
    """What fills the point: a stack's number, GROUND or MISS (hands apart)."""
    if z < ground_height(s, x, y):
        return GROUND
    ci, cj = math.floor((y - s.y0) * COARSE), math.floor((x - s.x0) * COARSE)
    if 0 <= ci < s.coarse_top.shape[0] and 0 <= cj < s.coarse_top.shape[1]:
        for q in range(s.coarse_ids.shape[2]):
            k = int(s.coarse_ids[ci, cj, q])
            if k < 0:
                break
            depth, inset = stack_depth(s, k, x, y, z)
            if depth > inset:
                return k
    return MISS


@inlined
def near_step(s: SceneArrays, ci: int, cj: int, x: float, y: float, z: float) -> float:
    """A step (cells) that cannot jump over anything thick; 0 when the point is inside something."""
    over = z - ground_height(s, x, y)
    if over < 0:
        return 0.0
    step = min(0.6 * over, 0.2)
    for q in range(s.coarse_ids.shape[2]):
        k = s.coarse_ids[ci, cj, q]
        if k < 0:
            break
        depth, inset = stack_depth(s, k, x, y, z)
        if depth > inset:
            return 0.0
        step = min(step, max(-depth, z - s.stacks[k, 2]))
    return min(max(step, _MIN_STEP), REACH)


@jit
def march(
    s: SceneArrays, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, fine: bool, hands: bool
) -> tuple[float, int]:
    """Follow a unit ray; return its length and what it meets (stack number, GROUND, HAND or MISS)."""
    t = 0.0
    hand = _FAR
    if hands and s.ball[3] > 0:
        hand = hand_march(s.capsules, s.ball, ox, oy, oz, dx, dy, dz)
        if hand < _FAR and not fine:
            return hand, HAND
    if oz > s.ztop:
        if dz > -1e-6:
            return hand, HAND if hand < _FAR else MISS
        t = (oz - s.ztop) / -dz
    flat = math.sqrt(dx * dx + dy * dy) + 1e-9
    width = s.ground.shape[1] / s.res
    height = s.ground.shape[0] / s.res
    before = t
    for _ in range(220):
        x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
        if t > hand:
            return hand, HAND
        if (z > s.ztop + 1e-3 and dz > 0) or t > _FAR:
            return hand, HAND if hand < _FAR else MISS
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
        else:
            if z < s.table_z:
                step = 0.0
            else:
                outside = max(max(-u, u - width), max(-v, v - height))
                step = max(outside, REACH) / flat
                if dz < 0:
                    step = min(step, (z - s.table_z) / -dz + 1e-4)
        if step == 0.0:
            low, high = before, t
            what = MISS
            for q in range(10 if fine else 1):
                mid = high if q == 9 or not fine else 0.5 * (low + high)
                here = inside(s, ox + mid * dx, oy + mid * dy, oz + mid * dz)
                if here == MISS:
                    low = mid
                else:
                    high, what = mid, here
            if hand < high:
                return hand, HAND
            return high, GROUND if what == MISS else what
        before = t
        t += step
    return t, GROUND if dz < 0 else MISS
