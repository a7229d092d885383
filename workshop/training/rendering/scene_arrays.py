"""Arrays that the compiled renderer works on, and the typed door to the compiler.

Everything is in board coordinates: cells, x right, y down as the letters read, z up, z = 0 where tiles rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Byte = NDArray[np.uint8]
Fn = TypeVar("Fn", bound=Callable[..., Any])
_njit: Any = numba.njit  # numba's own annotations leave out the options used below

ATLAS = 108
"""Pixels across a face texture, which covers exactly one cell pitch."""
COARSE = 2
"""Coarse look-up cells a cell pitch."""
REACH = 0.5
"""Cells up to which a coarse cell knows what stands around it."""


def jit(function: Fn) -> Fn:
    """Compile `function` (numba, cached on disk, fast maths) and keep its type.

    Compiled code allocates nothing, so reference counting, which costs more than the arithmetic, is left out.
    """
    compiled: Fn = _njit(cache=True, fastmath=True, nogil=True, error_model="numpy", _nrt=False)(function)
    return compiled


def inline(function: Fn) -> Fn:
    """Compile `function` into its callers: handing a whole scene over costs more than most of these bodies."""
    compiled: Fn = _njit(inline="always", fastmath=True, error_model="numpy")(function)
    return compiled


class TileShape(NamedTuple):
    """One set's tile: lengths in cells. `shelf` is how far the face stands above the lower shelf."""

    half: float
    radius: float
    layer_h: float
    shelf: float
    nested: float  # 1: the next tile's skirt hides the shelf below it
    plateau: float  # inset of the raised face from the tile's outline
    bevel: float  # radius of the upper edge
    foot: float  # radius of the lower edge
    draft: float  # inset gained from foot to top
    corner: float = 0.0  # radius of the raised face's corners; 0: the outline's, less the inset
    slope: float = 0.0  # 1: the raised face's side is a straight slope, `bevel` wide; 0: it is rounded on top


class SceneArrays(NamedTuple):
    """All of a scene for the compiled code; see `scene.Scene` for how it is built."""

    x0: float
    y0: float
    res: float
    table_z: float
    ztop: float
    ground: Float  # (h, w) height
    albedo: Byte  # (h, w, 3) sRGB, BGR order
    material: Byte  # (h, w) row of `materials`; 0 = table
    materials: Float  # (k, 2) roughness, specular weight
    shade_near: Float  # (h/4, w/4) heights blurred over a quarter cell
    shade_far: Float  # (h/4, w/4) heights blurred over about a cell
    coarse_top: Float  # (ch, cw)
    coarse_ids: NDArray[np.int16]  # (ch, cw, 6), -1 = none
    stacks: Float  # (m, 3) foot z, layers, top z
    tiles: Float  # (m, 5, 4) centre x, y, cos, sin of each layer
    bodies: Float  # (m, 5, 3) linear BGR
    shape: TileShape
    atlas: Byte  # (m, ATLAS, ATLAS, 4) sRGB BGR + relief: what the mould left, or the ink
    emboss: float
    glow: float  # share of the light inside a tile's plastic that leaves it in the shade
    reach: float  # cells that such light goes, 0.37 of it
    tile_material: int
    table: Byte  # (s, s, 3) sRGB BGR, tileable
    table_px: float  # table texture pixels a cell
    capsules: Float  # (k, 9) ax ay az bx by bz ra rb part
    ball: Float  # (4,) bounding sphere of the capsules, radius < 0: none
    skins: Float  # (parts, 3) linear BGR
    sky: Float  # (3, 3) zenith, horizon, bounce; linear BGR
    lights: Float  # (l, 14) position 3, axis u 3, axis v 3, irradiance BGR 3, area, reference distance


class CameraArrays(NamedTuple):
    """A pinhole camera with two radial terms: X_cam = R X + t, R has determinant -1 (y points down)."""

    rotation: NDArray[np.float64]
    centre: NDArray[np.float64]
    fx: float
    fy: float
    cx: float
    cy: float
    k1: float
    k2: float
