from __future__ import annotations

import pytest
from enginekit import any_faces, board_of, board_with
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there

from engine import Game, GameError, find_edition, parse_play
from engine.game.events import RackSeen
from engine.tiles import Rack, count_tiles_left, excess_letters, ordinal

CLASSIC = find_edition("8x8")


def game_of(*players: str) -> Game:
    return Game.start(CLASSIC, players or ("Red", "Blue"))


def test_a_rack_that_is_known_is_played_from_and_drawn_full() -> None:
    game = game_of().with_event(RackSeen(0, ("C", "A", "T", "Qu", "E", "R", "S"))).play(parse_play("c4-CAT"))
    assert game.state.racks[0] == Rack(("Qu", "E", "R", "S"), 3)
    assert game.pile == 47
    assert game.flags == ()


def test_a_tile_that_was_not_on_the_rack_is_flagged() -> None:
    game = game_of().with_event(RackSeen(0, tuple("CAXPERS"))).play(parse_play("c4-CAT"))
    assert game.flags == ("turn 1, Red: Red played T, which was not on the rack",)
    assert game.state.racks[0].size == 7
    assert game.pile == 47
    given = game_of().with_event(RackSeen(0, tuple("CAXPERS"))).exchange("T")
    assert given.flags == ("turn 1, Red: Red gave back T, which was not on the rack",)


def test_an_upheld_challenge_brings_the_rack_back() -> None:
    rack = ["C", "A", "T", "E", "R", "S", "X"]
    game = game_of().with_event(RackSeen(0, tuple(rack))).play(parse_play("c4-CAT"))
    assert game.challenge("Blue", upheld=True).state.racks[0] == Rack(tuple(rack), 0)


def test_more_tiles_than_the_rack_held_are_flagged() -> None:
    game = Game.start(CLASSIC, ["Red"], board=board_with(57)).play(parse_play("a8-EFG"))
    assert game.state.racks[0].size == 4
    game = game.play(parse_play("a7-HIJKL"))
    assert "turn 2, Red: Red held 4 tiles and played 5: was a turn missed?" in game.flags


@pytest.mark.parametrize(
    ("player", "faces", "says"),
    [
        (0, ["A"] * 8, "8 tiles on a rack: a rack holds 7"),
        (0, ["?"], r"'\?' is not a tile"),
        (2, ["A"], "there is no player 3: the game has 2"),
    ],
)
def test_racks_that_cannot_be_are_refused(player: int, faces: list[str], says: str) -> None:
    with pytest.raises(GameError, match=says):
        game_of().with_event(RackSeen(player, tuple(faces)))


def test_a_rack_of_another_size_than_counted_is_flagged_and_the_pile_put_right() -> None:
    game = game_of().with_event(RackSeen(0, ("A", "B")))
    assert game.flags == ("Red's rack has 2 tiles where 7 were counted",)
    assert game.pile == 55


def test_a_letter_played_too_often_is_flagged() -> None:
    game = game_of().play(parse_play("a4-EEEEEE"))
    assert game.flags == ()
    game = game.play(parse_play("E@g4"))
    assert game.flags == (
        "turn 2, Blue: this is the seventh E, and the 8x8 set has 6: one was misread, or the set is mixed",
    )
    game = game.play(parse_play("E@h4"))
    assert game.flags[1].startswith("turn 3, Red: this is the eighth E")
    assert game.challenge("Blue", upheld=True).flags == game.flags[:1]


def test_a_letter_on_another_rack_counts() -> None:
    game = game_of().with_event(RackSeen(1, ("J", "A", "A", "A", "A", "A", "E"))).play(parse_play("c4-JAM"))
    assert [flag.partition(", and")[0] for flag in game.flags] == [
        "turn 1, Red: this is the second J",
        "turn 1, Red: this is the sixth A",
    ]


def test_a_rack_with_too_many_of_a_letter_is_flagged() -> None:
    game = game_of().play(parse_play("c4-JAM")).with_event(RackSeen(1, tuple("JEEEEEE")))
    assert game.flags == ("Blue's rack: 2 J tiles where the 8x8 set has 1: one was misread, or the set is mixed",)


def test_a_start_with_too_many_of_a_letter_is_flagged() -> None:
    game = Game.start(CLASSIC, ["Red"], board=board_of(8, "c4-JAJ"))
    assert game.flags == ("2 J tiles where the 8x8 set has 1: one was misread, or the set is mixed",)


def test_tiles_left_are_those_nobody_has_seen() -> None:
    game = game_of().with_event(RackSeen(0, tuple("JAMEEEE"))).play(parse_play("c4-JAM"))
    left = there(game.count_tiles_left())
    assert (left["J"], left["A"], left["E"]) == (0, 4, 2)
    assert left.total() == 64 - 7


def test_tiles_left_of_an_edition_without_distribution_are_not_known() -> None:
    deluxe = find_edition("11x11")
    game = Game.start(deluxe, ["Red", "Blue"]).play(parse_play("f6-ZZZZ"))
    assert game.count_tiles_left() is None
    assert game.pile == 121 - 14 - 4
    assert game.flags == ()
    assert count_tiles_left(deluxe, game.board) is None
    assert excess_letters(deluxe, {"Z": 99}) == ()


@pytest.mark.parametrize(
    ("number", "name"),
    [(1, "first"), (8, "eighth"), (10, "tenth"), (11, "11th"), (12, "12th"), (21, "21st"), (22, "22nd"), (23, "23rd")],
)
def test_ordinals(number: int, name: str) -> None:
    assert ordinal(number) == name


@given(any_faces, st.none() | st.integers(0, 3), any_faces)
def test_a_rack_loses_as_many_tiles_as_leave_it(
    known: tuple[str, ...], hidden: int | None, gone: tuple[str, ...]
) -> None:
    rack = Rack(known, hidden)
    after = rack.without(gone)
    if rack.size is None:
        assert after.size is None
        assert rack.missing(gone) == ()
    else:
        assert after.size == max(0, rack.size - len(gone))
    if not rack.missing(gone):
        assert all(known.count(face) >= after.known.count(face) for face in known)
