"""Shapes of the networks and what their losses reward."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import cast

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

import numpy as np
import torch
from torch import nn

from engine import FACES
from vision.board.detect import LOCATE_SIDE, STRIDE
from vision.board.sightings import LATTICE_CHANNELS, LATTICE_PX
from vision.heights.plane_sweep import CHANNELS, SLICES, SWEEP_MARGIN, SWEEP_PX
from vision.letters.classifier import FACE_PX
from vision.letters.eyes import LATIN
from vision.networks import network
from workshop.training.fitting.blend import blend
from workshop.training.fitting.loop import Course, train
from workshop.training.fitting.more_faces import extended, letter_of
from workshop.training.fitting.networks import (
    FaceNet,
    LatticeNet,
    LocateNet,
    StackNet,
    close_net,
    latin_net,
    parts_of,
    wide_stack_net,
)
from workshop.training.fitting.revive import REVIVABLE, revive
from workshop.training.fitting.tasks import TASKS
from workshop.training.fitting.train_boards import locate_loss, stack_loss
from workshop.training.fitting.widen import make_differ, widen

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _fixed_weights() -> None:
    torch.manual_seed(0)


def answer_always(logits: torch.Tensor) -> nn.Module:
    """Return a network that answers `logits` whatever it is shown."""
    return cast(nn.Module, lambda planes: logits)


def test_the_faces_network_names_26_faces_and_none() -> None:
    assert FaceNet().eval()(torch.zeros(2, 3, FACE_PX, FACE_PX)).shape == (2, len(FACES) + 1)


def test_faces_share_their_letters_and_marks() -> None:
    assert [parts_of(face) for face in ("A", "Ä", "Ø")] == [("A",), ("A", "\u0308"), ("O", "stroke")]
    assert [parts_of(face) for face in ("Æ", "Ch", "Qu")] == [("A", "and e"), ("C", "and h"), ("Q", "and u")]


def test_the_network_of_more_faces_begins_with_the_outcome_of_the_close_one() -> None:
    few, more = close_net().eval(), latin_net().eval()
    more.load_state_dict(extended(few.state_dict()))
    planes = torch.randn(3, 4, FACE_PX, FACE_PX)
    before, after = few(planes), more(planes)
    assert after.shape == (3, len(LATIN) + 1)
    assert torch.allclose(after[:, : len(FACES)], before[:, :-1], atol=1e-5)
    assert torch.allclose(after[:, -1], before[:, -1], atol=1e-5)
    assert torch.allclose(after[:, LATIN.index("Ä")] + 3.0, before[:, 0], atol=1e-5)
    assert {letter_of(face) for face in LATIN} == set(FACES)


def test_the_locate_network_maps_the_picture_at_its_stride() -> None:
    side = LOCATE_SIDE // STRIDE
    assert LocateNet().eval()(torch.zeros(1, 3, LOCATE_SIDE, LOCATE_SIDE)).shape == (1, 2, side, side)


@pytest.mark.parametrize("squares", [9, 12])
def test_the_lattice_and_stacks_networks_answer_for_every_square_of_any_board(squares: int) -> None:
    side = squares * LATTICE_PX
    assert LatticeNet().eval()(torch.zeros(1, LATTICE_CHANNELS, side, side)).shape[2:] == (squares, squares)
    side = squares * SWEEP_PX
    out = StackNet().eval()(torch.zeros(1, CHANNELS, side, side))
    assert out.shape == (1, SLICES + 1, squares, squares)


def test_locate_loss_rewards_an_empty_map_where_there_is_no_board() -> None:
    nothing = torch.zeros(2, 2, 16, 16)
    silent, _ = locate_loss(answer_always(torch.full((2, 2, 16, 16), -8.0)), (nothing, nothing))
    loud, _ = locate_loss(answer_always(torch.full((2, 2, 16, 16), 2.0)), (nothing, nothing))
    assert 0.0 <= float(silent) < 0.01
    assert float(loud) > 1.0


def test_stack_loss_rewards_the_right_elevations() -> None:
    elevations = torch.zeros(1, 6, 6)
    elevations[0, 2, 3], elevations[0, 4, 1] = 4.0, 2.0
    ones, zeros = torch.ones(1, 6, 6), torch.zeros(1, 6, 6)
    target = torch.stack([elevations, zeros, ones, ones], dim=1)
    right = torch.full((1, SLICES + 1, 6, 6), -6.0)
    right.scatter_(1, elevations.long()[:, None], 6.0)
    wrong = right.clone()
    wrong[:, :SLICES] = right[:, :SLICES].flip(1)
    good, figures = stack_loss(answer_always(right), (target, target))
    bad, _ = stack_loss(answer_always(wrong), (target, target))
    assert figures["near"] == 1.0
    assert figures["false"] == 0.0
    assert float(good) < 0.1 < float(bad)


def test_a_blend_lies_between_the_two_that_it_is_made_of() -> None:
    first, second = StackNet().state_dict(), StackNet().state_dict()
    both = blend(first, second, 0.25)
    assert both.keys() == first.keys()
    name = "head.weight"
    assert torch.allclose(both[name], 0.75 * first[name] + 0.25 * second[name])
    StackNet().load_state_dict(both)


@pytest.mark.parametrize("kind", REVIVABLE)
def test_training_can_go_on_from_the_weights_that_ship(kind: str) -> None:
    sample = torch.randn(2, *TASKS[kind].shape[1:])
    net = revive(TASKS[kind].network(), Path(str(files("vision.weights") / f"{kind}.onnx")), sample)
    with torch.no_grad():
        out = net(sample)
        shipped = np.concatenate([network(kind)(each[None]) for each in sample.numpy()])
        assert np.allclose(out.numpy(), shipped, atol=1e-3)
        # as trained, by the sample's own statistics, its first layers see the same
        first = next(m for m in net.modules() if isinstance(m, nn.Sequential))[:2]
        seen = sample[:, :SLICES].flatten(0, 1)[:, None] if "stacks" in kind else sample
        assert torch.allclose(first.train()(seen), first.eval()(seen), atol=1e-2)


def test_the_network_that_looks_closely_begins_with_the_outcome_of_the_other() -> None:
    narrow, wide = FaceNet().eval(), close_net().eval()
    wide.load_state_dict(widen(narrow.state_dict(), wide))
    faces, hidden = torch.randn(5, 3, FACE_PX, FACE_PX), torch.rand(5, 1, FACE_PX, FACE_PX)
    told = wide(torch.cat([faces, hidden], 1))
    assert torch.allclose(told, narrow(faces), atol=1e-5)
    moved = make_differ(wide, seed=1)(torch.cat([faces, hidden], 1))
    assert 0 < (moved - told).abs().max() < 1.0


def test_a_wider_network_of_stacks_begins_with_the_outcome_of_a_narrower_one() -> None:
    side = (8 + 2 * SWEEP_MARGIN) * SWEEP_PX
    narrow, wide = StackNet().eval(), wide_stack_net().eval()
    wide.load_state_dict(widen(narrow.state_dict(), wide))
    sweep = torch.randn(1, CHANNELS, side, side)
    assert torch.allclose(wide(sweep), narrow(sweep), atol=1e-4)


def test_the_learning_rate_rises_and_falls_once() -> None:
    course = Course(steps=1000, rate=2e-3)
    rates = [course.rate_at(course.measure_progress(step, 0.0)) for step in range(1000)]
    top = int(np.argmax(rates))
    assert max(rates) == pytest.approx(2e-3)
    assert 100 <= top <= 140
    assert all(np.diff(rates[:top]) > 0)
    assert all(np.diff(rates[top:]) < 0)
    assert rates[-1] < 1e-7


def test_a_course_is_as_long_as_its_time_where_that_is_given() -> None:
    course = Course(steps=10, rate=1e-3, minutes=2.0)
    assert course.measure_progress(5000, 60.0) == 0.5
    assert Course(steps=10, rate=1e-3).measure_progress(5, 1e6) == 0.5


def test_training_ends_after_its_steps_and_keeps_weights_that_any_machine_loads(tmp_path: Path) -> None:
    task, drawn = TASKS["faces"], []

    def batches() -> Iterator[tuple[torch.Tensor, ...]]:
        while True:
            drawn.append(1)
            yield torch.randn(4, *task.shape[1:]), torch.randint(27, (4,))

    net = train(task.network(), batches(), task.loss, Course(steps=3, rate=1e-3), save=tmp_path / "net.pt")
    assert len(drawn) == 4  # the last one no longer counts
    kept = torch.load(tmp_path / "net.pt", weights_only=True)
    assert all(torch.equal(value, kept[name]) for name, value in net.state_dict().items())
