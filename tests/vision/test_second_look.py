"""Strokes that dimples and values add to letters are not read as ink."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from readings import camera

from engine import ENGLISH, FACES
from vision.geometry.rectify import ReducedView
from vision.letters.classifier import REJECT, read_twice
from vision.letters.faces import WindowState
from vision.letters.second_look import second_look_log_odds

INK, PLASTIC, GAP = (40, 35, 35), (228, 222, 215), (90, 100, 110)
DIMPLES = (78, 38), (178, 38), (128, 205)


FOOT, HEAD = (165, 222), (192, 105)


def tile(
    letter: str,
    *,
    dimpled: bool = False,
    value: str = "",
    ink: tuple[int, int, int] = INK,
    at_value: tuple[int, int] = FOOT,
) -> np.ndarray:
    """Return a tile in a window of 32 pixels, drawn eight times as large."""
    face = np.full((256, 256, 3), PLASTIC if ink == INK else (60, 40, 30), np.uint8)
    face[:6] = face[-6:] = face[:, :6] = face[:, -6:] = GAP
    if letter == "I":
        cv2.line(face, (128, 75), (128, 175), ink, 13, cv2.LINE_AA)
    else:
        (wide, high), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, 3.6, 13)
        at = (256 - wide) // 2, (256 + high) // 2 - 5
        cv2.putText(face, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 3.6, ink, 13, cv2.LINE_AA)
    for place in DIMPLES if dimpled else ():
        cv2.ellipse(face, place, (20, 18), 0, 180, 360, (150, 145, 140), -1, cv2.LINE_AA)
        cv2.ellipse(face, place, (20, 18), 0, 0, 180, (252, 252, 252), -1, cv2.LINE_AA)
    cv2.putText(face, value, at_value, cv2.FONT_HERSHEY_SIMPLEX, 1.1, ink, 6, cv2.LINE_AA)
    return cv2.resize(face, (32, 32), interpolation=cv2.INTER_AREA)


def take_second_look(windows: Sequence[np.ndarray], taken_for: dict[int, str] | None = None) -> list[str]:
    """Return the letters of windows after the second look. Those in `taken_for` were misread at the first."""
    stacked = np.stack(windows)
    log_probs = read_twice(stacked, np.zeros(stacked.shape[:3], dtype=bool)).astype(np.float64)
    for window, letter in (taken_for or {}).items():
        chances = np.full(len(FACES) + 1, 0.4 / len(FACES))
        chances[FACES.index(letter)] = 0.6
        log_probs[window] = np.log(chances)
    view = ReducedView(np.zeros((8, 8, 3), dtype=np.uint8), camera(), 8)
    log_probs = log_probs + second_look_log_odds(view, WindowState(stacked, log_probs, ENGLISH))
    return [FACES[int(best)] if best < len(FACES) else "" for best in log_probs.argmax(axis=1)]


def test_dimples_make_no_t_of_an_i() -> None:
    windows = [tile(letter, dimpled=True, value="1") for letter in "ITELA"]
    assert take_second_look(windows) == list("ITELA")
    assert take_second_look(windows, {0: "T"}) == list("ITELA")


def test_a_t_in_glare_stays_a_t() -> None:
    face = np.full((256, 256, 3), 150, np.uint8)
    face[:6] = face[-6:] = face[:, :6] = face[:, -6:] = 90
    cv2.line(face, (128, 80), (128, 180), (60, 60, 60), 14, cv2.LINE_AA)
    cv2.line(face, (85, 80), (171, 80), (141, 141, 141), 12, cv2.LINE_AA)
    cv2.circle(face, (70, 118), 25, (200, 200, 200), -1, cv2.LINE_AA)
    assert take_second_look([cv2.resize(face, (32, 32), interpolation=cv2.INTER_AREA)], {0: "T"}) == ["T"]


VALUED = [tile(letter, value="1") for letter in "ATENHLI"]


@pytest.mark.parametrize(
    ("windows", "last"),
    [
        ([*VALUED, tile("I", value="1")], "I"),
        ([*VALUED, tile("I", value="1", ink=(230, 230, 225))], "I"),
        ([*VALUED, tile("L", value="1")], "L"),
        ([*(tile(letter) for letter in "ATENHLI"), tile("I", value="1")], "L"),
        ([tile("I", value="1")], "L"),
    ],
    ids=["value", "light ink", "a true L", "a set without values", "too few letters to tell"],
)
def test_a_value_is_no_stroke_where_letters_have_values(windows: list[np.ndarray], last: str) -> None:
    assert take_second_look(windows, {len(windows) - 1: "L"})[-1] == last


NARROW = "ITJLFIT"
RAISED = [tile(letter, value="1", at_value=HEAD) for letter in NARROW]
SCATTERED = [
    tile(letter, value="1", at_value=place)
    for letter, place in zip(NARROW, (HEAD, FOOT, (30, 222), HEAD, FOOT, (30, 222), HEAD), strict=True)
]


@pytest.mark.parametrize(
    ("windows", "last"),
    [([*RAISED, tile("I", value="1", at_value=HEAD)], "I"), ([*SCATTERED, tile("I", value="1", at_value=HEAD)], "F")],
    ids=["values at the head", "marks here and there"],
)
def test_values_lie_at_one_place_wherever_that_is(windows: list[np.ndarray], last: str) -> None:
    assert take_second_look(windows, {len(windows) - 1: "F"})[-1] == last


def test_what_is_read_without_doubt_stays() -> None:
    letters = "ABCDEFGHJKLMNOPRSTUVWXYZ"
    plain = [tile(letter) for letter in letters]
    log_probs = read_twice(np.stack(plain), np.zeros((len(plain), 32, 32), dtype=bool))
    assert take_second_look(plain) == [FACES[int(best)] for best in log_probs[:, :REJECT].argmax(axis=1)]
