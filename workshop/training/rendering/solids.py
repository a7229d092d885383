"""What a scene is made of: ground, stacks of tiles, and what fills a point (compiled)."""

from __future__ import annotations

import math

from workshop.training.rendering.scene_arrays import COARSE, REACH, Float, SceneArrays, TileShape, inline

MISS = -1
GROUND = -2
_MIN_STEP = 0.012


@inline
def lookup(grid: Float, x: float, y: float) -> float:
    """Return the bilinear value of `grid` at pixel position (x, y), clamped at the edges."""
    h, w = grid.shape
    x = min(max(x, 0.0), w - 1.001)
    y = min(max(y, 0.0), h - 1.001)
    i, j = int(y), int(x)
    a, b = x - j, y - i
    top: float = grid[i, j] * (1 - a) + grid[i, j + 1] * a
    low: float = grid[i + 1, j] * (1 - a) + grid[i + 1, j + 1] * a
    return top * (1 - b) + low * b


@inline
def ground_height(s: SceneArrays, x: float, y: float) -> float:
    px = (x - s.x0) * s.res
    py = (y - s.y0) * s.res
    if px < 0 or py < 0 or px > s.ground.shape[1] - 1 or py > s.ground.shape[0] - 1:
        return s.table_z
    return lookup(s.ground, px, py)


@inline
def box_depth(lx: float, ly: float, half: float, radius: float) -> float:
    """Return the depth of a point inside a rounded square (negative outside)."""
    qx = abs(lx) - half + radius
    qy = abs(ly) - half + radius
    ox, oy = max(qx, 0.0), max(qy, 0.0)
    return radius - (math.sqrt(ox * ox + oy * oy) + min(max(qx, qy), 0.0))


@inline
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


@inline
def stack_inset(shape: TileShape, u: float, layers: float) -> float:
    """Inset of a whole stack's outline at `u` above its foot; large where there is no tile."""
    total = layers * shape.layer_h
    if u > total:
        return 9.0
    if u > total - shape.shelf:  # the raised face of the top tile
        left = total - u
        edge = min(shape.bevel, shape.shelf)
        inset = shape.plateau
        if shape.slope > 0.5:
            inset += shape.bevel * (1.0 - left / shape.shelf)
        elif left < edge:
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


@inline
def layer_at(shape: TileShape, u: float, layers: float) -> int:
    v = u + shape.shelf if shape.nested > 0.5 else u
    return int(min(max(math.floor(v / shape.layer_h), 0.0), layers - 1.0))


@inline
def stack_depth(s: SceneArrays, k: int, x: float, y: float, z: float) -> tuple[float, float]:
    """Return the depth inside the outline of stack `k` at height z, and the inset asked for there."""
    u = z - s.stacks[k, 0]
    layer = layer_at(s.shape, u, s.stacks[k, 1])
    dx = x - s.tiles[k, layer, 0]
    dy = y - s.tiles[k, layer, 1]
    c, sn = s.tiles[k, layer, 2], s.tiles[k, layer, 3]
    radius = s.shape.radius
    if s.shape.corner > 0 and z > s.stacks[k, 2] - s.shape.shelf:
        radius = s.shape.plateau + s.shape.corner
    depth = box_depth(c * dx + sn * dy, c * dy - sn * dx, s.shape.half, radius)
    return depth, stack_inset(s.shape, u, s.stacks[k, 1])


@inline
def inside(s: SceneArrays, x: float, y: float, z: float) -> int:
    """Return what fills the point: a stack's number, GROUND or MISS (hands apart)."""
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


@inline
def near_step(s: SceneArrays, ci: int, cj: int, x: float, y: float, z: float) -> float:
    """Return a step (cells) that cannot jump over anything thick; 0 when the point is inside something."""
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
