"""Boards for chess and draughts, which are refused, and grids printed on paper, which are doubted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from readings import along_columns
from samples import photograph

from vision import BoardNotFound, BoardReader, GridDoubt
from vision.board.lattice import refine_lattice, rough_camera
from vision.board.localize import find_lattice
from vision.board.lookalikes import (
    are_printed,
    are_stacked,
    is_chequered,
    is_flat_print,
    is_printed,
    share_in_turn,
    stand_up,
)
from vision.geometry.camera import corners_of
from vision.heights.plane_sweep import SLICES
from vision.images import Image

VIEW = along_columns(0.75)
CORNERS = corners_of(VIEW, 8)
PX = 100
PLAIN, LINE = np.ones(24), np.r_[np.ones(11), 0.4, 0.5, np.ones(11)]


def sheet(*, paper: int, lit: int = 0, size: int = 8) -> Image:
    """Return a drawn sheet with lines, seen aslant on a dark table; `lit` grey levels by which ridges catch the
    light."""
    side = size * PX
    flat = np.full((side, side, 3), paper, np.uint8)
    for at in range(0, side + 1, PX):
        for down in (False, True):
            start, end = ((at, 0), (at, side)) if down else ((0, at), (side, at))
            cv2.line(flat, start, end, (40, 40, 40), 3)
            if lit:
                aside = (4, 0) if down else (0, 4)
                cv2.line(
                    flat, tuple(np.add(start, aside)), tuple(np.add(end, aside)), (min(255, paper + lit),) * 3, 5
                )  # fmt: skip
    source = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    onto = cv2.getPerspectiveTransform(source, CORNERS.astype(np.float32))
    table = np.full((960, 1280, 3), (70, 90, 90), np.uint8)
    table[:40] = 250
    shown = cv2.warpPerspective(flat, onto, (1280, 960), flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full((side, side), 255, np.uint8), onto, (1280, 960)) > 127
    table[inside] = shown[inside]
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 0.7), dtype=np.uint8)


def seems_printed(image: Image) -> bool:
    return is_printed(image, VIEW, 8)


def test_dark_lines_on_paper_are_printed() -> None:
    assert seems_printed(sheet(paper=235))


def test_dark_squares_are_no_paper() -> None:
    assert not seems_printed(sheet(paper=120))


def test_lines_that_catch_the_light_are_moulded() -> None:
    assert not seems_printed(sheet(paper=205, lit=45))


def test_a_grid_on_paper_is_found_and_doubted() -> None:
    image = sheet(paper=235)
    found = find_lattice(image, 8)
    assert found.printed
    read = BoardReader(without={"tesseract"}).read(image, 8)
    assert read.grid_doubt is GridDoubt.PRINTED
    assert read.confidence().max() < 0.9


@pytest.mark.parametrize(("name", "size"), [("classic_8x8/03.jpg", 8), ("blue_10x10/11.jpg", 10)])
def test_a_moulded_board_is_not_printed(name: str, size: int) -> None:
    image, true = photograph(name)
    assert not is_printed(image, rough_camera(image, true, size), size)


@pytest.mark.parametrize(
    ("across", "down", "printed"),
    [
        (LINE, LINE, True),
        (PLAIN, PLAIN, False),  # no lines at all
        (LINE, np.where(LINE < 1.0, 0.8, 1.0), False),  # fainter one way
        (LINE, np.r_[LINE[:-6], np.full(6, 1.2)], False),  # an edge that is lit
    ],
)
def test_printed_lines_are_as_dark_each_way_and_nothing_beside_them_is_lit(
    across: np.ndarray, down: np.ndarray, printed: bool
) -> None:
    assert are_printed(across, down) is printed


def test_too_few_bare_squares_tell_nothing() -> None:
    image = sheet(paper=235)
    # stripes of another colour leave no two neighbours bare
    for col in range(0, 8, 2):
        stripe = VIEW.project([(col, 0.0, 0.0), (col + 1, 0.0, 0.0), (col + 1, 8.0, 0.0), (col, 8.0, 0.0)])
        cv2.fillConvexPoly(image, np.round(stripe).astype(np.int32), (90, 90, 90))
    assert not seems_printed(image)


def test_tiles_on_tiles_do_not_lie_on_paper() -> None:
    flat = np.tile([0.0, 1.0, 0.0, 0.0, 0.0, 0.0], (8, 8, 1))
    assert not are_stacked(flat)
    stacked = flat.copy()
    stacked[2, 2:4] = (0.0, 0.01, 0.5, 0.49, 0.0, 0.0)
    assert are_stacked(stacked)
    stacked[2, 2] = (0.0, 0.1, 0.9, 0.0, 0.0, 0.0)
    assert not are_stacked(stacked)


def test_faces_that_stand_up_from_the_board_do_not_lie_on_paper() -> None:
    bare = np.full((8, 8, SLICES), np.log(1e-4))
    bare[..., 0] = 0.0
    assert not stand_up(bare)
    raised = bare.copy()
    raised[2, 2, 3:5] = np.log(0.09)  # together more than a seventh
    assert not stand_up(raised)  # one may be a mistake
    raised[2, 3, 4] = np.log(0.2)
    assert stand_up(raised)
    low = bare.copy()
    low[2, 2:4, 2] = 0.0  # as high as the thickest card
    assert not stand_up(low)


def test_words_written_on_a_sheet_do_not_stand_up() -> None:
    image = sheet(paper=235)
    for col, letter in enumerate("PAPER"):
        at = VIEW.project([(col + 1.25, 4.8, 0.0)])[0]
        cv2.putText(image, letter, (int(at[0]), int(at[1])), cv2.FONT_HERSHEY_DUPLEX, 1.6, (60, 30, 30), 3)
    read = BoardReader(without={"tesseract"}).read(image, 8)
    assert int((read.heights() > 0).sum()) > 1
    assert not stand_up(read.elevations)
    assert read.grid_doubt is GridDoubt.PRINTED


def test_letters_everywhere_and_none_on_another_are_print() -> None:
    heights = np.zeros((8, 8, 6))
    heights[..., 0] = 1.0
    assert not is_flat_print(heights)
    heights[:5] = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    assert is_flat_print(heights)
    heights[2, 2:4] = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    assert not is_flat_print(heights)


def chess_board(*, pieces: bool) -> tuple[Image, np.ndarray]:
    """Return a drawn board of 8 x 8 squares seen aslant, and its corners (4, 2)."""
    flat = np.zeros((800, 800, 3), np.uint8)
    for row in range(8):
        for col in range(8):
            colour = (190, 220, 235) if (row + col) % 2 else (60, 80, 110)
            at, to = (col * 100, row * 100), (col * 100 + 99, row * 100 + 99)
            cv2.rectangle(flat, at, to, colour, -1)
            if pieces and row in (0, 1, 6, 7):
                cv2.circle(flat, (at[0] + 50, at[1] + 50), 34, (235, 235, 235) if row < 2 else (20, 20, 20), -1)
    corners = np.array([(420, 200), (880, 210), (1010, 640), (300, 650)], dtype=np.float64)
    source = np.array([(0, 0), (800, 0), (800, 800), (0, 800)], np.float32)
    onto = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    table = np.full((800, 1280, 3), (70, 90, 90), np.uint8)
    shown = cv2.warpPerspective(flat, onto, (1280, 800), flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full((800, 800), 255, np.uint8), onto, (1280, 800)) > 127
    table[inside] = shown[inside]
    return table, corners


@pytest.mark.parametrize("pieces", [False, True])
def test_squares_of_two_colours_in_turn_are_chequered(pieces: bool) -> None:
    image, corners = chess_board(pieces=pieces)
    assert is_chequered(image, rough_camera(image, corners, 8), 8)


@pytest.mark.slow
def test_a_chess_board_is_refused_as_one() -> None:
    image, _ = chess_board(pieces=True)
    with pytest.raises(BoardNotFound, match="chess"):
        find_lattice(image, 8)


@pytest.mark.parametrize(("name", "size"), [("classic_8x8/03.jpg", 8), ("blue_10x10/11.jpg", 10)])
def test_a_board_for_letter_tiles_is_not_chequered(name: str, size: int) -> None:
    image, true = photograph(name)
    assert not is_chequered(image, refine_lattice(image, rough_camera(image, true, size), size).fit.camera, size)


def test_half_the_squares_of_one_colour_are_in_turn() -> None:
    odd = np.array([False, True] * 8)
    assert share_in_turn(np.where(odd, 200.0, 50.0)[:, None] * np.ones(3), odd) == 1.0
    noise = np.random.default_rng(3).normal(100.0, 5.0, (400, 3))
    assert share_in_turn(noise, np.arange(400) % 2 == 0) < 0.65
