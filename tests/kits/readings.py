"""Readings made up for tests: what a picture of a given board would ideally be read as, and worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine import FACES, Board, Play
from vision import BoardReading, Camera
from vision.geometry.camera import corners_of
from vision.heights.elevations import Elevations, SliceState, make_uncompared, make_unmeasured
from vision.heights.plane_sweep import SLICES
from vision.heights.thickness import THICKNESSES
from vision.hidden.camera_text import CameraText


def camera(size: int = 8, tilt: float = 0.6, turn: float = 0.3, k1: float = 0.0) -> Camera:
    """A camera that looks at the middle of an n x n board from `tilt` radians off the vertical."""
    c, s = np.cos(turn), np.sin(turn)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    rotation = lean @ about
    middle = rotation @ np.array([size / 2, size / 2, 0.0])
    return Camera(900.0, (639.5, 479.5), k1, rotation, np.array([0.0, 0.0, 2.2 * size]) - middle)


def along_columns(tilt: float) -> Camera:
    """A camera beyond the last row of an 8 x 8 board: what stands on a square hides some of those with lower rows."""
    return camera(tilt=tilt, turn=0.0)


def reading_of(board: Board, sure: float = 0.995, height_sure: float = 0.99) -> BoardReading:
    """A reading of `board` in which every face has probability `sure` and every height `height_sure`."""
    n = board.size
    heights = np.full((n, n, 6), (1 - height_sure) / 5)
    faces = np.full((n, n, 26), 1 / 26)
    for square in board.squares():
        stack = board.stack(square)
        heights[square.row, square.col, len(stack)] = height_sure
        if stack:
            faces[square.row, square.col] = (1 - sure) / 25
            faces[square.row, square.col, FACES.index(stack[-1])] = sure
    view = camera(n)
    return BoardReading(
        size=n, corners=corners_of(view, n), camera=view, layer_thickness=0.25, base_offset=0.0,
        elevations=np.full((n, n, SLICES), -np.log(SLICES)), height_probs=heights, face_probs=faces,
        hidden=np.zeros((n, n)), covered=np.zeros((n, n)), upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip


def slices_with(tiles: Mapping[tuple[int, int], int], hidden: np.ndarray | None = None) -> SliceState:
    """An 8 x 8 board whose faces lie in the slices that `tiles` give for their squares, row and column."""
    log_probs = np.full((8, 8, SLICES), -9.0)
    log_probs[..., 0] = 0.0
    for square, at in tiles.items():
        log_probs[square] = -9.0
        log_probs[(*square, at)] = 0.0
    return SliceState(log_probs, np.zeros((8, 8)) if hidden is None else hidden)


def elevations_with(log_probs: np.ndarray, around: np.ndarray | None = None) -> Elevations:
    """Elevations with `log_probs` (n, n, SLICES): nothing hidden, nothing measured; `around` (n + 2, n + 2) them 0."""
    n = len(log_probs)
    nothing = np.zeros((n, n))
    return Elevations(
        log_probs=log_probs, by_itself=log_probs, hidden=nothing, explained_away=nothing,
        thickness=np.zeros(len(THICKNESSES)), sizes=make_unmeasured((n, n)), walls=make_unmeasured((n, n, 2)),
        compared=make_uncompared(n), away=20.0, tilt=0.6,
        around=np.zeros((n + 2, n + 2)) if around is None else around,
    )  # fmt: skip


def unknown_elevations(n: int) -> Elevations:
    """Elevations of n x n squares of which nothing is known."""
    return elevations_with(np.full((n, n, SLICES), -np.log(SLICES)))


def tear(reading: BoardReading, row: int, col: int, **faces: float) -> BoardReading:
    """The reading with the given face probabilities on one square."""
    table = reading.face_probs.copy()
    left = 1.0 - sum(faces.values())
    table[row, col] = left / (26 - len(faces))
    for face, share in faces.items():
        table[row, col, FACES.index(face)] = share
    return replace(reading, face_probs=table)


def veil(reading: BoardReading, *squares: tuple[int, int]) -> BoardReading:
    """The reading with a hand over some squares: what is read there is rubbish."""
    hidden, heights, faces = reading.hidden.copy(), reading.height_probs.copy(), reading.face_probs.copy()
    for square in squares:
        hidden[square] = 0.98
        heights[square] = 1 / 6
        faces[square] = 1 / 26
    return replace(reading, hidden=hidden, height_probs=heights, face_probs=faces)


def run_out(reading: BoardReading, share: float, *squares: tuple[int, int], by: int = 1) -> BoardReading:
    """A reading with this share of a face out of the picture where a stack is `by` tiles higher than the one read."""
    higher = np.arange(reading.height_probs.shape[-1]) >= reading.heights()[..., None] + by
    outside = np.zeros_like(reading.height_probs) if reading.outside is None else reading.outside.copy()
    for square in squares:
        outside[square] = share * higher[square]
    return replace(reading, outside=outside)


def write_over(reading: BoardReading, *squares: tuple[int, int]) -> BoardReading:
    """The reading with the camera's clock over some squares: what is read there is rubbish."""
    text = np.zeros((reading.size, reading.size), dtype=bool)
    text[tuple(zip(*squares, strict=True))] = True
    return replace(veil(reading, *squares), camera_text=CameraText(text))


def flat(reading: BoardReading) -> BoardReading:
    """The reading as seen from straight above: heights of stacks cannot be told, only that a tile is there."""
    heights = reading.height_probs.copy()
    tiles = reading.heights() > 0
    heights[tiles] = (0.005, 0.55, 0.25, 0.12, 0.05, 0.025)
    return replace(reading, height_probs=heights)


def letters(play: Play) -> dict[tuple[int, int], str]:
    """A play as a dict from (row, col) to face."""
    return {(t.square.row, t.square.col): t.face for t in play.tiles}
