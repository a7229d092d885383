"""Bare squares from picture to picture: light changes all, what lies over one changes its colour or its lines."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import camera
from samples import SAMPLES, photograph

from engine import EDITIONS, Board, Square
from engine.formats.game_json import parse_stacks
from upscore.words.loader import load_lexicon
from vision import BoardReader, GameSettings, certain
from vision.geometry.camera import grid_corners
from vision.geometry.rectify import ReducedView
from vision.hidden.bare_squares import (
    BareSquares,
    all_show,
    compare_squares,
    line_shares,
    none_shows,
    plainly_bare,
    square_colours,
    weigh_altered,
)
from vision.images import Image
from vision.turn.observe import observe
from vision.turn.steps import decide

N = 8
ALL = np.ones((N, N), dtype=bool)
BOARD = np.random.default_rng(5).normal((120.0, 60.0, 50.0), 2.0, (N, N, 3))
AT = (3, 5)
CORNERS = np.array([(-0.1, -0.1), (1.1, -0.1), (1.1, 1.1), (-0.1, 1.1)])


def learn(colours: np.ndarray = BOARD) -> BareSquares:
    return BareSquares.unseen(N).with_colours(colours, ALL)


def lit(colours: np.ndarray, gains: tuple[float, ...], across: float = 0.0, down: float = 0.0) -> np.ndarray:
    """Return the squares in a different light, which gets stronger across the board."""
    y, x = np.indices((N, N)) / N - 0.5
    return np.asarray(colours * np.array(gains) * np.exp(across * x + down * y)[..., None])


gains = st.floats(0.6, 1.4)
slopes = st.floats(-0.5, 0.5)


@given(st.tuples(gains, gains, gains), slopes, slopes)
def test_other_light_alters_no_square(light: tuple[float, ...], across: float, down: float) -> None:
    assert weigh_altered(lit(BOARD, light, across, down), learn(), ALL).max() < 0.05


@given(st.tuples(gains, gains, gains), slopes)
def test_what_lies_over_a_square_shows_in_any_light(light: tuple[float, ...], across: float) -> None:
    covered = BOARD.copy()
    covered[AT] = (60.0, 70.0, 130.0)
    odd = weigh_altered(lit(covered, light, across), learn(), ALL)
    assert odd[AT] > 0.9
    assert np.delete(odd.ravel(), AT[0] * N + AT[1]).max() < 0.05


def test_a_shadow_hides_nothing() -> None:
    shaded = BOARD.copy()
    shaded[2:5, 4:6] *= 0.6
    assert weigh_altered(shaded, learn(), ALL).max() < 0.05


def test_a_mirrored_lamp_hides_nothing_neither_when_it_comes_nor_when_it_goes() -> None:
    mirrored = BOARD.copy()
    mirrored[2:4, 3:6] += 90.0
    assert weigh_altered(mirrored, learn(), ALL).max() < 0.05
    assert weigh_altered(BOARD, learn(mirrored), ALL).max() < 0.05
    grey = BOARD.copy()
    grey[AT] = 150.0
    assert weigh_altered(grey, learn(), ALL)[AT] > 0.9, "nothing of the square's own colour is left"


def test_how_bright_a_burnt_out_square_is_cannot_be_told() -> None:
    bright = np.full((N, N, 3), 170.0)
    brighter = np.minimum(bright * 1.4, 235.0)
    brighter[AT] = 255.0
    assert weigh_altered(brighter, learn(bright), ALL).max() < 0.05


def test_of_a_colour_that_nothing_else_has_more_is_forgiven() -> None:
    marked = BOARD.copy()
    marked[AT] = (40.0, 60.0, 110.0)
    now = marked.copy()
    now[AT] *= (0.7, 1.0, 1.0)
    assert weigh_altered(now, learn(marked), ALL)[AT] == 0.0
    plain = BOARD.copy()
    plain[AT] *= (0.7, 1.0, 1.0)
    assert weigh_altered(plain, learn(), ALL)[AT] > 0.3


def test_only_squares_that_are_bare_in_both_pictures_are_compared() -> None:
    covered = BOARD.copy()
    covered[AT] = (60.0, 70.0, 130.0)
    bare = ALL.copy()
    bare[AT] = False
    assert weigh_altered(covered, learn(), bare).max() < 0.05
    assert weigh_altered(covered, BareSquares.unseen(N).with_colours(BOARD, bare), ALL).max() < 0.05
    few = np.zeros_like(ALL)
    few[3, :] = True
    assert weigh_altered(covered, learn(), few).max() == 0.0


def test_only_bare_squares_are_remembered() -> None:
    bare = plainly_bare(np.full((N, N), 0.99), np.where(np.arange(N) < 3, 1.0, 0.5) * np.ones((N, 1)))
    seen = BareSquares.unseen(N).with_colours(BOARD, bare)
    assert np.isnan(seen.colours[:, 3:]).all()
    assert np.allclose(seen.colours[:, :3], BOARD[:, :3], atol=1e-3)
    again = seen.with_colours(2 * BOARD, ~bare)
    assert np.allclose(again.colours[:, :3], BOARD[:, :3], atol=1e-3)
    assert np.allclose(again.colours[:, 3:], 2 * BOARD[:, 3:], atol=1e-3)


@pytest.mark.parametrize("size", [2, 7, 10])
def test_squares_of_a_board_of_another_size_are_refused(size: int) -> None:
    learn().check(N)
    with pytest.raises(ValueError, match="no bare squares"):
        learn().check(size)


# on photographs


def lay_paper(image: Image, view: ReducedView, squares: list[tuple[int, int]]) -> Image:
    """Return the picture with a sheet of blue paper over some squares, and over a tile that lies there."""
    outline = np.concatenate([np.array(square)[::-1] + CORNERS for square in squares])
    points = [np.column_stack([outline, np.full(len(outline), height)]) for height in (0.0, 0.3)]
    hull = cv2.convexHull(view.photograph_camera().project(np.concatenate(points)).astype(np.float32))
    out = image.copy()
    cv2.fillConvexPoly(out, np.round(hull).astype(np.int32), (150, 90, 60))
    return out


@pytest.mark.slow
def test_a_sheet_of_paper_on_a_photographed_board_is_told() -> None:
    image, _ = photograph("classic_8x8/03.jpg")
    reading = BoardReader().read(image, N)
    empty, in_view = reading.height_probs[..., 0], 1.0 - reading.hidden
    view = ReducedView.of(image, reading.camera, N)
    before = BareSquares.unseen(N).with_colours(square_colours(view), plainly_bare(empty, in_view))
    assert compare_squares(view, before, empty, in_view)[1].max() == 0.0
    sheet = [(6, 1), (6, 2)]
    now = ReducedView.of(lay_paper(image, view, sheet), reading.camera, N)
    odd = compare_squares(now, before, empty, in_view)[1]
    assert {(int(row), int(col)) for row, col in np.argwhere(odd > 0.5)} == set(sheet)


def board_of(name: str) -> Board:
    truth = json.loads((SAMPLES / name).with_suffix(".json").read_text())
    stacks = [cell["stack"] for cell in truth["cells"]]
    return parse_stacks([stacks[at : at + N] for at in range(0, N * N, N)])


@pytest.mark.slow
@pytest.mark.parametrize("turn", [2, 6, 9])
def test_a_play_whose_end_lies_under_a_sheet_of_paper_is_asked_about(turn: int) -> None:
    settings, reader = GameSettings(EDITIONS["8x8"], load_lexicon()), BoardReader(words=load_lexicon())
    belief = certain(board_of("classic_8x8/00.jpg"))
    for number in range(turn):
        name = f"classic_8x8/{number:02d}.jpg"
        belief, _ = observe(reader, belief, photograph(name)[0], settings)
        belief = decide(belief, board_of(name), shown=True)
    name = f"classic_8x8/{turn:02d}.jpg"
    image, _ = photograph(name)
    _, plain = observe(reader, belief, image, settings)
    assert not plain.needs_review
    assert plain.reading is not None
    new = [s for s in board_of(name).list_occupied() if board_of(name).stack(s) != belief.sheet_board.stack(s)]
    end = max(new, key=lambda s: (s.row, s.col))
    step = Square(1, 0) if len({s.row for s in new}) > 1 else Square(0, 1)
    sheet = [(end.row + k * step.row, end.col + k * step.col) for k in (0, 1)]
    view = ReducedView.of(image, plain.reading.camera, N)
    _, papery = observe(reader, belief, lay_paper(image, view, sheet), settings)
    assert papery.needs_review


PX, RIM = 40, 20


def draw_board(ground: float = 120.0, line: float = 0.8) -> np.ndarray:
    """Return a board with a rim. Its squares are PX wide, and lines have this share of the ground's brightness."""
    side = N * PX + 2 * RIM
    board = np.full((side, side), ground)
    for at in range(RIM, side, PX):
        for lines in (board, board.T):
            lines[at - 2 : at + 2, RIM:-RIM] = ground * line
    return board


def lay_over(board: np.ndarray, top: float, left: float, down: float, right: float) -> np.ndarray:
    """Return the board with something dark over an oblong, in squares from the grid's corner."""
    at = [RIM + round(PX * place) for place in (top, down, left, right)]
    out = board.copy()
    out[at[0] : at[1], at[2] : at[3]] = 70.0
    return out


def see_board(board: np.ndarray, tilt: float = 0.6) -> ReducedView:
    """Return the board as seen by a camera at this angle to the vertical, radians."""
    eye = camera(N, tilt)
    corners = RIM + PX * grid_corners(N) - 0.5
    places = eye.project(np.column_stack([grid_corners(N), np.zeros(4)]))
    onto = cv2.getPerspectiveTransform(corners.astype(np.float32), places.astype(np.float32))
    noisy = board + np.random.default_rng(3).normal(0, 1.5, board.shape)
    grey = cv2.warpPerspective(np.clip(noisy, 0, 255), onto, (1280, 960))
    return ReducedView.of(np.repeat(grey[..., None], 3, axis=2).astype(np.uint8), eye, N)


def beside(row: int, col: int) -> set[tuple[int, int]]:
    return {(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}


@examples(15)
@given(st.floats(0.1, 0.9), st.floats(60, 150), st.sampled_from([0.8, 0.9, 1.2]), st.floats(-0.5, 0.5))
def test_a_bare_board_shows_its_lines_on_every_side(tilt: float, ground: float, line: float, slope: float) -> None:
    board = draw_board(ground, line)
    light = np.exp(slope * np.linspace(-0.5, 0.5, len(board)))
    shares = line_shares(see_board(board * light, tilt), ALL, ALL)
    assert all_show(shares).all()
    assert not none_shows(shares).any()


def test_what_lies_over_a_square_hides_its_lines_and_those_of_no_other_but_its_neighbours() -> None:
    row, col = AT
    shares = line_shares(see_board(lay_over(draw_board(), row - 0.2, col - 0.2, row + 1.2, col + 1.2)), ALL, ALL)
    assert {(int(y), int(x)) for y, x in np.argwhere(~all_show(shares))} == beside(*AT)
    assert not none_shows(shares).any()


def test_what_lies_over_many_squares_lets_no_line_show_within() -> None:
    shares = line_shares(see_board(lay_over(draw_board(), 2.5, 3.5, 5.5, 7.5)), ALL, ALL)
    gone = {(int(y), int(x)) for y, x in np.argwhere(none_shows(shares))}
    assert gone == {(3, col) for col in (4, 5, 6)} | {(4, col) for col in (4, 5, 6)}
    assert not all_show(shares)[2:6, 3:8].any()


def test_a_shadow_over_a_square_hides_no_line() -> None:
    row, col = (RIM + PX * place for place in AT)
    board = draw_board()
    board[row - 12 : row + PX + 12, col - 12 : col + PX + 12] *= 0.7
    shares = line_shares(see_board(cv2.GaussianBlur(board, (0, 0), 4)), ALL, ALL)
    assert all_show(shares)[AT]
    assert not none_shows(shares).any()


def test_lines_are_looked_for_beside_bare_squares_alone() -> None:
    bare = ALL.copy()
    bare[2, 5] = bare[3, 4] = bare[3, 6] = False
    shares = line_shares(see_board(draw_board()), bare, bare)
    assert np.isfinite(shares[:, AT[0], AT[1]]).sum() == 1
    assert not all_show(shares)[AT]
    assert not none_shows(shares)[AT]
    assert all_show(shares)[0, 0]


@pytest.mark.parametrize("line", [1.0, 0.999])
def test_a_board_without_lines_tells_nothing(line: float) -> None:
    shares = line_shares(see_board(draw_board(line=line)), ALL, ALL)
    assert all_show(shares).mean() < 0.1
    assert not none_shows(shares).any()


def test_too_few_bare_squares_tell_nothing() -> None:
    bare = np.zeros((N, N), dtype=np.bool_)
    bare[3, 3:5] = True
    assert np.isnan(line_shares(see_board(draw_board()), bare, bare)).all()
