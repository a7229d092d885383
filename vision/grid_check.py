"""What was read on a grid tells of the grid: whether it may be another's, and whether it bears out a faint one."""

from __future__ import annotations

from engine.board import Board
from engine.lexicon.word_list import WordList
from vision.board.grid_doubt import GridDoubt, are_scattered, is_lettered, lies_there, spell_words
from vision.board.grid_shift import is_in_doubt, letters_together
from vision.board.lattice import Lattice, goes_on
from vision.board.lookalikes.printed import are_stacked, is_flat_print, stand_up
from vision.letters.classifier import is_legible
from vision.reading import BoardReading


def doubt_of(lattice: Lattice, reading: BoardReading) -> GridDoubt | None:
    """Why the lattice may not be the board's own grid, as it was read; None where nothing speaks against it."""
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
    return None if is_lettered(heights, reading.face_probs) else GridDoubt.UNLETTERED


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
