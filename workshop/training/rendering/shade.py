"""Normals, light and colour at the point a ray meets (compiled). Colours are linear, in BGR order."""

from __future__ import annotations

import math

from workshop.training.rendering.hand_rays import hand_distance
from workshop.training.rendering.march import HAND, march
from workshop.training.rendering.scene_arrays import ATLAS, Byte, Float, SceneArrays, inline, jit
from workshop.training.rendering.solids import GROUND, ground_height, lookup, stack_depth

_DELTA = 0.006


@inline
def linear(value: float) -> float:
    """Convert an sRGB byte to linear light: x^2.2 within 0.004."""
    x = value / 255.0
    return x * x * (0.8 + 0.2 * x)


@inline
def sample(image: Byte, x: float, y: float, channel: int) -> float:
    """Return the bilinear byte value of one channel, clamped at the edges."""
    h, w = image.shape[0], image.shape[1]
    x = min(max(x, 0.0), w - 1.001)
    y = min(max(y, 0.0), h - 1.001)
    i, j = int(y), int(x)
    a, b = x - j, y - i
    top: float = image[i, j, channel] * (1 - a) + image[i, j + 1, channel] * a
    low: float = image[i + 1, j, channel] * (1 - a) + image[i + 1, j + 1, channel] * a
    return top * (1 - b) + low * b


@inline
def wrap(image: Byte, x: float, y: float, channel: int) -> float:
    """Return the bilinear byte value of one channel of a tileable image."""
    h, w = image.shape[0], image.shape[1]
    i, j = math.floor(y), math.floor(x)
    a, b = x - j, y - i
    i0, i1, j0, j1 = i % h, (i + 1) % h, j % w, (j + 1) % w
    top: float = image[i0, j0, channel] * (1 - a) + image[i0, j1, channel] * a
    low: float = image[i1, j0, channel] * (1 - a) + image[i1, j1, channel] * a
    return top * (1 - b) + low * b


@inline
def field(s: SceneArrays, what: int, x: float, y: float, z: float) -> float:
    """Return the signed field of the thing that was met: positive inside."""
    if what == GROUND:
        return ground_height(s, x, y) - z
    if what == HAND:
        return -hand_distance(s.capsules, s.ball, x, y, z)[0]
    depth, inset = stack_depth(s, what, x, y, z)
    return depth - min(inset, 1.0)


@inline
def normal_at(s: SceneArrays, what: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    e = _DELTA if what != GROUND else 0.5 / s.res
    nx, ny, nz = 0.0, 0.0, 0.0
    for q in range(6):  # one call in a loop: the field is compiled in here once
        side = e if q % 2 == 0 else -e
        ax = side if q < 2 else 0.0
        ay = side if q // 2 == 1 else 0.0
        az = side if q > 3 else 0.0
        value = field(s, what, x + ax, y + ay, z + az)
        nx -= math.copysign(value, value * ax) if ax != 0 else 0.0
        ny -= math.copysign(value, value * ay) if ay != 0 else 0.0
        nz -= math.copysign(value, value * az) if az != 0 else 0.0
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    if size < 1e-9:
        return 0.0, 0.0, 1.0
    return nx / size, ny / size, nz / size


@inline
def sky_light(s: SceneArrays, dz: float, channel: int) -> float:
    """Return the radiance of the room in a direction of height dz."""
    k = math.sqrt(dz) if dz >= 0 else min(1.0, -dz * 2)
    away: float = s.sky[0, channel] if dz >= 0 else s.sky[2, channel]
    level: float = s.sky[1, channel]
    return level * (1 - k) + away * k


@inline
def openness(s: SceneArrays, x: float, y: float, z: float) -> float:
    """Return the share of the room's light that reaches a point past its taller neighbours."""
    px = (x - s.x0) * s.res / 4
    py = (y - s.y0) * s.res / 4
    near = max(0.0, lookup(s.shade_near, px, py) - z)
    far = max(0.0, lookup(s.shade_far, px, py) - z)
    return 1.0 / (1.0 + 2.2 * near + 1.1 * far)


@inline
def glint(light: Float, rough: float, p: Float, r: Float) -> float:
    """Return the weight of a rectangular light seen along the mirrored direction r from p, blurred by roughness."""
    nx = light[4] * light[8] - light[5] * light[7]
    ny = light[5] * light[6] - light[3] * light[8]
    nz = light[3] * light[7] - light[4] * light[6]
    qx, qy, qz = light[0] - p[0], light[1] - p[1], light[2] - p[2]
    down = nx * r[0] + ny * r[1] + nz * r[2]
    t = (nx * qx + ny * qy + nz * qz) / (down if abs(down) > 1e-9 else 1e-9)
    if t <= 0:
        return 0.0
    hx, hy, hz = t * r[0] - qx, t * r[1] - qy, t * r[2] - qz
    weight = 1.0
    for q in range(2):
        ux, uy, uz = light[3 + 3 * q], light[4 + 3 * q], light[5 + 3 * q]
        size = math.sqrt(ux * ux + uy * uy + uz * uz)
        along = abs(hx * ux + hy * uy + hz * uz) / size
        blur = rough * t + 1e-3
        weight *= 1.0 / (1.0 + math.exp(min(30.0, (along - size) / (0.35 * blur))))
        weight *= size / (size + 0.7 * blur)
    return weight


@inline
def surface(s: SceneArrays, what: int, p: Float, n: Float, out: Float) -> int:
    """Fill `out` with albedo (0:3) and bump the normal of printed faces; return the material's row."""
    x, y, z = p[0], p[1], p[2]
    if what == HAND:
        _, part = hand_distance(s.capsules, s.ball, x, y, z)
        for c in range(3):
            out[c] = s.skins[part, c]
        return 1
    if what == GROUND:
        px, py = (x - s.x0) * s.res, (y - s.y0) * s.res
        h, w = s.material.shape
        row = 0
        if 0 <= px < w - 1 and 0 <= py < h - 1:
            row = int(s.material[int(py + 0.5), int(px + 0.5)])
        for c in range(3):
            if row == 0:
                out[c] = linear(wrap(s.table, (x - s.x0) * s.table_px, (y - s.y0) * s.table_px, c))
            else:
                out[c] = linear(sample(s.albedo, px, py, c))
        return row
    layers = int(s.stacks[what, 1])
    layer = int((z - s.stacks[what, 0] + (s.shape.shelf if s.shape.nested > 0.5 else 0.0)) / s.shape.layer_h)
    layer = min(max(layer, 0), layers - 1)
    for c in range(3):
        out[c] = s.bodies[what, layer, c]
    if layer == layers - 1 and z > s.stacks[what, 2] - 0.012 and n[2] > 0.3:
        t = s.tiles[what, layer]
        lx = t[2] * (x - t[0]) + t[3] * (y - t[1])
        ly = t[2] * (y - t[1]) - t[3] * (x - t[0])
        u, v = (lx + 0.5) * ATLAS - 0.5, (ly + 0.5) * ATLAS - 0.5
        face = s.atlas[what]
        for c in range(3):
            out[c] = linear(sample(face, u, v, c))
        if s.emboss != 0.0 and n[2] > 0.95:
            gx = (sample(face, u + 1, v, 3) - sample(face, u - 1, v, 3)) / 255.0 * s.emboss
            gy = (sample(face, u, v + 1, 3) - sample(face, u, v - 1, 3)) / 255.0 * s.emboss
            n[0] -= t[2] * gx - t[3] * gy
            n[1] -= t[3] * gx + t[2] * gy
            size = math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
            for c in range(3):
                n[c] /= size
    return s.tile_material


@inline
def lit(s: SceneArrays, k: int, x: float, y: float, z: float, nx: float, ny: float, nz: float, aim: Float) -> float:
    """Return the cosine times falloff of light k at a point with normal n, seen from its point `aim` (-1..1 twice).

    It is negative where the light doesn't reach.
    """
    light = s.lights[k]
    a, b = aim[k % 2], aim[1 - k % 2]
    lx = light[0] + a * light[3] + b * light[6] - x
    ly = light[1] + a * light[4] + b * light[7] - y
    lz = light[2] + a * light[5] + b * light[8] - z
    dist = math.sqrt(lx * lx + ly * ly + lz * lz)
    lx, ly, lz = lx / dist, ly / dist, lz / dist
    cosine = lx * nx + ly * ny + lz * nz
    if cosine <= 0 or lz <= 0:
        return -1.0
    _, what = march(s, x + 0.012 * nx, y + 0.012 * ny, z + 0.012 * nz, lx, ly, lz, False, True)
    if what != -1:
        return -1.0
    fall = light[13] / dist
    strength: float = cosine * fall * fall
    return strength


@inline
def glow(s: SceneArrays, what: int, work: Float) -> None:
    """Let light that enters a stack's top near a point leave there, as far as it outshines what falls on the point.

    The deeper below the top the point is, the fainter that light, and the more it has of the plastic's colour. `work`
    is that of `shade`; its last row gains the light.
    """
    p, albedo, aim, own = work[0], work[4], work[5], work[6]
    layer = int(s.stacks[what, 1]) - 1
    t = s.tiles[what, layer]
    lx = t[2] * (p[0] - t[0]) + t[3] * (p[1] - t[1]) + aim[1] * s.reach
    ly = t[2] * (p[1] - t[1]) - t[3] * (p[0] - t[0]) + aim[0] * s.reach
    edge = s.shape.half - s.shape.plateau - s.shape.bevel
    lx, ly = min(max(lx, -edge), edge), min(max(ly, -edge), edge)
    x, y, z = t[0] + t[2] * lx - t[3] * ly, t[1] + t[3] * lx + t[2] * ly, s.stacks[what, 2]
    depth = max(z - p[2], 0.0) / s.reach
    most = max(albedo[0], max(albedo[1], albedo[2])) + 1e-4
    ambient = openness(s, x, y, z + 0.05)
    work[3, 0], work[3, 1], work[3, 2] = 0.0, 0.0, 0.0
    for k in range(-1, s.lights.shape[0]):
        strength = ambient if k < 0 else max(lit(s, k, x, y, z, 0.0, 0.0, 1.0, aim), 0.0)
        for c in range(3):
            work[3, c] += strength * (0.6 * s.sky[0, c] + 0.4 * s.sky[1, c] if k < 0 else s.lights[k, 9 + c])
    for c in range(3):
        inside = work[3, c] * math.exp((math.log(albedo[c] / most + 1e-4) - 1) * depth)
        own[c] += s.glow * max(inside - own[c], 0.0)


@jit
def shade(s: SceneArrays, what: int, work: Float, colour: Float) -> None:
    """Add to `colour` the light that leaves a point.

    `work` (7, 3): the point, the ray's direction, room for normal, mirrored direction and albedo, the point of the
    lights to look at, and room for the light that falls on the point.
    """
    p, d, n, r, albedo, own = work[0], work[1], work[2], work[3], work[4], work[6]
    n[0], n[1], n[2] = normal_at(s, what, p[0], p[1], p[2])
    row = surface(s, what, p, n, albedo)
    rough, gloss = s.materials[row, 0], s.materials[row, 1]
    cosine = -(d[0] * n[0] + d[1] * n[1] + d[2] * n[2])
    for c in range(3):
        r[c] = d[c] + 2 * cosine * n[c]
    graze = 1 - min(max(cosine, 0.0), 1.0)
    fresnel = gloss * (0.045 + 0.955 * graze * graze * graze * graze * graze * (1 - 0.7 * rough))
    # a stack takes no more of its own walls' light than `up` tells: look at the room from farther off there
    away = 0.1 + (0.25 * (1 - abs(n[2])) if what >= 0 else 0.0)
    ambient = openness(s, p[0] + away * n[0], p[1] + away * n[1], p[2] + 0.05 * n[2])
    up = 0.5 + 0.5 * n[2]
    for c in range(3):
        dome = up * (0.6 * s.sky[0, c] + 0.4 * s.sky[1, c]) + (1 - up) * s.sky[2, c]
        own[c] = dome * ambient
        colour[c] += fresnel * sky_light(s, r[2], c) * ambient
    for k in range(s.lights.shape[0]):
        strength = lit(s, k, p[0], p[1], p[2], n[0], n[1], n[2], work[5])
        if strength < 0:
            continue
        mirror = 0.0
        if fresnel > 0.002:
            fall = s.lights[k, 13] / s.lights[k, 12]
            mirror = fresnel * glint(s.lights[k], rough, p, r) * math.pi * fall * s.lights[k, 13]
        for c in range(3):
            own[c] += s.lights[k, 9 + c] * strength
            colour[c] += s.lights[k, 9 + c] * mirror
    if what >= 0 and s.glow > 0:
        glow(s, what, work)
    for c in range(3):
        colour[c] += albedo[c] * own[c]
