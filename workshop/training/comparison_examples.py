"""Rendered boards seen from above as examples for the network that compares stacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from vision import Camera
from vision.arrays import Tensor
from vision.geometry.rectify import resize, shrink_to_pitch
from vision.heights.comparison import FEWEST, MIRRORED_FACTS, Layer, cut_compared_windows, stack_facts
from vision.images import Image
from workshop.training.board_samples import (
    POOL,
    Askew,
    BoardSample,
    develop,
    draw_from,
    jitter,
    load_board,
    recolour,
    records_in,
)
from workshop.training.fitting.loop import Batch

_STEEPEST = float(np.radians(27.0))
"""Tilt of the camera up to which pictures serve: a little further than stacks are compared. [by eye]"""
_THINNEST = 0.185
"""Thickness of a layer, cells, of the thinnest tiles that stack. [by eye]"""
_MOST = 40
"""Stacks of a picture that are compared at most. [by eye]"""
_SEEN, _HELD = 0.3, 0.4
"""Share of a face that shows at least, and that a hand hides at most. [by eye]"""
_ASKEW = Askew(corners=0.03, scale=0.003, focal=0.15)
"""How far off cameras above a board are found: a focal length is hardly to be told from there. [by eye]"""


class Compared(NamedTuple):
    """The stacks of one picture.

    Attributes:
        windows: (m, px, px, 3) as `vision.heights.comparison` cuts them.
        facts: (m, FACTS) further facts about each stack.
        truth: (m, 4) tiles above the lowest, elevation of the face (cells), logarithm of a layer's thickness over
            USUAL_LAYER, in LAYER_SPREAD, and how much the stack counts.
    """

    windows: Image
    facts: Tensor
    truth: Tensor


def comparison_example(sample: BoardSample, rng: np.random.Generator) -> Compared | None:
    """Return the stacks of a picture, turned any way, in another light, the camera slightly off; None if too few."""
    size = sample.size
    small, camera = _look_at(sample, rng)
    turns = int(rng.integers(4))
    camera = camera.turn(turns, size)
    heights, visible, hand = (np.rot90(table, turns) for table in (sample.heights, sample.visible, sample.hand))
    shown = rng.permutation(np.argwhere((heights > 0) & (visible >= _SEEN) & (hand < _HELD)))
    if len(shown) < FEWEST:
        return None
    most = _MOST if rng.random() < 0.8 else int(rng.integers(FEWEST, _MOST))
    rows, cols = shown[:most].T
    squares = [(int(row), int(col)) for row, col in shown[:most]]
    windows = cut_compared_windows(small, camera, squares)
    facts = stack_facts(camera, size, squares, _guess_layer(sample.layer, rng))
    if rng.random() < 0.5:
        windows = np.ascontiguousarray(windows[:, :, ::-1])
        facts[:, MIRRORED_FACTS] *= -1
    truth = np.column_stack([
        heights[rows, cols] - 1.0, sample.foot + sample.layer * heights[rows, cols],
        np.full(len(rows), (np.log(sample.layer) - Layer().log) / Layer().spread),
        np.clip(2.0 * visible[rows, cols], 0.1, 1.0),
    ])  # fmt: skip
    return Compared(windows, facts, truth.astype(np.float32))


def _look_at(sample: BoardSample, rng: np.random.Generator) -> tuple[Image, Camera]:
    """Return the picture as it is read, and its camera as it is found. Tiles may stand below the ridges of the grid."""
    camera = jitter(sample.camera, sample.size, rng, _ASKEW)
    if rng.random() < 0.6:
        sunk = (0.0, 0.0, float(rng.uniform(0.0, 0.1)))
        camera = replace(camera, translation=camera.translation - camera.rotation @ sunk)
    image = sample.image
    if rng.random() < 0.35:
        image = resize(image, float(rng.uniform(0.55, 0.95)))
        camera = camera.scale(image.shape[1] / sample.image.shape[1])
    small, camera = shrink_to_pitch(image, camera, sample.size)
    return (recolour(develop(small, rng), rng) if rng.random() < 0.8 else small), camera


def _guess_layer(true: float, rng: np.random.Generator) -> Layer:
    """Draw a guess at the thickness (cells) of a layer that is so thick; half the time there is none."""
    if rng.random() < 0.5:
        return Layer()
    spread = float(np.exp(rng.uniform(np.log(0.01), np.log(0.1))))
    return Layer(float(np.log(true) + rng.normal(0, spread)), spread)


class ComparedBoards(IterableDataset[Batch]):  # type: ignore[misc, unused-ignore]
    """Endless batches of the stacks of several pictures: windows, facts, truth, and how many each picture has.

    `part` is the range of numbers of the pictures used. Each is taken twice when it is loaded.
    """

    def __init__(self, folders: list[Path], batch: int, seed: int, part: tuple[int, int]) -> None:
        self._folders, self._batch, self._seed, self._part = folders, batch, seed, part

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        cv2.setNumThreads(1)
        waiting: list[Compared] = []
        while True:
            records = records_in(self._folders, self._part)
            for index in rng.permutation(len(records)):
                sample = load_board(records[index])
                if serves(sample):
                    made = (comparison_example(sample, rng) for _ in range(2))
                    waiting += [example for example in made if example is not None]
                if len(waiting) >= POOL * self._batch:
                    yield together(draw_from(waiting, self._batch, rng))


def serves(sample: BoardSample) -> bool:
    """Return whether a picture shows a board from above, with tiles that stack."""
    middle = (sample.size / 2, sample.size / 2)
    return sample.size > 0 and sample.layer >= _THINNEST and sample.camera.tilt(middle) < _STEEPEST


def together(pictures: list[Compared]) -> Batch:
    """Return one batch of the stacks of several pictures."""
    parts = (np.concatenate(part) for part in zip(*pictures, strict=True))
    counts = torch.tensor([len(picture.facts) for picture in pictures])
    return (*(torch.from_numpy(part) for part in parts), counts)
