"""Learning from a game's confirmed turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from calibkit import logs_of, windows_of

from calibration import lessons as games
from calibration.lessons import Lessons
from engine import Board, parse_play
from vision import BoardReading, Camera, Finding
from vision.geometry.camera import corners_of
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.heights.thickness import THICKNESSES

BOARD = Board.empty(8).with_play(parse_play("b4-MOOD")).with_play(parse_play("b4-W.LF"))
TOPS = ["W", "O", "L", "F"]
PICTURE = np.zeros((400, 400, 3), np.uint8)
SURE = Finding("play", (), 1.0, False, None, None, BOARD, None)


def observed(finding: Finding = SURE, tilt: float = 0.6, **changes: Any) -> Finding:
    """BOARD as it was seen: layers of a quarter of a square."""
    heights, elevations = np.full((8, 8, 6), 0.001), np.full((8, 8, SLICES), -9.0)
    for square in BOARD.squares():
        tiles = BOARD.height(square)
        heights[square.row, square.col, tiles] = 0.99
        at = tiles * 0.25 / SLICE_STEP
        for k, share in ((int(at), 1 - at % 1), (int(at) + 1, at % 1)):
            elevations[square.row, square.col, k] = np.log(share + 1e-4)
    c, s = np.cos(tilt), np.sin(tilt)
    lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    view = Camera(300.0, (199.5, 199.5), 0.0, lean, np.array([0, 0, 12.0]) - lean @ np.array([4.0, 4.0, 0.0]))
    reading = BoardReading(
        size=8, corners=corners_of(view, 8), camera=view, layer_thickness=0.25, base_offset=0.0,
        elevations=elevations, height_probs=heights,
        face_probs=np.full((8, 8, 26), 1 / 26), hidden=np.zeros((8, 8)), covered=np.zeros((8, 8)),
        upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip
    return replace(finding, reading=replace(reading, **changes))


@pytest.fixture(autouse=True)
def shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "cut_faces", lambda *_: windows_of(TOPS))
    monkeypatch.setattr(games, "read_faces", lambda windows: logs_of(TOPS)[: len(windows)])


def after(*seen: Finding) -> Lessons:
    lessons = Lessons()
    for one in seen:
        lessons = lessons.after(PICTURE, one, BOARD)
    return lessons


def test_turns_that_needed_no_question_are_learned_from() -> None:
    lessons = after(*[observed()] * 4)
    assert (lessons.turns, lessons.examples) == (4, 16)
    assert lessons.faces is not None
    assert lessons.faces.letters == "FLOW"
    layers = lessons.thickness()
    assert layers is not None
    assert THICKNESSES[int(layers.argmax())] == pytest.approx(0.25, abs=0.02)


def test_the_thickness_takes_some_tilted_pictures() -> None:
    assert after(*[observed()] * 3).thickness() is None
    assert after(*[observed(tilt=0.1)] * 6).thickness() is None
    known = np.linspace(-1.0, 0.0, len(THICKNESSES))
    assert after().thickness(known) is known
    joined = after(*[observed()] * 4).thickness(known)
    assert joined is not None
    assert joined.max() == 0.0


@pytest.mark.parametrize(
    "seen",
    [
        observed(replace(SURE, needs_review=True)),
        observed(replace(SURE, kind="unclear")),
        observed(replace(SURE, kind="removed")),
        observed(upright=0.6),
        replace(observed(), reading=None),
    ],
)
def test_others_are_not(seen: Finding) -> None:
    assert after(seen) == Lessons()
    assert Lessons().thickness() is None
