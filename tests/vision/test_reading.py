"""How sure a reading is of each square."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from readings import reading_of, run_out

from engine import Board, parse_square
from vision import GridDoubt

MOOD = play_all(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
SURE = reading_of(MOOD, sure=1.0, height_sure=1.0)


@given(st.floats(0.25, 1.0))
def test_a_square_is_as_sure_as_it_would_look_the_same_turned(upright: float) -> None:
    sure = replace(SURE, upright=upright).confidence()
    wrong = (1.0 - upright) / 3
    assert np.isclose(sure[3, 1], upright)  # M at b4
    assert np.isclose(sure[0, 0], 1.0)  # no tile in any corner
    assert np.isclose(sure[4, 4], 1.0 - 2 * wrong)  # two of the squares that e5 turns to bear tiles
    assert np.isclose(sure[4, 5], 1.0 - wrong)  # one of the squares that f5 turns to
    assert np.isclose(sure[3, 6], 1.0)


def test_what_is_hidden_is_not_sure() -> None:
    hidden = np.zeros((8, 8))
    hidden[0, 0] = 0.9
    assert np.isclose(replace(SURE, hidden=hidden).confidence()[0, 0], 0.1)


def test_a_tile_is_not_sure_if_higher_stacks_there_would_lie_outside_the_picture() -> None:
    sure = run_out(SURE, 0.6, (3, 1), (0, 0)).confidence()
    assert np.isclose(sure[3, 1], 0.4)  # M at b4
    assert np.isclose(sure[0, 0], 1.0)  # bare ground is seen


def test_stacks_behind_nearer_ones_are_covered() -> None:
    covered = np.zeros((8, 8))
    covered[2, 1], covered[2, 2] = 0.9, 0.5
    assert replace(SURE, covered=covered).find_unseen_stacks() == {parse_square("b3")}


def test_the_height_of_a_stack_asked_about_is_not_seen_if_a_tile_on_it_would_lie_outside_the_picture() -> None:
    seen = run_out(run_out(SURE, 0.6, (3, 1)), 1.0, (3, 2), by=2)
    assert seen.find_unseen_stacks() == frozenset()
    assert seen.find_unseen_stacks(parse_square("b4")) == {parse_square("b4")}
    assert seen.find_unseen_stacks(parse_square("c4")) == frozenset()


def test_a_grid_in_doubt_leaves_no_square_sure() -> None:
    assert np.allclose(replace(SURE, grid_doubt=GridDoubt.BORDER).confidence(), 0.6 * SURE.confidence())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("corners", np.zeros((3, 2))),
        ("hidden", np.zeros((8, 9))),
        ("hidden", np.full((8, 8), 1.2)),
        ("height_probs", np.full((8, 8, 6), np.nan)),
        ("face_probs", np.full((8, 8, 26), -0.1)),
        ("upright", 1.5),
        ("layer_thickness", 0.0),
        ("seconds", -1.0),
        ("size", 7),
    ],
)
def test_what_cannot_be_a_reading_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"board of|beyond|layers of"):
        replace(SURE, **{field: value})  # type: ignore[arg-type]
