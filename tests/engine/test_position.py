from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from enginekit import board_of, boards, load_position, position_text, refusal
from hypothesis import given
from hypothesis import strategies as st

from engine import Board, Game, UpscoreError, find_edition, grid_edition
from engine.formats.game_json import Position, parse_position
from engine.formats.notation import format_diagram, parse_diagram

MOOD = board_of(8, "c4-MOOD; W@c4; Qu@f5")


def data(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(position_text(Position(find_edition("8x8"), MOOD)))
    fields.update(changes)
    return {name: value for name, value in fields.items() if value is not ...}


def test_a_position_comes_back_from_its_json() -> None:
    position = Position(find_edition("8x8"), MOOD, {"A": 5, "Qu": 0}, ("Red", "Blue"))
    assert load_position(position_text(position)) == position


def test_what_is_optional_may_be_missing_and_other_names_are_left_alone() -> None:
    position = parse_position(data(comment="from a photograph"))
    assert position == Position(find_edition("8x8"), MOOD)


def test_remaining_tiles_may_be_listed() -> None:
    assert parse_position(data(remaining=["A", "qu", "A"])).remaining == {"A": 2, "Qu": 1}


def test_a_grid_of_another_size_is_a_position_too() -> None:
    position = Position(grid_edition(15), board_of(15, "h8-ON"))
    assert load_position(position_text(position)) == position


def stacks(**squares: list[str]) -> list[list[list[str]]]:
    rows: list[list[list[str]]] = [[[] for _ in range(8)] for _ in range(8)]
    for name, faces in squares.items():
        rows[int(name[1]) - 1]["abcdefgh".index(name[0])] = faces
    return rows


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "the position must be an object"),
        ([], "the position must be an object"),
        ("8x8", "the position must be an object"),
        (data(edition=...), 'has no "edition"'),
        (data(stacks=...), 'has no "stacks"'),
        (data(edition=8), "edition must be a text"),
        (data(edition="9x8"), "'9x8' is not an edition"),
        (data(edition="10x10"), "the board has 8 rows, and edition 10x10 has 10"),
        (data(stacks={}), "the board must be a list"),
        (data(stacks=[[]] * 8), "row 1 has 0 squares"),
        (data(stacks=[*stacks()[:7], [[]] * 9]), "row 8 has 9 squares"),
        (data(stacks=[*stacks()[:7], 3]), "a row of the board must be a list"),
        (data(stacks=[*stacks()[:7], ["A"] * 8]), "a stack must be a list"),
        (data(stacks=stacks(a1=["AB"])), "'AB' is not a tile"),
        (data(stacks=stacks(a1=[7])), "a tile must be a text"),  # type: ignore[list-item]
        (data(stacks=stacks(c4=list("ABCDEF"))), "c4 would hold 6 tiles"),
        (data(remaining=7), '"remaining" must be an object'),
        (data(remaining={"AB": 1}), "'AB' is not a tile"),
        (data(remaining={"A": -1}), '"remaining" of A must be a whole number'),
        (data(players="Red"), '"players" must be a list'),
        (data(players=[1]), "a player must be a text"),
        (data(players=list("abcde")), "5 players"),
    ],
)
def test_what_is_impossible_is_said_in_one_line(value: object, says: str) -> None:
    with pytest.raises(UpscoreError) as caught:
        parse_position(value)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("squares", "says"),
    [
        ({"d4": "A", "e4": "T"}, []),
        ({"d4": "A", "e4": "T", "a8": "O", "b8": "N"}, ["a8 and b8 are not joined to the other tiles (Rule 4)"]),
        ({"d4": "A", "e5": "T"}, ["e5 is not joined to the other tiles (Rule 4)"]),
        ({"a1": "A"}, ["no tile lies on the centre of the board, d4, e4, d5 and e5 (Rule 3)"]),
        ({"d4": "WMM"}, ["a letter lies on the same letter at d4 (Rule 5)"]),
        ({"d4": "Z", "e4": "Z"}, ["2 Z tiles where the 8x8 set has 1: one was misread, or the set is mixed"]),
    ],
)
def test_what_a_table_insisted_on_is_read_and_said(squares: dict[str, str], says: list[str]) -> None:
    position = parse_position(data(stacks=stacks(**{name: list(faces) for name, faces in squares.items()})))
    assert position.oddities == tuple(says)
    assert load_position(position_text(position)) == position
    game = Game.start(position.edition, ["Red", "Blue"], board=position.board)
    assert game.flags == position.oddities


def test_text_cut_off_is_said_in_one_line() -> None:
    with pytest.raises(UpscoreError, match=r"the position is not readable JSON \(.*line 1, column"):
        load_position(json.dumps(data())[:100])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["edition", "stacks"]), inner),
    max_leaves=12,
)


@given(JSON)
def test_no_data_does_worse_than_one_line(value: object) -> None:
    for attempt in (value, data(stacks=value), data(players=value), data(remaining=value), data(edition=value)):
        refused = refusal(partial(parse_position, attempt))
        assert refused is None or len(refused.splitlines()) == 1


def test_a_diagram_shows_stacks_from_bottom_to_top() -> None:
    assert format_diagram(board_of(4, "a1-ON; Qu@a1; B@d4")) == "\n".join(
        ["   a   b c d", " 1 OQu N . .", " 2 .   . . .", " 3 .   . . .", " 4 .   . . B"]
    )


@given(boards())
def test_a_board_comes_back_from_its_diagram(board: Board) -> None:
    text = format_diagram(board)
    assert parse_diagram(text) == board
    assert parse_diagram("\n".join(line[3:] for line in text.splitlines()[1:])) == board


@pytest.mark.parametrize("text", ["", "A", "a b\n1 A .", ". .\n. . .", ". ?\n. .", "ABCDEF .\n. ."])
def test_what_is_no_diagram_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UpscoreError) as caught:
        parse_diagram(text)
    assert "\n" not in str(caught.value)
