"""The solver beside the one of npm: what it is given, how its answer is read, and what both are said to agree on."""

from __future__ import annotations

from pathlib import Path

import pytest
from enginekit import board_of

from engine import parse_play
from workshop.bench.speed.peer import PEER, agreement, cells, peer_in, peer_words, plays_of


def test_words_are_given_with_a_letter_for_each_tile() -> None:
    assert peer_words(["QUIT", "EQUIP", "QAT", "CAT", "A"]) == ["QIT", "EQIP", "CAT"]


def test_a_board_is_given_by_its_heights_and_the_letters_on_top() -> None:
    shown = cells(board_of(10, "e5-QuIT; e5-S"))
    played = {cell for row in shown for cell in row if cell != "0 "}
    assert played == {"2S", "1I", "1T"}
    assert (len(shown), {len(row) for row in shown}) == (10, {10})


def test_its_plays_are_those_that_its_own_rules_allow_each_once() -> None:
    quit_ = {"tiles": [[4, 4, "Q"], [4, 5, "I"], [4, 6, "T"]], "points": 8}
    lone = {"tiles": [[5, 4, "A"]], "points": 4}
    refused = {"tiles": [[9, 9, "A"]], "points": None}
    found = plays_of({"plays": [quit_, lone, lone, refused]})
    assert sorted(found.values()) == [4, 8]
    assert {tile.face for play in found for tile in play.tiles} == {"Qu", "I", "T", "A"}


def test_both_are_compared_play_by_play() -> None:
    one, two, three = (parse_play(text) for text in ("a1-IT", "a1|IT", "b1-ON"))
    assert agreement({one: 4, two: 6}, {one: 4, two: 5, three: 9}) == {
        "plays": 2,
        "peer plays": 3,
        "both": 2,
        "same points": 1,
        "same best": 0,
    }


def test_where_it_is_not_installed_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert peer_in(None) == peer_in(tmp_path) == {}
    assert capsys.readouterr().err.count(f"{PEER}: not installed here") == 2
