"""Stacks to be compared: examples of them, the network that compares them, its loss and its file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from presencekit import there

pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

import torch
from trainingkit import write_typefaces

from vision import Camera
from vision.heights.comparison import COMPARED_PX, FACTS, make_compared_planes
from workshop.training import comparison_examples
from workshop.training.board_samples import BoardSample
from workshop.training.comparison_examples import Compared, comparison_example, together
from workshop.training.faces.fonts import usable_fonts
from workshop.training.fitting.comparison_network import ComparisonNet
from workshop.training.fitting.loop import export
from workshop.training.fitting.train_comparison import TASK, comparison_loss
from workshop.training.generate import draw_stacked_scene
from workshop.training.views import STEEPEST_ABOVE, close_from_above

pytestmark = pytest.mark.slow

ABOVE = Camera(600.0, (399.5, 399.5), 0.0, np.eye(3), np.array([-4.0, -4.0, 10.0]))
TILES = {(0, 0): 1, (2, 3): 4, (5, 5): 2, (7, 1): 1, (7, 7): 5}
GREY = 40
"""By how much a face is brighter for each tile below it."""


def board(camera: Camera = ABOVE, layer: float = 0.25) -> BoardSample:
    """Return a dark board; the higher a stack, the brighter its face."""
    heights = np.zeros((8, 8), np.int64)
    picture = np.zeros((800, 800, 3), np.uint8)
    for (row, col), height in TILES.items():
        heights[row, col] = height
        at = [(col + 0.5 + x * 0.4, row + 0.5 + y * 0.4, layer * height)
              for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        corners = np.round(camera.project(at) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, (GREY * height,) * 3, cv2.LINE_AA, 4)
    shown = np.ones((8, 8))
    return BoardSample(picture, 8, camera, layer, 0.0, heights, shown, np.zeros((8, 8)))


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the light and the colours unchanged."""
    monkeypatch.setattr(comparison_examples, "develop", lambda image, rng: image)
    monkeypatch.setattr(comparison_examples, "recolour", lambda image, rng: image)


@pytest.mark.usefixtures("plain")
def test_each_window_shows_the_stack_that_is_told_of_it_whichever_way_the_board_is_turned() -> None:
    for seed in range(12):
        made = there(comparison_example(board(), np.random.default_rng(seed)))
        faces = np.percentile(made.windows.reshape(len(made.facts), -1), 95, axis=1)
        assert faces / GREY == pytest.approx(made.truth[:, 0] + 1.0, abs=0.2)
        assert made.truth[:, 1] == pytest.approx(0.25 * (made.truth[:, 0] + 1.0))
        told = Counter(int(height) for height in made.truth[:, 0] + 1.0)
        assert told <= Counter(TILES.values())


@pytest.mark.usefixtures("plain")
def test_faces_lie_in_the_direction_that_their_parallax_is_told_in() -> None:
    """This looks at the stack of five in the lower right corner, with hardly any jitter."""
    for seed in range(12):
        made = there(comparison_example(board(), np.random.default_rng(seed)))
        for window, facts, truth in zip(made.windows, made.facts, made.truth, strict=True):
            if truth[0] == 4:
                rows, cols = np.nonzero(window[..., 0] > 4.5 * GREY)
                off = np.array([cols.mean(), rows.mean()]) - COMPARED_PX / 2
                assert (np.sign(off) == np.sign(facts[:2])).all()


def test_pictures_of_few_stacks_are_left_out() -> None:
    bare = board()
    bare.heights[2:, :] = 0
    assert comparison_example(bare, np.random.default_rng(1)) is None


def test_flat_tiles_and_views_from_the_side_do_not_serve() -> None:
    c, s = np.cos(0.8), np.sin(0.8)
    lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    aside = Camera(600.0, (399.5, 399.5), 0.0, lean, np.array([0, 0, 10]) - lean @ (4.0, 4.0, 0.0))
    assert comparison_examples.serves(board())
    assert not comparison_examples.serves(board(aside))
    assert not comparison_examples.serves(board(layer=0.15))


def test_half_the_time_nothing_is_known_of_the_layers() -> None:
    rng = np.random.default_rng(3)
    facts = [made.facts for _ in range(60) if (made := comparison_example(board(), rng)) is not None]
    spreads = np.array([each[0, -3] for each in facts])
    assert 15 < (spreads == 1.0).sum() < 45
    assert spreads[spreads < 1.0].max() < 0.8


def random_stacks(count: int, seed: int) -> Compared:
    rng = np.random.default_rng(seed)
    windows = rng.integers(0, 255, (count, COMPARED_PX, COMPARED_PX, 3), dtype=np.uint8)
    facts = rng.normal(0, 1, (count, FACTS)).astype(np.float32)
    truth = np.column_stack([rng.integers(0, 5, count), rng.random((count, 2)), np.ones(count)])
    return Compared(windows, facts, truth.astype(np.float32))


def test_the_stacks_of_one_picture_are_compared_with_no_others() -> None:
    torch.manual_seed(1)
    net = ComparisonNet().eval()
    few, many = random_stacks(3, 1), random_stacks(7, 2)
    windows, facts, _, counts = together([few, many])
    with torch.no_grad():
        both = net.of_pictures(windows, facts, counts)
        for picture, out in ((few, both[:3]), (many, both[3:])):
            planes = torch.from_numpy(make_compared_planes(picture.windows, picture.facts))
            alone = net(planes, torch.from_numpy(picture.facts)[None])[0]
            assert out.numpy() == pytest.approx(alone.numpy(), abs=2e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_the_file_says_what_the_network_says_of_any_number_of_stacks(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    torch.manual_seed(2)
    net = ComparisonNet().eval()
    export(net, TASK, tmp_path / "comparison.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "comparison.onnx"))
    stacks = random_stacks(9, 4)
    planes = make_compared_planes(stacks.windows, stacks.facts)
    told = np.stack([stacks.facts + 0.1 * k for k in range(7)])
    (out,) = session.run(None, {"x": planes, "told": told})
    with torch.no_grad():
        expected = net(torch.from_numpy(planes), torch.from_numpy(told)).numpy()
    assert out.shape == (7, 9, 9)
    assert out == pytest.approx(expected, abs=1e-3)


def test_the_loss_asks_for_heights_elevations_and_layers() -> None:
    class Saying(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self, out: torch.Tensor) -> None:
            super().__init__()
            self.out = out

        def of_pictures(self, *_: torch.Tensor) -> torch.Tensor:
            return self.out

    batch = together([random_stacks(6, 5)])
    truth = batch[2]
    right = torch.zeros(6, 9)
    right[torch.arange(6), truth[:, 0].long()] = 8.0
    right[:, 5], right[:, 7] = truth[:, 1] * 4.0, truth[:, 2]
    least, figures = comparison_loss(Saying(right), batch)
    assert figures["right"] == 1.0
    assert figures["off"] == pytest.approx(0.0)
    for column in (5, 7):
        wrong = right.clone()
        wrong[:, column] += 2.0
        assert float(comparison_loss(Saying(wrong), batch)[0]) > float(least) + 0.1
    assert float(comparison_loss(Saying(right.roll(1, 0)), batch)[0]) > float(least) + 1.0


def test_cameras_for_stacks_stand_above_boards_that_fill_their_pictures() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        view = close_from_above(rng, 8)
        away = view.centre - [4.0, 4.0, 0.0]
        assert np.degrees(np.arccos(away[2] / np.linalg.norm(away))) < STEEPEST_ABOVE + 3.0
        corners = view.project(np.array([[0.0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0]]))
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert 0.6 < sides.mean() / view.width < 1.1


def test_scenes_to_be_compared_have_tiles_that_stack(tmp_path: Path) -> None:
    fonts = usable_fonts(folders=(write_typefaces(tmp_path),))
    heights = [draw_stacked_scene(np.random.default_rng(seed), fonts).content.heights for seed in range(24)]
    assert all((each > 0).sum() >= 5 for each in heights)
    assert sum(each.max() > 1 for each in heights) >= 18
