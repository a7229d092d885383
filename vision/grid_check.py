"""What was read on a grid tells of the grid: whether it may be another's, and whether it bears out a faint one."""

from __future__ import annotations

import numpy as np

from engine.board import Board
from engine.lexicon.word_list import WordList
from vision.board.grid_doubt import GridDoubt, are_scattered, is_lettered, lies_there, spell_words
from vision.board.grid_shift import is_in_doubt, letters_together
from vision.board.lattice import Lattice, goes_on
from vision.board.lookalikes.printed import are_stacked, is_flat_print, stand_up
from vision.geometry.camera import corners_of
from vision.geometry.reduced_view import ReducedView
from vision.images import Image
from vision.letters.classifier import is_legible
from vision.picture_quality.faults import fault_of
from vision.reading import BoardReading


def doubt_of(lattice: Lattice, reading: BoardReading, view: ReducedView) -> GridDoubt | None:
    """Why the lattice may not be the board's own grid, as it was read in the view; None where nothing says so."""
    heights = reading.height_probs
    if lattice.unproven and not goes_on(lattice):
        return GridDoubt.FAINT  # no letters that lie as before make up for it, as they do for other doubts
    flat = not are_stacked(heights) and not stand_up(reading.elevations)
    if (lattice.printed and flat) or is_flat_print(heights):
        return GridDoubt.PRINTED
    if lattice.unproven:
        return GridDoubt.BORDER
    if is_in_doubt(lattice):
        return GridDoubt.BORDER
    if are_scattered(heights, reading.face_probs, reading.occluded()):
        return GridDoubt.SCATTERED
    if is_lettered(heights, reading.face_probs):
        return None
    fault = fault_of(_board_in(view)) if reading.heights().any() else None
    return GridDoubt.UNLETTERED if fault is None else GridDoubt(fault.value)


def _board_in(view: ReducedView) -> Image:
    """The part of the picture in which the board lies."""
    corners = corners_of(view.camera, view.size)
    left, top = np.maximum(corners.min(axis=0), 0.0).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    return view.image[top:bottom, left:right]


def doubt_of_given(lattice: Lattice) -> GridDoubt | None:
    """The same of a lattice at corners that a person gave: not questioned, unless the picture contradicts it."""
    return GridDoubt.GIVEN if lattice.rivalled else None


def is_borne_out(reading: BoardReading, board: Board | None, words: WordList | None) -> bool:
    """Whether what was read proves a grid that is too doubtful to be taken: the `board` known from before lies on it,
    or words of the list do."""
    letters = reading.letters()
    if board is not None and lies_there(letters, board):
        return True
    return words is not None and spell_words(letters, reading.occluded(), words)


def letters_on(reading: BoardReading) -> int:
    """How many letters hang together on the grid of a reading."""
    return letters_together(reading.heights() > 0, reading.occluded(), is_legible(reading.face_probs))
