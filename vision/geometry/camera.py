"""Measures of quadrilaterals in a picture, each given by its corners (4, 2) px in their order around it.

The camera model: where a point of the board, at any height, falls in the picture.

Board coordinates are in cells: x right and y down as the letters read, origin at the top-left corner of the
playing grid, `z` the height above the board's plane (towards the viewer). The camera frame is OpenCV's: x right,
y down, z forward; pixel centres lie at whole numbers. Because x right, y down, z up is left-handed, heights enter
the rotation with their sign changed; `Camera.project` does this, nobody else has to. Upwords has square cells; where
a game's are not, a cell is the square of the same area, stretched.

Lens: one radial coefficient, x_d = x (1 + k1 r^2), the first term of the Brown-Conrady model (OpenCV's k1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_BEGUN_WITH_EACH = np.array([np.roll(np.arange(4), k) for k in range(4)])


def side_lengths(corners: Floats) -> Floats:
    """The lengths (4,) px of the sides of a quadrilateral (4, 2) px, that to the first corner first."""
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1), dtype=np.float64)


def corner_gaps(one: Floats, other: Floats) -> Floats:
    """How far the corners (4, 2) px of one quadrilateral lie from another's, (4, 4) px.

    In each row the first one is begun with another of its corners: which of them comes first need not be known.
    """
    return np.asarray(np.linalg.norm(one[_BEGUN_WITH_EACH] - other, axis=-1), dtype=np.float64)


_FAR = 4.0
"""Squared distance from the axis, focal lengths, beyond which the lens is taken to distort no further (63 degrees)."""


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
        stretch: width of the picture over what it would be with square pixels (`vision.geometry.camera_fit`).
        cropped: the picture is part of a larger one, so that `centre` need not be its middle.
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
        """Pixels (..., 2) of board points (..., 3), given as (x, y, height) in cells."""
        board = np.asarray(points, dtype=np.float64) * self.units
        seen = board @ self.rotation.T + self.translation
        depth = np.maximum(seen[..., 2:3], 1e-6)
        ideal = seen[..., :2] / depth
        pixels: Floats = self._distort(ideal) * self.focal_xy + self.centre
        return pixels

    def project_with_slopes(self, points: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Pixels (m, 2) of board points (m, 3), and their derivatives (m, 2, 11).

        The derivatives are by log focal length, log aspect, k1, a turn (3,) of the camera frame (radians, applied after
        `rotation`), `translation` (3,) and `centre` (2,).
        """
        board = np.asarray(points, dtype=np.float64) * self.units
        turned = board @ self.rotation.T
        seen = turned + self.translation
        depth = np.maximum(seen[:, 2], 1e-6)
        ideal = seen[:, :2] / depth[:, None]
        squared = np.minimum(np.sum(ideal**2, axis=-1), _FAR)
        lens = 1.0 + self.k1 * squared
        bend = (
            np.where(squared < _FAR, 2.0 * self.k1, 0.0)[:, None, None] * ideal[:, :, None] * ideal[:, None]
        )
        by_ideal = (self.focal / depth)[:, None, None] * (lens[:, None, None] * np.eye(2) + bend)
        by_seen = np.concatenate(
            [by_ideal, -np.sum(by_ideal * ideal[:, None], axis=2, keepdims=True)], axis=2
        )
        longer = (board * (-0.5, 0.5, 0.0)) @ self.rotation.T
        offset = self.focal * lens[:, None] * ideal
        slopes = np.concatenate([
            offset[:, :, None], by_seen @ longer[:, :, None],
            (self.focal * squared[:, None] * ideal)[:, :, None],
            _crossed(turned[:, None], by_seen), by_seen,
        ], axis=2)  # fmt: skip
        wider = np.array([self.stretch, 1.0])
        by_centre = np.broadcast_to(np.eye(2), (len(board), 2, 2))
        return offset * wider + self.centre, np.concatenate([slopes * wider[:, None], by_centre], axis=2)

    def to_board(self, pixels: npt.ArrayLike, height: float = 0.0) -> Floats:
        """Board (x, y) (..., 2), in cells, of pixels (..., 2) whose points lie at `height`."""
        ideal = self._undistort((np.asarray(pixels, dtype=np.float64) - self.centre) / self.focal_xy)
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
        """(2,) focal length across the picture and down it, px."""
        return np.array([self.focal * self.stretch, self.focal])

    @property
    def units(self) -> Floats:
        """(3,) what a cell's width, a cell's height and a height of 1 are in the frame of `rotation`."""
        root = float(np.sqrt(self.aspect))
        return np.array([1.0 / root, root, -1.0])

    def tilt(self, at: tuple[float, float]) -> float:
        """Angle between the line of sight at board point `at` and the vertical, radians."""
        away = (self.position - (*at, 0.0)) * self.units
        return float(np.arctan2(np.hypot(away[0], away[1]), -away[2]))

    def turned(self, quarter_turns: int, size: int) -> Camera:
        """The same view of an n x n board whose top-left corner is the k-th of (TL, TR, BR, BL) of this one."""
        corner = np.array([(0, 0), (size, 0), (size, size), (0, size)][quarter_turns % 4], dtype=np.float64)
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter_turns % 4]
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], dtype=np.float64)
        return replace(
            self.moved((corner[0], corner[1])),
            rotation=self.rotation @ turn,
            aspect=1.0 / self.aspect if quarter_turns % 2 else self.aspect,
        )

    def moved(self, by: tuple[float, float]) -> Camera:
        """The view whose origin is the board point `by` of this one."""
        shift = np.array([*by, 0.0]) * self.units
        return replace(self, translation=self.translation + self.rotation @ shift)

    def scaled(self, factor: float) -> Camera:
        """The same view in a picture resized by `factor` (pixel centres at whole numbers)."""
        cx, cy = ((c + 0.5) * factor - 0.5 for c in self.centre)
        return replace(self, focal=self.focal * factor, centre=(cx, cy))

    def _distort(self, ideal: Floats) -> Floats:
        squared = np.minimum(np.sum(ideal**2, axis=-1, keepdims=True), _FAR)
        distorted: Floats = ideal * (1.0 + self.k1 * squared)
        return distorted

    def _undistort(self, seen: Floats) -> Floats:
        ideal = seen
        for _ in range(6):
            ideal = seen / (1.0 + self.k1 * np.minimum(np.sum(ideal**2, axis=-1, keepdims=True), _FAR))
        return ideal


def _crossed(one: Floats, other: Floats) -> Floats:
    """Cross products of vectors (..., 3), in a third of the time that numpy's takes for so few."""
    back, on = [1, 2, 0], [2, 0, 1]
    return np.asarray(one[..., back] * other[..., on] - one[..., on] * other[..., back], dtype=np.float64)


def grid_corners(size: int) -> Floats:
    """TL, TR, BR, BL of an n x n grid in board coordinates, (4, 2)."""
    return np.array([(0, 0), (size, 0), (size, size), (0, size)], dtype=np.float64)


def corners_of(camera: Camera, size: int) -> Floats:
    """TL, TR, BR, BL of the playing grid at the board's plane, (4, 2) px."""
    return camera.project(np.column_stack([grid_corners(size), np.zeros(4)]))


def sides_of_squares(camera: Camera, size: int) -> Floats:
    """How large each square of an n x n board looks (n, n), px: the side of a square of the same area."""
    lines = np.arange(size + 1.0)
    x, y = np.meshgrid(lines, lines)
    seen = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1))
    down, across = seen[1:, 1:] - seen[:-1, :-1], seen[1:, :-1] - seen[:-1, 1:]
    area = 0.5 * np.abs(down[..., 0] * across[..., 1] - down[..., 1] * across[..., 0])
    return np.asarray(np.sqrt(area), dtype=np.float64)


def corner_shift(before: Camera, after: Camera, size: int) -> float:
    """The largest distance between the grid's corners in two views, in squares."""
    old = corners_of(before, size)
    pitch = float(side_lengths(old).mean()) / size
    return float(np.linalg.norm(corners_of(after, size) - old, axis=1).max()) / pitch


def homography_from_corners(corners: npt.ArrayLike, size: int) -> Floats:
    """(3, 3) homography taking board (x, y, 1) in cells to pixels, from the four grid corners (4, 2)."""
    target = np.asarray(corners, dtype=np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(grid_corners(size).astype(np.float32), target), dtype=np.float64
    )


def focal_from_homography(homography: Floats, centre: tuple[float, float]) -> float | None:
    """Focal length (px) of square pixels seen in a plane-to-image homography, or None when it cannot tell.

    From the orthogonality of the two axes of the plane (Zhang, "A flexible new technique for camera calibration",
    2000, eq. 3 and 4); seen from straight above both equations degenerate and None is returned.
    """
    # in thousands of pixels, so that all terms are of one order
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
    """The undistorted camera of known focal length whose board plane maps by `homography` (3, 3), cells to px.

    `square` cells have one side, others as long a side each way as the homography shows.
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
