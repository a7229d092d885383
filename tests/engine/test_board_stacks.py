from __future__ import annotations

import pytest
from enginekit import board_of, boards, transpose_board
from hypothesis import given

from engine import Board, Square, parse_play, parse_square
from engine.errors import PositionError


def test_a_play_goes_on_top() -> None:
    board = board_of(8, "c4-MOOD; c4-W")
    assert board.stack(parse_square("c4")) == ("M", "W")
    assert board.top(parse_square("c4")) == "W"
    assert board.height(parse_square("c4")) == 2
    assert board.top(parse_square("a1")) == ""
    assert board.tops()[3] == ("", "", "W", "O", "O", "D", "", "")
    assert board.counts() == {"M": 1, "W": 1, "O": 2, "D": 1}
    assert board.tile_count() == 5
    assert [square.col for square in board.list_occupied()] == [2, 3, 4, 5]
    assert len(list(board.squares())) == 64


def test_playing_leaves_the_board_before_as_it_was() -> None:
    board = board_of(8, "c4-MOOD")
    board.with_play(parse_play("W@c4"))
    assert board == board_of(8, "c4-MOOD")


@given(boards())
def test_taking_off_undoes_a_play(board: Board) -> None:
    play = parse_play("X@a1 Y@b3 Z@d4")
    if all(board.height(square) < 5 for square in play.squares):
        assert board.with_play(play).without_top(play.squares) == board


@given(boards())
def test_transposing_twice_changes_nothing(board: Board) -> None:
    assert transpose_board(transpose_board(board)) == board
    assert transpose_board(board).stack(Square(1, 3)) == board.stack(Square(3, 1))


def test_an_empty_board_is_empty() -> None:
    assert Board.empty(8).is_empty
    assert not board_of(8, "A@h8").is_empty


@pytest.mark.parametrize("size", [1, 0, -3, 22])
def test_a_board_has_a_sensible_size(size: int) -> None:
    with pytest.raises(PositionError, match="2 to 21"):
        Board.empty(size)


def test_a_row_too_long_is_named() -> None:
    with pytest.raises(PositionError, match="row 2 has 3 squares"):
        Board.of([[[], []], [[], [], []]])


def test_six_high_is_named() -> None:
    with pytest.raises(PositionError, match="b1 would hold 6 tiles"):
        Board.of([[[], list("ABCDEF")], [[], []]])
    with pytest.raises(PositionError, match="d4 would hold 6 tiles"):
        board_of(8, "A@d4; B@d4; C@d4; D@d4; E@d4; F@d4")


def test_an_unknown_letter_is_named() -> None:
    with pytest.raises(PositionError, match=r"'Q' on a1 is not a tile"):
        Board.of([[["Q"], []], [[], []]])


def test_squares_off_the_board_are_refused() -> None:
    board = Board.empty(8)
    with pytest.raises(PositionError, match="i1 is not on this board"):
        board.with_play(parse_play("A@i1"))
    with pytest.raises(PositionError, match="row 0, column 1 is not on this board"):
        board.stack(Square(-1, 0))


def test_nothing_can_be_taken_off_an_empty_square() -> None:
    with pytest.raises(PositionError, match="no tile lies on a1"):
        board_of(8, "A@b1").without_top([parse_square("a1")])
    with pytest.raises(PositionError, match="no tile lies on b1"):
        board_of(8, "A@b1").without_top([parse_square("b1"), parse_square("b1")])
