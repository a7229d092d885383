"""What the letters' network says, as probabilities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vision.letters import classifier as faces
from vision.letters.classifier import FACE_PX, REJECT, SMOOTHING, read_closely, read_faces, read_twice

A, Z = 0, 25
WINDOW = np.zeros((1, FACE_PX, FACE_PX, 3), np.uint8)

Answers = Callable[[np.ndarray], None]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Have the network answer with given chances of the 27 outcomes."""

    def say(chances: np.ndarray) -> None:
        monkeypatch.setattr(faces, "network", lambda kind: lambda planes: np.log(chances)[None])

    return say


@pytest.mark.parametrize("kept", [0.5, 1.0, 3.0])
def test_faces_that_are_not_seen_keep_nothing_of_what_smoothing_gave_them(answers: Answers, kept: float) -> None:
    chances = np.full(REJECT + 1, kept * SMOOTHING / (REJECT + 1))
    chances[A] = 1.0 - chances[1:].sum()
    answers(chances)
    read = read_faces(WINDOW)[0]
    assert np.exp(read).sum() == pytest.approx(1.0, abs=1e-5)
    assert read[A] > -1e-3
    assert np.exp(read[Z]) < 1e-5


def test_faces_that_may_be_seen_stay_possible(answers: Answers) -> None:
    chances = np.full(REJECT + 1, SMOOTHING / (REJECT + 1))
    chances[Z] = 0.2
    chances[A] = 1.0 - np.delete(chances, A).sum()
    answers(chances)
    assert np.exp(read_faces(WINDOW)[0, Z]) == pytest.approx(0.2, abs=0.01)


def test_a_close_look_is_told_what_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[np.ndarray] = []

    def network(kind: str) -> Callable[[np.ndarray], np.ndarray]:
        assert kind == "close_faces"
        return lambda planes: shown.append(planes) or np.zeros((len(planes), REJECT + 1))  # type: ignore[func-returns-value]

    monkeypatch.setattr(faces, "network", network)
    covered = np.zeros((1, FACE_PX, FACE_PX), dtype=bool)
    covered[0, :5] = True
    assert read_closely(WINDOW, covered).shape == (1, REJECT + 1)
    assert shown[0].shape == (1, 4, FACE_PX, FACE_PX)
    assert (shown[0][0, 3] == covered[0]).all()
    assert not len(read_closely(WINDOW[:0], covered[:0]))


def test_what_is_plain_to_see_and_covered_by_nothing_is_not_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    said = np.full((3, REJECT + 1), np.log(1e-6))
    said[:, A] = np.log([0.9999, 0.99, 0.9999])
    looked: list[list[bool]] = []

    def closely(windows: np.ndarray, covered: np.ndarray) -> np.ndarray:
        looked.append([bool(part.any()) for part in covered])
        return np.full((len(windows), REJECT + 1), -1.0)

    monkeypatch.setattr(faces, "read_faces", lambda windows: said.copy())
    monkeypatch.setattr(faces, "read_closely", closely)
    covered = np.zeros((3, FACE_PX, FACE_PX), dtype=bool)
    covered[2, :5] = True
    read = read_twice(np.repeat(WINDOW, 3, axis=0), covered)
    assert looked == [[False, True]]
    assert (read[0] == said[0]).all()
    assert (read[1:] == -1.0).all()
