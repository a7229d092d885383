"""Rendered boards as training examples for the locate, lattice and stacks networks.

A folder written by `calibration.training.generate` holds NNNNN.jpg and NNNNN.json; files may still be added while a
network trains.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset

from vision.camera import Camera, grid_corners, homography_from_corners, pose_from_homography
from vision.images import Image
from vision.lattice import LATTICE_MARGIN, LATTICE_PX
from vision.locate import LOCATE_INNER, LOCATE_SIDE, STRIDE
from vision.stacks import NOMINAL_LAYER
from vision.sweep import SWEEP_MARGIN, quarter_towards_camera, sweep
from vision.warp import letterbox, normalised, rectify, resize, shrink_to_pitch

Floats = npt.NDArray[np.float64]
Planes = npt.NDArray[np.float32]
Example = tuple[Planes, Planes]


@dataclass(frozen=True)
class BoardSample:
    """One rendered picture and its truth; `hand` (n, n) is the share of each square behind the hand."""

    image: Image
    size: int
    camera: Camera
    layer: float
    heights: npt.NDArray[np.int64]
    visible: Floats
    hand: Floats


def load_board(record: Path) -> BoardSample:
    """The sample whose truth is in `record` (NNNNN.json)."""
    truth = json.loads(record.read_text())
    image = cv2.imread(str(record.with_suffix(".jpg")))
    matrix = np.array(truth["K"])
    camera = Camera(
        focal=float(matrix[0, 0]), centre=(float(matrix[0, 2]), float(matrix[1, 2])), k1=float(truth["dist"][0]),
        rotation=np.array(truth["R"]) * (1.0, 1.0, -1.0), translation=np.array(truth["tvec"]),
    )  # fmt: skip
    return BoardSample(
        np.asarray(image, dtype=np.uint8), truth["n"], camera, truth["layer_h"], np.array(truth["heights"]),
        np.array(truth["visible"]), np.array(truth["hand_hidden"]),
    )  # fmt: skip


def locate_example(sample: BoardSample, rng: np.random.Generator) -> Example:
    """Letterboxed picture and (2, s, s) targets: corner map (Gaussians) and mask of the grid."""
    image, camera = _framed(sample, rng)
    square, box = letterbox(_developed(image, rng), LOCATE_SIDE, LOCATE_INNER)
    side = LOCATE_SIDE // STRIDE
    corners = camera.project(np.column_stack([grid_corners(sample.size), np.zeros(4)]))
    at = (corners * box.scale + box.offset - (STRIDE - 1) / 2) / STRIDE
    y, x = np.mgrid[0:side, 0:side]
    heat = np.max([np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * 1.3**2)) for cx, cy in at], axis=0)
    mask = np.zeros((side, side), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(at * 16).astype(np.int32), 1, shift=4)
    planes, targets = normalised(square), np.stack([heat, mask]).astype(np.float32)
    if rng.random() < 0.5:
        planes, targets = planes[..., ::-1], targets[..., ::-1]
    turns = int(rng.integers(4))
    return np.rot90(planes, turns, (1, 2)).copy(), np.rot90(targets, turns, (1, 2)).copy()


def lattice_example(sample: BoardSample, rng: np.random.Generator) -> Example:
    """Rectified by a wrong homography; target (4, k, k): displacement x, y (cells), weight, in-grid flag."""
    size, camera = sample.size, sample.camera.turned(int(rng.integers(4)), sample.size)
    image = _developed(sample.image, rng)
    true = camera.project(np.column_stack([grid_corners(size), np.zeros(4)]))
    pitch = float(np.mean(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1))) / size
    amount = float(rng.choice([0.03, 0.12, 0.3, 0.45]))
    shifted = true + pitch * (rng.normal(0, amount, 2) + rng.normal(0, 0.7 * amount, (4, 2)))
    focal = camera.focal * float(np.exp(rng.normal(0, 0.1)))
    wrong = pose_from_homography(homography_from_corners(shifted, size), focal, camera.centre)
    small, reduced = shrink_to_pitch(image, wrong, size, LATTICE_PX)
    planes = normalised(rectify(small, reduced, size, LATTICE_PX, LATTICE_MARGIN))
    at = np.arange(-LATTICE_MARGIN, size + LATTICE_MARGIN) + 0.5
    x, y = np.meshgrid(at, at)
    nominal = np.stack([x, y], axis=-1)
    pixels = wrong.project(np.concatenate([nominal, np.zeros_like(nominal[..., :1])], axis=-1))
    moved = camera.to_board(pixels) - nominal
    inside = (np.abs(nominal - size / 2) < size / 2 + 1).all(axis=-1)
    weight = np.where(inside, 1.0, 0.3) * (np.abs(moved).max(axis=-1) < 2.0)
    targets = np.stack([moved[..., 0], moved[..., 1], weight, inside]).astype(np.float32)
    if rng.random() < 0.5:
        planes, targets = planes[..., ::-1].copy(), targets[..., ::-1].copy()
        targets[0] *= -1
    return planes, targets


def stack_example(sample: BoardSample, rng: np.random.Generator) -> Example:
    """Plane sweep and target (5, n + 2, n + 2): height, hidden flag, log layer ratio, height weight, in-grid flag."""
    size = sample.size
    image = _developed(sample.image, rng)
    camera = _jittered(sample.camera, size, rng)
    rough = rng.random() < 0.5
    guess = NOMINAL_LAYER if rough else sample.layer
    layer = float(guess * np.exp(rng.normal(0, 0.06 if rough else 0.035)))
    turns = quarter_towards_camera(camera, size)
    planes = sweep(image, camera.turned(turns, size), size, layer)
    ratio = np.full((size, size), np.log(sample.layer / layer))
    weight = np.where(sample.heights > 0, np.clip(sample.visible * 2.0, 0.1, 1.0), 1.0) * (sample.hand < 0.4)
    squares = np.stack([sample.heights, sample.hand > 0.4, ratio, weight, np.ones_like(ratio)]).astype(np.float32)
    targets = np.pad(np.rot90(squares, turns, (1, 2)), ((0, 0), (SWEEP_MARGIN,) * 2, (SWEEP_MARGIN,) * 2))
    if rng.random() < 0.5:
        planes, targets = planes[..., ::-1].copy(), targets[..., ::-1].copy()
        planes[[8, 10]] *= -1
    return np.ascontiguousarray(planes), np.ascontiguousarray(targets)


EXAMPLES = {"locate": locate_example, "lattice": lattice_example, "stacks": stack_example}


class Boards(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """Endless batches of examples of one kind; boards of one size to a batch, as the networks' planes must agree."""

    def __init__(self, folder: Path, kind: str, batch: int, seed: int, part: tuple[int, int]) -> None:
        self._folder, self._kind, self._batch, self._seed = folder, kind, batch, seed
        self._part = part

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        cv2.setNumThreads(1)
        waiting: dict[tuple[int, ...], list[Example]] = {}
        while True:
            records = sorted(self._folder.glob("*.json"))
            first, last = self._part
            chosen = [r for r in records if first <= int(r.stem) < last]
            for index in rng.permutation(len(chosen)):
                example = EXAMPLES[self._kind](load_board(chosen[index]), rng)
                group = waiting.setdefault(example[0].shape, [])
                group.append(example)
                if len(group) == self._batch:
                    yield tuple(torch.from_numpy(np.stack(x)) for x in zip(*group, strict=True))  # type: ignore[misc]
                    group.clear()


def _jittered(camera: Camera, size: int, rng: np.random.Generator) -> Camera:
    """The camera as a lattice fit would leave it: the corners a few hundredths of a square off."""
    true = camera.project(np.column_stack([grid_corners(size), np.zeros(4)]))
    pitch = float(np.mean(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1))) / size
    amount = pitch * abs(rng.normal(0, 0.025))
    shifted = true + rng.normal(0, amount, 2) + rng.normal(0, amount, (4, 2))
    tilt = camera.tilt((size / 2, size / 2))
    spread = 0.02 if tilt > 0.35 else 0.08
    focal = camera.focal * float(np.exp(rng.normal(0, spread)))
    posed = pose_from_homography(homography_from_corners(shifted, size), focal, camera.centre)
    return Camera(posed.focal, posed.centre, camera.k1, camera.rotation, camera.translation) if rng.random() < 0.3 else (
        _with_lens(posed, camera, size)
    )


def _with_lens(posed: Camera, camera: Camera, size: int) -> Camera:
    """`posed` fitted again with the lens of `camera`, so that its plane agrees over the whole board."""
    from vision.fitting import Correspondences, fit_camera

    steps = np.linspace(0, size, 5)
    x, y = np.meshgrid(steps, steps)
    board = np.column_stack([x.ravel(), y.ravel()])
    off = posed.project(np.column_stack([board, np.zeros(len(board))])) - pose_plane(camera, board, undistorted=True)
    pixels = pose_plane(camera, board) + np.clip(off, -8, 8)
    start = Camera(posed.focal, camera.centre, camera.k1, camera.rotation, camera.translation)
    width, height = (round(2 * c + 1) for c in camera.centre)
    points = Correspondences(board, pixels, np.ones(len(board)))
    return fit_camera(start, points, (width, height), size, known_lens=True).camera


def pose_plane(camera: Camera, board: Floats, *, undistorted: bool = False) -> Floats:
    """Pixels (m, 2) of points (m, 2) of the board's plane, with or without the lens distortion."""
    seen = Camera(camera.focal, camera.centre, 0.0 if undistorted else camera.k1, camera.rotation, camera.translation)
    return seen.project(np.column_stack([board, np.zeros(len(board))]))


def _framed(sample: BoardSample, rng: np.random.Generator) -> tuple[Image, Camera]:
    """Sometimes a part of the picture only, so that the board is larger and its edges are cut."""
    height, width = sample.image.shape[:2]
    if rng.random() < 0.6:
        return sample.image, sample.camera
    w, h = (int(side * rng.uniform(0.6, 1.0)) for side in (width, height))
    x, y = int(rng.integers(width - w + 1)), int(rng.integers(height - h + 1))
    corners = sample.camera.project(np.column_stack([grid_corners(sample.size), np.zeros(4)]))
    inside = (corners > (x - 0.08 * w, y - 0.08 * h)) & (corners < (x + 1.08 * w, y + 1.08 * h))
    if int(inside.all(axis=1).sum()) < 3:
        return sample.image, sample.camera
    cx, cy = sample.camera.centre
    cropped = Camera(
        sample.camera.focal, (cx - x, cy - y), sample.camera.k1, sample.camera.rotation, sample.camera.translation
    )
    return np.ascontiguousarray(sample.image[y : y + h, x : x + w]), cropped


def _developed(image: Image, rng: np.random.Generator) -> Image:
    """Another camera's processing: exposure, colour, gamma, blur, noise, loss of resolution."""
    values = image.astype(np.float32)
    if rng.random() < 0.7:
        values = values * rng.uniform(0.65, 1.3) * rng.uniform(0.88, 1.12, 3)
    if rng.random() < 0.4:
        values = 255.0 * (np.clip(values, 0, 255) / 255.0) ** rng.uniform(0.65, 1.5)
    if rng.random() < 0.15:
        values = values[..., rng.permutation(3)]
    if rng.random() < 0.25:
        values = cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.5:
        noise = cv2.resize(rng.normal(0, 1, tuple(s // 2 for s in image.shape[:2])).astype(np.float32), image.shape[1::-1])
        values = values + rng.uniform(0, 9) * noise[..., None]
    out = np.clip(values, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        factor = rng.uniform(0.5, 0.9)
        out = cv2.resize(resize(out, factor), image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(out, dtype=np.uint8)
