"""Boards for chess and draughts are told from those that letter tiles lie on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from samples import photograph

from vision import BoardNotFound
from vision.board.lattice import refine_lattice, rough_camera
from vision.board.localize import find_lattice
from vision.board.lookalikes import is_chequered, share_in_turn
from vision.images import Image


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
