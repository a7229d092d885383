"""Boards to start from: what was seen stays as it was seen."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples

from engine import FACES, find_edition
from engine.game.seen_board import TopsAndHeights, fill_under
from webui.errors import WebError
from webui.routes.new_game import parse_tops

EDITION = find_edition("8x8")
SQUARE = st.one_of(st.just(("", 0)), st.tuples(st.sampled_from(FACES), st.integers(1, 5)))
SEEN = st.lists(st.lists(SQUARE, min_size=8, max_size=8).map(tuple), min_size=8, max_size=8).map(tuple)


@examples(50)
@given(SEEN)
def test_tops_and_heights_are_kept_and_no_letter_lies_on_itself(seen: TopsAndHeights) -> None:
    board = fill_under(seen, EDITION)
    assert board.tops() == tuple(tuple(face for face, _ in row) for row in seen)
    assert [[len(stack) for stack in row] for row in board.stacks] == [[high for _, high in row] for row in seen]
    for row in board.stacks:
        for stack in row:
            assert all(one != other for one, other in pairwise(stack))


@examples(50)
@given(SEEN)
def test_what_the_page_sends_back_is_read_as_it_was(seen: TopsAndHeights) -> None:
    assert parse_tops(json.dumps(seen), EDITION) == seen


def test_the_letters_underneath_are_those_the_set_has_most_of() -> None:
    rows = [[("", 0)] * 8 for _ in range(8)]
    rows[3][3] = ("Z", 3)
    board = fill_under(tuple(map(tuple, rows)), EDITION)
    assert sorted(board.stacks[3][3][:2]) == ["A", "E"]


@examples(50)
@given(SEEN, SEEN)
def test_the_tiles_of_the_board_before_stay_underneath(before: TopsAndHeights, seen: TopsAndHeights) -> None:
    known = fill_under(before, EDITION)
    board = fill_under(seen, EDITION, known)
    assert board.tops() == tuple(tuple(face for face, _ in row) for row in seen)
    for square in board.squares():
        face, height = seen[square.row][square.col]
        assert board.height(square) == height
        was, now = known.stack(square), board.stack(square)
        kept = min(len(was), max(height - 2, 0))
        assert now[:kept] == was[:kept]
        assert all(one != other for one, other in pairwise(now))
        if (face, height) == before[square.row][square.col]:
            assert now == was


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "{}",
        "[]",
        "[[]]",
        '[[["A",1]]]',
        "5",
        "[" * 10000,
        '[[["A"]]]',
        json.dumps((((("?", 1),) * 8),) * 8),
        json.dumps((((("A", 6),) * 8),) * 8),
        json.dumps((((("A", 0),) * 8),) * 8),
        json.dumps((((("", 2),) * 8),) * 8),
        json.dumps((((("", 0),) * 10),) * 10),
        '[[["A",true]]]',
    ],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(WebError) as refused:
        parse_tops(text, EDITION)
    assert "\n" not in str(refused.value)
