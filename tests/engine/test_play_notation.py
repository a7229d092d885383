from __future__ import annotations

import pytest
from enginekit import make_play, plays, refusal
from hypothesis import given
from hypothesis import strategies as st

from engine import Play, format_play, parse_play
from engine.errors import NotationError
from engine.play import format_run


def test_tiles_are_sorted_by_square() -> None:
    play = parse_play("A@e7 N@d7 Qu@c9")
    assert format_play(play) == "N@d7 A@e7 Qu@c9"
    assert play == make_play([(8, 2, "Qu"), (6, 3, "N"), (6, 4, "A")])


def test_tiles_on_one_square_keep_their_order() -> None:
    assert parse_play("B@d4 A@d4").faces == ("B", "A")
    assert parse_play("A@d4 B@d4").faces == ("A", "B")


@pytest.mark.parametrize(
    ("run", "tiles"),
    [
        ("e6-N.T", "N@e6 T@g6"),
        ("h2|PLUS", "P@h2 L@h3 U@h4 S@h5"),
        ("a1-quit", "Qu@a1 I@b1 T@c1"),
        ("a1|.A", "A@a2"),
        ("e6-N.T, W@c5", "W@c5 N@e6 T@g6"),
    ],
)
def test_runs_are_read(run: str, tiles: str) -> None:
    assert parse_play(run) == parse_play(tiles)


def test_another_games_q_is_a_tile_by_itself() -> None:
    assert parse_play("a1-QUIT", lone_q=True) == parse_play("Q@a1 U@b1 I@c1 T@d1")
    assert parse_play("Qu@a1", lone_q=True) == parse_play("Q@a1")


def test_a_play_in_one_line_is_written_as_a_run() -> None:
    assert format_run(parse_play("N@e6 T@g6")) == "e6-N.T"
    assert format_run(parse_play("L@f5 P@f8")) == "f5|L..P"
    assert format_run(parse_play("A@a1 B@b2")) == "A@a1 B@b2"
    assert format_run(parse_play("A@a1 B@a1")) == "A@a1 B@a1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        ",",
        "N",
        "N@",
        "@d7",
        "N@d7@e7",
        "N@z9",
        "?@d7",
        "e6",
        "e6-?",
        "-ABC",
        "e6-...",
        "e4|",
        "d4-MOOD e4|",
        "u21-AB",
    ],
)
def test_what_is_no_play_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_play(text)
    assert "\n" not in str(caught.value)


@given(st.integers(4, 10).flatmap(plays))
def test_a_play_comes_back_from_both_notations(play: Play) -> None:
    assert parse_play(format_play(play)) == play
    assert parse_play(format_run(play)) == play


@given(st.text(max_size=30) | st.text("abcAQu@-|.19 ", max_size=20))
def test_no_text_does_worse_than_a_notation_error(text: str) -> None:
    refused = refusal(lambda: parse_play(text))
    if refused is None:
        play = parse_play(text)
        assert parse_play(format_play(play)) == play
    else:
        assert len(refused.splitlines()) == 1
