"""How well photographs are read that were taken badly: good ones are spoiled, one way after another, and read again.

Every third picture of each game is taken. Spreads and lengths are in squares of the board, as what is blurred is
blurred for letters; shares are of a picture's values, whose 2.2th power the light is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from vision import load_image
from vision.geometry.camera import homography_from_corners, side_lengths
from vision.geometry.camera_fit import same_shape
from vision.images import Image, encode_jpeg
from workshop.bench.data.program import say
from workshop.bench.data.truth import Floats, Snapshot, games_in
from workshop.bench.reading.alone import COUNTS, read_alone
from workshop.bench.record import Figures
from workshop.training.faces.processed import disc
from workshop.training.sunlight.falling import sunlit
from workshop.training.sunlight.patterns import stripes
from workshop.training.sunlight.shining import Sun

Spoiler = Callable[[Image, Snapshot], Image]
"""Another picture (h, w, 3) of one, given what it shows."""
Form = Callable[[Floats, Floats], Floats]
"""The elevation (m,) of a board's surface at x and y (m,), from -1 to 1 across it."""
Move = Callable[[Floats], Floats]
"""Where things appear, pixels (m, 2), that appeared at other pixels (m, 2)."""

_EVERY = 3
_NOISE = 1.5
"""Standard deviation, of 255, of what a camera adds in the dark. [by eye]"""
_LAMP = (0.6, 0.85, 1.0)
"""BGR of a bulb's light, of a white one's. [by eye]"""
_MAX_LENS_RADIUS_SQUARED, _HORIZON, _BENT_UP_TO = 2.0, 1e-9, 1.4
"""Squared radius from which a lens distorts no more; least depth of what lies on the table; and how far the table
around a board is bent with it, half sides of the board. [by eye]"""
_WARP_STEP, _WARP_ROUNDS = 8, 6
"""Pixels between the places that are moved exactly, and the rounds of inverting a move. [by eye]"""
_FINE = 95
"""Quality of the JPEG that is written. [by eye]"""


def dark(image: Image, share: float) -> Image:
    """Return the picture at a `share` of its values, with the noise of the dark."""
    return _with_noise(image.astype(np.float64) * share, _NOISE)


def lamplight(image: Image, share: float) -> Image:
    """Return the picture in the light of one lamp beyond its first corner, a `share` of its values in the middle."""
    height, width = image.shape[:2]
    down, across = np.mgrid[0:height, 0:width]
    light = 1.3 - 0.8 * np.hypot(across / width, down / height) / np.sqrt(2.0)
    return _with_noise(image * np.array(_LAMP) * light[..., None] * share, _NOISE)


def before_window(image: Image, share: float) -> Image:
    """Return the picture in the dark, at a `share` of its values, the upper twentieth of it a bright window."""
    seen = dark(image, share)
    seen[: len(seen) // 20] = 250
    return seen


def overexpose(image: Image, gain: float) -> Image:
    """Return the picture with its values multiplied."""
    return np.asarray(np.clip(image * gain, 0, 255), dtype=np.uint8)


def out_of_focus(image: Image, spread: float) -> Image:
    """Return the picture blurred by this standard deviation, pixels."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), spread), dtype=np.uint8)


def behind_open_lens(image: Image, radius: float) -> Image:
    """Return the picture out of focus as in a wide lens: each point becomes a disc with this radius, pixels."""
    return np.asarray(cv2.filter2D(image, -1, disc(radius)), dtype=np.uint8)


def shaken(image: Image, length: float, angle: float = 25.0) -> Image:
    """Return the picture smeared over this many pixels, at this angle to the horizontal, degrees."""
    side = max(3, round(length) | 1)
    line = np.zeros((side, side), dtype=np.float32)
    line[side // 2] = 1.0
    turn = cv2.getRotationMatrix2D((side // 2, side // 2), angle, 1.0)
    smear = cv2.warpAffine(line, turn, (side, side))
    return np.asarray(cv2.filter2D(image, -1, smear / smear.sum()), dtype=np.uint8)


def noisy(image: Image, spread: float) -> Image:
    """Return the picture with noise of this strength, out of 255."""
    return _with_noise(image.astype(np.float64), spread)


def _with_noise(values: Floats, spread: float) -> Image:
    """Return the picture of some values (h, w, 3), with noise of that standard deviation, the same each time."""
    noise = np.random.default_rng(1).normal(0.0, spread, values.shape)
    return np.asarray(np.clip(values + noise, 0, 255), dtype=np.uint8)


def stretch_picture(image: Image, stretch: float) -> Image:
    """Return the picture stretched to this many times its width, so that its pixels are no longer square."""
    wide = cv2.resize(image, None, fx=stretch, fy=1.0, interpolation=cv2.INTER_AREA)
    return np.asarray(wide, dtype=np.uint8)


def crop(image: Image, share: float) -> Image:
    """Return the picture as if cropped from a larger one: wider at its right by a share of its width, empty there."""
    room = round(share * image.shape[1])
    wide = cv2.copyMakeBorder(image, 0, 0, 0, room, cv2.BORDER_CONSTANT, value=(40, 40, 40))
    return np.asarray(wide, dtype=np.uint8)


def through_blind(image: Image, turn: Snapshot, period: float, soft: float) -> Image:
    """Return the picture with the sun shining on it through a blind, ten times as bright as the shade, 40 degrees high.

    Its stripes lie `period` squares apart, their edges are `soft` squares wide; half of the board lies in shade.
    """
    n, cells = turn.edition.size, turn.cells
    faces = np.array([cell["corners"] for cell in cells], dtype=np.float64).reshape(n, n, 4, 2)
    layer = turn.truth["layer_cm"] / turn.truth["pitch_cm"]
    elevations = np.array([cell["height"] * layer for cell in cells]).reshape(n, n)
    ground = homography_from_corners(turn.truth["grid_corners"], n)
    angle = 0.6 + 0.9 * turn.truth["turn"]
    slant = 1.2 * np.array([np.cos(angle + 0.7), np.sin(angle + 0.7)])
    sun = Sun(stripes(period, 0.5, soft, angle), slant, np.full(3, 1.36), np.full(3, 0.136))
    return sunlit(image, ground, faces, elevations, sun)


def through_lens(image: Image, k1: float) -> Move:
    """Return where a lens with this distortion shows the things of a picture (h, w, 3); radii are in half its width."""
    middle, radius = (np.array(image.shape[1::-1]) - 1.0) / 2.0, max(image.shape[:2]) / 2.0

    def move(at: Floats) -> Floats:
        away = at - middle
        squared = np.minimum((away**2).sum(axis=-1, keepdims=True) / radius**2, _MAX_LENS_RADIUS_SQUARED)
        return np.asarray(middle + away * (1.0 + k1 * squared), dtype=np.float64)

    return move


def on_bent_board(turn: Snapshot, rise: float, form: Form) -> Move:
    """Return where things appear if the board isn't flat but stands up by `rise` squares times its `form`."""
    truth = turn.truth
    pose, lens = (np.array(truth["rvec"]), np.array(truth["tvec"])), (np.array(truth["K"]), np.array(truth["dist"]))
    half = turn.edition.size * truth["pitch_cm"] / 2.0
    turned = cv2.Rodrigues(pose[0])[0]
    to_board = np.linalg.inv(np.column_stack([turned[:, 0], turned[:, 1], pose[1]]))

    def move(at: Floats) -> Floats:
        rays = cv2.undistortPoints(at[:, None], *lens)[:, 0]
        places = np.column_stack([rays, np.ones(len(rays))]) @ to_board.T
        below = places[:, 2] > _HORIZON
        flat = places[:, :2] / np.where(below, places[:, 2], 1.0)[:, None]
        x, y = np.clip((flat - truth["board_shift"][:2]) / half, -_BENT_UP_TO, _BENT_UP_TO).T
        level = np.zeros(len(flat))
        raised = rise * truth["pitch_cm"] * form(x, y)
        low, high = (
            cv2.projectPoints(np.column_stack([flat, elevation]), *pose, *lens)[0][:, 0]
            for elevation in (level, raised)
        )
        return np.asarray(at + np.where(below[:, None], high - low, 0.0), dtype=np.float64)

    return move


def warp(image: Image, move: Move) -> Image:
    """Return the picture (h, w, 3) with everything moved. What comes into view repeats the picture's edge."""
    height, width = image.shape[:2]
    down, across = np.arange(0, height + _WARP_STEP, _WARP_STEP), np.arange(0, width + _WARP_STEP, _WARP_STEP)
    there = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2).astype(np.float64)
    origin = there.copy()
    for _ in range(_WARP_ROUNDS):  # nothing is moved far, so this converges
        origin = there - (move(origin) - origin)
    coarse = origin.reshape(len(down), len(across), 2).astype(np.float32)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    fine = cv2.remap(coarse, x / _WARP_STEP, y / _WARP_STEP, cv2.INTER_LINEAR)
    moved = cv2.remap(image, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def square_of(turn: Snapshot) -> float:
    """Return the mean width of a square of the picture's board, pixels."""
    return float(side_lengths(np.array(turn.truth["grid_corners"])).mean()) / turn.edition.size


SPOILERS: dict[str, Spoiler] = {
    "as they are": lambda image, _: image,
    "at 0.15 of their values": lambda image, _: dark(image, 0.15),
    "at 0.05": lambda image, _: dark(image, 0.05),
    "by lamplight, at 0.06": lambda image, _: lamplight(image, 0.06),
    "at 0.1, a bright window above": lambda image, _: before_window(image, 0.1),
    "overexposed 1.8 times": lambda image, _: overexpose(image, 1.8),
    "overexposed 2.6 times": lambda image, _: overexpose(image, 2.6),
    "with noise of 40": lambda image, _: noisy(image, 40.0),
    "out of focus by 0.05 square": lambda image, turn: out_of_focus(image, 0.05 * square_of(turn)),
    "out of focus by 0.1 square": lambda image, turn: out_of_focus(image, 0.1 * square_of(turn)),
    "out of focus, discs of 0.12 square": lambda image, turn: behind_open_lens(image, 0.12 * square_of(turn)),
    "out of focus, discs of 0.15 square": lambda image, turn: behind_open_lens(image, 0.15 * square_of(turn)),
    "smeared over 0.15 square": lambda image, turn: shaken(image, 0.15 * square_of(turn)),
    "smeared over 0.3 square": lambda image, turn: shaken(image, 0.3 * square_of(turn)),
    "smeared over 0.45 square": lambda image, turn: shaken(image, 0.45 * square_of(turn)),
    "cropped at one side": lambda image, _: crop(image, 0.4),
    "in the sun, behind slats 1 square apart": lambda image, turn: through_blind(image, turn, 1.0, 0.06),
    "in the sun, 1.6 squares apart": lambda image, turn: through_blind(image, turn, 1.6, 0.06),
    "in the sun, 1.6 squares apart, softly": lambda image, turn: through_blind(image, turn, 1.6, 0.15),
    "in the sun, 2.5 squares apart": lambda image, turn: through_blind(image, turn, 2.5, 0.1),
}
"""The ways in which pictures are spoiled, by what they are called."""
MOVES: dict[str, Callable[[Image, Snapshot], Move]] = {
    "through a lens of +0.12": lambda image, _: through_lens(image, 0.12),
    "through a lens of -0.12": lambda image, _: through_lens(image, -0.12),
    "on a gutter 0.2 square deep": lambda _, turn: on_bent_board(turn, 0.2, lambda x, y: x * x),
    "on a ridge 0.2 square high": lambda _, turn: on_bent_board(turn, -0.2, lambda x, y: x * x),
    "on a bowl 0.2 square deep": lambda _, turn: on_bent_board(turn, 0.2, lambda x, y: (x * x + y * y) / 2.0),
    "on a saddle, corners 0.2 square up or down": lambda _, turn: on_bent_board(turn, 0.2, lambda x, y: x * y),
    "folded, edges 0.2 square up": lambda _, turn: on_bent_board(turn, 0.2, lambda x, y: np.abs(x)),
    "on a ridge 0.4 square high": lambda _, turn: on_bent_board(turn, -0.4, lambda x, y: x * x),
}
"""The ways in which things move inside the picture: other lenses, and boards that aren't flat."""
SQUEEZES = {"16:9 squeezed into 4:3": (16 / 9, 3 / 4), "4:3 stretched to 16:9": (4 / 3, 4 / 3)}
"""Those that change the picture's shape: width over height of the pictures that are spoiled so, and how many times as
wide they become."""
WAYS = (*SPOILERS, *MOVES, *SQUEEZES)


def read_spoiled(folder: Path, ways: Iterable[str] = WAYS) -> Figures:
    """Return the counts of `read_alone` for some pictures of a folder of games, for each way to spoil them."""
    pictures = [turn for game in games_in(folder) for turn in game[::_EVERY]]
    tally: Figures = {}
    for name in ways:
        say(f" {name}")
        with TemporaryDirectory() as made:
            for turn in pictures:
                _write(turn, name, Path(made))
            counted = read_alone(Path(made))
        tally[name] = {count: counted[count] for count in COUNTS}
    return tally


def _write(turn: Snapshot, name: str, into: Path) -> None:
    """Write the spoiled picture beside its truth, in a folder named after its game, if this way of spoiling applies."""
    image, _ = load_image(turn.path)
    truth = turn.truth
    if name in SQUEEZES:
        shape, stretch = SQUEEZES[name]
        if not same_shape(image.shape[1] / image.shape[0], shape):
            return
        spoiled, truth = stretch_picture(image, stretch), _moved(truth, lambda at: _wider(at, stretch))
        truth["width"] *= stretch
    elif name in MOVES:
        move = MOVES[name](image, turn)
        spoiled, truth = warp(image, move), _moved(truth, move)
    else:
        spoiled = SPOILERS[name](image, turn)
    path = into / turn.path.parent.name / turn.path.name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(encode_jpeg(spoiled, _FINE))
    path.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")


def _moved(truth: dict[str, Any], move: Move) -> dict[str, Any]:
    """Return the truth of a picture in which everything moved."""
    cells = [cell | {"corners": move(np.array(cell["corners"])).tolist()} for cell in truth["cells"]]
    return truth | {"grid_corners": move(np.array(truth["grid_corners"])).tolist(), "cells": cells}


def _wider(at: Floats, stretch: float) -> Floats:
    """Return where pixels (m, 2) lie in a picture stretched to this many times its width."""
    return (at + 0.5) * [stretch, 1.0] - 0.5
