"""The camera model: where a point of the board, at any height, falls in the picture.

Board coordinates are in cells: x right and y down as the letters read, origin at the top-left corner of the playing
grid, `z` the height above the board's plane (towards the viewer). The camera frame is OpenCV's: x right, y down, z
forward; pixel centres lie at whole numbers. Because x right, y down, z up is left-handed, heights enter the rotation
with their sign changed. Only `Camera.project` does this. Upwords has square cells. For a game whose cells are not
square, a cell is the square of the same area, stretched.

Lens: one radial coefficient, x_d = x (1 + k1 r^2), the first term of the Brown-Conrady model (OpenCV's k1).

Quadrilaterals in a picture are given by their corners (4, 2) px in order around them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats

_ROTATIONS = np.array([np.roll(np.arange(4), k) for k in range(4)])
"""Indices (4, 4) of four corners, each row beginning with another corner."""


def side_lengths(corners: Floats) -> Floats:
    """Return the lengths (4,) px of the sides of a quadrilateral (4, 2) px; the first side ends at the first corner."""
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1), dtype=np.float64)


def corner_gaps(one: Floats, other: Floats) -> Floats:
    """Return the distances (4, 4) px of the corners (4, 2) px of two quadrilaterals.

    Each row begins the first quadrilateral with another corner, so the caller need not know which one comes first.
    """
    return np.asarray(np.linalg.norm(one[_ROTATIONS] - other, axis=-1), dtype=np.float64)


_MAX_LENS_RADIUS_SQUARED = 4.0
"""Squared distance from the axis, focal lengths, beyond which the lens distorts no further (63 degrees). [by eye]"""


@dataclass(frozen=True)
class Camera:
    """Intrinsics and the pose of one board.

    Attributes:
        focal: focal length, px, down the picture; across it, `stretch` times as much.
        centre: principal point (x, y), px.
        k1: first radial distortion coefficient.
        rotation: (3, 3) board (x, y, -height) to camera frame.
        translation: (3,) cells.
        aspect: height of a cell of the board over its width.
        stretch: width of the picture over its width with square pixels (`vision.geometry.camera_fit`).
        cropped: the picture is part of a larger one, so `centre` need not be its middle.
    """

    focal: float
    centre: tuple[float, float]
    k1: float
    rotation: Floats
    translation: Floats
    aspect: float = 1.0
    stretch: float = 1.0
    cropped: bool = False

    def project(self, points: npt.ArrayLike) -> Floats:
        """Return the pixels (..., 2) of board points (..., 3), given as (x, y, height) in cells."""
        places = np.asarray(points, dtype=np.float64)
        # numpy computes three long rows several times as fast as many short ones
        board = np.ascontiguousarray(places.reshape(-1, 3).T) * self.units[:, None]
        x, y, depth = self.rotation @ board + self.translation[:, None]
        depth = np.maximum(depth, 1e-6)
        x, y = x / depth, y / depth
        lens = 1.0 + self.k1 * _lens_radius_squared(x, y)
        (focal_x, focal_y), (centre_x, centre_y) = self.focal_xy, self.centre
        pixels = np.stack([x * lens * focal_x + centre_x, y * lens * focal_y + centre_y], axis=-1)
        return pixels.reshape(*places.shape[:-1], 2)

    def project_with_slopes(self, points: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Return the pixels (m, 2) of board points (m, 3), and their derivatives (m, 2, 11).

        The derivatives are by log focal length, log aspect, k1, a turn (3,) of the camera frame (radians, applied after
        `rotation`), `translation` (3,) and `centre` (2,).
        """
        # as in `project`, with long rows: all arrays end with the points
        board = np.asarray(points, dtype=np.float64).T * self.units[:, None]
        turned, longer = self.rotation @ board, self.rotation @ (board * [[-0.5], [0.5], [0.0]])
        seen = turned + self.translation[:, None]
        depth = np.maximum(seen[2], 1e-6)
        ideal, focal = seen[:2] / depth, self.focal_xy[:, None]
        squared = _lens_radius_squared(*ideal)
        lens = 1.0 + self.k1 * squared
        offset = focal * lens * ideal
        bend = np.where(squared < _MAX_LENS_RADIUS_SQUARED, 2.0 * self.k1, 0.0) * ideal
        by_ideal = (lens * np.eye(2)[..., None] + ideal[:, None] * bend) * (focal / depth)[:, None]
        by_seen = np.concatenate([by_ideal, -np.sum(by_ideal * ideal, axis=1, keepdims=True)], axis=1)
        on, back = [1, 2, 0], [2, 0, 1]
        slopes = np.empty((2, 11, len(depth)))
        slopes[:, 0], slopes[:, 2] = offset, focal * squared * ideal
        slopes[:, 1] = np.sum(by_seen * longer, axis=1)
        slopes[:, 3:6] = turned[on] * by_seen[:, back] - turned[back] * by_seen[:, on]
        slopes[:, 6:9], slopes[:, 9:] = by_seen, np.eye(2)[..., None]
        return offset.T + self.centre, slopes.transpose(2, 0, 1)

    def to_board(self, pixels: npt.ArrayLike, height: float = 0.0) -> Floats:
        """Return the board points (x, y) (..., 2), in cells, of pixels (..., 2) whose points lie at `height`."""
        ideal = seen = (np.asarray(pixels, dtype=np.float64) - self.centre) / self.focal_xy
        for _ in range(6):  # undo the distortion
            ideal = seen / (1.0 + self.k1 * _lens_radius_squared(ideal[..., :1], ideal[..., 1:]))
        rays = np.concatenate([ideal, np.ones_like(ideal[..., :1])], axis=-1) @ self.rotation
        origin = -self.rotation.T @ self.translation
        reach = (-height - origin[2]) / rays[..., 2:3]
        at: Floats = ((origin + reach * rays) / self.units)[..., :2]
        return at

    @property
    def position(self) -> Floats:
        """The camera's centre (x, y, height), in cells."""
        centre: Floats = -self.rotation.T @ self.translation
        return centre / self.units

    @property
    def focal_xy(self) -> Floats:
        """The focal lengths (2,) across the picture and down it, px."""
        return np.array([self.focal * self.stretch, self.focal])

    @property
    def units(self) -> Floats:
        """A cell's width, a cell's height and a height of 1, (3,), in the frame of `rotation`."""
        root = float(np.sqrt(self.aspect))
        return np.array([1.0 / root, root, -1.0])

    def tilt(self, at: tuple[float, float]) -> float:
        """Return the angle between the line of sight at board point `at` and the vertical, radians."""
        away = (self.position - (*at, 0.0)) * self.units
        return float(np.arctan2(np.hypot(away[0], away[1]), -away[2]))

    def turn(self, quarter_turns: int, size: int) -> Camera:
        """Return this view with the squares counted from corner `quarter_turns` (TL, TR, BR, BL) of an n x n grid."""
        x, y = grid_corners(size)[quarter_turns % 4]
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter_turns % 4]
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], dtype=np.float64)
        return replace(
            self.move((x, y)),
            rotation=self.rotation @ turn,
            aspect=1.0 / self.aspect if quarter_turns % 2 else self.aspect,
        )

    def move(self, by: tuple[float, float]) -> Camera:
        """Return this view with its origin at the board point `by`."""
        shift = np.array([*by, 0.0]) * self.units
        return replace(self, translation=self.translation + self.rotation @ shift)

    def scale(self, factor: float) -> Camera:
        """Return the camera of the picture resized by `factor` (pixel centres at whole numbers)."""
        cx, cy = ((c + 0.5) * factor - 0.5 for c in self.centre)
        return replace(self, focal=self.focal * factor, centre=(cx, cy))

    def turn_picture(self, width: int) -> Camera:
        """Return the camera of the picture, `width` px wide, turned by 90 degrees against the clock."""
        turn = np.array([(0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
        return replace(
            self,
            focal=self.focal * self.stretch,
            stretch=1.0 / self.stretch,
            centre=(self.centre[1], width - 1 - self.centre[0]),
            rotation=turn @ self.rotation,
            translation=turn @ self.translation,
        )


def _lens_radius_squared(x: Floats, y: Floats) -> Floats:
    """Return the squared distance from the axis by which the lens distorts points `x` and `y`, focal lengths off it."""
    return np.minimum(x**2 + y**2, _MAX_LENS_RADIUS_SQUARED)


def grid_corners(size: int) -> Floats:
    """Return TL, TR, BR, BL of an n x n grid in board coordinates, (4, 2)."""
    return np.array([(0, 0), (size, 0), (size, size), (0, size)], dtype=np.float64)


def corners_of(camera: Camera, size: int) -> Floats:
    """Return TL, TR, BR, BL of the playing grid at the board's plane, (4, 2) px."""
    return camera.project(np.column_stack([grid_corners(size), np.zeros(4)]))


def sides_of_squares(camera: Camera, size: int) -> Floats:
    """Return how large each square of an n x n board looks (n, n), px: the side of a square of equal area."""
    lines = np.arange(size + 1.0)
    x, y = np.meshgrid(lines, lines)
    seen = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1))
    down, across = seen[1:, 1:] - seen[:-1, :-1], seen[1:, :-1] - seen[:-1, 1:]
    area = 0.5 * np.abs(down[..., 0] * across[..., 1] - down[..., 1] * across[..., 0])
    return np.sqrt(area)


def corner_shift(before: Camera, after: Camera, size: int) -> float:
    """Return the largest distance between the grid's corners in two views, in squares."""
    return corner_gap(corners_of(before, size), after, size)


def corner_gap(corners: Floats, camera: Camera, size: int) -> float:
    """Return the largest distance between `corners` (4, 2) px and those that a camera sees, in squares."""
    pitch = float(side_lengths(corners).mean()) / size
    return float(np.linalg.norm(corners_of(camera, size) - corners, axis=1).max()) / pitch


def homography_from_corners(corners: npt.ArrayLike, size: int) -> Floats:
    """Return the homography (3, 3) from board (x, y, 1) in cells to pixels, given the grid's corners (4, 2)."""
    target = np.asarray(corners, dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(grid_corners(size).astype(np.float32), target), dtype=np.float64)


def focal_from_homography(homography: Floats, centre: tuple[float, float]) -> float | None:
    """Return the focal length (px) of square pixels in a plane-to-image homography, or None if it cannot tell.

    It follows from the orthogonality of the two axes of the plane (Zhang, "A flexible new technique for camera
    calibration", 2000, eq. 3 and 4). Seen from straight above both equations degenerate, and None is returned.
    """
    # thousands of pixels make all terms about equally large
    unit = 1000.0
    shift = np.array([[1 / unit, 0, -centre[0] / unit], [0, 1 / unit, -centre[1] / unit], [0, 0, 1]])
    h = shift @ homography
    h = h / np.linalg.norm(h[:2, 0])
    a, b = h[:, 0], h[:, 1]
    rows = np.array([[a[2] * b[2]], [a[2] ** 2 - b[2] ** 2]])
    rest = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
    weight = float(np.sum(rows**2))
    if weight < 1e-4:
        return None
    squared = -float(rows[:, 0] @ rest) / weight
    return unit * float(np.sqrt(squared)) if squared > 0 else None


def pose_from_homography(
    homography: Floats, focal: float, centre: tuple[float, float], *, square: bool = True
) -> Camera:
    """Return the undistorted camera of known focal length whose board plane maps by `homography` (3, 3), cells to px.

    If `square`, cells have equal sides. Otherwise the homography gives the length of each.
    """
    k = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]], dtype=np.float64)
    m = np.linalg.inv(k) @ homography
    wide, high = np.linalg.norm(m[:, 0]), np.linalg.norm(m[:, 1])
    aspect = 1.0 if square else float(high / wide)
    scale = 2.0 / (wide * np.sqrt(aspect) + high / np.sqrt(aspect))
    if m[2, 2] < 0:
        scale = -scale
    a, b, t = (m * scale * (np.sqrt(aspect), 1.0 / np.sqrt(aspect), 1.0)).T
    u, _, vt = np.linalg.svd(np.column_stack([a, b, np.cross(a, b)]))
    rotation = u @ np.diag([1.0, 1.0, float(np.linalg.det(u @ vt))]) @ vt
    return Camera(focal=focal, centre=centre, k1=0.0, rotation=rotation, translation=t, aspect=aspect)
