"""Plays typed as people say them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webkit import EXAMPLE, Site, text

from engine import FACES, SQUARES, Board, format_play, parse_play, square_name
from engine.errors import NotationError
from webui.routes.forms import parse_typed

MOOD = Board.empty(8).with_play(parse_play(EXAMPLE[0]))


@pytest.mark.parametrize(
    ("said", "tiles"),
    [
        ("DEAR down from e4", "E@e5 A@e6 R@e7"),
        ("wood across from b4", "W@b4"),
        ("Wood at b4 across.", "W@b4"),
        ("quit down c4", "Qu@c4 I@c5 T@c6"),
        ("N@d5, T@f5", "N@d5 T@f5"),
        ("d5-N.T", "N@d5 T@f5"),
    ],
)
def test_a_word_covers_what_is_other_and_leaves_what_is_there(said: str, tiles: str) -> None:
    assert format_play(parse_typed(said, MOOD)) == tiles


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("MOOD across from b4", "MOOD lies there already"),
        ("NATURE across from d1", "runs off the board"),
        ("NATURE across", "NATURE"),
        ("NATURE sideways from d1", "NATURE"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(said: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as raised:
        parse_typed(said, MOOD)
    assert "\n" not in str(raised.value)


@given(
    st.lists(st.sampled_from([face for face in FACES if face != "Qu"]), min_size=1, max_size=8).map("".join),
    st.booleans(),
    st.integers(0, 7),
)
def test_the_word_stands_there_afterwards(word: str, down: bool, line: int) -> None:
    way, start = ("down", SQUARES[0][line]) if down else ("across", SQUARES[line][0])
    board = MOOD
    with contextlib.suppress(NotationError):  # it may lie there already
        board = board.with_play(parse_typed(f"{word} {way} from {square_name(start)}", board))
    lies = [row[line] for row in board.tops()] if down else board.tops()[line]
    assert "".join(lies[: len(word)]) == word


def test_a_typed_word_is_entered(site: Site) -> None:
    asked = site.client.post("/games/1/verdict", data={"tiles": "mood across from b4"})
    assert asked.json is not None
    assert asked.json["tiles"] == EXAMPLE[0]
    assert site.submit("play", tiles="mood across from b4").status_code == 303
    assert site.now().game.turns[0].play == parse_play(EXAMPLE[0])
    assert "DEAR: 8 points" in text(site.client.get("/games/1/play?tiles=DEAR+down+from+e4"))
