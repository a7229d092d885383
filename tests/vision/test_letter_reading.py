"""Letters as they are read: by themselves, behind stacks, and where hardly a tile seemed to lie."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytesseract
import pytest
from drawn import BOARD, draw_stack
from readings import along_columns, unknown_elevations
from samples import photograph

from engine import ENGLISH, FACES
from vision import BoardReader
from vision.arrays import log_softmax
from vision.geometry.rectify import ReducedView
from vision.heights.stack_heights import Heights
from vision.heights.thickness import favour_flat
from vision.letters import classifier as faces
from vision.letters import faces as facing
from vision.letters import second_look
from vision.letters.classifier import FACE_PX, SMOOTHING, read_closely, read_faces, read_twice
from vision.letters.faces import FacesSeen, look_at_faces
from vision.letters.joining import LetterState, favour_lone_q, temper_by_size, upright_letter_log_odds
from vision.letters.second_look import doubtful_squares, tesseract_log_odds

LAYER = 0.25
FAR, NEAR = (3, 4), (4, 4)


def draw_stacks(
    heights: dict[tuple[int, int], int], letters: dict[tuple[int, int], str]
) -> tuple[ReducedView, Heights]:
    """Return a plain board with stacks on it, and their heights, which are known."""
    picture, seen = np.full((960, 1280, 3), BOARD, np.uint8), along_columns(0.75)
    logits = np.full((8, 8, 6), -9.0)
    logits[..., 0] = 0.0
    for square in sorted(heights):
        draw_stack(picture, seen, square, LAYER * heights[square], letters[square])
        logits[square] = -9.0
        logits[(*square, heights[square])] = 0.0
    return ReducedView(picture, seen, 8), Heights(logits, LAYER)


def faces_of(view: ReducedView, heights: Heights) -> np.ndarray:
    """P(face) (8, 8, 26) of all squares."""
    return look_at_faces(view, heights, (), ENGLISH).face_probs


@pytest.mark.slow
def test_letters_half_behind_a_stack_are_read_better_without_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [draw_stacks({FAR: 2, NEAR: 4}, {FAR: face, NEAR: "M"}) for face in FACES]
    told = [faces_of(*board) for board in boards]
    monkeypatch.setattr(
        facing, "mask_covered", lambda camera, places, *_: np.zeros((len(places), FACE_PX, FACE_PX), dtype=bool)
    )
    as_they_are = [faces_of(*board) for board in boards]
    right, seen = ([each[FAR].argmax() == i for i, each in enumerate(read)] for read in (told, as_they_are))
    assert sum(right) >= 21
    assert sum(right) >= sum(seen)
    chances = [sum(each[(*FAR, i)] for i, each in enumerate(read)) for read in (told, as_they_are)]
    assert chances[0] > chances[1] + 1.0
    i = FACES.index("I")
    assert right[i]
    assert told[i][(*FAR, i)] > as_they_are[i][(*FAR, i)] + 0.05
    assert np.allclose(told[i][NEAR], as_they_are[i][NEAR])


def in_doubt() -> tuple[ReducedView, LetterState]:
    """Return a view of three tiles, one of them behind another, and undecided faces."""
    view, heights = draw_stacks({FAR: 1, NEAR: 5, (6, 6): 1}, {FAR: "T", NEAR: "M", (6, 6): "K"})
    no_look = np.zeros((8, 8, 6))
    faces = FacesSeen(
        np.full((8, 8, 26), 1 / 26), no_look > 0, no_look, no_look, np.full((8, 8, 6, 26), 1 / 26), ENGLISH
    )
    return view, LetterState(unknown_elevations(8), heights, faces)


def test_tesseract_is_not_asked_about_what_a_nearer_stack_hides() -> None:
    assert set(doubtful_squares(*in_doubt())) == {NEAR, (6, 6)}


def test_where_tesseract_cannot_be_asked_its_opinion_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    state = in_doubt()
    # its file can't be made: the disk is full, or read-only
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", sys.executable)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert not tesseract_log_odds(*state).any()
    monkeypatch.undo()
    # it may not be started
    locked = tmp_path / "tesseract"
    locked.write_text("no program")
    locked.chmod(0o755)
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(locked))
    assert not tesseract_log_odds(*state).any()
    monkeypatch.undo()
    # it is not installed
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(tmp_path / "nowhere"))
    assert not tesseract_log_odds(*state).any()
    monkeypatch.undo()
    # and once it can be asked again, it is
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", sys.executable)
    monkeypatch.setattr(pytesseract, "image_to_string", lambda *_, **__: "K\n")
    assert (tesseract_log_odds(*state)[6, 6] > 0).sum() == 1


def test_a_tesseract_that_is_not_installed_is_looked_for_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looked_for: list[str] = []
    monkeypatch.setattr(second_look, "which", looked_for.append)
    monkeypatch.setattr(pytesseract, "image_to_string", lambda *_, **__: "K\n")
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(tmp_path / "missing"))
    state = in_doubt()
    for _ in range(3):
        assert not tesseract_log_odds(*state).any()
    assert looked_for == [str(tmp_path / "missing")]


def test_an_o_is_not_sure_to_be_a_c_because_a_stack_was_thought_to_hide_its_right_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, o = draw_stacks({FAR: 2}, {FAR: "O"}), FACES.index("O")
    right = np.zeros((FACE_PX, FACE_PX), dtype=bool)
    right[:, FACE_PX // 2 :] = True
    monkeypatch.setattr(
        facing, "mask_covered", lambda camera, places, *_: np.broadcast_to(right, (len(places), *right.shape))
    )
    faces = faces_of(*read)
    assert faces[FAR].argmax() == o
    assert faces[(*FAR, o)] > 0.7


@pytest.mark.parametrize(
    ("likeliest", "upright"), [(0.9, 0.7), (0.2, 0.7), (0.1, 0.7 / 4), (1 / 26, 0.7 * (5 / 26) ** 2)]
)
def test_an_upright_letter_that_is_none_in_particular_hardly_counts(
    monkeypatch: pytest.MonkeyPatch, likeliest: float, upright: float
) -> None:
    said = np.full(27, 0.7 * (1 - likeliest) / 25)
    said[FACES.index("K")], said[26] = 0.7 * likeliest, 0.3
    monkeypatch.setattr(facing, "read_twice", lambda windows, *_: np.tile(np.log(said), (len(windows), 1)))
    seen = look_at_faces(*draw_stacks({NEAR: 2}, {NEAR: "K"}), (), ENGLISH)
    assert np.isclose(seen.upright[(*NEAR, 2)], upright)


def doubtful(heights: Heights, square: tuple[int, int], tile: float) -> None:
    """Let a single tile lie on a square with a probability, and nothing higher."""
    heights.logits[square] = np.log([1.0 - tile, tile, *[1e-5] * 4])


@pytest.mark.parametrize("tile", [0.002, 0.007])
def test_a_letter_plain_to_see_is_read_where_hardly_a_tile_seemed_to_lie(tile: float) -> None:
    view, heights = draw_stacks({NEAR: 1}, {NEAR: "A"})
    doubtful(heights, NEAR, tile)
    seen = look_at_faces(view, heights, (), ENGLISH)
    assert FACES[int(seen.by_height[(*NEAR, 1)].argmax())] == "A"
    odds = upright_letter_log_odds(view, LetterState(unknown_elevations(8), heights, seen))
    assert odds[(*NEAR, 1)] > np.log(20.0)
    assert not seen.looked[NEAR][2:].any()


@pytest.mark.parametrize(
    ("face", "high", "square", "raised"),
    [("O", 1, NEAR, False), ("I", 1, NEAR, False), ("B", 1, NEAR, True), ("O", 2, NEAR, True), ("O", 1, (6, 6), True)],
)
def test_what_may_be_the_mark_of_a_centre_square_makes_no_tile_likelier(
    face: str, high: int, square: tuple[int, int], raised: bool
) -> None:
    view, heights = draw_stacks({square: high}, {square: face})
    heights.logits[square] = np.log([0.3, *[0.001] * 5])
    heights.logits[(*square, high)] = np.log(0.7)
    seen = look_at_faces(view, heights, (), ENGLISH)
    assert FACES[int(seen.face_probs[square].argmax())] == face
    before = np.exp(log_softmax(heights.logits[square]))[0]
    odds = upright_letter_log_odds(view, LetterState(unknown_elevations(8), heights, seen))
    after = np.exp(log_softmax(heights.logits[square] + odds[square]))[0]
    assert (after < 0.5 * before) if raised else after == pytest.approx(before, abs=0.01)


BESIDE, APART = (4, 3), (1, 1)


@pytest.mark.parametrize("square", [BESIDE, APART])
def test_a_letter_beside_a_tile_is_read_where_bare_board_surely_seemed_to_lie(square: tuple[int, int]) -> None:
    view, heights = draw_stacks({NEAR: 1, square: 1}, {NEAR: "A", square: "K"})
    doubtful(heights, square, 0.0004)
    seen = look_at_faces(view, heights, (), ENGLISH)
    assert seen.looked[square].any() == (square == BESIDE)
    assert seen.looked.any(axis=-1).sum() == 1 + (square == BESIDE), "plain board is not looked at"
    if square == BESIDE:
        assert FACES[int(seen.by_height[(*square, 1)].argmax())] == "K"
        odds = upright_letter_log_odds(view, LetterState(unknown_elevations(8), heights, seen))
        believed = np.exp(log_softmax(heights.logits[square] + odds[square]))
        assert 0.5 < believed[0] < 0.95, "still taken for bare, and no longer surely"


def test_squares_that_are_surely_bare_are_not_looked_at() -> None:
    view, heights = draw_stacks({NEAR: 1}, {NEAR: "A"})
    doubtful(heights, NEAR, 0.0004)
    assert not look_at_faces(view, heights, (), ENGLISH).looked.any()


def test_letters_on_squares_a_few_pixels_large_are_never_sure() -> None:
    faces = np.tile(np.eye(26)[FACES.index("E")], (8, 8, 1))
    sides = np.full((8, 8), 40.0)
    sides[0, 0] = 8.0
    tempered = temper_by_size(faces, sides)
    assert np.allclose(tempered.sum(axis=-1), 1.0)
    assert tempered[0, 0].max() < 0.95
    assert np.array_equal(tempered[1:], faces[1:])


def test_of_a_set_with_lone_qs_a_round_letter_is_a_q_sooner() -> None:
    o, q, h = (FACES.index(face) for face in ("O", "Qu", "H"))
    round_letter, plain = np.full(26, 0.01 / 24), np.eye(26)[h]
    round_letter[[o, q]] = 0.6, 0.39
    favoured = favour_lone_q(np.stack([round_letter, plain])[:, None])
    assert favoured[0, 0].argmax() == q
    assert favoured[0, 0, q] / favoured[0, 0, o] == pytest.approx(3.0 * 0.39 / 0.6)
    assert np.allclose(favoured.sum(axis=-1), 1.0)
    assert np.array_equal(favoured[1, 0], plain)


def test_a_reading_of_another_games_board_favours_its_lone_q_and_flat_tiles() -> None:
    image, corners = photograph("classic_8x8/03.jpg")
    plain, lone = (BoardReader().read(image, 8, corners=corners, other_game=other) for other in (False, True))
    assert np.allclose(lone.face_probs, favour_lone_q(plain.face_probs))
    assert np.allclose(lone.height_probs, favour_flat(plain.height_probs))
    assert not np.allclose(lone.height_probs, plain.height_probs)
    assert not plain.lone_q
    assert lone.lone_q


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
    chances = np.full(len(FACES) + 1, kept * SMOOTHING / (len(FACES) + 1))
    chances[A] = 1.0 - chances[1:].sum()
    answers(chances)
    read = read_faces(WINDOW)[0]
    assert np.exp(read).sum() == pytest.approx(1.0, abs=1e-5)
    assert read[A] > -1e-3
    assert np.exp(read[Z]) < 1e-5


def test_faces_that_may_be_seen_stay_possible(answers: Answers) -> None:
    chances = np.full(len(FACES) + 1, SMOOTHING / (len(FACES) + 1))
    chances[Z] = 0.2
    chances[A] = 1.0 - np.delete(chances, A).sum()
    answers(chances)
    assert np.exp(read_faces(WINDOW)[0, Z]) == pytest.approx(0.2, abs=0.01)


def test_a_close_look_is_told_what_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[np.ndarray] = []

    def network(kind: str) -> Callable[[np.ndarray], np.ndarray]:
        assert kind == "close_faces"
        return lambda planes: shown.append(planes) or np.zeros((len(planes), len(FACES) + 1))  # type: ignore[func-returns-value]

    monkeypatch.setattr(faces, "network", network)
    covered = np.zeros((1, FACE_PX, FACE_PX), dtype=bool)
    covered[0, :5] = True
    assert read_closely(WINDOW, covered).shape == (1, len(FACES) + 1)
    assert shown[0].shape == (1, 4, FACE_PX, FACE_PX)
    assert (shown[0][0, 3] == covered[0]).all()
    assert not len(read_closely(WINDOW[:0], covered[:0]))


def test_what_is_plain_to_see_and_covered_by_nothing_is_not_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    said = np.full((3, len(FACES) + 1), np.log(1e-6))
    said[:, A] = np.log([0.9999, 0.99, 0.9999])
    looked: list[list[bool]] = []

    def closely(windows: np.ndarray, covered: np.ndarray) -> np.ndarray:
        looked.append([bool(part.any()) for part in covered])
        return np.full((len(windows), len(FACES) + 1), -1.0)

    monkeypatch.setattr(faces, "read_faces", lambda windows: said.copy())
    monkeypatch.setattr(faces, "read_closely", closely)
    covered = np.zeros((3, FACE_PX, FACE_PX), dtype=bool)
    covered[2, :5] = True
    read = read_twice(np.repeat(WINDOW, 3, axis=0), covered)
    assert looked == [[False, True]]
    assert (read[0] == said[0]).all()
    assert (read[1:] == -1.0).all()
