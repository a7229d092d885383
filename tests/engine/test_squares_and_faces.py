from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import FACES, Square, parse_square, square_name
from engine.errors import NotationError
from engine.faces import format_faces, parse_face, parse_faces, spell
from engine.squares import centre_squares, run_around, runs_along, square_names
from engine.wording import join_names


def test_there_are_26_faces_with_qu_for_q() -> None:
    assert len(FACES) == 26
    assert "Qu" in FACES
    assert "Q" not in FACES
    assert sorted(FACES) == list(FACES)


@pytest.mark.parametrize(
    ("text", "face"), [("qu", "Qu"), ("QU", "Qu"), ("Qu", "Qu"), ("q", "Qu"), ("a", "A"), ("Z", "Z")]
)
def test_a_face_is_read_in_any_case(text: str, face: str) -> None:
    assert parse_face(text) == face


@pytest.mark.parametrize("text", ["", "AB", "?", "1", "\u00c9", "\u017f", "Qv", " A"])
def test_what_is_no_face_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a tile"):
        parse_face(text)


def test_faces_are_read_one_after_another() -> None:
    assert parse_faces("AEINSTQu") == ("A", "E", "I", "N", "S", "T", "Qu")
    assert parse_faces("quu") == ("Qu", "U")
    assert parse_faces("") == ()
    assert parse_faces("aQuit", lone_q=True) == ("A", "Qu", "U", "I", "T")


def test_the_character_that_is_no_letter_is_named() -> None:
    with pytest.raises(NotationError, match=r"'\?' \(character 3 of 'AE\?'\)"):
        parse_faces("AE?")


@given(st.lists(st.sampled_from(FACES)))
def test_faces_come_back_from_their_text(faces: list[str]) -> None:
    assert parse_faces(format_faces(faces)) == tuple(faces)


def test_a_word_spells_qu_with_two_letters() -> None:
    assert spell(("Qu", "I", "T")) == "QUIT"


def test_squares_have_names() -> None:
    assert parse_square("d4") == parse_square("D4") == Square(3, 3)
    assert square_name(Square(0, 0)) == "a1"
    assert square_name(Square(9, 7)) == "h10"
    assert square_names([Square(0, 0), Square(0, 1), Square(0, 2)]) == "a1, b1 and c1"
    assert [join_names([]), join_names(["WOOL"]), join_names(["WOOL", "LEAP"])] == ["", "WOOL", "WOOL and LEAP"]


@pytest.mark.parametrize("text", ["", "4", "d", "4d", "d0", "d04", "v1", "a22", "d-1", "d4x", "d٤", "é1"])
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a square"):
        parse_square(text)


@given(st.integers(0, 20), st.integers(0, 20))
def test_a_square_comes_back_from_its_name(row: int, col: int) -> None:
    assert parse_square(square_name(Square(row, col))) == Square(row, col)


def test_the_centre_is_four_squares_or_one() -> None:
    assert {square_name(square) for square in centre_squares(8)} == {"d4", "e4", "d5", "e5"}
    assert {square_name(square) for square in centre_squares(10)} == {"e5", "f5", "e6", "f6"}
    assert {square_name(square) for square in centre_squares(11)} == {"f6"}


lines = st.lists(st.booleans(), min_size=1, max_size=12)


@given(lines)
def test_runs_are_the_longest_occupied_stretches(line: list[bool]) -> None:
    text = "".join("x" if occupied else " " for occupied in line)
    assert [end - start for start, end in runs_along(line)] == [len(run) for run in text.split() if len(run) > 1]
    for start, end in runs_along(line):
        assert all(line[start:end])
        assert all(run_around(line, at, at) == (start, end) for at in range(start, end))


@given(lines, st.data())
def test_a_run_holds_the_squares_that_are_taken_for_occupied(line: list[bool], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(line) - 1))
    last = data.draw(st.integers(first, len(line) - 1))
    filled = [*line[:first], *[True] * (last + 1 - first), *line[last + 1 :]]
    assert run_around(line, first, last) == run_around(filled, first, first)
