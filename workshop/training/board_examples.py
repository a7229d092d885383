"""Rendered boards as training examples for the locate, lattice and stacks networks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset

from vision.board.detect import LOCATE_INNER, LOCATE_SIDE, STRIDE, surroundings
from vision.board.sightings import LATTICE_MARGIN, lattice_planes
from vision.geometry.camera import grid_corners, homography_from_corners, pose_from_homography
from vision.geometry.rectify import letterbox, normalise, shrink_to_pitch
from vision.heights.plane_sweep import SLICE_STEP, SWEEP_MARGIN, mirror, quarter_towards_camera, sweep
from vision.images import Image
from workshop.training.board_samples import (
    POOL,
    BoardSample,
    cut_frame,
    develop,
    draw_from,
    jitter,
    load_board,
    recolour,
    records_in,
)
from workshop.training.covers.pasting import with_thing
from workshop.training.sunlight.falling import in_sunlight

Floats = npt.NDArray[np.float64]
Planes = npt.NDArray[np.float32]
Example = tuple[Planes, Planes]

_INNER = (0.7, 1.0)
"""Range of the room that whole pictures have in the square, of what they have when a board is looked for. [by eye]"""
_UNSEEN = 2.0
"""How much farther from its place a corner out of the picture is guessed than one that is seen. [by eye]"""


def locate_example(sample: BoardSample, rng: np.random.Generator) -> Example:
    """Draw a picture as the locator sees it and (2, s, s) targets: corner map (Gaussians) and mask of the grid.

    Half of them are whole pictures in their letterbox, half the second, closer look. Zeros where there is no board.
    """
    true = sample.camera.project(np.column_stack([grid_corners(sample.size), np.zeros(4)]))
    if rng.random() < 0.5:
        square, corners = _closer_look(sample, true, rng)
    else:
        image, camera = cut_frame(sample, rng)
        square, box = letterbox(image, LOCATE_SIDE, int(LOCATE_INNER * rng.uniform(*_INNER)))
        true = camera.project(np.column_stack([grid_corners(sample.size), np.zeros(4)]))
        corners = true * box.scale + box.offset
    square = recolour(develop(square, rng), rng)
    side = LOCATE_SIDE // STRIDE
    planes, targets = normalise(square), np.zeros((2, side, side), np.float32)
    if sample.size:
        targets = _corners_and_mask((corners - (STRIDE - 1) / 2) / STRIDE, side)
    if rng.random() < 0.5:
        planes, targets = planes[..., ::-1], targets[..., ::-1]
    turns = int(rng.integers(4))
    return np.rot90(planes, turns, (1, 2)).copy(), np.rot90(targets, turns, (1, 2)).copy()


def _closer_look(sample: BoardSample, true: Floats, rng: np.random.Generator) -> tuple[Image, Floats]:
    """Return what surrounds a place near the board's, as `vision.board.detect` sees it, and the corners (4, 2)
    there."""
    height, width = sample.image.shape[:2]
    if not sample.size:
        middle, reach = rng.uniform(0.3, 0.7, 2) * (width, height), rng.uniform(0.1, 0.4) * min(width, height)
        true = middle + reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * rng.uniform(0.6, 1.4, (4, 2))
    side = float(np.mean(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1)))
    amount = side * float(rng.choice([0.03, 0.07, 0.12]))
    unseen = ((true < 0) | (true > (width, height))).any(axis=1, keepdims=True)
    each = amount * np.where(unseen, _UNSEEN, 1.0)
    wrong = true + rng.normal(0, 0.7 * amount, 2) + each * rng.normal(0, 1, (4, 2))
    if not cv2.isContourConvex(wrong.astype(np.float32)):
        wrong = true
    square, matrix = surroundings(sample.image, wrong)
    return square, np.asarray(cv2.perspectiveTransform(true[None], matrix)[0], dtype=np.float64)


def _corners_and_mask(at: Floats, side: int) -> Planes:
    """Return targets (2, side, side) for grid corners `at` (4, 2), in cells of the map."""
    y, x = np.mgrid[0:side, 0:side]
    heat = np.max([np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * 1.3**2)) for cx, cy in at], axis=0)
    mask = np.zeros((side, side), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(at * 16).astype(np.int32), 1, shift=4)
    return np.stack([heat, mask]).astype(np.float32)


_BESIDE = 0.35
"""Share of the guesses that may lie whole squares beside the grid. [by eye]"""
_PARALLAX_X = 3
"""Plane of the lattice's example whose sign changes in a mirror."""


def lattice_example(sample: BoardSample, rng: np.random.Generator) -> Example:
    """Rectify by a wrong homography; the target is (4, k, k): displacement x, y (cells), weight, in-grid flag."""
    size = sample.size
    image, camera = cut_frame(sample, rng)
    camera = camera.turn(int(rng.integers(4)), size)
    # sometimes whole squares off, so that the network finds the border in the picture, not at its usual place
    beside = rng.integers(-1, 2, 2) if rng.random() < _BESIDE else np.zeros(2)
    start = camera.project(np.column_stack([grid_corners(size) + beside, np.zeros(4)]))
    pitch = float(np.mean(np.linalg.norm(start - np.roll(start, 1, axis=0), axis=1))) / size
    amount = float(rng.choice([0.03, 0.12, 0.3, 0.45]))
    shifted = start + pitch * (rng.normal(0, amount, 2) + rng.normal(0, 0.7 * amount, (4, 2)))
    focal = camera.focal * float(np.exp(rng.normal(0, 0.1)))
    wrong = pose_from_homography(homography_from_corners(shifted, size), focal, camera.centre)
    small, reduced = shrink_to_pitch(image, wrong, size)
    planes = lattice_planes(develop(small, rng), reduced, size)
    at = np.arange(-LATTICE_MARGIN, size + LATTICE_MARGIN) + 0.5
    x, y = np.meshgrid(at, at)
    nominal = np.stack([x, y], axis=-1)
    pixels = wrong.project(np.concatenate([nominal, np.zeros_like(nominal[..., :1])], axis=-1))
    moved = camera.to_board(pixels) - nominal
    true_place = nominal + moved
    inside = (np.abs(true_place - size / 2) < size / 2).all(axis=-1)
    near = (np.abs(true_place - size / 2) < size / 2 + 1).all(axis=-1)
    weight = np.where(inside, 1.0, np.where(near, 0.3, 0.02))
    targets = np.stack([moved[..., 0], moved[..., 1], weight, inside]).astype(np.float32)
    if rng.random() < 0.5:
        planes, targets = planes[..., ::-1].copy(), targets[..., ::-1].copy()
        planes[_PARALLAX_X] *= -1
        targets[0] *= -1
    return planes, targets


_RECESS = 0.1
"""Cells by which tiles may stand below the tops of the ridges between the squares, where the lattice is seen.

The renderer's boards are flat; for the sweep a plane that lies a little above them does as well. [by eye]"""


_COVERED = 0.3
"""Share of the boards on which some thing lies that is no hand. [by eye]"""


def stack_example(sample: BoardSample, rng: np.random.Generator) -> Example:
    """Return a plane sweep and target (4, n + 2, n + 2): elevation of the top (slices), hidden flag, weight, in-grid
    flag."""
    if rng.random() < _COVERED:
        sample = with_thing(sample, rng)
    size = sample.size
    camera = jitter(sample.camera, size, rng)
    sunk = rng.uniform(0.0, _RECESS) if rng.random() < 0.7 else 0.0
    camera = replace(camera, translation=camera.translation - camera.rotation @ (0.0, 0.0, sunk))
    small, camera = shrink_to_pitch(sample.image, camera, size)
    turns = quarter_towards_camera(camera, size)
    planes = sweep(develop(small, rng), camera.turn(turns, size), size)
    tiles = sample.heights > 0
    elevation = np.where(tiles, sample.elevations - sunk, 0.0) / SLICE_STEP
    weight = np.where(tiles, np.clip(sample.visible * 2.0, 0.1, 1.0), 1.0) * (sample.hand < 0.4)
    squares = np.stack([elevation, sample.hand > 0.4, weight, np.ones_like(elevation)]).astype(np.float32)
    targets = np.pad(np.rot90(squares, turns, (1, 2)), ((0, 0), (SWEEP_MARGIN,) * 2, (SWEEP_MARGIN,) * 2))
    if rng.random() < 0.5:
        planes, targets = mirror(planes), targets[..., ::-1]
    return np.ascontiguousarray(planes), np.ascontiguousarray(targets)


EXAMPLES = {
    "locate": locate_example,
    "locate_again": locate_example,
    "lattice": lattice_example,
    "stacks": stack_example,
    "wide_stacks": stack_example,
}
_REPEATS = {"locate": 2, "locate_again": 2, "lattice": 4, "stacks": 2, "wide_stacks": 2}
"""Examples made of a picture each time it is loaded: loading costs as much as making one. [by eye]"""
_IN_SUNLIGHT = 0.35
"""Share of the pictures on which the sun shines through something: the renderer's windows throw no patterns.
[by eye]"""


def _batch_of(examples: list[Example]) -> tuple[torch.Tensor, torch.Tensor]:
    planes, targets = (torch.from_numpy(np.stack(part)) for part in zip(*examples, strict=True))
    return planes, targets


class Boards(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):  # type: ignore[misc, unused-ignore]
    """Endless batches of examples of one kind; boards of one size to a batch, as the networks' planes must agree.

    `part` is the range of numbers of the samples used. Pictures without a board serve the locate networks alone.
    """

    def __init__(self, folder: Path, kind: str, batch: int, seed: int, part: tuple[int, int]) -> None:
        self._folder, self._kind, self._batch, self._seed = folder, kind, batch, seed
        self._part = part

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        cv2.setNumThreads(1)
        waiting: dict[tuple[int, ...], list[Example]] = {}
        while True:
            chosen = records_in([self._folder], self._part)
            for index in rng.permutation(len(chosen)):
                sample = load_board(chosen[index])
                if sample.size == 0 and EXAMPLES[self._kind] is not locate_example:
                    continue
                if rng.random() < _IN_SUNLIGHT:
                    sample = in_sunlight(sample, rng)
                for _ in range(_REPEATS[self._kind]):
                    example = EXAMPLES[self._kind](sample, rng)
                    group = waiting.setdefault(example[0].shape, [])
                    group.append(example)
                    if len(group) == POOL * self._batch:
                        yield _batch_of(draw_from(group, self._batch, rng))
