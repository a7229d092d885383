"""Films of games with exact truth, for measuring hands-free play.

    python -m workshop.films --words FILE --out DIR --count N --seed S

writes gameNN.mp4 and gameNN.json, whose truth `upscore replay` is held against. One picture a turn is rendered, all
with one light and, until the board is turned, one camera. In some films the only light is a lamp that stands low.
Tiles appear under a hand that is drawn over it. Light, focus and sharpness change as those of a webcam. People
hesitate, fetch tiles in mid-word, hover, take back, pass, bluff and lift what was challenged, bump the board, turn it
round, put a cup down and walk away. Frames that repeat the one before are left out of every other film, so that its
rate varies. Passes, bluffs, low lamps and 5 frames a second were added in November 2026; seeds from before give other
films.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import Board, Lexicon, Square, find_edition
from workshop.films.compose import Mask, Picture, film_truth, frames, random_style, write_script
from workshop.films.table_game import table_game
from workshop.training.faces.fonts import NO_FONTS, unseen_fonts
from workshop.training.games import content_of
from workshop.training.photograph import photograph
from workshop.training.rendering.ray_marcher import Camera
from workshop.training.rendering.scene_arrays import SceneArrays
from workshop.training.scene.build import Setting, lay_table, random_setting
from workshop.training.scene.light import low_lamp
from workshop.training.views import random_camera

LONGEST = (900, 1100)
"""Longer side of the frames, px. [by eye]"""
_EDGE = 40
"""Rows at the top and bottom of a picture whose light is the same in all. [by eye]"""
LEAST_SQUARE = 36.0
"""Least width of the board's middle squares, px: a camera on an arm stands near. [by eye]"""
_VARYING = 0.5
"""Share of films whose rate varies. [by eye]"""
_LOW_LAMPS = 0.2
"""Share of films by the light of one low lamp. [by eye]"""


class RenderedStage:
    """Renders the boards of one game: the same camera, light and table in every picture."""

    def __init__(self, rng: np.random.Generator, setting: Setting) -> None:
        self.camera = _near_camera(rng, setting.n)
        self._setting, self._seed = setting, int(rng.integers(2**31))
        self._lamp = low_lamp(rng, setting.n) if rng.random() < _LOW_LAMPS else None
        self._first: SceneArrays | None = None
        self._light: NDArray[np.float64] | None = None

    def picture(self, board: Board) -> Picture:
        """Render a board (h, w, 3)."""
        scene = lay_table(np.random.default_rng(self._seed), self._setting, content_of(board), hand=0.0)
        arrays = scene.arrays
        self._first = self._first or arrays
        first = self._first
        sky, lights = self._lamp or (first.sky, first.lights)
        alike = arrays._replace(
            sky=sky, lights=lights, table=first.table, table_px=first.table_px, materials=first.materials
        )
        rng = np.random.default_rng(self._seed)
        image = photograph(rng, replace(scene, arrays=alike), self.camera).image.astype(np.float32)
        # every picture is exposed by itself; a camera's light does not jump with a new tile
        around = np.concatenate([image[:_EDGE].reshape(-1, 3), image[-_EDGE:].reshape(-1, 3)]).mean(axis=0)
        self._light = around if self._light is None else self._light
        return np.asarray(image * (self._light / around), np.float32)

    def turn(self) -> RenderedStage:
        """Return the stage with the board turned round, its letters on their heads."""
        size, camera, other = self._setting.n, self.camera, copy(self)
        about = np.diag([-1.0, -1.0, 1.0])
        moved = camera.translation + camera.rotation @ [size, size, 0.0]
        other.camera = replace(camera, rotation=camera.rotation @ about, translation=moved)
        return other

    def project(self, x: float, y: float, height: float = 0.0) -> NDArray[np.float64]:
        """Return the pixel (2,) of a board point."""
        return np.asarray(self.camera.project(np.array([[x, y, height]]))[0], np.float64)

    def around(self, squares: Sequence[Square], shape: tuple[int, int], layers: float) -> Mask:
        """Return a soft mask (h, w, 1) of the stacks on squares, up to this many layers."""
        mask = np.zeros(shape, np.float32)
        for s in squares:
            box = [
                self.project(s.col + x, s.row + y, z)
                for x in (-0.04, 1.04) for y in (-0.04, 1.04) for z in (0.0, layers)
            ]  # fmt: skip
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(box).astype(np.int32)), 1.0)
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), 2.0)[..., None], np.float32)


def _near_camera(rng: np.random.Generator, n: int) -> Camera:
    """Draw a camera as on an arm: the whole board is in view, and its squares are at least `LEAST_SQUARE` wide."""
    corners = np.array([[x, y, 0.0] for x in (-0.5, n + 0.5) for y in (-0.5, n + 0.5)])
    middle = np.array([[n / 2 - 0.5, n / 2, 0.0], [n / 2 + 0.5, n / 2, 0.0]])
    while True:
        camera = random_camera(rng, n, LONGEST)
        one, other = camera.project(middle)
        seen = camera.project(corners)
        whole = bool(np.all((seen > 0) & (seen < (camera.width, camera.height))))
        if whole and np.linalg.norm(one - other) >= LEAST_SQUARE:
            return camera


def write_film(folder: Path, name: str, seed: Sequence[int], words: Lexicon, turns: int) -> None:
    """Play, render and film one game."""
    rng = np.random.default_rng(seed)
    fonts = unseen_fonts()
    edition = find_edition(str(rng.choice(["8x8", "10x10"])))
    stage = RenderedStage(rng, random_setting(rng, fonts, edition.size))
    script = write_script(rng, stage, table_game(rng, edition, words, turns))
    height, width = script.start.shape[:2]
    seconds = script.now + 4.0
    style = random_style(rng, (height, width), seconds)
    varies = "mpdecimate=hi=1:lo=1:frac=0," if rng.random() < _VARYING else ""
    command = [
        "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24",
        "-s", f"{width}x{height}", "-r", str(style.fps),
        "-i", "-", "-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "24", "-pix_fmt", "yuv420p",
        "-vf", varies + "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-fps_mode", "vfr", str(folder / f"{name}.mp4"),
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        for frame in frames(rng, script, style, seconds):
            encoder.stdin.write(frame.tobytes())
    if encoder.returncode:
        raise subprocess.CalledProcessError(encoder.returncode, command)
    truth = film_truth(name, script, style, edition.size, seconds)
    (folder / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--words", type=Path, required=True, help="a list of words, one a line")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=12, help="films; twelve of ten plays hold 120")
    parser.add_argument(
        "--turns", type=int, default=10, help="plays of each film that stay; an error if a game ends before"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if not unseen_fonts():
        parser.error(NO_FONTS)
    words = Lexicon.from_words(args.words.read_text(encoding="utf-8").upper().split(), name=args.words.stem)
    args.out.mkdir(parents=True, exist_ok=True)
    for number in range(args.count):
        write_film(args.out, f"game{number:02d}", [args.seed, number], words, args.turns)


if __name__ == "__main__":
    main()
