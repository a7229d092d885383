"""The reader behind the page: pictures it fails at, corners that were given, and doubtful squares of a start."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from samples import photograph
from webkit import EXAMPLE, EXAMPLE_WORDS, Words, finding, picture

from engine import FACES, Board, find_edition, parse_play, parse_square
from vision import Belief, BoardReader, BoardReading, Camera, Finding, GameSettings, GridDoubt, certain
from vision.arrays import Floats
from vision.errors import BoardNotFound
from vision.geometry.camera import corners_of, grid_corners, homography_from_corners
from vision.hidden.occlusion import CutOff
from vision.images import Image
from webui.ports import Corners, TurnQuery
from webui.table import reader as reading
from webui.table.reader import VisionReader

LEXICON = Words("standard", frozenset(EXAMPLE_WORDS.split()))
EDITION = find_edition("8x8")
FIRST = parse_play(EXAMPLE[0])
PLAYED = Board.empty(8).with_play(FIRST)


def read_board(board: Board, unsure: str = "") -> BoardReading:
    """Return a board read from straight above without doubt, except on one square."""
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
    assert tuple(tuple(face for face, _ in row) for row in position.squares) == board.tops()
    assert [height for _, height in position.squares[3]] == [0, 1, 1, 1, 1, 0, 0, 0]
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


def aim(reader: VisionReader, monkeypatch: pytest.MonkeyPatch, read: BoardReading, **aiming: object) -> str | None:
    """Return the hint for a picture of 320 x 240 with this reading, unless `aiming` says otherwise."""
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    image = aiming.get("image", picture(240, 320))
    before = aiming.get("before", shares(read, 320, 240))
    return reader.aim(image, query(EMPTY), before).hint  # type: ignore[arg-type]


def shares(read: BoardReading, width: int, height: int) -> Corners:
    return tuple((float(x) / width, float(y) / height) for x, y in read.corners)


@pytest.mark.parametrize(("aside", "said"), [(0.0, None), (1.0, GridDoubt.GIVEN.value)], ids=["right", "a column off"])
def test_corners_that_the_picture_contradicts_are_told(reader: VisionReader, aside: float, said: str | None) -> None:
    image, true = photograph("classic_8x8/03.jpg")
    height, width = image.shape[:2]
    moved = move_corners(true, aside)
    given: Corners = tuple((float(x) / width, float(y) / height) for x, y in moved)
    assert reader.check_corners(image, replace(query(EMPTY), corners=given)) == said


def move_corners(corners: Floats, squares: float) -> Floats:
    """Return the corners (4, 2) px of the grid that lies some squares to the right on the board's plane."""
    places = (grid_corners(8) + np.array((squares, 0.0)))[None].astype(np.float32)
    return np.asarray(cv2.perspectiveTransform(places, homography_from_corners(corners, 8))[0], dtype=np.float64)


def test_a_whole_board_that_stays_where_it_is_is_worth_a_photograph(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_board(PLAYED)
    now = shares(read, 320, 240)
    assert aim(reader, monkeypatch, read) is None
    assert aim(reader, monkeypatch, read, before=(*now[1:], now[0])) is None, "found the other way round"
    assert aim(reader, monkeypatch, read, before=None) == reading.HOLD_STILL
    assert aim(reader, monkeypatch, read, before=tuple((x + 0.02, y) for x, y in now)) == reading.HOLD_STILL
    assert reader.aim(picture(240, 320), query(EMPTY), None).corners == now


def test_a_bare_board_bears_no_letters_and_is_worth_a_photograph(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = replace(read_board(Board.empty(8)), grid_doubt=GridDoubt.UNLETTERED)
    assert aim(reader, monkeypatch, bare) is None


@pytest.mark.parametrize(
    ("doubt", "hint"),
    [
        (GridDoubt.BLURRED, reading.HOLD_STILL),
        (GridDoubt.DARK, reading.MORE_LIGHT),
        (GridDoubt.DAZZLED, reading.LESS_LIGHT),
        (GridDoubt.PRINTED, GridDoubt.PRINTED.value),
    ],
)
def test_a_board_in_doubt_is_worth_none(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch, doubt: GridDoubt, hint: str
) -> None:
    assert aim(reader, monkeypatch, replace(read_board(PLAYED), grid_doubt=doubt)) == hint


def test_a_board_that_is_small_cut_off_or_under_a_hand_says_what_to_do(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_board(PLAYED)
    hand = np.zeros((8, 8))
    hand[7, 7] = 0.9
    assert aim(reader, monkeypatch, replace(read, hidden=hand)) == reading.HAND
    assert aim(reader, monkeypatch, read, image=picture(480, 640)) == reading.NEARER
    assert aim(reader, monkeypatch, read, image=picture(180, 320)) == reading.CORNER_MISSING
    part = CutOff(np.eye(8, dtype=bool), ("top",))
    assert aim(reader, monkeypatch, replace(read, cut_off=part)) == reading.CORNER_MISSING


@pytest.mark.parametrize(
    ("image", "hint"),
    [(picture(240, 320), reading.NO_BOARD), (picture(240, 320) // 4, reading.MORE_LIGHT),
     (np.zeros((240, 320, 3), np.uint8), reading.MORE_LIGHT)],
)  # fmt: skip
def test_a_picture_without_a_board_says_what_to_do(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch, image: Image, hint: str
) -> None:
    def refuse(*_: object, **__: object) -> BoardReading:
        raise BoardNotFound("No board.")

    monkeypatch.setattr(BoardReader, "read", refuse)
    seen = reader.aim(image, query(EMPTY), None)
    assert (seen.corners, seen.hint) == (None, hint)
