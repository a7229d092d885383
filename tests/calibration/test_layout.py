"""A set laid out on the board: which letter lies on which square."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from calibkit import logs_of
from hypothesis import given
from hypothesis import strategies as st

from calibration import CalibrationError, layout
from calibration.layout import assign, read_layout
from calibration.lessons import learn_templates
from calibration.profile import faces_from, faces_json
from engine import EDITIONS, FACES, Square
from engine.editions import edition_from_data
from vision import BoardReader, BoardReading, Camera
from vision.geometry.camera import corners_of
from vision.heights.plane_sweep import SLICES
from vision.images import Image

EDITION = EDITIONS["8x8"]
ORDER = [face for face, count in (EDITION.distribution or {}).items() for _ in range(count)]
PICTURE = np.zeros((400, 400, 3), np.uint8)


def full_board() -> BoardReading:
    """Return a reading of a board with one tile on every square."""
    heights = np.full((8, 8, 6), 0.002)
    heights[..., 1] = 0.99
    view = Camera(300.0, (199.5, 199.5), 0.0, np.eye(3), np.array([-4.0, -4.0, 10.0]))
    return BoardReading(
        size=8, corners=corners_of(view, 8), camera=view, layer_thickness=0.25, base_offset=0.0,
        elevations=np.full((8, 8, SLICES), -np.log(SLICES)), height_probs=heights,
        face_probs=np.full((8, 8, 26), 1 / 26), hidden=np.zeros((8, 8)), covered=np.zeros((8, 8)),
        upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip


class Reader(BoardReader):
    """Gives the same reading for every picture."""

    def __init__(self, reading: BoardReading) -> None:
        super().__init__(without={"tesseract"})
        self._reading = reading

    def read(self, image: Image, size: int, **hints: object) -> BoardReading:
        return self._reading


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """Return the face network's answer for the squares that bear tiles, row by row."""
    told = {"logs": logs_of(ORDER)}
    monkeypatch.setattr(layout, "read_faces", lambda windows, *_: told["logs"][: len(windows)])
    return told


def test_the_letters_of_a_whole_set(seen: dict[str, np.ndarray]) -> None:
    found = read_layout(Reader(full_board()), PICTURE, EDITION)
    assert list(found.letters) == ORDER
    assert not found.doubtful.any()
    assert not found.corrected.any()
    windows, letters = found.examples()
    assert (len(windows), letters) == (64, ORDER)


def test_the_counts_put_the_network_right(seen: dict[str, np.ndarray]) -> None:
    """Its one Qu read as O and one C as G: there are three O's and two G's elsewhere already."""
    for letter, taken_for in (("Qu", "O"), ("C", "G")):
        row = np.exp(seen["logs"][ORDER.index(letter)])
        row[[FACES.index(letter), FACES.index(taken_for)]] = 0.3, 0.6
        seen["logs"][ORDER.index(letter)] = np.log(row)
    found = read_layout(Reader(full_board()), PICTURE, EDITION)
    assert list(found.letters) == ORDER
    assert [ORDER[k] for k in np.flatnonzero(found.corrected)] == ["C", "Qu"]


def test_squares_that_could_be_either_are_doubtful_and_not_learned(seen: dict[str, np.ndarray]) -> None:
    for letter in ("V", "W"):
        row = np.full(27, 0.001)
        row[[FACES.index("V"), FACES.index("W")]] = 0.48
        seen["logs"][ORDER.index(letter)] = np.log(row)
    found = read_layout(Reader(full_board()), PICTURE, EDITION)
    assert {ORDER[k] for k in np.flatnonzero(found.doubtful)} == {"V", "W"}
    assert not {"V", "W"} & set(found.examples()[1])


def test_a_lost_tile_is_no_obstacle_and_an_empty_board_is(seen: dict[str, np.ndarray]) -> None:
    board = full_board()
    bare = board.height_probs.copy()
    bare[7, 7] = np.eye(6)[0]
    found = read_layout(Reader(replace(board, height_probs=bare)), PICTURE, EDITION)
    assert len(found.letters) == 63
    bare[5:] = np.eye(6)[0]
    with pytest.raises(CalibrationError, match="Only 40 tiles are seen where 64 should be"):
        read_layout(Reader(replace(board, height_probs=bare)), PICTURE, EDITION)


def test_other_tiles_are_refused(seen: dict[str, np.ndarray]) -> None:
    seen["logs"] = logs_of(["E"] * 64)
    with pytest.raises(CalibrationError, match=r"not those of this edition's tiles .58 do not fit"):
        read_layout(Reader(full_board()), PICTURE, EDITION)


def test_what_cannot_be_told(seen: dict[str, np.ndarray]) -> None:
    with pytest.raises(CalibrationError, match="which way up"):
        read_layout(Reader(replace(full_board(), upright=0.5)), PICTURE, EDITION)
    with pytest.raises(CalibrationError, match="edition 11x11 is unknown"):
        read_layout(Reader(full_board()), PICTURE, EDITIONS["11x11"])


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    squares, labels = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    logs = draw(st.lists(st.floats(-9, 0), min_size=squares * labels, max_size=squares * labels).map(np.array)).reshape(
        squares, labels
    )
    supply = np.array(draw(st.lists(st.integers(0, 3), min_size=labels, max_size=labels)))
    supply[0] += max(0, squares - supply.sum())
    return logs, supply


def possible(logs: np.ndarray, supply: np.ndarray) -> dict[tuple[int, ...], float]:
    """Every labelling that the supply allows, with its log probability."""
    squares, labels = logs.shape
    return {
        chosen: float(logs[np.arange(squares), list(chosen)].sum())
        for chosen in product(range(labels), repeat=squares)
        if (np.bincount(chosen, minlength=labels) <= supply).all()
    }


@given(problems())
def test_it_is_the_most_probable_of_all(problem: tuple[np.ndarray, np.ndarray]) -> None:
    logs, supply = problem
    found, every = assign(logs, supply), possible(logs, supply)
    assert tuple(found.labels) in every
    assert found.total == pytest.approx(every[tuple(found.labels)])
    assert found.total == pytest.approx(max(every.values()))
    for square, label in enumerate(found.labels):
        others = [total for chosen, total in every.items() if chosen[square] != label]
        if others:
            assert found.margins[square] == pytest.approx(found.total - max(others), abs=1e-6)
        else:
            assert np.isinf(found.margins[square])


def test_a_whole_set_is_labelled_from_doubtful_readings() -> None:
    rng = np.random.default_rng(5)
    truth = np.repeat(np.arange(26), 4)[:100]
    logs = rng.normal(-8, 1.0, (100, 26))
    logs[np.arange(100), truth] = rng.normal(-5, 1.0, 100)
    alone = logs.argmax(axis=1) != truth
    found = assign(logs, np.bincount(truth, minlength=26))
    wrong = found.labels != truth
    assert alone.sum() > 10
    assert wrong.sum() < alone.sum()
    assert (found.margins[wrong] < 3.0).all()


def test_too_few_labels() -> None:
    with pytest.raises(ValueError, match="2 labels for 3 squares"):
        assign(np.zeros((3, 2)), [1, 1])


def test_letters_that_no_network_reads_are_learned_in_alphabetical_order() -> None:
    russian = edition_from_data({"name": "Ours", "size": 8, "tiles": dict.fromkeys("ЯБДИЖЛФЮ", 8)})
    found = read_layout(Reader(full_board()), PICTURE, russian)
    windows, letters = found.examples()
    assert "".join(letters) == "".join(face * 8 for face in "БДЖИЛФЮЯ")
    assert found.squares[9] == Square(1, 1)
    learned = learn_templates(None, windows, letters, russian.alphabet)
    assert learned.alphabet == russian.alphabet
    assert faces_from(json.loads(json.dumps(faces_json(learned), sort_keys=True))).alphabet == russian.alphabet
    board = full_board()
    bare = board.height_probs.copy()
    bare[7, 7] = np.eye(6)[0]
    with pytest.raises(CalibrationError, match="63 tiles are seen where 64 should be"):
        read_layout(Reader(replace(board, height_probs=bare)), PICTURE, russian)
