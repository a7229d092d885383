"""Views of the target and windows of tiles with known truth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from calibration.intrinsics import COLUMNS, DPI, ROWS, SQUARE_MM, TargetView, draw_target
from engine import FACES
from vision.images import Image
from vision.letters.classifier import FACE_PX

SIZE_WH = (960, 720)
FOCAL, CENTRE, K1 = 900.0, (471.0, 366.5), -0.08
MATRIX = np.array([[FOCAL, 0, CENTRE[0]], [0, FOCAL, CENTRE[1]], [0, 0, 1.0]])
DIST = np.array([K1, 0, 0, 0, 0])

Pose = tuple[np.ndarray, np.ndarray]


def pose(tilt: float, about: float, at: tuple[float, float] = (0.0, 0.0), away: float = 12.0) -> Pose:
    """The target tilted by `tilt` degrees about an axis in its plane, its middle seen `at` (over the distance)."""
    axis = np.array([np.cos(np.radians(about)), np.sin(np.radians(about)), 0.0]) * np.radians(tilt)
    rotation = cv2.Rodrigues(axis)[0]
    middle = np.array([at[0] * away, at[1] * away, away])
    return axis, middle - rotation @ np.array([COLUMNS / 2, ROWS / 2, 0.0])


POSES: tuple[Pose, ...] = (
    pose(0, 0),
    pose(30, 0, (-0.2, -0.1)),
    pose(30, 60, (0.2, -0.12)),
    pose(35, 120, (0.2, 0.12)),
    pose(30, 180, (-0.2, 0.12)),
    pose(25, 240, (0.05, 0.1), 10.0),
    pose(35, 300, (-0.05, -0.1), 10.0),
)
"""Attitudes that together cover the frame."""


def project_view(at: Pose, name: str = "view", noise: float = 0.0, seed: int = 0, stretch: float = 1.0) -> TargetView:
    """The corners of the target that fall into the frame, projected by OpenCV; the picture made `stretch` as wide."""
    columns, rows = np.meshgrid(np.arange(1.0, COLUMNS), np.arange(1.0, ROWS))
    board = np.column_stack([columns.ravel(), rows.ravel()])
    ground = np.column_stack([board, np.zeros(len(board))])
    pixels = cv2.projectPoints(ground, *at, MATRIX, DIST)[0][:, 0]
    pixels = pixels + np.random.default_rng(seed).normal(0, noise, pixels.shape)
    inside = ((pixels > 0) & (pixels < np.array(SIZE_WH) - 1)).all(axis=1)
    size_wh = (round(SIZE_WH[0] * stretch), SIZE_WH[1])
    return TargetView(name, size_wh, board[inside], pixels[inside] * (stretch, 1.0))


@cache
def small_target() -> tuple[Image, float, float]:
    """The drawn target reduced to a quarter, the side of its squares and its margin, px."""
    drawn, square = draw_target(), round(SQUARE_MM / 25.4 * DPI)
    margin = (drawn.shape[1] - COLUMNS * square) / 2
    small = cv2.resize(drawn, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), square / 4, margin / 4


def photograph_of(at: Pose) -> Image:
    """The drawn target as the camera of MATRIX and DIST sees it: every pixel is traced back to the target."""
    width, height = SIZE_WH
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    rays = cv2.undistortPoints(np.stack([x, y], axis=-1).reshape(-1, 1, 2), MATRIX, DIST)[:, 0]
    turn, shift = at
    onto = np.linalg.inv(np.column_stack([cv2.Rodrigues(turn)[0][:, :2], shift]))
    places = np.column_stack([rays, np.ones(len(rays))]) @ onto.T
    squares = places[:, :2] / places[:, 2:]
    small, square, margin = small_target()
    at_px = (squares * square + margin - 0.5).astype(np.float32).reshape(height, width, 2)
    seen = cv2.remap(small, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, borderValue=(90, 110, 100))
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), dtype=np.uint8)


def window_of(face: str, shift: tuple[int, int] = (0, 0), noise: float = 4.0, seed: int = 0) -> Image:
    """A tile's face (FACE_PX, FACE_PX, 3): a dark letter on a light ground, `shift` pixels off the middle."""
    picture = np.full((FACE_PX, FACE_PX, 3), 205.0)
    (width, height), _ = cv2.getTextSize(face, cv2.FONT_HERSHEY_DUPLEX, 0.75, 2)
    at = (FACE_PX // 2 - width // 2 + shift[0], FACE_PX // 2 + height // 2 + shift[1])
    cv2.putText(picture, face, at, cv2.FONT_HERSHEY_DUPLEX, 0.75, (40, 30, 90), 2, cv2.LINE_AA)
    picture += np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), dtype=np.uint8)


def windows_of(faces: Sequence[str], seed: int = 0) -> Image:
    """Windows (m, FACE_PX, FACE_PX, 3), each a pixel off."""
    rng = np.random.default_rng(seed)
    shifts = rng.integers(-1, 2, (len(faces), 2))
    return np.stack([
        window_of(face, (int(x), int(y)), seed=seed + number)
        for number, (face, (x, y)) in enumerate(zip(faces, shifts, strict=True))
    ])  # fmt: skip


def logs_of(faces: Sequence[str], sure: float = 0.9) -> np.ndarray:
    """Return the log probabilities (m, 27) that a correct face network would give for these faces."""
    table = np.full((len(faces), len(FACES) + 1), (1 - sure) / len(FACES))
    table[np.arange(len(faces)), [FACES.index(face) for face in faces]] = sure
    return np.asarray(np.log(table))
