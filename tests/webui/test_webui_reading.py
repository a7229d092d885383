"""The reader behind the page: pictures it fails at, corners that were given, and doubtful squares of a start."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from webkit import EXAMPLE, EXAMPLE_WORDS, Words, finding, picture, play_of

from engine import FACES, Board, edition_named, parse_square
from vision import Belief, BoardReader, BoardReading, Camera, Finding, GameSettings, GridDoubt, certain
from vision.geometry.camera import corners_of
from vision.hidden.picture_edge import CutOff
from webui.ports import TurnQuery
from webui.table import reader as reading
from webui.table.reader import VisionReader

LEXICON = Words("standard", frozenset(EXAMPLE_WORDS.split()))
EDITION = edition_named("8x8")
FIRST = play_of(EXAMPLE[0])
PLAYED = Board.empty(8).with_play(FIRST)


def read_board(board: Board, unsure: str = "") -> BoardReading:
    """A board read from straight above without doubt, but for one square."""
    heights = np.zeros((8, 8, 6))
    faces = np.full((8, 8, 26), 1 / 26)
    for square in board.squares():
        heights[square.row, square.col, board.height(square)] = 1.0
        if board.top(square):
            faces[square.row, square.col] = np.eye(26)[FACES.index(board.top(square))]
    if unsure:
        square = parse_square(unsure)
        heights[square.row, square.col] = (0.0, 0.6, 0.4, 0.0, 0.0, 0.0)
    camera = Camera(100.0, (160.0, 120.0), 0.0, np.eye(3), np.array([-4.0, -4.0, 5.0]))
    return BoardReading(
        size=8, corners=corners_of(camera, 8), camera=camera, layer_thickness=0.28, base_offset=0.0,
        elevations=np.zeros((8, 8, 17)),
        height_probs=heights, face_probs=faces, hidden=np.zeros((8, 8)), covered=np.zeros((8, 8)),
        upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip


@pytest.fixture
def reader() -> VisionReader:
    return VisionReader(without={"tesseract"})


def query(belief: Belief) -> TurnQuery:
    return TurnQuery(belief, GameSettings(EDITION, LEXICON))


EMPTY = certain(Board.empty(8))


def test_a_photograph_that_the_reader_fails_at_is_unclear_and_not_sent_for_ever(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> tuple[Belief, Finding]:
        raise TypeError("a fault in the reader")

    monkeypatch.setattr(reading, "observe", fail)
    belief, found = reader.read_turn(picture(), query(EMPTY))
    assert (found.kind, found.needs_review, found.reading) == ("unclear", True, None)
    assert "Take another" in str(found.reason)
    assert belief.gap.unseen == 1


def test_corners_that_were_given_are_handed_on_in_pixels(reader: VisionReader, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def observe(*known: object) -> tuple[Belief, Finding]:
        asked.append(known[-1])
        return EMPTY, finding("none")

    monkeypatch.setattr(reading, "observe", observe)
    shares = ((0.25, 0.5), (1.0, 0.5), (1.0, 1.0), (0.25, 1.0))
    reader.read_turn(picture(240, 320), replace(query(EMPTY), corners=shares))
    reader.read_turn(picture(240, 320), query(EMPTY))
    given, none = asked
    assert np.asarray(given).tolist() == [[80, 120], [320, 120], [320, 240], [80, 240]]
    assert none is None


def test_a_start_position_names_what_to_look_at(reader: VisionReader, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.empty(8).with_play(FIRST)
    read = read_board(board, unsure="c4")
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    position = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert position.tops == board.tops()
    assert position.heights[3] == (0, 1, 1, 1, 1, 0, 0, 0)
    assert position.doubtful == (parse_square("c4"),)
    assert position.overlay is not None


def test_a_start_position_that_is_cut_off_says_so(reader: VisionReader, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off = CutOff(np.eye(8, dtype=bool), ("top",))
    read = replace(read_board(Board.empty(8)), cut_off=cut_off)
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    assert reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON).notice == cut_off.text()


def test_a_start_position_on_a_grid_that_looks_printed_says_so(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = replace(read_board(Board.empty(8)), grid_doubt=GridDoubt.PRINTED)
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    position = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert position.notice == GridDoubt.PRINTED.value
    assert not position.border_in_doubt


def test_a_start_position_on_a_grid_in_doubt_says_so_and_doubts_no_square_for_it(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_board(Board.empty(8).with_play(FIRST))
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: replace(read, grid_doubt=GridDoubt.BORDER))
    position = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert position.border_in_doubt
    assert position.doubtful == ()
