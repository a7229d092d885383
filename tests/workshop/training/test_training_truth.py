"""The truth that is written beside a picture, and what the networks' examples make of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")
pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")
pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

from trainingkit import plain_scene, small_camera

from vision.board.detect import LOCATE_SIDE, STRIDE
from vision.board.sightings import LATTICE_CHANNELS, LATTICE_MARGIN, LATTICE_PX
from vision.geometry.camera import corners_of, grid_corners
from vision.heights.plane_sweep import CHANNELS, SLICE_STEP, SWEEP_MARGIN, SWEEP_PX
from workshop.training.board_examples import EXAMPLES, Boards, locate_example
from workshop.training.board_samples import cut_frame, load_board
from workshop.training.faces.typeface import FontFace
from workshop.training.photograph import Sample, photograph, save_sample
from workshop.training.scene.build import bare_scene, board_scene
from workshop.training.views import random_camera

pytestmark = pytest.mark.slow

Floats = npt.NDArray[np.float64]

STACKS = {(1, 2): 3, (6, 5): 1, (4, 4): 5}


@pytest.fixture(scope="module")
def folder(fonts: list[FontFace], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a board (number 0) and a table without one (number 1), as `generate` writes them."""
    out = tmp_path_factory.mktemp("samples")
    camera = small_camera(8, tilt=40.0, dist=(-0.1, 0.0))
    board = photograph(np.random.default_rng(0), plain_scene(fonts, STACKS), camera)
    save_sample(out / "00000.json", board, 95)
    save_sample(out / "00001.json", bare(fonts), 95)
    return out


def bare(fonts: list[FontFace]) -> Sample:
    rng = np.random.default_rng(3)
    scene = bare_scene(rng, fonts)
    return photograph(rng, scene, random_camera(rng, scene.span, (160, 160)))


def test_a_board_reads_back_as_it_was_written(folder: Path) -> None:
    truth, sample = json.loads((folder / "00000.json").read_text()), load_board(folder / "00000.json")
    assert sample.size == 8
    assert sample.image.shape == (120, 160, 3)
    assert {tuple(square): int(sample.heights[tuple(square)]) for square in np.argwhere(sample.heights)} == STACKS
    corners = sample.camera.project(np.column_stack([grid_corners(8), np.zeros(4)]))
    assert np.abs(corners - np.array(truth["grid_corners"])).max() < 0.01
    half = truth["style"]["face"] / 2
    for row in range(8):
        for col in range(8):
            reach = half if sample.heights[row, col] else 0.5
            face = (grid_corners(1) - 0.5) * 2 * reach + (col + 0.5, row + 0.5)
            height = truth["foot"] + sample.layer * sample.heights[row, col]
            seen = sample.camera.project(np.column_stack([face, np.full(4, height)]))
            assert np.abs(seen - np.array(truth["face_corners"][row][col])).max() < 0.01
    assert sample.visible.shape == sample.hand.shape == (8, 8)
    assert sample.hand.max() == 0.0


def test_a_random_board_reads_back_too(fonts: list[FontFace], tmp_path: Path) -> None:
    rng = np.random.default_rng(12)
    scene = board_scene(rng, fonts)
    sample = photograph(rng, scene, random_camera(rng, scene.n, (160, 160)))
    save_sample(tmp_path / "00007.json", sample, 90)
    read = load_board(tmp_path / "00007.json")
    assert read.size == scene.n
    assert read.image.shape == sample.image.shape
    assert np.abs(read.image.astype(int) - sample.image).mean() < 8
    assert (read.heights == scene.content.heights).all()
    assert np.abs(read.visible - sample.visible).max() <= 0.0005
    assert read.layer == scene.tiles.shape.layer_h


def test_a_picture_without_a_board_says_so(fonts: list[FontFace], folder: Path) -> None:
    truth, sample = json.loads((folder / "00001.json").read_text()), load_board(folder / "00001.json")
    assert truth["n"] == sample.size == 0
    lists = ("heights", "faces", "face_corners", "visible", "hand_hidden", "grid_corners")
    assert [truth[name] for name in lists] == [[]] * len(lists)
    assert truth["style"]["board"] == "none"
    assert sample.image.std() > 1


def test_the_locate_network_learns_that_there_may_be_no_board(folder: Path) -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        planes, targets = locate_example(load_board(folder / "00001.json"), rng)
        assert planes.shape == (3, LOCATE_SIDE, LOCATE_SIDE)
        assert targets.shape == (2, LOCATE_SIDE // STRIDE, LOCATE_SIDE // STRIDE)
        assert not targets.any()


def test_locate_targets_peak_at_the_corners(folder: Path) -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        _, (corners, mask) = locate_example(load_board(folder / "00000.json"), rng)
        peaks = np.argwhere(corners > 0.8)
        assert 4 <= len(peaks) <= 24
        assert 0.02 < mask.mean() < 0.8
        for row, col in peaks:  # corners lie on the edge of the mask
            around = mask[max(row - 3, 0) : row + 4, max(col - 3, 0) : col + 4]
            assert around.min() == 0.0
            assert around.max() == 1.0


def test_parts_of_a_picture_show_three_quarters_of_the_squares_though_corners_be_cut_off(folder: Path) -> None:
    rng, sample = np.random.default_rng(2), load_board(folder / "00000.json")
    middles = np.stack([*np.meshgrid(np.arange(8) + 0.5, np.arange(8) + 0.5), np.zeros((8, 8))], axis=-1)
    cut = set()
    for _ in range(400):
        image, camera = cut_frame(sample, rng)
        height, width = image.shape[:2]
        assert float(_within(camera.project(middles), width, height).mean()) >= 0.75
        cut.add(int((~_within(corners_of(camera, 8), width, height)).sum()))
    assert min(cut) < 2 <= max(cut)


def _within(points: Floats, width: int, height: int) -> npt.NDArray[np.bool_]:
    """Return which of some points (..., 2) lie in a picture."""
    return np.asarray(((points >= 0) & (points <= (width, height))).all(axis=-1))


@pytest.mark.parametrize(
    ("kind", "planes", "side"),
    [
        ("lattice", (LATTICE_CHANNELS, (8 + 2 * LATTICE_MARGIN) * LATTICE_PX), 8 + 2 * LATTICE_MARGIN),
        ("stacks", (CHANNELS, (8 + 2 * SWEEP_MARGIN) * SWEEP_PX), 8 + 2 * SWEEP_MARGIN),
    ],
)
def test_examples_have_the_networks_shapes(folder: Path, kind: str, planes: tuple[int, int], side: int) -> None:
    example, targets = EXAMPLES[kind](load_board(folder / "00000.json"), np.random.default_rng(2))
    assert example.shape == (planes[0], planes[1], planes[1])
    assert targets.shape[1:] == (side, side)
    assert example.dtype == targets.dtype == np.float32
    assert np.isfinite(example).all()
    assert np.isfinite(targets).all()


def test_lattice_examples_may_lie_whole_squares_beside_the_grid(folder: Path) -> None:
    sample = load_board(folder / "00000.json")
    middles = []
    for seed in range(30):
        planes, targets = EXAMPLES["lattice"](sample, np.random.default_rng(seed))
        # away from the camera is always more to the right on the right, in a mirror, too
        assert (np.diff(planes[3], axis=1) >= 0).all()
        inside = targets[3] > 0.5
        middles.append(np.argwhere(inside).mean(axis=0) - (inside.shape[0] - 1) / 2)
        nominal = np.indices(inside.shape)[::-1] - LATTICE_MARGIN + 0.5
        there = (np.abs(nominal + targets[:2] - 4.0) < 4.0).all(axis=0)
        assert (there == inside).all()
    astray = np.abs(middles).max(axis=1) > 0.8
    assert 3 <= int(astray.sum()) <= 20


def test_stack_targets_hold_the_elevations_whichever_way_the_board_is_turned(folder: Path) -> None:
    sample = load_board(folder / "00000.json")
    expected = sorted(
        (sample.foot + sample.layer * height) / SLICE_STEP for height in sample.heights[sample.heights > 0]
    )
    for seed in range(4):
        _, targets = EXAMPLES["stacks"](sample, np.random.default_rng(seed))
        shown = np.sort(targets[0][targets[0] > 0])
        sunk = np.array(expected) - shown
        # the whole board may be sunk a little into its squares, all of it alike
        assert np.ptp(sunk) < 1e-3
        assert -1e-3 < sunk[0] < 1.0
        assert targets[3].sum() == 64


@pytest.mark.parametrize("kind", ["lattice", "stacks"])
def test_pictures_without_a_board_serve_the_locate_network_alone(folder: Path, kind: str) -> None:
    batches = iter(Boards(folder, kind, 2, 1, (0, 10)))
    for _ in range(4):
        _, targets = next(batches)
        assert (targets[:, -1].sum(dim=(1, 2)) > 0).all()
    located = iter(Boards(folder, "locate", 4, 1, (0, 10)))
    empty = [float(target.abs().sum()) == 0.0 for _ in range(4) for target in next(located)[1]]
    assert any(empty)
    assert not all(empty)


def test_a_folder_without_boards_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="generate some first"):
        next(iter(Boards(tmp_path, "locate", 2, 1, (0, 10))))
