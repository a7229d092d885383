"""A scene like a photograph: its tiles in its pose, under a light and in colours that are estimated from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image
from workshop.training.beside.genuine import Genuine, faces_of, find_lettered, reduce, to_light
from workshop.training.beside.profiles import STEPS, WALL_STEPS, measure
from workshop.training.faces.typeface import FontFace
from workshop.training.rendering.ray_marcher import Array, Camera, points_seen, render
from workshop.training.rendering.scene_arrays import ATLAS, Float, SceneArrays, TileShape
from workshop.training.scene.board import draw_board
from workshop.training.scene.board_style import BoardStyle, random_board_style
from workshop.training.scene.build import Place, scene_arrays
from workshop.training.scene.canvas import Canvas
from workshop.training.scene.hand import no_hand
from workshop.training.scene.textures import Colour, Picture
from workshop.training.scene.tiles import TileStyle, letter_mask
from workshop.training.views import direction

SHAPES = {
    8: TileShape(0.47, 0.07, 0.29, 0.08, 1.0, 0.08, 0.05, 0.01, 0.01, 0.09, 1.0),
    10: TileShape(0.47, 0.05, 0.25, 0.05, 1.0, 0.07, 0.02, 0.01, 0.01, 0.03, 1.0),
}
"""Tiles of Upwords, by the size of the board: a flat face on a lower shelf. [by eye, photographs of genuine sets]"""
FLAT = TileShape(0.48, 0.07, 0.2, 0.0, 0.0, 0.0, 0.03, 0.01, 0.01)
"""Flat plastic tiles of other games. [by eye]"""
_PLAIN = 0.3
"""Half the side of a face's or square's middle, cells, on which colours are measured. [by eye]"""
_LAMP = 60.0
"""Distance of the lamp, cells. [by eye]"""
_SIZES = (0.008, 0.08, 0.3)
"""The lamp's half side, as a share of its distance: the sun, a lamp, a window. [by eye]"""
_GLOWS = ((0.0, 0.1), *((share, reach) for share in (0.15, 0.3, 0.45, 0.6) for reach in (0.1, 0.25, 0.5)))
"""Shares of light that come through the plastic, and how far it goes there, cells, from which the likest is taken. [by
eye]"""
_LIGHT_PITCH, _GLOW_PITCH = 24.0, 48.0
"""Pixels of a square of the small pictures on which the lamp, and the light through the plastic, are looked for. [by
eye]"""
_RECOLOURED, _REWEIGHTED = 2, 3
"""How often the colours are corrected, and how often the misses are weighed anew. [by eye]"""
_CAP = 0.5
"""Largest miss that counts, of the light that is wanted. [by eye]"""
_LETTERS = 12
"""Tiles, those most in view, whose letters tell the typeface. [by eye]"""
_FINE = 3
"""Rays across a pixel, each with more of them at edges. [by eye]"""


@dataclass(frozen=True)
class Lamp:
    """Where a light stands, degrees around and off the vertical, its half side as a share of its distance."""

    azimuth: float
    tilt: float
    size: float


@dataclass(frozen=True)
class Likeness:
    """A scene like a photograph: its arrays for the marcher, what is seen as in the picture, and its tiles' places.

    `squares` (m, 2) are the rows and columns of the tiles that have letters, `seen` (m,) the share in view.
    """

    arrays: SceneArrays
    camera: Camera
    lamp: Lamp
    squares: npt.NDArray[np.int64]
    seen: Array


def marcher_camera(picture: Genuine) -> Camera:
    """Return the photograph's camera as the marcher takes it."""
    camera, (height, width) = picture.camera, picture.image.shape[:2]
    matrix = np.array(
        [[camera.focal * camera.stretch, 0, camera.centre[0]], [0, camera.focal, camera.centre[1]], [0, 0, 1]]
    )
    return Camera(width, height, matrix, (camera.k1, 0.0), camera.rotation * (1.0, 1.0, -1.0), camera.translation)


def to_picture(light: Float, blur: float = 0.6) -> Image:
    """Return the picture of linear light that a lens blurs a little, px."""
    soft = cv2.GaussianBlur(light, (0, 0), blur)
    return np.asarray(np.clip(soft, 0, 1) ** np.float32(1 / 2.2) * 255 + 0.5, np.uint8)


def show(likeness: Likeness) -> Image:
    """Return the picture of a likeness, with several rays a pixel."""
    camera = likeness.camera
    grow = np.array([[_FINE, 0, (_FINE - 1) / 2], [0, _FINE, (_FINE - 1) / 2], [0, 0, 1]])
    fine = replace(camera, width=_FINE * camera.width, height=_FINE * camera.height, matrix=grow @ camera.matrix)
    light, _ = render(likeness.arrays, fine, 2)
    small = cv2.resize(light, (camera.width, camera.height), interpolation=cv2.INTER_AREA)
    return to_picture(np.asarray(small, np.float32))


def imitate(picture: Genuine, fonts: Sequence[FontFace]) -> Likeness:
    """Return the scene of our renderer that resembles a photograph."""
    shape = SHAPES.get(picture.size, FLAT)
    squares, camera = find_lettered(picture), marcher_camera(picture)
    windows = faces_of(picture.image, picture, squares, shape, ATLAS)
    ground = _ground_colour(picture.image, picture)
    style = _tile_style(shape, *measure_colours(windows), fonts[0])
    rasters = np.stack([_raster(square, picture.heights[tuple(square)] * shape.layer_h) for square in squares])
    seen = points_seen(_arrays(picture, style, ground), camera, rasters)[0].mean(axis=1)
    best = np.argsort(-seen)[:_LETTERS]
    style = choose_letters(windows[best], [picture.faces[i][j] for i, j in squares[best]], style, fonts)
    lamp, arrays = estimate_light(picture, style, ground, camera)
    return Likeness(arrays, camera, lamp, squares, seen)


def measure_colours(windows: Image) -> tuple[Colour, Colour]:
    """Return the colours of plastic and ink, BGR, that faces (m, px, px, 3) have in their middles."""
    middle = _middles(windows)
    plastic = np.median(middle, axis=0)
    away = np.linalg.norm(middle - plastic, axis=1)
    return plastic.astype(np.float32), np.median(middle[away > np.percentile(away, 95)], axis=0).astype(np.float32)


def _middles(windows: Image) -> npt.NDArray[np.float64]:
    px = windows.shape[1]
    low, high = round(px * (0.5 - _PLAIN)), round(px * (0.5 + _PLAIN))
    return windows[:, low:high, low:high].reshape(-1, 3).astype(np.float64)


def _raster(square: npt.NDArray[np.int64], height: float) -> Array:
    """Return board points (49, 3) all over a face."""
    steps = np.linspace(-0.42, 0.42, 7)
    u, v = (axis.ravel() for axis in np.meshgrid(steps, steps))
    return np.column_stack([square[1] + 0.5 + u, square[0] + 0.5 + v, np.full(u.shape, height + 0.01)])


def choose_letters(windows: Image, letters: list[str], style: TileStyle, fonts: Sequence[FontFace]) -> TileStyle:
    """Return the style with the typeface and size of letters that resemble the faces (m, ATLAS, ATLAS, 3) most."""
    seen = [np.asarray(np.abs(window.astype(np.float32) - style.face).sum(axis=2), np.float32) for window in windows]

    def likeness(tried: TileStyle) -> float:
        fits = []
        for window, letter in zip(seen, letters, strict=True):
            mask = letter_mask(tried, letter).astype(np.float32)
            rows, cols = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
            y0, x0 = max(rows[0] - 2, 0), max(cols[0] - 2, 0)
            tight = mask[y0 : rows[-1] + 3, x0 : cols[-1] + 3]
            fits.append(cv2.matchTemplate(window, tight, cv2.TM_CCOEFF_NORMED).max())
        return float(np.mean(fits))

    first = max((replace(style, font=font) for font in fonts), key=likeness)
    return max((replace(first, letter=size) for size in np.arange(0.38, 0.66, 0.02)), key=likeness)


def _tile_style(shape: TileShape, plastic: Colour, ink: Colour, font: FontFace) -> TileStyle:
    return TileStyle(
        shape=shape, foot=0.0, body=plastic, face=plastic, ink=ink, font=font, letter=0.5, stretch=1.0, qu_form="small",
        points=False, looseness=0.02, twist=0.02, wear=0.0, fade=1.0, rough=0.35, gloss=0.5, emboss=0.0, grain=False,
        shift=0.01, glow=0.0, reach=0.1,
    )  # fmt: skip


def _board_style(rng: np.random.Generator, size: int, colour: Colour) -> BoardStyle:
    stacked = size in SHAPES
    style = random_board_style(rng, "classic" if stacked else "lines")
    return replace(
        style, thickness=0.3, rim=0.0, margin=0.0, pad=0.87, pad_radius=0.12, groove=0.05, edge=0.03, base=colour,
        square=colour, border_colour=colour, centre="notch" if size == 8 else "none", frame=0.0, logo="", fold=False,
        rough=0.4, gloss=0.3, grain=0.03,
    )  # fmt: skip


def _arrays(picture: Genuine, style: TileStyle, ground: Colour) -> SceneArrays:
    """Return the photograph's board and tiles under no particular light."""
    rng = np.random.default_rng(0)
    board = _board_style(rng, picture.size, np.asarray(ground, np.float32))
    canvas = Canvas.blank(picture.size, -board.thickness)
    draw_board(rng, canvas, board, style.font)
    places: list[Place] = [
        (j + 0.5, i + 0.5, 0.0, style.foot, int(picture.heights[i, j])) for i, j in np.argwhere(picture.heights > 0)
    ]
    faces = [picture.faces[i][j] for i, j in np.argwhere(picture.heights > 0)]
    return scene_arrays(rng, canvas, style, places, faces, no_hand(), _grey)


def _grey(_: np.random.Generator) -> Picture:
    return np.full((8, 8, 3), 128, np.uint8)


def _rectangle(lamp: Lamp, n: int, colour: Array) -> Float:
    """Return the light (1, 14) of `SceneArrays`."""
    toward = direction(lamp.tilt, lamp.azimuth)
    side = np.cross(toward, [0, 0, 1.0])
    side /= np.linalg.norm(side)
    u, v = side * lamp.size * _LAMP, np.cross(side, toward) * lamp.size * _LAMP
    area = 4 * np.linalg.norm(u) * np.linalg.norm(v)
    light = [*(np.array([n / 2, n / 2, 0]) + toward * _LAMP), *u, *v, *colour, area, _LAMP]
    return np.array([light], np.float32)


def estimate_light(picture: Genuine, style: TileStyle, ground: Colour, camera: Camera) -> tuple[Lamp, SceneArrays]:
    """Return the one lamp that, with an even sky, explains the photograph best, and the scene under both.

    The scene is rendered small under each lamp alone. Light adds up, so sky and lamp are weighed by least squares.
    Then the colours of plastic, ink and board are corrected by what they come out as.
    """
    small = reduce(picture, _LIGHT_PITCH)
    small_camera = marcher_camera(small)
    wanted = cv2.GaussianBlur(to_light(small.image), (0, 0), 1.0).mean(axis=2)
    plain = _arrays(small, style, ground)

    def shown(lamp: Lamp | None) -> Float:
        sky = np.full((3, 3), float(lamp is None), np.float32)
        lights = _rectangle(lamp or Lamp(0, 45, 0.1), picture.size, np.full(3, float(lamp is not None)))
        light, _ = render(plain._replace(sky=sky, lights=lights), small_camera, 0)
        return np.asarray(cv2.GaussianBlur(light, (0, 0), 1.0).mean(axis=2), np.float32)

    sky, on_board = shown(None), _on_board(small)

    def explain(lamp: Lamp) -> tuple[float, Array]:
        weights, miss = _weigh(np.stack([sky[on_board], shown(lamp)[on_board]], axis=1), wanted[on_board])
        return miss, weights

    coarse = [Lamp(float(a), t, _SIZES[1]) for t in (15.0, 35.0, 55.0, 70.0) for a in np.arange(0.0, 360.0, 30.0)]
    best = min(coarse, key=lambda lamp: explain(lamp)[0])
    for step in (12.0, 5.0):
        near = [
            replace(best, azimuth=best.azimuth + a * step, tilt=float(np.clip(best.tilt + b * step, 2, 80)))
            for a in (-1, 0, 1) for b in (-1, 0, 1)
        ]  # fmt: skip
        best = min(near, key=lambda lamp: explain(lamp)[0])
    best = min((replace(best, size=size) for size in _SIZES), key=lambda lamp: explain(lamp)[0])
    weights = explain(best)[1]
    style = _translucent(picture, style, ground, best, weights)
    arrays = _lit(_arrays(picture, style, ground), best, weights, picture.size)
    for _ in range(_RECOLOURED):
        style, ground, exposure = _recolour(picture, style, ground, arrays, camera)
        weights = weights * exposure
        arrays = _lit(_arrays(picture, style, ground), best, weights, picture.size)
    return best, arrays


def _translucent(picture: Genuine, style: TileStyle, ground: Colour, lamp: Lamp, weights: Array) -> TileStyle:
    """Return the tiles with as much light through their plastic as makes them resemble the photograph's most."""
    small = reduce(picture, _GLOW_PITCH)
    camera, squares = marcher_camera(small), find_lettered(small)
    arrays = _lit(_arrays(small, style, ground), lamp, weights, picture.size)

    def profile(image: Image) -> Array:
        measured = measure(image, small, squares, arrays, camera)
        return np.concatenate([measured.across, measured.down, np.repeat(measured.wall, STEPS // WALL_STEPS)])

    def miss(glow: tuple[float, float]) -> float:
        rendered = to_picture(render(arrays._replace(glow=glow[0], reach=glow[1]), camera, 0)[0])
        return float(np.nanmean(np.abs(profile(rendered) - wanted)))

    wanted = profile(small.image)
    share, reach = min(_GLOWS, key=miss)
    return replace(style, glow=share, reach=reach)


def _lit(arrays: SceneArrays, lamp: Lamp, weights: Array, n: int) -> SceneArrays:
    sky = np.full((3, 3), weights[0], np.float32)
    return arrays._replace(sky=sky, lights=_rectangle(lamp, n, np.full(3, weights[1])))


def _weigh(parts: Float, wanted: Float) -> tuple[Array, float]:
    """Return the weights (k,), none negative, with which parts (m, k) add up to what is wanted (m,), and the mean miss.

    A miss counts in relation to the light that is wanted, so that shadows weigh as much as what is lit, and up to
    `_CAP`: letters and things that the scene lacks must not decide.
    """
    parts, wanted = parts / (wanted + 0.05)[:, None], wanted / (wanted + 0.05)
    weights, trust = np.full(parts.shape[1], 0.5), np.ones(len(wanted))
    for _ in range(_REWEIGHTED):
        square, onto = parts.T @ (parts * trust[:, None]), parts.T @ (wanted * trust)
        for _ in range(60):  # Lee and Seung's multiplicative steps keep weights positive
            weights = weights * onto / np.maximum(square @ weights, 1e-9)
        miss = np.abs(parts @ weights - wanted)
        trust = np.where(miss < _CAP, 1 / np.maximum(miss, 0.05), 0.0)
    return weights, float(np.minimum(miss, _CAP).mean())


def _on_board(picture: Genuine) -> npt.NDArray[np.bool_]:
    """Return the pixels (h, w) whose line of sight meets the board's plane within the grid."""
    height, width = picture.image.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    points = picture.camera.to_board(np.stack([x, y], axis=-1))
    return np.asarray(((points > 0) & (points < picture.size)).all(axis=-1))


def _recolour(
    picture: Genuine, style: TileStyle, ground: Colour, arrays: SceneArrays, camera: Camera
) -> tuple[TileStyle, Colour, float]:
    """Return plastic, ink and board in colours that come out, under this light, as the photograph's.

    How much brighter the light has to be comes third: the plastic stays as bright as it is.
    """
    rendered = to_picture(render(arrays, camera, 1)[0])
    squares = find_lettered(picture)
    there, here = (
        [*measure_colours(faces_of(image, picture, squares, style.shape, ATLAS)), _ground_colour(image, picture)]
        for image in (picture.image, rendered)
    )
    brighter = float(there[0].mean() / here[0].mean())
    plastic, ink, ground = (
        np.clip(old * (t + 1) / (h + 1) / brighter, 3, 250).astype(np.float32)
        for old, t, h in zip((style.face, style.ink, ground), there, here, strict=True)
    )
    return replace(style, body=plastic, face=plastic, ink=ink), ground, brighter**2.2


def _ground_colour(image: Image, picture: Genuine) -> Colour:
    bare = np.argwhere(picture.heights == 0)
    return np.median(_middles(faces_of(image, picture, bare, FLAT, ATLAS)), axis=0).astype(np.float32)
